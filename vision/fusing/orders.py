"""The orders in which one base may be told, and how far apart two pieces are whichever is meant."""

from __future__ import annotations

import numpy as np

from vision.solids import Array

FORWARD, BACKWARD = np.array([1, 2, 3, 4]), np.array([1, 4, 3, 2])
ORDERS = np.array([[0, *np.roll(way, turn)] for way in (FORWARD, BACKWARD) for turn in range(4)])
"""(8, 5) corners of an upright piece: its tip, then its base from any corner, either way round."""


def least_apart(one: Array, other: Array) -> Array:
    """(…,) px that corners (…, 5, 2) of two upright pieces are apart in the mean, in the order that suits best."""
    off = np.linalg.norm(one[..., ORDERS, :] - other[..., None, :, :], axis=-1)
    return np.asarray(off.mean(-1).min(-1))
