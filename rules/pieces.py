"""A piece is a colour and a size; twelve kinds of pieces exist."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import total_ordering
from typing import Final

from rules.errors import RulesError, quoted


class Color(StrEnum):
    """The four colours, in the order in which a bank is laid out."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"

    @property
    def letter(self) -> str:
        """``"r"``, ``"y"``, ``"g"`` or ``"b"``."""
        return self.value[0]


class Size(IntEnum):
    """The three sizes, valued by their pips."""

    SMALL = 1
    MEDIUM = 2
    LARGE = 3

    @property
    def word(self) -> str:
        """``"small"``, ``"medium"`` or ``"large"``."""
        return self.name.lower()


_COLOR_OF = {color.letter: color for color in Color}
_SIZE_OF = {str(size.value): size for size in Size}
_PLACE_OF = {color: place for place, color in enumerate(Color)}


@total_ordering
@dataclass(frozen=True)
class Piece:
    """One kind of piece. Kinds are ordered red, yellow, green, blue, and from small to large within a colour.

    >>> Piece(Color.RED, Size.LARGE).code
    'r3'
    >>> sorted([Piece.parse("b1"), Piece.parse("r3"), Piece.parse("r2")])[0].words
    'medium red'
    """

    color: Color
    size: Size
    kind: int = field(init=False, repr=False, compare=False)
    """Place among :data:`KINDS`, 0 to 11."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", 3 * _PLACE_OF[self.color] + self.size - 1)

    def __hash__(self) -> int:
        return self.kind

    @classmethod
    def parse(cls, text: str) -> Piece:
        """The piece of a code such as ``r1`` or ``B3``; a :class:`RulesError` for any other text."""
        code = text.strip().lower()
        if len(code) != 2 or code[0] not in _COLOR_OF or code[1] not in _SIZE_OF:
            raise RulesError(
                "piece_unreadable",
                f"{quoted(text)} is not a piece: write a colour letter (r, y, g or b) and a size (1 to 3), "
                "such as g2 for the medium green.",
                text=text,
            )
        return KINDS[3 * _PLACE_OF[_COLOR_OF[code[0]]] + int(code[1]) - 1]

    @property
    def code(self) -> str:
        """Colour letter and size: ``"r1"`` … ``"b3"``."""
        return f"{self.color.letter}{self.size.value}"

    @property
    def words(self) -> str:
        """Size and colour: ``"small red"`` … ``"large blue"``."""
        return f"{self.size.word} {self.color.value}"

    def __lt__(self, other: Piece) -> bool:
        return self.kind < other.kind

    def __str__(self) -> str:
        return self.code


KINDS: Final[tuple[Piece, ...]] = tuple(Piece(color, size) for color in Color for size in Size)
"""The twelve kinds in their order, from the small red to the large blue."""
