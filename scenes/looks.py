"""What a scene may look like: two collections that share nothing but their shape, *training* and *validation*, and
three that are like the first: *patterned* but for its tables, *evening* but for its light, *wild* as far as both go.

The validation look has other tables, boards, lights, plastics and lenses, so that scores on it say something about
pictures that are unlike those trained on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from vision.solids import Color

RGB = tuple[float, float, float]
Range = tuple[float, float]


class OtherColor(StrEnum):
    """Colours of pyramids that belong to other games: seen on tables, never in play here."""

    BLACK = "black"
    GREY = "grey"
    WHITE = "white"
    CLEAR = "clear"
    PURPLE = "purple"


AnyColor = Color | OtherColor


@dataclass(frozen=True)
class Look:
    """Where a scene's settings are drawn from.

    Attributes:
        tables: names of textures under everything; ``mats``: of those laid upon them.
        lights: names understood by :func:`scenes.lighting.lit`.
        kelvin: ranges of colour temperatures of lamps.
        wall: mm, of the plastic; ``hue_shift``: degrees around the true hues; ``absorption``: how deeply dyed.
        view_deg: ranges of horizontal angles of view; ``radial``: of the first distortion coefficient.
        sharpening: names of what the camera does to edges.
        boards: names understood by :func:`scenes.boards.board_picture`.
    """

    name: str
    tables: tuple[str, ...]
    mats: tuple[str, ...]
    lights: tuple[str, ...]
    kelvin: tuple[Range, ...]
    wall: Range
    hue_shift: Range
    absorption: Range
    view_deg: tuple[Range, ...]
    radial: Range
    sharpening: tuple[str, ...]
    boards: tuple[str, ...]


TRAINING: Final = Look(
    "training",
    (
        *("wood", "wood", "wood", "plain", "cloth", "checked", "printed", "granite", "felt", "newspaper"),
        *("chessboard", "rug", "rug"),
    ),
    ("cloth", "felt", "play mat", "printed", "newspaper", "rug"),
    ("lamp", "two lamps", "window", "overcast", "sun"),
    ((2400, 3100), (3700, 4600), (5400, 7500)),
    (1.45, 1.95),
    (-9, 9),
    (0.7, 1.35),
    ((52, 78), (52, 78), (52, 78), (52, 78), (52, 78), (88, 100)),
    (-0.06, 0.05),
    ("none", "unsharp"),
    ("plain", "paper", "cloth", "wood"),
)
VALIDATION: Final = Look(
    "validation",
    ("bamboo", "marble", "carpet", "parquet", "stripes", "glass"),
    ("stripes", "marble", "leather"),
    ("tube", "low lamp", "mixed", "flash", "blinds"),
    ((3150, 3650), (4650, 5350)),
    (1.9, 2.25),
    (-14, 14),
    (0.6, 1.5),
    ((45, 52), (78, 86)),
    (-0.12, 0.10),
    ("wide unsharp", "smeared"),
    ("lines", "leather", "marble"),
)
PATTERNED: Final = replace(
    TRAINING,
    name="patterned",
    tables=("knotted", "knotted", "knotted", "daily", "daily", "printed", "checked", "wood"),
    mats=("knotted", "knotted", "knotted", "daily", "printed"),
)
"""What the eyes find hardest, to train on besides: tables covered with rugs, print and newspapers."""
EVENING: Final = replace(
    TRAINING,
    name="evening",
    tables=TRAINING.tables + PATTERNED.tables,
    mats=TRAINING.mats + PATTERNED.mats,
    lights=("evening",),
)
"""The light that no other look has: low, red and alone."""
WILD: Final = replace(
    TRAINING,
    name="wild",
    tables=(*("collage",) * 12, *TRAINING.tables, *PATTERNED.tables),
    mats=(*("collage",) * 4, *TRAINING.mats, *PATTERNED.mats),
    lights=("any", "any", "evening", *TRAINING.lights),
    wall=(1.3, 2.1),
    hue_shift=(-12, 12),
    absorption=(0.6, 1.5),
    view_deg=((48, 82), (48, 82), (48, 82), (84, 100)),
    radial=(-0.09, 0.08),
)
"""Nothing can be taken for granted: tables that there are not, lamps of any colour from anywhere, every plastic."""
LOOKS: Final = {look.name: look for look in (TRAINING, VALIDATION, PATTERNED, EVENING, WILD)}

OPAQUE: Final[dict[AnyColor, RGB]] = {
    Color.RED: (0.52, 0.02, 0.03),
    Color.YELLOW: (0.82, 0.58, 0.025),
    Color.GREEN: (0.02, 0.22, 0.065),
    Color.BLUE: (0.02, 0.05, 0.33),
    OtherColor.BLACK: (0.012, 0.012, 0.013),
    OtherColor.GREY: (0.16, 0.16, 0.165),
    OtherColor.WHITE: (0.78, 0.77, 0.74),
    OtherColor.CLEAR: (0.7, 0.7, 0.7),
    OtherColor.PURPLE: (0.11, 0.015, 0.17),
}
"""Linear reflectance of opaque plastic."""

DYE: Final[dict[AnyColor, RGB]] = {
    Color.RED: (0.035, 0.95, 0.80),
    Color.YELLOW: (0.015, 0.06, 0.75),
    Color.GREEN: (0.85, 0.10, 0.55),
    Color.BLUE: (0.85, 0.50, 0.07),
    OtherColor.CLEAR: (0.02, 0.015, 0.015),
    OtherColor.PURPLE: (0.25, 0.95, 0.12),
}
"""Absorption of translucent plastic, RGB per mm; the other colours are made opaque only."""


def turned(color: RGB, degrees: float) -> RGB:
    """The colour with its hue turned a little around the grey axis, never below 0."""
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle) / np.sqrt(3)
    k = (1 - c) / 3
    turn = np.array([[c + k, k - s, k + s], [k + s, c + k, k - s], [k - s, k + s, c + k]])
    r, g, b = np.maximum(turn @ np.array(color), 0.004).tolist()
    return r, g, b


def warmth(kelvin: float) -> RGB:
    """Linear RGB of a black body with luminance 1, by the usual fits to the Planckian locus in sRGB.

    >>> [round(c, 1) for c in warmth(6600)]
    [1.0, 1.0, 1.0]
    """
    t = kelvin / 100
    red = 255.0 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    green = 99.47 * np.log(t) - 161.1 if t <= 66 else 288.1 * (t - 60) ** -0.0755
    blue = 255.0 if t >= 66 else 138.5 * np.log(t - 10) - 305.0
    rgb = (np.clip([red, green, blue], 1, 255) / 255) ** 2.2
    r, g, b = (rgb / (rgb @ np.array([0.2126, 0.7152, 0.0722]))).tolist()
    return r, g, b
