"""A position of Homeworlds Settlers: the board, whose turn it is, and how long it has been quiet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.bank import Bank, full_set
from rules.errors import RulesError
from rules.findings import Finding
from rules.frozen import FrozenMap
from rules.pieces import Piece
from rules.seats import Seat
from rules.settlers import notation
from rules.settlers.board import SEATS, Placement, Ship, field_of
from rules.settlers.status import status_of


@dataclass(frozen=True, init=False)
class Position:
    """Everything on the board, as a value. It need not be possible: :meth:`status` says what speaks against it.

    Attributes:
        board: the ship on each field that is not empty, in the order of the fields.
        to_move: whose turn it is.
        quiet_turns: turns in a row, of both players, without a conquest.
        redless: whether the game is played without the red pieces; the line does not tell.

    >>> position = Position.parse("6/6/2g13/6/1B24/6 N 7")
    >>> position.board["b2"]
    Ship(piece=Piece(color=<Color.BLUE: 'blue'>, size=<Size.MEDIUM: 2>), owner=<Seat.NORTH: 'north'>)
    >>> position.bank.total, position.line
    (34, '6/6/2g13/6/1B24/6 N 7')
    """

    board: FrozenMap[str, Ship]
    to_move: Seat
    quiet_turns: int
    redless: bool

    def __init__(
        self,
        board: Mapping[str, Ship] | None = None,
        to_move: Seat = Seat.SOUTH,
        quiet_turns: int = 0,
        redless: bool = False,
    ) -> None:
        """A :class:`RulesError` for an unknown field, a seat other than South and North, or a negative count."""
        ships = {field_of(field): Ship(*ship) for field, ship in (board or {}).items()}
        for seat in (to_move, *(ship.owner for ship in ships.values())):
            if seat not in SEATS:
                raise RulesError("seat_empty", f"Nobody sits {seat.word}: South and North play.", seat=seat.value)
        if quiet_turns < 0:
            raise RulesError(
                "quiet_turns_negative",
                f"There cannot have been {quiet_turns} turns without a conquest: count from 0 upwards.",
                quiet_turns=quiet_turns,
            )
        object.__setattr__(self, "board", FrozenMap(dict(sorted(ships.items()))))
        object.__setattr__(self, "to_move", to_move)
        object.__setattr__(self, "quiet_turns", quiet_turns)
        object.__setattr__(self, "redless", redless)

    @classmethod
    def of(
        cls,
        placements: Iterable[Placement],
        to_move: Seat = Seat.SOUTH,
        quiet_turns: int = 0,
        redless: bool = False,
    ) -> Position:
        """The position of pieces seen one by one; where a field is named twice, the first piece stays.

        :func:`rules.settlers.status_of` of the same placements reports such a field.
        """
        board: dict[str, Ship] = {}
        for field, piece, owner in placements:
            board.setdefault(field_of(field), Ship(piece, owner))
        return cls(board, to_move, quiet_turns, redless)

    @classmethod
    def parse(cls, line: str, redless: bool = False) -> Position:
        """The position that *line* describes; a :class:`RulesError` says what is wrong with any other text."""
        return cls(*notation.read(line), redless)

    @property
    def line(self) -> str:
        """The one line that describes board, side to move and quiet turns."""
        return notation.written(self.board, self.to_move, self.quiet_turns)

    def __str__(self) -> str:
        return self.line

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Every ship with its field, in the order of the fields."""
        return tuple(Placement(field, *ship) for field, ship in self.board.items())

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece on the board."""
        return tuple(ship.piece for ship in self.board.values())

    @property
    def full_set(self) -> Bank:
        """The pieces this game is played with: 36, or 27 when redless."""
        return full_set(redless=self.redless)

    @property
    def bank(self) -> Bank:
        """The full set less the pieces on the board; none of a kind of which the board holds too many."""
        remaining, _ = self.full_set.take(self.pieces)
        return remaining

    @property
    def surplus(self) -> Bank:
        """The pieces on the board beyond the full set; nothing in any possible position."""
        _, lacking = self.full_set.take(self.pieces)
        return lacking

    def status(self) -> tuple[Finding, ...]:
        """Why this position cannot be, or is worth a second look; nothing when all is well."""
        return status_of(self.placements, self.quiet_turns, self.redless)
