"""Where a piece would be seen that an upright one stands on."""

from __future__ import annotations

import numpy as np

from vision.solids import Array

ALIKE = (1.0, 0.25)
UNLIKE = (1.78, 1.1)
"""How many times as large a lower piece is as the upper one, and how many heights of that its base is deeper: two of
one size, and a small one on a large one. What is between lies between."""


def beneath(corners: Array, scale: Array | float, drop: Array | float) -> Array:
    """Corners (N, 5, 2) px of upright pieces -> of ones beneath them, *scale* as large and *drop* heights deeper.

    *scale* and *drop* are numbers or (N,).
    """
    middle = corners[:, 1:].mean(1, keepdims=True)
    axis = corners[:, :1] - middle
    scales, drops = (np.broadcast_to(np.asarray(each), len(corners))[:, None, None] for each in (scale, drop))
    return np.asarray(middle - drops * axis + scales * (corners - middle))
