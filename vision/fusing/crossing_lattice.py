"""Where a board may lie, told by the crossings of its lines: lattices grown from four neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.finding.board import ONE_BOARD, SIDE
from vision.finding.board_lattice import apply, fit_homography
from vision.solids import Array

Cells = NDArray[np.int64]
Cell = tuple[int, int]

LINES = SIDE + 1  # of a board, each way
SEEDS = 24  # crossings from which a lattice is grown, the clearest first
NEIGHBOURS = 6  # nearest crossings of one that may be its neighbours along the lines
LONGISH = 2.5  # how many times longer than wide a field may look
SQUARISH = np.cos(np.radians(28))  # of the angle between two lines in the picture, at the sharpest
FOURTH, NEAR = 0.3, 0.2  # of a field: how far a crossing may lie from its place, at first and when growing
PLENTY, NEARLY_ALL = 20, 0.85  # crossings in a board's 7 × 7, and of all, beyond which no better one is looked for
FEWEST = 9  # crossings of a lattice
LIKELY = 2  # lattices
ROUNDS = 10


@dataclass(frozen=True, eq=False)
class _Lattice:
    """Crossings that lie as those of one board.

    Attributes:
        H: (3, 3) from lattice coordinates to px.
        members: (N,) indices of the crossings, ``cells`` (N, 2) their lattice coordinates.
    """

    H: Array
    members: Cells
    cells: Cells


def boards_of_crossings(points: Array) -> Iterator[Array]:
    """(4, 2) px of the corners of every board to which the crossings (N, 2) px, the clearest first, may belong."""
    for lattice in _lattices(points):
        for corner in first_corners(lattice.cells.min(0), lattice.cells.max(0)):
            yield apply(lattice.H, ONE_BOARD + corner)


def first_corners(low: Array, high: Array) -> Iterator[Array]:
    """(2,) lattice points where a board may begin of which something is seen from *low* to *high*, (2,) each.

    It covers all of that, or as much as it can.
    """
    ends = np.stack([low, high - SIDE]).astype(np.int64)
    yield from (np.array(corner) for corner in product(*map(range, ends.min(0), ends.max(0) + 1)))


def _lattices(points: Array) -> list[_Lattice]:
    """The lattices with most of the crossings in one board, the best first."""
    found: list[tuple[int, _Lattice]] = []
    known: list[dict[int, Cell]] = []  # where the crossings are in each of the lattices that were grown
    for start in range(min(SEEDS, len(points))):
        for seed in _seeds(points, start):
            if any(_is_field_of(lattice, seed) for lattice in known):
                continue  # it would grow into that again
            grown = _grown(points, seed)
            if grown is None:
                continue
            known.append(dict(zip(grown.members.tolist(), map(tuple, grown.cells.tolist()), strict=True)))
            held = _held(grown)
            # Diagonals span a lattice, too, but one of which no board holds nearly all.
            if held >= max(PLENTY, NEARLY_ALL * len(points)):
                return [grown]
            if held >= FEWEST:
                found.append((held, grown))
    found.sort(key=lambda each: -each[0])
    return [lattice for _, lattice in found[:LIKELY]]


def _held(lattice: _Lattice) -> int:
    """How many of its crossings the 7 × 7 hold that hold most."""
    grid = np.zeros(lattice.cells.max(0) - lattice.cells.min(0) + 2 * LINES, dtype=np.int64)
    grid[tuple((lattice.cells - lattice.cells.min(0) + LINES).T)] = 1
    sums = np.pad(grid.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    held = sums[LINES:, LINES:] - sums[:-LINES, LINES:] - sums[LINES:, :-LINES] + sums[:-LINES, :-LINES]
    return int(held.max())


def _seeds(points: Array, start: int) -> Iterator[dict[Cell, int]]:
    """Four crossings around a field, one of them *start*."""
    away = points - points[start]
    distance = np.linalg.norm(away, axis=1)
    near = [int(index) for index in np.argsort(distance)[1 : NEIGHBOURS + 1]]
    for i, one in enumerate(near):
        for other in near[i + 1 :]:
            sides = distance[[one, other]]
            cosine = float(away[one] @ away[other] / sides.prod())
            if sides.max() > LONGISH * sides.min() or abs(cosine) > SQUARISH:
                continue
            off = np.linalg.norm(away - away[one] - away[other], axis=1)
            fourth = int(off.argmin())
            if off[fourth] < FOURTH * sides.min() and fourth not in (start, one, other):
                yield {(0, 0): start, (1, 0): one, (0, 1): other, (1, 1): fourth}


def _is_field_of(lattice: dict[int, Cell], seed: dict[Cell, int]) -> bool:
    """Whether the four crossings of a seed are those around one field of a lattice."""
    corners = [lattice.get(index) for index in seed.values()]
    if None in corners:
        return False
    u, v = np.ptp(np.array(corners), axis=0)
    return len(set(corners)) == len(corners) and u == v == 1


def _grown(points: Array, seed: dict[Cell, int]) -> _Lattice | None:
    """The lattice that a field grows into, ring by ring."""
    members = seed
    H = fit_homography(np.array(list(members), dtype=np.float64), points[list(members.values())])
    for _ in range(ROUNDS):
        if H is None or not np.isfinite(H).all():
            return None
        found = _belonging(points, H, members)
        grew = len(found) > len(members)
        members = found
        if len(members) < len(seed):
            return None
        H = fit_homography(np.array(list(members), dtype=np.float64), points[list(members.values())])
        if not grew:
            break
    if H is None:
        return None
    return _Lattice(H, np.array(list(members.values())), np.array(list(members)))


def _belonging(points: Array, H: Array, members: dict[Cell, int]) -> dict[Cell, int]:
    """The crossings where *H* has the lattice, at most one field beyond the members so far."""
    cells = np.array(list(members))
    low, high = cells.min(0) - 1, cells.max(0) + 1
    places = np.array(list(product(range(low[0], high[0] + 1), range(low[1], high[1] + 1))), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        there = apply(H, places)
        steps = [np.linalg.norm(apply(H, places + half) - apply(H, places - half), axis=1) for half in np.eye(2) / 2]
    field = np.minimum(*steps)
    apart = np.linalg.norm(there[:, None] - points, axis=-1)
    apart[~np.isfinite(apart)] = np.inf
    nearest = apart.argmin(1)
    mutual = apart.argmin(0)[nearest] == np.arange(len(places))
    near = mutual & (apart.min(1) < NEAR * field)
    return {(int(u), int(v)): int(index) for (u, v), index in zip(places[near], nearest[near], strict=True)}
