"""A position of Homeworlds: all systems, and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.bank import Bank, full_set
from rules.errors import RulesError
from rules.findings import Finding
from rules.homeworlds import notation
from rules.homeworlds.status import findings
from rules.homeworlds.system import System
from rules.pieces import Piece
from rules.seats import Seat, seats_for


@dataclass(frozen=True, init=False)
class Position:
    """Everything on the table, as a value. It need not be possible: :meth:`status` says what speaks against it.

    Systems are kept in a fixed order, homes first, so two positions are equal whenever the same systems stand
    under the same names with the same player to move; equal positions have the same line. The bank is no part
    of it: it is what the table leaves of the full set.

    Attributes:
        systems: homes in turn order, then the others by name.
        to_move: whose turn it is.
        players: how many play, two to four.

    >>> position = Position.parse("<0>; Sirius(g3)g1-y1; south(0,r2b1)g3-; North(1,y1b3)-g3")
    >>> position.line
    '<0>; south(0,r2b1)g3-; North(1,y1b3)-g3; Sirius(g3)g1-y1'
    >>> position.bank[Piece.parse("g3")], position.status()
    (0, ())
    """

    systems: tuple[System, ...]
    to_move: Seat
    players: int

    def __init__(self, systems: Iterable[System] = (), to_move: Seat | None = None, players: int = 2) -> None:
        """The first player is to move unless *to_move* says otherwise.

        A :class:`RulesError` when *players* is not two to four, or when a seat that nobody holds is to move,
        has a home or has ships.
        """
        seats = seats_for(players)
        systems = tuple(systems)
        to_move = seats[0] if to_move is None else to_move
        for seat in Seat:
            if seat not in seats and (to_move is seat or any(_belongs(system, seat) for system in systems)):
                raise RulesError(
                    "seat_empty",
                    f"Nobody sits {seat.word} when {players} play: the seats are "
                    f"{', '.join(taken.word for taken in seats)}.",
                    seat=seat.value,
                    players=players,
                )
        object.__setattr__(self, "systems", tuple(sorted(systems, key=lambda one: _order(one, seats))))
        object.__setattr__(self, "to_move", to_move)
        object.__setattr__(self, "players", players)

    @classmethod
    def parse(cls, line: str, players: int = 2) -> Position:
        """The position that *line* describes, in any order of systems and pieces.

        The dashes tell how many play; *players* counts only where no system stands on the table yet.
        A :class:`RulesError` says what is wrong with any other text.
        """
        return cls(*notation.read(line, players))

    @property
    def line(self) -> str:
        """The one line that describes this position."""
        return notation.written(self.systems, self.seats, self.to_move)

    def __str__(self) -> str:
        return self.line

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats taken, in turn order."""
        return seats_for(self.players)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece on the table."""
        return tuple(piece for system in self.systems for piece in system.pieces)

    @property
    def bank(self) -> Bank:
        """The full set less the pieces on the table; none of a kind of which the table holds too many."""
        remaining, _ = full_set(self.players).take(self.pieces)
        return remaining

    @property
    def surplus(self) -> Bank:
        """The pieces on the table beyond the full set; nothing in any possible position."""
        _, lacking = full_set(self.players).take(self.pieces)
        return lacking

    def homes(self, seat: Seat) -> tuple[System, ...]:
        """The homes of *seat*: one while that player is in the game."""
        return tuple(system for system in self.systems if system.home is seat)

    def status(self) -> tuple[Finding, ...]:
        """Why this position cannot be, or is worth a second look; nothing when all is well."""
        return tuple(findings(self.systems, self.seats))


def _belongs(system: System, seat: Seat) -> bool:
    return system.home is seat or bool(system.ships[seat])


def _order(system: System, seats: tuple[Seat, ...]) -> tuple[object, ...]:
    """Sort key: homes in turn order, then the names; the rest settles ties between equal names."""
    home = seats.index(system.home) if system.home else len(seats)
    fleets = tuple(system.ships[seat] for seat in seats)
    return home, system.name.casefold(), system.name, system.stars, fleets
