"""Which pieces on which fields explain the plastic best, all of them together.

The worth of an explanation is the worth of every pixel as what is seen there foremost: a near piece hides the
pixels of those behind it, and bare board is worth nothing. First every field looks for itself, then the fields
take turns until none would change any more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.finding.fields_look import coarse_look, first_guess, look
from vision.finding.fields_plastic import PLASTIC
from vision.finding.fields_scene import Guess, Scene, Spot, Worth, cut, spot_on
from vision.finding.fields_shapes import CELLS, Cell, Corner, Patch, cell_center

ROUNDS = 4  # turns that every field may take


def fit_fields(scene: Scene) -> dict[Cell, list[Guess]]:
    """For every field that is not empty its guesses, the chosen one first, then its rivals."""
    spots = {cell: spot for cell in CELLS if (spot := spot_on(scene, cell)) is not None}
    order = [cell for cell in near_to_far(scene) if cell in spots]
    guesses: dict[Cell, list[Guess]] = {}
    chosen = {cell: guess for cell, spot in spots.items() if (guess := first_guess(scene, spot)) is not None}
    pending = set(order)
    for _ in range(ROUNDS):
        for cell in order:
            if cell not in pending:
                continue
            pending.discard(cell)
            spot = spots[cell]
            found = look(scene, spot, _value_for(scene, spot, chosen, order))
            before = chosen.pop(cell, None)
            guesses[cell] = found
            if found:
                chosen[cell] = found[0]
            if _changed(before, found[0] if found else None):
                pending |= {other for other in order if other != cell and _touch(spots[other], spot)}
        if not pending:
            break
    return {cell: guesses[cell] for cell in chosen}


def rough_worth(scene: Scene) -> float:
    """What the best pieces would be worth if every field were alone, in fields' areas."""
    total = 0.0
    for cell in CELLS:
        spot = spot_on(scene, cell)
        if spot is not None:
            best = coarse_look(scene, spot, cut(scene.plastic.worth, spot.low, spot.high))[0].worth
            total += max(0.0, best) * spot.unit
    return total


def fit_quality(scene: Scene, fields: Mapping[Cell, Sequence[Guess]]) -> float:
    """Worth of what is seen of the pieces, over their outlines together with all plastic that they leave over."""
    covered = np.zeros(scene.size[::-1], np.bool_)
    worth, area = 0.0, 0
    for cell in near_to_far(scene):
        there = _within(fields[cell][0].patch, (0, 0), scene.size) if cell in fields else None
        if there is not None:
            rows, columns, inside = there
            fresh = inside & ~covered[rows, columns]
            covered[rows, columns] |= inside
            worth += float(scene.plastic.worth[fields[cell][0].color, rows, columns][fresh].sum())
            area += int(fresh.sum())
    plastic = (scene.plastic.worth.max(0) > PLASTIC) & ~scene.plastic.foreign.any(0)
    return worth / max(1, area + int(np.count_nonzero(plastic & ~covered)))


def _changed(before: Guess | None, now: Guess | None) -> bool:
    """Whether a field says something else than before."""
    return (before.kind if before else None) != (now.kind if now else None)


def _touch(one: Spot, other: Spot) -> bool:
    """Whether pieces on two fields may hide each other."""
    return all(a < b for a, b in zip((*one.low, *other.low), (*other.high, *one.high), strict=True))


def near_to_far(scene: Scene) -> list[Cell]:
    """The cells, those nearest to the camera first."""
    eye = scene.camera.position
    return sorted(CELLS, key=lambda cell: math.dist((*cell_center(cell, scene.field_mm), 0.0), eye))


def _value_for(scene: Scene, spot: Spot, chosen: Mapping[Cell, Guess], order: Sequence[Cell]) -> Worth:
    """(4, H, W) what a piece on the spot's field would gain at each pixel there, given all the others."""
    value = cut(scene.plastic.worth, spot.low, spot.high)
    worth = value.copy()
    place = order.index(spot.cell)
    # Far ones first: nearer pieces overwrite what is seen behind them.
    for rank in range(len(order) - 1, -1, -1):
        guess = chosen.get(order[rank])
        if guess is None or rank == place:
            continue
        there = _within(guess.patch, spot.low, spot.high)
        if there is None:
            continue
        rows, columns, inside = there
        part = worth[:, rows, columns][:, inside]
        value[:, rows, columns][:, inside] = part - part[guess.color] if rank > place else 0.0
    return value


def _within(patch: Patch, low: Corner, high: Corner) -> tuple[slice, slice, NDArray[np.bool_]] | None:
    """The rows and columns of a part of the picture that a patch shares, and where its mask is set there."""
    (x, y), (height, width) = patch.corner, patch.mask.shape
    x0, y0, x1, y1 = max(x, low[0]), max(y, low[1]), min(x + width, high[0]), min(y + height, high[1])
    if x1 <= x0 or y1 <= y0:
        return None
    inside = patch.mask[y0 - y : y1 - y, x0 - x : x1 - x] > 0
    return slice(y0 - low[1], y1 - low[1]), slice(x0 - low[0], x1 - low[0]), inside
