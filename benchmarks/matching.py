"""Which reading of a piece is meant by which true piece."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from benchmarks.scene_truth import Box, TruePiece, box_of
from companion_app.reading_types import ReadPiece

NEAREST = 6.0  # px: however small a piece, its reading may be so far off
REACH = 0.6  # of the diagonal of its box
OVERLAP = 0.3  # share of two boxes in common from which on they are of one piece, wherever their middles are

Truth = TypeVar("Truth", TruePiece, ReadPiece)
"""A true piece: as a picture's truth tells it, or as a faultless reading would."""

Distance = Callable[[Truth, ReadPiece], float | None]
"""How far a reading is from a true piece, in reaches; ``None`` for one that cannot be meant."""


def center_distance(want: TruePiece, got: ReadPiece) -> float | None:
    """Between the middles."""
    x0, y0, x1, y1 = want.box
    return _in_reaches(((x0 + x1) / 2, (y0 + y1) / 2), got, want.box)


def reading_distance(want: ReadPiece, got: ReadPiece) -> float | None:
    """Between the middles of what is in sight of two readings."""
    return _in_reaches(want.center, got, box_of(want.outline))


def center_or_overlap(want: TruePiece, got: ReadPiece) -> float | None:
    """Between the middles, less what the boxes have in common: of a piece in a stack perhaps only a rim is boxed."""
    overlap = common_share(want.box, box_of(got.outline)) if got.outline else 0.0
    away = center_distance(want, got)
    if away is None:
        return 1 - overlap if overlap >= OVERLAP else None
    return away - overlap


def match(truth: Sequence[Truth], found: Sequence[ReadPiece], distance: Distance[Truth]) -> dict[int, int]:
    """The index of the reading of each true piece that was found, by its own index.

    The nearest are paired first; what is unlike counts as farther away, so that in a stack each meets its own.
    """
    candidates = []
    for i, want in enumerate(truth):
        for j, got in enumerate(found):
            away = distance(want, got)
            if away is not None:
                unlike = 0.6 * (want.color != got.color) + 0.3 * (want.size != got.size)
                candidates.append((away + unlike + 0.3 * (want.posture != got.posture), i, j))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(candidates):
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs


def _in_reaches(middle: tuple[float, float], got: ReadPiece, box: Box) -> float | None:
    """From the *middle* of a true piece in that *box*."""
    x0, y0, x1, y1 = box
    away = math.dist(middle, got.center) / max(NEAREST, REACH * math.hypot(x1 - x0, y1 - y0))
    return away if away < 1 else None


def common_share(one: Box, other: Box) -> float:
    """Intersection over union of two boxes."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in (one, other))
    return width * height / (areas - width * height)
