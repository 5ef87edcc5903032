"""In which order the four base corners of a piece are told.

A lying piece tells them as its body does: two on the table, then two of the raised rim, so that nothing is open.
The base of an upright piece is a square and has no first corner. Any rule that names one must jump somewhere as the
piece is turned, and close to the jump a net answers with the mean of both sides, a square shrunk to nothing. So there
are two rules that jump at different places: the first corner is the first one counter-clockwise from the
direction "right" in the picture, or from "up and right". Of the two answers the larger quadrilateral is right.
Both rules turn with the picture: after any rotation of it the orders are simply worked out again.
"""

from __future__ import annotations

import numpy as np

from vision.solids import Array

STARTS_DEG = (0.0, 45.0)  # counter-clockwise from "right", as the picture is seen


def both_orders(base: Array, square: bool) -> Array:
    """(4, 2) px of base corners in the order of the body -> (2, 4, 2) in both orders told above.

    *square* says that the piece does not lie, so that its body's first corner is arbitrary.
    """
    if not square:
        return np.stack([base, base])
    spokes = base - base.mean(0)
    angles = np.degrees(np.arctan2(-spokes[:, 1], spokes[:, 0]))
    return np.stack([_counter_clockwise(base, angles - start) for start in STARTS_DEG])


def _counter_clockwise(base: Array, angles: Array) -> Array:
    return np.asarray(base[np.argsort(angles % 360.0, kind="stable")])


def better_order(orders: Array) -> Array:
    """(N, 2, 4, 2) px, both answers for N pieces -> (N, 4, 2), each time the larger quadrilateral."""
    areas = np.abs(_signed_areas(orders))
    return np.asarray(orders[np.arange(len(orders)), areas.argmax(1)])


def _signed_areas(quads: Array) -> Array:
    x, y = quads[..., 0], quads[..., 1]
    after_x, after_y = np.roll(x, -1, axis=-1), np.roll(y, -1, axis=-1)
    return np.asarray((x * after_y - after_x * y).sum(-1) / 2)
