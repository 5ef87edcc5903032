"""A star system: its stars, and the ships at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.errors import RulesError, quoted
from rules.frozen import FrozenMap
from rules.pieces import Piece
from rules.seats import Seat

LONGEST_NAME = 40
_KEPT_FOR_NOTATION = frozenset("();,/<>*")


@dataclass(frozen=True, init=False)
class System:
    """A system and all that is in it; also one that cannot be, since photographs show such things.

    Stars and ships are kept sorted, so that the order in which they are given does not matter.

    Attributes:
        name: one word; it belongs to the notation, nothing on the table shows it.
        home: whose home it is, or ``None``.
        stars: upright pieces, usually one, or two at a home.
        ships: the ships of each of the four seats, ``()`` where there are none.

    >>> system = System("Sirius", None, [Piece.parse("g3")], {Seat.SOUTH: [Piece.parse("y1")]})
    >>> system.ships[Seat.SOUTH], system.ships[Seat.NORTH]
    ((Piece(color=<Color.YELLOW: 'yellow'>, size=<Size.SMALL: 1>),), ())
    """

    name: str
    home: Seat | None
    stars: tuple[Piece, ...]
    ships: FrozenMap[Seat, tuple[Piece, ...]]

    def __init__(
        self,
        name: str,
        home: Seat | None,
        stars: Iterable[Piece],
        ships: Mapping[Seat, Iterable[Piece]] | None = None,
    ) -> None:
        """A :class:`RulesError` when *name* cannot be written in notation."""
        check_name(name)
        fleets = {seat: tuple(sorted((ships or {}).get(seat, ()))) for seat in Seat}
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "home", home)
        object.__setattr__(self, "stars", tuple(sorted(stars)))
        object.__setattr__(self, "ships", FrozenMap(fleets))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece in the system: the stars, then the ships of one seat after another."""
        return self.stars + tuple(ship for fleet in self.ships.values() for ship in fleet)

    @property
    def is_abandoned(self) -> bool:
        """Whether no ship of anybody is here."""
        return not any(self.ships.values())


def check_name(name: str) -> None:
    """A :class:`RulesError` when *name* cannot be written in notation."""
    if not name:
        raise RulesError("name_missing", "Every system needs a name, such as Sirius in Sirius(g3)g1-.")
    if any(letter in _KEPT_FOR_NOTATION or letter.isspace() or not letter.isprintable() for letter in name):
        raise RulesError(
            "name_unusable",
            f"The name {quoted(name)} cannot be used: write it as one word, without spaces and without "
            "( ) ; , / < > or *.",
            name=name,
        )
    if len(name) > LONGEST_NAME:
        raise RulesError(
            "name_too_long",
            f"The name {quoted(name)} is too long: use at most {LONGEST_NAME} letters.",
            name=name,
            longest=LONGEST_NAME,
        )
