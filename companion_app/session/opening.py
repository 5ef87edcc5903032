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
    position = position_of(reading.position, redless=reading.redless)
    if position is None:
        return Opening(Stands.UNREADABLE, "The table cannot be read as a position: correct the picture first.")
    if isinstance(position, homeworlds.Position) and _has_just_homes(position):
        return Opening(Stands.HOMES, "Both homeworlds are chosen: say who begins.", position)
    return Opening(Stands.POSITION, "A game is under way: say who is to move.", position)


def homes_chosen(table: Position | None, before: Position) -> tuple[homeworlds.Turn, ...]:
    """The turns by which all who had no homeworld *before* have set up those that stand on *table*, if they have.

    The largest ship is the first; the others are those of a head start.
    """
    if not isinstance(table, homeworlds.Position) or not isinstance(before, homeworlds.Position):
        return ()
    first = before.seats.index(before.to_move)
    order = [seat for seat in before.seats[first:] + before.seats[:first] if not before.homes(seat)]
    homes = [home for seat in order for home in table.homes(seat) if home.ships[seat]]
    if [home.home for home in homes] != order or len(table.systems) != len(before.systems) + len(order):
        return ()
    return tuple(_set_up(home, seat) for home, seat in zip(homes, order, strict=True))


def _set_up(home: homeworlds.System, seat: Seat) -> homeworlds.Turn:
    ship, *extra = sorted(home.ships[seat], key=lambda piece: -piece.size)
    return (homeworlds.Homeworld(home.stars, ship, seat.word, tuple(extra)),)


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


def position_of(line: str | None, *, redless: bool = False) -> Position | None:
    """The position of a line that was read, if it is one and has no more pieces than the set."""
    try:
        position = parse_position(line or "", redless=redless)
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
