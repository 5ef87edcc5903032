"""Before a game: what stands on the table, and which game could begin with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion_app.errors import AppError
from companion_app.notation import Position, parse_position
from companion_app.reading_types import Game, Reading
from companion_app.session.terms import Options, Terms
from rules import RulesError, Seat, homeworlds, settlers


class Stands(StrEnum):
    """What stands on a table before a game begins."""

    NOTHING = "nothing"
    HOMES = "homes"
    POSITION = "position"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Opening:
    """What stands there, in a word and a sentence, and the position, if it is one."""

    stands: Stands
    sentence: str
    position: Position | None = None


def opening_of(reading: Reading) -> Opening:
    """Which beginning a reading shows: an empty table or board, chosen homeworlds, or a game under way."""
    if not any(piece.on_table for piece in reading.pieces):
        empty = "board is empty" if reading.game is Game.SETTLERS else "table is empty: choose your homeworlds"
        return Opening(Stands.NOTHING, f"The {empty}.")
    position = _position(reading)
    if position is None:
        return Opening(Stands.UNREADABLE, "The table cannot be read as a position: correct the picture first.")
    if isinstance(position, homeworlds.Position) and _has_just_homes(position):
        return Opening(Stands.HOMES, "Both homeworlds are chosen: say who begins.", position)
    return Opening(Stands.POSITION, "A game is under way: say who is to move.", position)


def terms_from(
    reading: Reading, options: Options, to_move: Seat | None = None, names: Mapping[Seat, str] | None = None
) -> Terms:
    """A game that begins with what stands on the table; *to_move* begins, else the turn token says who does.

    An AppError where the table is no position of this game.
    """
    token = Seat(reading.turn_token.value) if reading.turn_token else Seat.SOUTH
    position, mover = opening_of(reading).position, to_move or token
    if isinstance(position, homeworlds.Position) and isinstance(options, homeworlds.Options):
        there: Position = homeworlds.Position(position.systems, mover, position.players)
    elif isinstance(position, settlers.Position) and isinstance(options, settlers.Options):
        there = settlers.Position(position.board, mover, 0, options.redless)
    else:
        raise AppError("no_position", "This is no position to begin with: set one up, or correct the picture.")
    return Terms.of_position(there, options, names=names)


def _position(reading: Reading) -> Position | None:
    """The position of a reading, if it is one and has no more pieces than the set."""
    try:
        position = parse_position(reading.position or "", redless=reading.redless)
    except (AppError, RulesError):
        return None
    return None if position.surplus.total else position


def _has_just_homes(position: homeworlds.Position) -> bool:
    """Whether every player has a home with one ship, and nothing else stands there."""
    systems = {system.home: system for system in position.systems}
    return len(position.systems) == len(position.seats) and all(
        seat in systems and [len(fleet) for fleet in systems[seat].ships.values() if fleet] == [1]
        for seat in position.seats
    )
