"""Endless pictures to learn from, in worker processes: crops of scenes in folders that may still be growing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from torch.utils.data import IterableDataset, get_worker_info

from training.crops import Crop, random_crop
from training.strangeness import strange
from training.truth import read_scene, scene_files
from vision.eyes.brightness import USUAL_SIDE, brightened

Waiting = TypeVar("Waiting")
Lesson = TypeVar("Lesson", covariant=True)


class Lessons(IterableDataset[Lesson]):
    """Endless lessons of some *size* from scenes in *folders*, other ones for each *seed*.

    Each sample is learnt from as many times as there are *echoes*: where it takes longer to make one than to learn
    from it, that teaches more in the same time (Choi et al., Faster Neural Network Training with Data Echoing, 2019).
    """

    def __init__(self, folders: Sequence[Path], size: int, seed: int, echoes: int) -> None:
        self.folders, self.size, self.seed, self.echoes = folders, size, seed, echoes


def mixed(samples: Iterable[Waiting], held: int, rng: np.random.Generator, *, echoes: int) -> Iterator[Waiting]:
    """The *samples* in another order, each as often as there are *echoes*: so many *held* ones wait to be drawn."""
    waiting: list[Waiting] = []
    for sample in samples:
        waiting += [sample] * echoes
        while len(waiting) > held * echoes:
            index = int(rng.integers(len(waiting)))
            waiting[index], waiting[-1] = waiting[-1], waiting[index]
            yield waiting.pop()


def chance(seed: int) -> np.random.Generator:
    """The dice of this worker process."""
    return np.random.default_rng([seed, _place()[0]])


def spoilt_crops(
    folders: Sequence[Path], rng: np.random.Generator, size: tuple[int, int], each: int
) -> Iterator[Crop]:
    """Crops without end, *each* of a picture one after the other, as another camera on another cloth would show them
    to eyes for which dark parts are made lighter.

    Several workers share the scenes; the folders are listed again whenever every scene has been seen.
    """
    cv2.setNumThreads(1)
    number, workers = _place()
    while True:
        files = [file for folder in folders for file in scene_files(folder)]
        if not files:
            raise FileNotFoundError(f"There are no scenes in {', '.join(map(str, folders))}.")
        for index in rng.permutation(len(files))[number % len(files) :: workers]:
            scene = read_scene(files[index])
            image = scene.image()
            for _ in range(each):
                crop = random_crop(image, scene, rng, size)
                yield Crop(brightened(strange(crop, rng), USUAL_SIDE), crop.scene, crop.inside)


def _place() -> tuple[int, int]:
    """The number of this worker process, and how many there are."""
    worker = get_worker_info()
    return (worker.id, worker.num_workers) if worker else (0, 1)
