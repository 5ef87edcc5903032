"""What is seen in one picture, as typed values: the only thing that leaves this package towards the games.

Pixels: origin at the top left of the upright image, x right, y down. Table: millimetres, z up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from vision.solids import Array, Color, Posture, Size


class Role(StrEnum):
    """What a piece is doing: flying, marking a system, waiting in the bank, or none of these."""

    SHIP = "ship"
    STAR = "star"
    BANK = "bank"
    LOOSE = "loose"


class Seat(StrEnum):
    """Who sits where; a ship points away from its owner's seat."""

    SOUTH = "south"
    NORTH = "north"


class ImageSide(StrEnum):
    """The side of the image nearest to South's seat."""

    BOTTOM = "bottom"
    RIGHT = "right"
    TOP = "top"
    LEFT = "left"

    @property
    def direction(self) -> tuple[int, int]:
        """Unit vector in pixels (x right, y down) from the middle of the image towards this side."""
        return {"bottom": (0, 1), "right": (1, 0), "top": (0, -1), "left": (-1, 0)}[self.value]


@dataclass(frozen=True)
class Alternative:
    """Another reading of the same piece, with its probability."""

    color: Color
    size: Size
    posture: Posture
    owner: Seat | None
    probability: float


@dataclass(frozen=True)
class SeenPiece:
    """One piece in the picture.

    Attributes:
        center: (x, y) px, the middle of what is in sight of it: of a piece in a stack perhaps of a rim.
        tip: (x, y) px of the pyramid's tip.
        outline: closed polygon of (x, y) px around all of it, hidden or not, the last point not repeated.
        heading_deg: direction of a ship's tip on the table, counter-clockwise from "right as South sees it"
            (so South's own ships point towards 90); ``None`` when upright.
        place: (x, y) mm on the table of the footprint's centre, South at negative y.
        system: index into ``Sight.systems``; ``cell``: (file, rank) from 0, (0, 0) being South's dark corner.
        confidence: probability that colour, size, posture and owner are all right.
    """

    color: Color
    size: Size
    posture: Posture
    role: Role
    owner: Seat | None
    center: tuple[float, float]
    tip: tuple[float, float]
    outline: tuple[tuple[float, float], ...]
    heading_deg: float | None = None
    place: tuple[float, float] | None = None
    system: int | None = None
    cell: tuple[int, int] | None = None
    confidence: float = 1.0
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True)
class SeenSystem:
    """A group of stars with the ships around them, as indices into ``Sight.pieces``."""

    stars: tuple[int, ...]
    ships: tuple[int, ...]
    home: Seat | None


@dataclass(frozen=True)
class SeenBoard:
    """The 6 × 6 board: ``corners`` (4, 2) px of the playing area — South's dark corner a1, then f1, f6, a6.

    ``field_mm`` is the side of a field when it could be measured against the pieces.
    """

    corners: Array
    field_mm: float
    confidence: float


@dataclass(frozen=True)
class Sight:
    """Everything seen in one picture.

    Attributes:
        size: (width, height) px.
        trouble: ``None``, or one sentence that says why nothing could be read and what to do.
        token: the player on whose side the turn token lies; ``None`` where none was seen.
        seconds: time of each stage, by its name.
    """

    size: tuple[int, int]
    pieces: tuple[SeenPiece, ...] = ()
    systems: tuple[SeenSystem, ...] = ()
    board: SeenBoard | None = None
    trouble: str | None = None
    token: Seat | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
