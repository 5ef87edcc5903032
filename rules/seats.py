"""Who sits where around the table."""

from __future__ import annotations

from enum import StrEnum

from rules.errors import RulesError


class Seat(StrEnum):
    """The four sides of the table, clockwise from North."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"

    @property
    def letter(self) -> str:
        """``"N"``, ``"E"``, ``"S"`` or ``"W"``."""
        return self.word[0]

    @property
    def word(self) -> str:
        """The name as a sentence writes it, such as ``"North"``."""
        return self.value.title()

    @property
    def opposite(self) -> Seat:
        """The seat across the table."""
        seats = tuple(Seat)
        return seats[(seats.index(self) + 2) % 4]


_SEATS = {
    2: (Seat.SOUTH, Seat.NORTH),
    3: (Seat.NORTH, Seat.EAST, Seat.SOUTH),
    4: (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST),
}


def seats_for(players: int) -> tuple[Seat, ...]:
    """The seats taken by *players* people, in turn order; their index is the player's number in notation.

    Two face each other, South and North; three and four sit clockwise from North.

    >>> [seat.letter for seat in seats_for(3)]
    ['N', 'E', 'S']
    """
    if players not in _SEATS:
        raise RulesError(
            "players_wrong", f"{players} players cannot play: choose two, three or four.", players=players
        )
    return _SEATS[players]
