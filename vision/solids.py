"""The pyramids themselves: colours, sizes, postures, and the exact solids in millimetres.

Body frame of a piece: origin at the centre of its square base, z from the base towards the tip.
Table frame: origin on the table, z up, millimetres.

Sizes are Looney Labs' official ones: base sides of 9/16, 25/32 and 1 inch, heights of 1, 1 3/8 and 1 3/4 inch.
"""

from __future__ import annotations

import math
from enum import IntEnum, StrEnum

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

INCH = 25.4
WALL = 2.0  # mm, thickness of the hollow shell; sets differ between 1.5 and 2.2
NESTING_SLACK = 1.5  # mm, stacked shells never sink in all the way


class Color(StrEnum):
    """The four colours of plastic."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"


class Size(IntEnum):
    """The three sizes, valued by their pips."""

    SMALL = 1
    MEDIUM = 2
    LARGE = 3

    @property
    def word(self) -> str:
        """``"small"``, ``"medium"`` or ``"large"``."""
        return self.name.lower()

    @property
    def base(self) -> float:
        """Side of the square base in mm."""
        return (9 / 16, 25 / 32, 1.0)[self - 1] * INCH

    @property
    def height(self) -> float:
        """Height of the tip above the base in mm."""
        return (1.0, 1.375, 1.75)[self - 1] * INCH

    @property
    def slant(self) -> float:
        """Length of a face from the middle of its base edge to the tip, in mm."""
        return math.hypot(self.base / 2, self.height)

    @classmethod
    def of_word(cls, word: str) -> Size:
        """The size called *word*; ``KeyError`` for any other word."""
        return cls[word.upper()]


class Posture(StrEnum):
    """How a piece stands: upright on its base, or lying on one of its faces."""

    UPRIGHT = "upright"
    LYING = "lying"


def nesting_step(lower: Size, upper: Size) -> float:
    """How many mm higher the base of *upper* sits than that of *lower* when stacked over it.

    The inner walls of the upper shell rest where the lower solid is as wide as they are; a larger shell
    simply swallows a smaller one.
    """
    opening = upper.base - 2 * WALL
    return max(0.0, lower.height * (1 - opening / lower.base)) + (NESTING_SLACK if upper <= lower else 0.0)


def solid(size: Size) -> Array:
    """(5, 3) vertices in the body frame: the tip, then the base corners counter-clockwise seen from the tip."""
    b, h = size.base / 2, size.height
    return np.array([[0, 0, h], [-b, -b, 0], [b, -b, 0], [b, b, 0], [-b, b, 0]], dtype=np.float64)


FACES: tuple[tuple[int, ...], ...] = ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1))
BASE: tuple[int, ...] = (1, 4, 3, 2)


def upright(size: Size) -> Array:
    """(5, 3) vertices of a piece standing on the table over the origin, one base edge along y."""
    return solid(size)


def lying(size: Size) -> Array:
    """(5, 3) vertices of a piece lying on one face, its footprint centred on the origin, its tip along +x.

    The footprint is a triangle base × slant: the tip touches the table at ``+slant/2``, the lower base edge at
    ``-slant/2``. Corners 1 and 2 lie on the table; 3 and 4 form the raised rim: clockwise as seen from the tip, which
    makes no other solid.
    """
    b, s, h = size.base, size.slant, size.height
    sin, cos = h / s, (b / 2) / s  # of the angle between base plane and face
    rim_x, rim_z = -s / 2 + b * cos, b * sin
    return np.array(
        [
            [s / 2, 0, 0],
            [-s / 2, b / 2, 0],
            [-s / 2, -b / 2, 0],
            [rim_x, -b / 2, rim_z],
            [rim_x, b / 2, rim_z],
        ],
        dtype=np.float64,
    )
