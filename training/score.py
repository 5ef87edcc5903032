"""How well the eyes see: their detections held against the truth of scenes. Needs no torch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from training.targets import LEAST_VISIBLE
from training.truth import Scene, TruePiece, scenes_in
from vision.eyes.detections import Detections
from vision.solids import Array

SAME = 0.35
"""A detection is a piece if its corners lie this share of the piece's diameter from the true ones, in the mean."""

Look = Callable[[Any], Detections]


@dataclass
class Tally:
    """What was right, over any number of pictures; errors of corners in px of the picture."""

    pictures: int = 0
    asked: int = 0
    found: int = 0
    extra: int = 0
    color: int = 0
    size: int = 0
    posture: int = 0
    with_posture: int = 0
    tips: list[float] = field(default_factory=list)
    corners: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def row(self) -> dict[str, float]:
        """The figures that are reported, as shares and px."""
        found = max(self.found, 1)
        tips, corners = np.array(self.tips or [np.nan]), np.array(self.corners or [np.nan])
        return {
            "pictures": self.pictures,
            "pieces": self.asked,
            "found": self.found / max(self.asked, 1),
            "extra_a_picture": self.extra / max(self.pictures, 1),
            "color": self.color / found,
            "posture": self.posture / max(self.with_posture, 1),
            "size": self.size / found,
            "tip_px": float(np.median(tips)),
            "tip_px_90": float(np.quantile(tips, 0.9)),
            "corner_px": float(np.median(corners)),
            "corner_px_90": float(np.quantile(corners, 0.9)),
        }


def score(folder: Path, look: Look, least: int = 0, most: int | None = None) -> Tally:
    """The tally over the scenes number *least* to *most* of a folder."""
    tally = Tally()
    for scene in _some(scenes_in(folder), least, most):
        count(tally, scene, look(scene.image()))
    return tally


def _some(scenes: Iterable[Scene], least: int, most: int | None) -> Iterator[Scene]:
    for number, scene in enumerate(scenes):
        if most is not None and number >= most:
            return
        if number >= least:
            yield scene


def count(tally: Tally, scene: Scene, seen: Detections) -> None:
    """Adds one picture to the tally. Pieces hardly visible are neither missed nor extra."""
    tally.pictures += 1
    pairs = matched(scene, seen)
    taken = dict(pairs)
    asked = [index for index, piece in enumerate(scene.pieces) if piece.visible >= LEAST_VISIBLE]
    tally.asked += len(asked)
    tally.extra += len(seen) - len(pairs)
    for index in asked:
        piece = scene.pieces[index]
        if index not in taken:
            tally.missed.append(f"{scene.name} {index} visible {piece.visible:.2f}")
            continue
        _compare(tally, piece, seen, taken[index])


def _compare(tally: Tally, piece: TruePiece, seen: Detections, one: int) -> None:
    tally.found += 1
    tally.color += int(seen.colors[one].argmax() == piece.color)
    tally.size += int(seen.sizes[one].argmax() == piece.size)
    if piece.posture != "tilted":
        tally.with_posture += 1
        tally.posture += int((seen.lying[one] > 0.5) == (piece.posture == "lying"))
    errors = np.linalg.norm(_aligned(seen.corners[one], piece) - piece.corners, axis=1)
    tally.tips += [float(errors[0])] if piece.corners_seen[0] else []
    tally.corners += [float(error) for error in errors[1:][piece.corners_seen[1:]]]


def matched(scene: Scene, seen: Detections) -> list[tuple[int, int]]:
    """Pairs (index of the piece, index of the detection), the closest first, each at most once."""
    apart = np.full((len(scene.pieces), len(seen)), np.inf)
    for i, piece in enumerate(scene.pieces):
        diameter = float(np.linalg.norm(np.ptp(piece.corners, axis=0)))
        for j in range(len(seen)):
            if abs(seen.corners[j] - piece.corners).mean() < diameter:
                errors = np.linalg.norm(_aligned(seen.corners[j], piece) - piece.corners, axis=1)
                apart[i, j] = errors.mean() / diameter
    pairs = []
    while apart.size and apart.min() < SAME:
        i, j = divmod(int(apart.argmin()), apart.shape[1])
        pairs.append((i, j))
        apart[i, :] = np.inf
        apart[:, j] = np.inf
    return pairs


def _aligned(corners: Array, piece: TruePiece) -> Array:
    """(5, 2) detected corners, those of a square base turned so that they fit the truth best."""
    if not piece.square:
        return corners
    turned = [np.concatenate([corners[:1], np.roll(corners[1:], shift, axis=0)]) for shift in range(4)]
    return min(turned, key=lambda each: float(np.abs(each - piece.corners).sum()))
