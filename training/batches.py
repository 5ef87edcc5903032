"""Crops by the handful, made in worker processes from folders of scenes that may still be growing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader

from training.crops import CROP, Crop
from training.streams import Lessons, chance, mixed, spoilt_crops
from training.targets import Targets, targets

CROPS_A_PICTURE = 3  # a picture takes longer to open than to be cut
HELD = 96  # crops that wait to be drawn
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


def batches(folders: Sequence[Path], size: int, seed: int, workers: int, echoes: int) -> Iterator[Batch]:
    """Endless batches of *size* crops, each learnt from as often as there are *echoes*."""
    return iter(DataLoader(_Batches(folders, size, seed, echoes), batch_size=None, num_workers=workers))


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


class _Batches(Lessons[Batch]):
    """Random crops without end, mixed, so that a batch is not of one picture."""

    def __iter__(self) -> Iterator[Batch]:
        rng = chance(self.seed)
        crops = ((crop, targets(crop)) for crop in spoilt_crops(self.folders, rng, CROP, CROPS_A_PICTURE))
        drawn = mixed(crops, HELD, rng, echoes=self.echoes)
        while True:
            yield batch_of(list(islice(drawn, self.size)))
