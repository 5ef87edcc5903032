"""Patches of pieces as they may be told, with what should be answered, made in worker processes without end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

from training.crops import Crop, random_crop
from training.photo_errors import spoilt
from training.tablecloths import dyed
from training.targets import IGNORED, POSTURES
from training.told import NOBODY, UNASKED, Told, in_the_order_of, meant, told_badly, told_beneath, told_crosswise
from training.truth import TruePiece, read_scene, scene_files
from vision.eyes.decode import Thresholds, decode
from vision.eyes.detector import Detector, answer
from vision.eyes.patches import Windows, patches
from vision.solids import Array

CROP = (640, 480)  # px of the part of a picture that is looked at
CROPS_A_PICTURE = 2
HELD = 1500  # patches that wait to be drawn
DYED = 0.35  # share of crops whose table gets another pattern
FAINTEST = Thresholds(piece=0.08)  # what the first net says with more heat than this is told


@dataclass(frozen=True, eq=False)
class Lesson:
    """B patches and what should be answered. Corners are px of the patch; what is ``there`` 0 has nothing else.

    Attributes:
        image: (B, 80, 80, 3) uint8. told: (B, 5, 2). told_under: (B,).
        there: (B,) 0 or 1. corners, seen: (B, 5, 2) and (B, 5). lying: (B,) 0, 1 or ``IGNORED``.
        color, size: (B,) indices. visible, above: (B,).
    """

    image: Tensor
    told: Tensor
    told_under: Tensor
    there: Tensor
    corners: Tensor
    seen: Tensor
    lying: Tensor
    color: Tensor
    size: Tensor
    visible: Tensor
    above: Tensor


Patch = dict[str, Any]


def lessons(folders: Sequence[Path], size: int, seed: int, workers: int) -> Iterator[Lesson]:
    """Endless lessons of *size* patches."""
    return iter(DataLoader(_Lessons(folders, size, seed), batch_size=None, num_workers=workers))


class _Lessons(IterableDataset[Lesson]):
    def __init__(self, folders: Sequence[Path], size: int, seed: int) -> None:
        self.folders, self.size, self.seed = folders, size, seed

    def __iter__(self) -> Iterator[Lesson]:
        worker = torch.utils.data.get_worker_info()
        number, workers = (worker.id, worker.num_workers) if worker else (0, 1)
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self.seed, number])
        first = Detector()
        waiting: list[Patch] = []
        while True:
            files = [file for folder in self.folders for file in scene_files(folder)]
            if not files:
                raise FileNotFoundError(f"There are no scenes in {', '.join(map(str, self.folders))}.")
            for index in rng.permutation(len(files))[number % len(files) :: workers]:
                waiting += _patches_of(files[index], first, rng)
                while len(waiting) > HELD:
                    drawn = [_drawn(waiting, rng) for _ in range(self.size)]
                    yield lesson_of(drawn)


def _drawn(waiting: list[Patch], rng: np.random.Generator) -> Patch:
    index = int(rng.integers(len(waiting)))
    waiting[index], waiting[-1] = waiting[-1], waiting[index]
    return waiting.pop()


def lesson_of(drawn: list[Patch]) -> Lesson:
    """Patches with their right answers as one lesson."""
    return Lesson(
        **{field.name: torch.from_numpy(np.stack([patch[field.name] for patch in drawn])) for field in fields(Lesson)}
    )


def _patches_of(file: Path, first: Detector, rng: np.random.Generator) -> list[Patch]:
    scene = read_scene(file)
    image = scene.image()
    made = []
    for _ in range(CROPS_A_PICTURE):
        crop = random_crop(image, scene, rng, CROP)
        shown = spoilt(dyed(crop, rng) if rng.random() < DYED else crop.image, rng)
        made += patches_of(Crop(shown, crop.scene, crop.inside), first, rng)
    return made


def patches_of(crop: Crop, first: Detector, rng: np.random.Generator, *, badly: bool = True) -> list[Patch]:
    """What the *first* net tells of a crop, and what else might be told, *badly* too, with the right answers."""
    seen = decode(answer(first.session, crop.image), 1.0, FAINTEST)
    pieces = crop.scene.pieces
    in_sight = [piece for piece in pieces if piece.visible > 0]
    worse = [told_badly(in_sight, rng), told_crosswise(in_sight, rng)] if badly else []
    told = Told.together([Told(seen.corners, seen.under), told_beneath(in_sight, rng), *worse])
    middles = np.round(told.corners.mean(1)).astype(np.intp)
    within = ((middles >= 0) & (middles < crop.inside.shape[::-1])).all(1)
    within[within] &= crop.inside[middles[within, 1], middles[within, 0]] > 0
    within &= np.linalg.norm(np.ptp(told.corners, axis=1), axis=1) > 4
    of = meant(told, pieces)
    kept = np.flatnonzero(within & (of != UNASKED))
    windows = Windows.around(told.corners[kept])
    images = patches(crop.image, windows)
    shown = windows.inward(told.corners[kept])
    true = np.array(
        [
            told.corners[index] if of[index] == NOBODY else in_the_order_of(told.corners[index], pieces[of[index]])
            for index in kept
        ]
    ).reshape(-1, 5, 2)
    right = windows.inward(true)
    return [
        _patch(
            images[k],
            shown[k],
            told.under[index],
            right[k],
            None if of[index] == NOBODY else pieces[of[index]],
            true[k],
        )
        for k, index in enumerate(kept.tolist())
    ]


def _patch(
    image: NDArray[np.uint8], told: Array, under: np.bool_, right: Array, piece: TruePiece | None, true: Array
) -> Patch:
    there = piece is not None
    seen = np.zeros(5) if piece is None else _seen_in_order(piece, true)
    return {
        "image": image,
        "told": told.astype(np.float32),
        "told_under": np.float32(under),
        "there": np.float32(there),
        "corners": right.astype(np.float32),
        "seen": seen.astype(np.float32),
        "lying": np.float32(POSTURES.get(piece.posture, IGNORED) if piece else IGNORED),
        "color": np.int64(piece.color if piece else 0),
        "size": np.int64(piece.size if piece else 0),
        "visible": np.float32(piece.visible if piece else 0),
        "above": np.float32(piece.above if piece else 0),
    }


def _seen_in_order(piece: TruePiece, true: Array) -> Array:
    """(5,) which of the true corners, in this order, are in sight."""
    same = np.linalg.norm(piece.corners[None] - true[:, None], axis=-1).argmin(1)
    return np.asarray(piece.corners_seen[same], dtype=np.float64)
