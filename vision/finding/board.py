"""The board in the picture: its grid, its two tones, and which of its corners is South's.

Crossings of borders give a lattice, the borders themselves draw it tight, and the 6 × 6 fields are where light
and dark go on alternating. Four corners given by hand take the place of the search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.finding.board_borders import Borders, Steps, borders_within, look_across, right_tones, tightened
from vision.finding.board_corners import Tone, find_crossings, tone_of
from vision.finding.board_lattice import Lattice, apply, find_lattices, fit_homography
from vision.sight import ImageSide
from vision.solids import Array

SIDE = 6  # fields
ONE_BOARD = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], dtype=np.float64)
"""The corners of a board in fields: a1, f1, f6, a6."""

BARE_COST, FLAT_COST = 0.35, 0.1  # of a border's worth, where the picture shows bare fields or nothing instead
TONE_WORTH = 1.0  # of a field's tone, in borders
SURE = 24.0  # borders seen that leave no doubt
TINY = 120.0  # px, side of a board too small to be read
LEAST = 15.0  # borders seen below which it is no board
CLEARLY = 1.5  # how many times more of the fields must have their own tone than the other
CLEAR = 0.55  # share of what can be seen that must agree


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """The board's place in the picture.

    Attributes:
        H: (3, 3) from fields to px: (0, 0) is the outer corner of a1, (6, 0) that of f1, (0, 6) that of a6.
        contrast: difference of the logarithm of brightness between light and dark fields.
        confidence: 0-1.
    """

    H: Array
    contrast: float
    confidence: float

    @property
    def corners(self) -> Array:
        """(4, 2) px: a1, f1, f6, a6."""
        return apply(self.H, ONE_BOARD)


def find_board(image: NDArray[np.uint8], south: ImageSide) -> FoundBoard | None:
    """The board in a (H, W, 3) BGR picture, or ``None``."""
    tone = tone_of(image)
    crossings = find_crossings(tone)
    for patient in (False, True):
        lattices = find_lattices(crossings, patient=patient)
        contrasts = [float(np.median(crossings.contrast[lattice.members])) for lattice in lattices]
        boards = [_complete(tone, lattice, c, south) for lattice, c in zip(lattices, contrasts, strict=True)]
        found = [board for board in boards if board is not None]
        if found:
            return max(found, key=lambda board: board.confidence)
    return None


def board_at(image: NDArray[np.uint8], corners: Array, south: ImageSide) -> FoundBoard | None:
    """The board whose outer corners are known, (4, 2) px, in any order; ``None`` if they span nothing."""
    return _within(image, corners, south, tight=False)


def board_marked(image: NDArray[np.uint8], corners: Array, south: ImageSide) -> FoundBoard | None:
    """The board whose outer corners were marked by hand, (4, 2) px, in any order, drawn to the edges of its fields;
    ``None`` if they span nothing.
    """
    return _within(image, corners, south, tight=True)


def _within(image: NDArray[np.uint8], corners: Array, south: ImageSide, *, tight: bool) -> FoundBoard | None:
    ring = _in_order(np.asarray(corners, dtype=np.float64))
    if ring is None:
        return None
    H = fit_homography(ONE_BOARD, ring)
    if H is None:
        return None
    tone = tone_of(image)
    whole = borders_within((0, 0), (SIDE, SIDE))
    contrast = _contrast(tone, H, whole)
    dark_first = _dark_first(tone, H, whole, contrast)
    if tight and contrast > 0.08:
        H = _tight(tone, H, ring, dark_first, contrast)
    return FoundBoard(_seen_from(H, dark_first, south), contrast, 1.0)


def _tight(tone: Tone, H: Array, ring: Array, dark_first: bool, contrast: float) -> Array:
    """*H* drawn to the borders of the fields, unless they lead far away from the *ring* of corners."""
    tight = tightened(tone, H, borders_within((0, 0), (SIDE, SIDE)), dark_first, contrast)
    moved = np.linalg.norm(apply(tight, ONE_BOARD) - ring, axis=1).max()
    return tight if moved < 0.35 * math.sqrt(_area(ring)) / SIDE else H


def _complete(tone: Tone, lattice: Lattice, contrast: float, south: ImageSide) -> FoundBoard | None:
    """The 6 × 6 fields around a lattice of crossings."""
    low, high = lattice.cells.min(0), lattice.cells.max(0)
    H = lattice.H
    low_rim, high_rim = (int(low[0]) - 1, int(low[1]) - 1), (int(high[0]) + 1, int(high[1]) + 1)
    if not _before_camera(H, low_rim, high_rim):
        return None
    block = borders_within(low_rim, high_rim)
    dark_first = _dark_first(tone, H, block, contrast)
    H = tightened(tone, H, block, dark_first, contrast)
    for _ in range(2):
        corner = _best_corner(tone, H, dark_first, contrast, low, high)
        end = (corner[0] + SIDE, corner[1] + SIDE)
        if not _before_camera(H, corner, end):
            return None
        window = borders_within(corner, end)
        H = tightened(tone, H, window, dark_first, contrast)
    seen = look_across(tone, H, window, dark_first)
    fields = np.array(corner) + list(product(range(SIDE), range(SIDE)))
    right, wrong = _toned(right_tones(tone, H, fields, dark_first, seen.middle(contrast)), contrast)
    confidence = _confidence(seen, contrast) if right.sum() > CLEARLY * wrong.sum() else 0.0
    if (
        confidence <= 0
        or _area(apply(H, np.array([corner, (end[0], corner[1]), end, (corner[0], end[1])]))) < TINY**2
    ):
        return None
    moved = H @ np.array([[1, 0, corner[0]], [0, 1, corner[1]], [0, 0, 1]])
    return FoundBoard(_seen_from(moved, dark_first == (sum(corner) % 2 == 0), south), contrast, confidence)


def _dark_first(tone: Tone, H: Array, borders: Borders, contrast: float) -> bool:
    """Whether the field (0, 0) is a dark one: under which pattern more of the borders can be seen."""
    dark, light = (look_across(tone, H, borders, first).supported(contrast).sum() for first in (True, False))
    return bool(dark >= light)


def _contrast(tone: Tone, H: Array, borders: Borders) -> float:
    """The usual height of the steps across the borders."""
    rough = look_across(tone, H, borders, True).rough
    return float(np.nanmedian(rough)) if np.isfinite(rough).any() else 0.0


def _best_corner(tone: Tone, H: Array, dark_first: bool, contrast: float, low: Array, high: Array) -> tuple[int, int]:
    """The lattice point where the 6 × 6 fields begin: the crossings lie inside, and most borders can be seen."""
    # A crossing may also lie on the rim, where a piece beside it makes it look like one within.
    first, last = np.minimum(high - SIDE + 1, low - 1) - 1, np.maximum(high - SIDE + 1, low - 1) + 1
    low_u, low_v, high_u, high_v = (int(value) for value in (*first, *(last + SIDE)))
    block = borders_within((low_u, low_v), (high_u, high_v))
    seen = look_across(tone, H, block, dark_first)
    worth = _worth(seen, contrast)
    cells = np.array(list(product(range(low_u, high_u), range(low_v, high_v))))
    right, wrong = _toned(right_tones(tone, H, cells, dark_first, seen.middle(contrast)), contrast)
    along, across = np.eye(2)[block.axis], np.eye(2)[1 - block.axis]

    def score(corner: tuple[int, int]) -> float:
        end = (corner[0] + SIDE, corner[1] + SIDE)
        if not _before_camera(H, corner, end):
            return -math.inf
        borders = ((block.start >= corner + across) & (block.start + along <= end - across)).all(1)
        fields = ((cells >= corner) & (cells < end)).all(1)
        return float(worth[borders].sum() + TONE_WORTH * (right - wrong)[fields].sum())

    return max(product(range(low_u, int(last[0]) + 1), range(low_v, int(last[1]) + 1)), key=score)


def _worth(seen: Steps, contrast: float) -> Array:
    """(N,) how much each border speaks for the pattern."""
    against = BARE_COST * seen.bare(contrast).mean(1) + FLAT_COST * seen.flat(contrast).mean(1)
    return np.asarray(seen.supported(contrast).mean(1) - against)


def _toned(levels: Array, contrast: float) -> tuple[Array, Array]:
    """(N,) shares of each field that have its own tone, and that have the other one."""
    half = contrast / 2
    right, wrong = (np.abs(levels - tone) < half / 2 for tone in (half, -half))
    return np.asarray(right.mean(1)), np.asarray(wrong.mean(1))


def _confidence(seen: Steps, contrast: float) -> float:
    """How sure it is that this is a board: by the borders seen, and by those that should be and are not."""
    supported = float(seen.supported(contrast).mean(1).sum())
    bare = float(seen.bare(contrast).mean(1).sum())
    share = supported / max(1e-9, supported + bare)
    if supported < LEAST or share < CLEAR:
        return 0.0
    return min(1.0, supported / SURE) * share


def _before_camera(H: Array, low: tuple[int, int], high: tuple[int, int]) -> bool:
    """Whether all of a block of fields lies well before the camera."""
    block = np.array([[low[0], low[1], 1], [high[0], low[1], 1], [high[0], high[1], 1], [low[0], high[1], 1]])
    depth = np.abs(block @ H[2]) if (block @ H[2] < 0).all() else block @ H[2]
    return bool(depth.min() > 0.08 * depth.max())


def _seen_from(H: Array, dark_first: bool, south: ImageSide) -> Array:
    """*H* turned so that (0, 0) is the dark corner nearest to South, files to South's right."""
    pixels = apply(H, ONE_BOARD)
    # Seen from above, a1, f1, f6, a6 run against the clock; with y down that is a negative area.
    turned = (
        [np.roll(np.arange(4), -k) for k in (0, 2)] if dark_first else [np.roll(np.arange(4), -k) for k in (1, 3)]
    )
    middle = pixels.mean(0)
    order = max(turned, key=lambda o: float((pixels[o[0]] - middle) @ south.direction))
    if _signed_area(pixels) > 0:
        order = order[[0, 3, 2, 1]]
    change = fit_homography(ONE_BOARD, ONE_BOARD[order])
    assert change is not None
    return np.asarray(H @ change)


def _in_order(corners: Array) -> Array | None:
    """Four points in order around their middle; ``None`` when they do not make a convex shape of some size."""
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        return None
    offset = corners - corners.mean(0)
    ring = corners[np.argsort(np.arctan2(offset[:, 1], offset[:, 0]))]
    side = np.roll(ring, -1, axis=0) - ring
    turn = side[:, 0] * np.roll(side[:, 1], -1) - side[:, 1] * np.roll(side[:, 0], -1)
    return ring if (turn > 0).all() and _area(ring) > 60**2 else None


def _signed_area(ring: Array) -> float:
    x, y = ring.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def _area(ring: Array) -> float:
    return abs(_signed_area(ring))
