"""What stands on a virtual table, in words that both games share: systems or a board, and the bank beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vision.sight import Seat
from vision.solids import Color, Size

Kind = tuple[Color, Size]


@dataclass(frozen=True)
class ShipSpec:
    """A lying piece and whose it is."""

    color: Color
    size: Size
    owner: Seat


@dataclass(frozen=True)
class SystemSpec:
    """One or two stars with the ships around them; ``home`` is its player's seat."""

    stars: tuple[Kind, ...]
    ships: tuple[ShipSpec, ...]
    home: Seat | None = None


@dataclass(frozen=True)
class SystemsLayout:
    """Star systems free on the table."""

    systems: tuple[SystemSpec, ...]
    bank: Mapping[Kind, int] = field(default_factory=dict)


@dataclass(frozen=True)
class BoardLayout:
    """Pieces on the 6 × 6 board; cells are (file, rank) from 0, (0, 0) being South's dark corner."""

    cells: Mapping[tuple[int, int], ShipSpec]
    bank: Mapping[Kind, int] = field(default_factory=dict)


Layout = SystemsLayout | BoardLayout
