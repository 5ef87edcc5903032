"""Patches of pieces as they may be told, with what should be answered, made in worker processes without end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader

from training.crops import Crop
from training.streams import Lessons, chance, mixed, spoilt_crops
from training.targets import IGNORED, POSTURES
from training.told import NOBODY, UNASKED, Told, in_the_order_of, meant, told_badly, told_beneath, told_crosswise
from training.truth import TruePiece
from vision.eyes.answers import CORNERS
from vision.eyes.decode import Thresholds, decode
from vision.eyes.detections import together
from vision.eyes.detector import Detector, answer
from vision.eyes.halvings import Halvings
from vision.eyes.inspector import Inspector
from vision.eyes.patches import Windows, patches
from vision.solids import Array

CROP = (640, 480)  # px of the part of a picture that is looked at
CROPS_A_PICTURE = 2
HELD = 4000  # patches that wait to be drawn
TINY = 4.0  # px, diagonal of what is too small to be looked at
FAINTEST = Thresholds(piece=0.08)  # what the first net says with more heat than this is told
DOUBTED = 0.05  # probability from which on what an earlier inspector made of it is told as well


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


def lessons(folders: Sequence[Path], size: int, seed: int, workers: int, echoes: int) -> Iterator[Lesson]:
    """Endless lessons of *size* patches, each learnt from as often as there are *echoes*."""
    return iter(DataLoader(_Lessons(folders, size, seed, echoes), batch_size=None, num_workers=workers))


class _Lessons(Lessons[Lesson]):
    def __iter__(self) -> Iterator[Lesson]:
        rng = chance(self.seed)
        first, earlier = Detector(), Inspector()
        crops = spoilt_crops(self.folders, rng, CROP, CROPS_A_PICTURE)
        made = (patch for crop in crops for patch in patches_of(crop, first, rng, earlier=earlier))
        drawn = mixed(made, HELD, rng, echoes=self.echoes)
        while True:
            yield lesson_of(list(islice(drawn, self.size)))


def lesson_of(drawn: list[Patch]) -> Lesson:
    """Patches with their right answers as one lesson."""
    return Lesson(
        **{field.name: torch.from_numpy(np.stack([patch[field.name] for patch in drawn])) for field in fields(Lesson)}
    )


def patches_of(
    crop: Crop, first: Detector, rng: np.random.Generator, *, earlier: Inspector | None = None, badly: bool = True
) -> list[Patch]:
    """What the *first* net tells of a crop, and what else might be told, *badly* too, with the right answers.

    What an *earlier* inspector makes of it is told once more: what is looked at again has the corners of a piece, and
    so have the ghosts that are left by then.
    """
    pieces = crop.scene.pieces
    told = _told(crop, first, earlier, rng, badly=badly)
    of = meant(told, pieces)
    judged = np.flatnonzero(of != UNASKED)
    told = told.only(judged)
    whom = [None if index == NOBODY else pieces[index] for index in of[judged].tolist()]
    windows = Windows.around(told.corners)
    true = told.corners.copy()
    for index, piece in enumerate(whom):
        if piece is not None:
            true[index] = in_the_order_of(told.corners[index], piece)
    images, shown, right = patches(Halvings(crop.image), windows), windows.inward(told.corners), windows.inward(true)
    return [
        {
            "image": images[index],
            "told": shown[index].astype(np.float32),
            "told_under": np.float32(told.under[index]),
            "corners": right[index].astype(np.float32),
            "seen": _seen_in_order(true[index], piece),
        }
        | _answer(piece)
        for index, piece in enumerate(whom)
    ]


def _told(crop: Crop, first: Detector, earlier: Inspector | None, rng: np.random.Generator, *, badly: bool) -> Told:
    """What is told of a crop: within the picture, and not too small to be looked at."""
    seen = decode(answer(first.session, crop.image), 1.0, FAINTEST)
    if earlier is not None:
        again = earlier.inspected(seen, Halvings(crop.image))
        seen = together([seen, again.only(np.flatnonzero(again.score > DOUBTED))])
    in_sight = [piece for piece in crop.scene.pieces if piece.visible > 0]
    worse = [told_badly(in_sight, rng), told_crosswise(in_sight, rng)] if badly else []
    told = Told.together([Told(seen.corners, seen.under), told_beneath(in_sight, rng), *worse])
    middles = np.round(told.corners.mean(1)).astype(np.intp)
    within = ((middles >= 0) & (middles < crop.inside.shape[::-1])).all(1)
    within[within] &= crop.inside[middles[within, 1], middles[within, 0]] > 0
    return told.only(np.flatnonzero(within & (np.linalg.norm(np.ptp(told.corners, axis=1), axis=1) > TINY)))


def _answer(piece: TruePiece | None) -> Patch:
    """What should be said of a piece, its corners aside; of nobody only that it is not there."""
    return {
        "there": np.float32(piece is not None),
        "lying": np.float32(POSTURES.get(piece.posture, IGNORED) if piece else IGNORED),
        "color": np.int64(piece.color if piece else 0),
        "size": np.int64(piece.size if piece else 0),
        "visible": np.float32(piece.visible if piece else 0),
        "above": np.float32(piece.above if piece else 0),
    }


def _seen_in_order(true: Array, piece: TruePiece | None) -> NDArray[np.float32]:
    """(5,) which of the true corners, in this order, are in sight."""
    if piece is None:
        return np.zeros(CORNERS, np.float32)
    same = np.linalg.norm(piece.corners[None] - true[:, None], axis=-1).argmin(1)
    return np.asarray(piece.corners_seen[same], dtype=np.float32)
