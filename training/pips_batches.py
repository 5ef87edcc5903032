"""Strips of pieces whose corners are told a little wrongly, and their sizes, made in worker processes without end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader

from training.streams import Lessons, chance, mixed, spoilt_crops
from training.true_strips import Strip, strips_of

CROP = (1280, 960)  # px of the part of a picture that is looked at
CROPS_A_PICTURE = 2
TELLINGS = 4  # times the pieces of a crop are told, each time with other errors
HELD = 20_000  # strips that wait to be drawn


@dataclass(frozen=True, eq=False)
class Lesson:
    """B strips.

    Attributes:
        image: (B, 20, 48, 3) uint8. width: (B,) px that each had in the picture. size: (B,) the right index.
    """

    image: Tensor
    width: Tensor
    size: Tensor


def lessons(folders: Sequence[Path], size: int, seed: int, workers: int, echoes: int) -> Iterator[Lesson]:
    """Endless lessons of *size* strips, each learnt from as often as there are *echoes*."""
    return iter(DataLoader(_Lessons(folders, size, seed, echoes), batch_size=None, num_workers=workers))


class _Lessons(Lessons[Lesson]):
    def __iter__(self) -> Iterator[Lesson]:
        rng = chance(self.seed)
        drawn = mixed(self._strips(rng), HELD, rng, echoes=self.echoes)
        while True:
            yield lesson_of(list(islice(drawn, self.size)), rng)

    def _strips(self, rng: np.random.Generator) -> Iterator[Strip]:
        for crop in spoilt_crops(self.folders, rng, CROP, CROPS_A_PICTURE):
            for _ in range(TELLINGS):
                yield from strips_of(crop.image, crop.scene.pieces, rng)


def lesson_of(drawn: Sequence[Strip], rng: np.random.Generator) -> Lesson:
    """Strips as one lesson, half of them mirrored."""
    images: NDArray[np.uint8] = np.stack([image for image, _, _ in drawn])
    mirrored = rng.random(len(drawn)) < 0.5
    images[mirrored] = images[mirrored, :, ::-1]
    return Lesson(
        torch.from_numpy(images),
        torch.tensor([width for _, width, _ in drawn], dtype=torch.float32),
        torch.tensor([size for _, _, size in drawn]),
    )
