"""Crops by the handful, made in worker processes from folders of scenes that may still be growing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

from training.crops import Crop, random_crop
from training.photo_errors import spoilt
from training.tablecloths import dyed
from training.targets import Targets, targets
from training.truth import read_scene, scene_files

CROPS_A_PICTURE = 3  # a picture takes longer to open than to be cut
HELD = 24  # crops that wait to be drawn, so that a batch is not of one picture
DYED = 0.35  # share of crops whose table gets another pattern
Sample = tuple[Crop, Targets]


@dataclass(frozen=True, eq=False)
class Batch:
    """B crops and their right answers, the words of all of them in one list with the number of its sample."""

    image: Tensor
    dense: Tensor
    counts: Tensor
    sample: Tensor
    floor: Tensor
    row: Tensor
    column: Tensor
    weight: Tensor
    offsets: Tensor
    offset_weight: Tensor
    lying: Tensor
    color: Tensor
    size: Tensor
    visible: Tensor


def batches(folders: Sequence[Path], size: int, seed: int, workers: int) -> Iterator[Batch]:
    """Endless batches of *size* crops."""
    crops = _Crops(folders, seed)
    return iter(DataLoader(crops, batch_size=size, num_workers=workers, collate_fn=batch_of))


def batch_of(samples: list[Sample]) -> Batch:
    """Several crops with their targets as one batch."""
    words = {
        field.name: torch.from_numpy(np.concatenate([getattr(target.words, field.name) for _, target in samples]))
        for field in fields(samples[0][1].words)
    }
    lengths = torch.tensor([len(target.words) for _, target in samples])
    return Batch(
        image=torch.from_numpy(np.stack([crop.image for crop, _ in samples])),
        dense=torch.from_numpy(np.stack([target.dense for _, target in samples])),
        counts=torch.from_numpy(np.stack([target.counts for _, target in samples])),
        sample=torch.repeat_interleave(torch.arange(len(samples)), lengths),
        **words,
    )


class _Crops(IterableDataset[Sample]):
    """Random crops without end; the folders are listed again whenever every scene has been seen."""

    def __init__(self, folders: Sequence[Path], seed: int) -> None:
        self.folders = folders
        self.seed = seed

    def __iter__(self) -> Iterator[Sample]:
        worker = torch.utils.data.get_worker_info()
        number, workers = (worker.id, worker.num_workers) if worker else (0, 1)
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self.seed, number])
        waiting: list[Sample] = []
        while True:
            files = [file for folder in self.folders for file in scene_files(folder)]
            if not files:
                raise FileNotFoundError(f"There are no scenes in {', '.join(map(str, self.folders))}.")
            for index in rng.permutation(len(files))[number % len(files) :: workers]:
                waiting += _crops_of(files[index], rng)
                while len(waiting) > HELD:
                    yield waiting.pop(int(rng.integers(len(waiting))))


def _crops_of(file: Path, rng: np.random.Generator) -> list[Sample]:
    scene = read_scene(file)
    image = scene.image()
    made = []
    for _ in range(CROPS_A_PICTURE):
        crop = random_crop(image, scene, rng)
        shown = dyed(crop, rng) if rng.random() < DYED else crop.image
        made.append((Crop(spoilt(shown, rng), crop.scene, crop.inside), targets(crop)))
    return made
