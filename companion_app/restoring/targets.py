"""From a reading, or a line, to the position that is to stand on the table again."""

from __future__ import annotations

from companion_app.errors import AppError
from companion_app.notation import Position, parse_position
from companion_app.reading_types import Reading
from rules import Seat, homeworlds, settlers
from rules.findings import Severity


def position_of_reading(reading: Reading, to_move: Seat | None = None) -> Position:
    """The position of *reading*, with *to_move* to move or else the player before whom the turn token lies.

    ``AppError``: ``position_open`` where the pieces make no position yet, ``turn_unknown`` where nobody says who is
    to move.
    """
    if reading.position is None:
        raise AppError(
            "position_open", "This reading is no position yet: give every piece its place and its owner first."
        )
    if to_move is None and reading.turn_token is None:
        raise AppError("turn_unknown", "The photo does not show whose turn it is: say South or North.")
    seat = to_move or Seat(str(reading.turn_token))
    return _with_turn(parse_position(reading.position, redless=reading.redless), seat)


def position_of_line(line: str, *, redless: bool = False, to_move: Seat | None = None) -> Position:
    """The position that *line* writes down, with *to_move* to move if that is given.

    ``AppError`` or ``RulesError`` where there is none, or where no table can show it, such as one of more pieces than
    there are.
    """
    position = parse_position(line.strip(), redless=redless)
    for finding in position.status():
        if finding.severity is Severity.IMPOSSIBLE:
            raise AppError(finding.code, finding.sentence)
    return position if to_move is None else _with_turn(position, to_move)


def _with_turn(position: Position, seat: Seat) -> Position:
    if isinstance(position, homeworlds.Position):
        return homeworlds.Position(position.systems, seat, position.players)
    return settlers.Position(position.board, seat, position.quiet_turns, position.redless)
