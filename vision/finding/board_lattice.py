"""From loose crossings to a lattice: neighbours found along the borders, and a homography that carries them all.

Lattice coordinates count fields; a crossing lies at a pair of whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.board_corners import Crossings
from vision.solids import Array

Index = NDArray[np.int64]

ALONG = math.radians(9)  # how far a neighbour may lie off the border that leads to it
PARALLEL = math.radians(22)  # how much the borders may turn from one crossing to the next
NEAR, CLOSE = 0.22, 0.09  # fields, how far from its place a crossing may be found: at first, then
STRAY = 2.0  # px off its place from which a crossing does not belong
REACH = 7  # fields, how far a lattice may grow: a board has five crossings in a row
SHORTEST, LONGEST = 9.0, 420.0  # px between two crossings
FEWEST = 4  # crossings that make a lattice
MANY, PLENTY = 9, 16  # crossings that make a lattice credible, and so that no better one is looked for
LONGISH = 4.0  # how many times longer than wide a field may look
ALIKE = 1.7  # how many times the contrast may differ
SEEDS = 60  # starting crossings tried


@dataclass(frozen=True, eq=False)
class Lattice:
    """A part of a chequered pattern.

    Attributes:
        H: (3, 3) from lattice coordinates to px.
        members: (N,) indices of the crossings in it, ``cells`` (N, 2) their whole lattice coordinates.
    """

    H: Array
    members: Index
    cells: Index


def find_lattices(crossings: Crossings, *, patient: bool = False, most: int = 5) -> list[Lattice]:
    """The largest lattices among the crossings, the largest first; none when no four crossings fit together.

    Args:
        patient: whether crossings between the ones that are seen may be missing from the start, as on a full board.
    """
    found: list[Lattice] = []
    used: set[int] = set()
    for start in np.argsort(-crossings.contrast)[:SEEDS]:
        if int(start) in used:
            continue
        grown = [_grown(crossings, seed) for seed in _seeds(crossings, int(start), patient)]
        best = max((lattice for lattice in grown if lattice), key=lambda lattice: len(lattice.members), default=None)
        if best is None:
            continue
        found.append(best)
        if len(best.members) >= MANY:
            used.update(int(i) for i in best.members)
        if len(best.members) >= PLENTY:
            break
    return sorted(found, key=lambda lattice: -len(lattice.members))[:most]


def apply(H: Array, points: Array | Index) -> Array:
    """(…, 2) points through a (3, 3) homography; not finite where it leads to the horizon."""
    flat = np.asarray(points, dtype=np.float64)
    out = flat @ H[:2, :2].T + H[:2, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(out / (flat @ H[2, :2] + H[2, 2])[..., None])


def fit_homography(cells: Array, pixels: Array) -> Array | None:
    """(3, 3) from lattice coordinates to px over the pairs that agree; an affine one where three pairs are all."""
    if len(cells) == 3:
        affine = cv2.getAffineTransform(cells.astype(np.float32), pixels.astype(np.float32))
        return np.vstack([affine, [0, 0, 1]]).astype(np.float64)
    method = cv2.RANSAC if len(cells) > 5 else 0
    H, _ = cv2.findHomography(cells.astype(np.float64), pixels.astype(np.float64), method, STRAY)
    return None if H is None else np.asarray(H, dtype=np.float64)


def _seeds(crossings: Crossings, start: int, patient: bool) -> Iterator[list[tuple[int, tuple[int, int]]]]:
    """Small groups around a crossing with their lattice coordinates: three or four of them in a rectangle."""
    here = crossings.points[start]
    for one, u in _neighbours(crossings, start, 0, patient):
        for other, v in _neighbours(crossings, start, 1, patient):
            sides = math.dist(crossings.points[one], here) / abs(u), math.dist(crossings.points[other], here) / abs(v)
            if max(sides) > LONGISH * min(sides):
                continue
            seed = [(start, (0, 0)), (one, (u, 0)), (other, (0, v))]
            away = np.linalg.norm(crossings.points - (crossings.points[one] + crossings.points[other] - here), axis=1)
            nearest = int(np.argmin(away))
            if away[nearest] < 0.35 * min(sides) and nearest not in (start, one, other):
                seed.append((nearest, (u, v)))
            yield seed


def _neighbours(crossings: Crossings, start: int, border: int, patient: bool) -> list[tuple[int, int]]:
    """The nearest fitting crossings each way along a border, with the fields that may lie between, signed."""
    offset = crossings.points - crossings.points[start]
    away = np.hypot(offset[:, 0], offset[:, 1])
    turn = np.arctan2(offset[:, 1], offset[:, 0]) - crossings.borders[start, border]
    on_border = (np.abs(_fold(turn)) < ALONG) & (away > SHORTEST) & (away < LONGEST)
    found: list[tuple[int, int]] = []
    for odd in (True, False) if patient else (True,):
        # From one crossing to the next, bright and dark sectors change places.
        borders = crossings.borders[:, ::-1] if odd else crossings.borders
        alike = np.abs(_fold(borders - crossings.borders[start])).max(1) < PARALLEL
        for way in (1, -1):
            there = np.nonzero(on_border & alike & (np.cos(turn) * way > 0))[0]
            if len(there):
                nearest = int(there[np.argmin(away[there])])
                found += [(nearest, way * fields) for fields in ((1, 3) if patient else (1,)) if odd]
                found += [] if odd else [(nearest, way * 2)]
    return found


def _grown(crossings: Crossings, seed: list[tuple[int, tuple[int, int]]]) -> Lattice | None:
    """The lattice that a seed grows into, ring by ring."""
    members = {cell: index for index, cell in seed}
    H = _homography_of(crossings, members)
    for _ in range(2 * REACH):
        if H is None:
            return None
        cells = _around(members)
        there = apply(H, cells)
        step = _cell_size(H, cells)
        taken = set(members.values())
        near = NEAR if len(members) < 6 else CLOSE
        contrast = float(np.median(crossings.contrast[list(members.values())]))
        fresh: dict[tuple[int, int], int] = {}
        for cell, place, size in zip(cells, there, step, strict=True):
            if not (np.isfinite(place).all() and size > SHORTEST / 2):
                continue
            away = np.linalg.norm(crossings.points - place, axis=1)
            nearest = int(np.argmin(away))
            ratio = float(crossings.contrast[nearest]) / contrast
            if away[nearest] > max(STRAY, near * size) or nearest in taken or not 1 / ALIKE < ratio < ALIKE:
                continue
            if _polarity_fits(crossings, H, nearest, cell):
                fresh[(int(cell[0]), int(cell[1]))] = nearest
                taken.add(nearest)
        if not fresh:
            break
        members.update(fresh)
        H = _homography_of(crossings, members)
    if H is None:
        return None
    members = _without_strays(crossings, H, members)
    if len(members) < FEWEST:
        return None
    return Lattice(H, np.array(list(members.values())), np.array(list(members.keys())))


def _homography_of(crossings: Crossings, members: dict[tuple[int, int], int]) -> Array | None:
    return fit_homography(np.array(list(members), dtype=np.float64), crossings.points[list(members.values())])


def _around(members: dict[tuple[int, int], int]) -> Index:
    """(N, 2) lattice places not yet filled, at most two fields from a filled one along a line."""
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1), (2, 0), (-2, 0), (0, 2), (0, -2)]
    places = {(u + du, v + dv) for u, v in members for du, dv in steps} - set(members)
    return np.array(sorted(p for p in places if max(abs(p[0]), abs(p[1])) <= REACH), dtype=np.int64).reshape(-1, 2)


def _cell_size(H: Array, cells: Index) -> Array:
    """(N,) px, the shorter side of the fields at each lattice place."""
    here = apply(H, cells)
    right = np.linalg.norm(apply(H, cells + np.array([0.5, 0])) - apply(H, cells - np.array([0.5, 0])), axis=1)
    up = np.linalg.norm(apply(H, cells + np.array([0, 0.5])) - apply(H, cells - np.array([0, 0.5])), axis=1)
    size = np.minimum(right, up)
    return np.where(np.isfinite(here).all(1), size, 0.0)


def _polarity_fits(crossings: Crossings, H: Array, index: int, cell: Index) -> bool:
    """Whether a crossing's borders run with the lattice and its bright sectors lie where the pattern has them.

    The seed's first crossing, at (0, 0), has its bright sectors where both coordinates grow or shrink, or the
    other way round; every step along the lattice swaps them.
    """
    u = apply(H, cell + np.array([0.3, 0.0])) - apply(H, cell - np.array([0.3, 0.0]))
    v = apply(H, cell + np.array([0.0, 0.3])) - apply(H, cell - np.array([0.0, 0.3]))
    first, second = math.atan2(u[1], u[0]), math.atan2(v[1], v[0])
    if (int(cell[0]) + int(cell[1])) % 2:
        first, second = second, first
    off = _fold(crossings.borders[index] - np.array([first, second]))
    return bool(np.abs(off).max() < PARALLEL)


def _without_strays(
    crossings: Crossings, H: Array, members: dict[tuple[int, int], int]
) -> dict[tuple[int, int], int]:
    """The members that lie where the homography has them."""
    off = np.linalg.norm(apply(H, np.array(list(members))) - crossings.points[list(members.values())], axis=1)
    return {cell: index for (cell, index), d in zip(members.items(), off, strict=True) if d <= STRAY}


def _fold(angle: Array) -> Array:
    return np.asarray((angle + math.pi / 2) % math.pi - math.pi / 2)
