"""The board of 6 × 6 fields, and what lies on a field.

``a1`` is South's dark corner and ``f6`` is North's. As South sees it, files a to f run up to the right and
ranks 1 to 6 up to the left.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rules.errors import RulesError, quoted
from rules.pieces import Piece
from rules.seats import Seat, seats_for

FILES: Final = "abcdef"
RANKS: Final = "123456"
FIELDS: Final[tuple[str, ...]] = tuple(file + rank for file in FILES for rank in RANKS)
"""All 36 fields, from a1 to f6, one file after another."""

SEATS: Final[tuple[Seat, ...]] = seats_for(2)
"""South and North: two play, always."""


class Ship(NamedTuple):
    """A piece and whose it is; on the table its tip points away from the owner."""

    piece: Piece
    owner: Seat


class Placement(NamedTuple):
    """One piece as it was seen or put on a field."""

    field: str
    piece: Piece
    owner: Seat


def field_of(text: str) -> str:
    """The field called *text*, in either case; a :class:`RulesError` when the board has no such field.

    >>> field_of("C4")
    'c4'
    """
    field = text.strip().lower()
    if field not in FIELDS:
        raise RulesError(
            "field_unknown",
            f"The board has no field {quoted(text)}: write a letter a to f and a number 1 to 6, such as c4.",
            text=text,
        )
    return field
