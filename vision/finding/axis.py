"""The line between the two players, along which all ships point on the whole."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.solids import Array


def players_axis(headings_deg: Sequence[Sequence[float]], straight_deg: float = 90.0) -> float:
    """The direction in which South's ships point on the whole, within 90° of *straight_deg*.

    Every system has one vote, however many ships tell it, for what lies about in rows is of the bank. Ships of both
    players count, as directions of one axis; an imaginary straight one steadies the mean.
    """
    votes = [np.exp(2j * np.radians(told)).mean() for told in (*headings_deg, [straight_deg]) if len(told)]
    axis = math.degrees(float(np.angle(np.sum(votes)))) / 2
    return straight_deg + (axis - straight_deg + 90) % 180 - 90


def turned(heading_deg: Array, axis_deg: Array | float) -> Array:
    """Degrees, at most 90, between two lines, whichever way along them things point."""
    return np.abs((heading_deg - axis_deg + 90) % 180 - 90)
