"""The turns of Settlers once more, slowly: written from the rules alone, to hold the engine against.

Nothing is remembered and nothing is left out; every order of actions is played. Since every action is optional,
each board that is met on the way is also a board at which the turn may end.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules import Color, Piece, Size
from rules.settlers import Position, Ship

Board = dict[str, tuple[str, int, bool]]
"""For each field that is not empty: colour letter, pips, and whether it belongs to the player on turn."""

FIELDS = [file + rank for file in "abcdef" for rank in "123456"]
COLORS = {"r": Color.RED, "y": Color.YELLOW, "g": Color.GREEN, "b": Color.BLUE}


class TooManyTurns(Exception):
    """This position takes too long to play out naively."""


def end_positions(position: Position, yellow_moves_any: bool = False, limit: int = 1_000_000) -> set[Position]:
    """Every position that one turn can lead to; :class:`TooManyTurns` where more than *limit* ways were tried."""
    me = position.to_move
    before: Board = {
        field: (ship.piece.code[0], int(ship.piece.size), ship.owner is me) for field, ship in position.board.items()
    }
    colors = "ygb" if position.redless else "rygb"
    boards = set()
    for tried, board in enumerate(_turns(before, colors, yellow_moves_any)):
        if tried >= limit:
            raise TooManyTurns
        boards.add(frozenset(board.items()))
    return {_position(dict(board), before, position) for board in boards}


def _position(board: Board, before: Board, start: Position) -> Position:
    me, opponent = start.to_move, start.to_move.opposite
    ships = {
        field: Ship(Piece(COLORS[color], Size(pips)), me if mine else opponent)
        for field, (color, pips, mine) in board.items()
    }
    conquered = _owned_by_opponent(board) < _owned_by_opponent(before)
    return Position(ships, opponent, 0 if conquered else start.quiet_turns + 1, start.redless)


def _owned_by_opponent(board: Board) -> int:
    return sum(not mine for _, _, mine in board.values())


def _turns(board: Board, colors: str, yellow_moves_any: bool) -> Iterator[Board]:
    yield board  # a pass
    if not _own(board, "g"):
        yield from _land(board)
    for field, (color, pips, mine) in board.items():
        if not mine:
            continue
        if color == "r":
            yield from _conquer(board, field, pips)
        if color == "y":
            yield from _move(board, field, pips, yellow_moves_any)
        if color == "g":
            yield from _build(board, field, pips, colors)
        if color == "b":
            yield from _exchange(board, field, pips, colors)


def _conquer(board: Board, red: str, pips: int) -> Iterator[Board]:
    yield board
    if pips == 0:
        return
    for target in _bordering(red):
        if target not in board:
            continue
        color, size, mine = board[target]
        if mine or size > board[red][1]:
            continue
        attack = sum(board[field][1] for field in _own(board, "r") if field in _bordering(target))
        defence = sum(
            board[field][1] for field in _bordering(target) if field in board and _is_enemy_red(board[field])
        )
        if color == "r":
            defence += size
        if attack > defence:
            yield from _conquer({**board, target: (color, size, True)}, red, pips - 1)


def _is_enemy_red(ship: tuple[str, int, bool]) -> bool:
    color, _, mine = ship
    return color == "r" and not mine


def _move(board: Board, yellow: str, pips: int, any_ship: bool) -> Iterator[Board]:
    yield board
    for moving in [yellow, *_bordering(yellow)]:
        if moving not in board or not (board[moving][2] or any_ship):
            continue
        for steps in range(1, pips + 1):
            for target in _walks(board, moving, steps):
                moved = {field: ship for field, ship in board.items() if field != moving}
                moved[target] = board[moving]
                yield from _move(moved, target if moving == yellow else yellow, pips - steps, any_ship)


def _walks(board: Board, field: str, steps: int) -> Iterator[str]:
    """Where a walk of so many steps can end; the walker leaves its first field empty."""
    others = {other: ship for other, ship in board.items() if other != field}
    if steps == 0:
        yield field
        return
    for next_field in _bordering(field):
        if next_field not in others:
            yield from _walks({**others, next_field: board[field]}, next_field, steps - 1)


def _build(board: Board, green: str, pips: int, colors: str) -> Iterator[Board]:
    yield board
    if pips == 0:
        return
    if _has_space(board, green):
        for field in _bordering(green):
            for color in colors:
                size = _smallest(board, color)
                if field not in board and size:
                    yield from _build({**board, field: (color, size, True)}, green, pips - 1, colors)
        return
    others = [other for other in _own(board, "g") if _has_space(board, other)]
    for other in others:
        yield from _build(board, other, board[other][1], colors)
    if not others:
        yield from _land(board)


def _land(board: Board) -> Iterator[Board]:
    size = _smallest(board, "g")
    for field in FIELDS:
        if field not in board and size:
            yield {**board, field: ("g", size, True)}


def _exchange(board: Board, blue: str, pips: int, colors: str) -> Iterator[Board]:
    yield board
    if pips == 0:
        return
    for field in [blue, *_bordering(blue)]:
        if field not in board or not board[field][2]:
            continue
        color, size, _ = board[field]
        for other in colors:
            if other != color and _in_bank(board, other, size):
                yield from _exchange({**board, field: (other, size, True)}, blue, pips - 1, colors)
        if size < 3 and _in_bank(board, color, size + 1):
            yield from _exchange({**board, field: (color, size + 1, True)}, blue, pips - 1, colors)


def _bordering(field: str) -> list[str]:
    file, rank = ord(field[0]), ord(field[1])
    around = [chr(file + right) + chr(rank + up) for right in (-1, 0, 1) for up in (-1, 0, 1)]
    return [name for name in around if name in FIELDS and name != field]


def _has_space(board: Board, field: str) -> bool:
    return any(name not in board for name in _bordering(field))


def _own(board: Board, wanted: str) -> list[str]:
    return [field for field, (color, _, mine) in board.items() if mine and color == wanted]


def _in_bank(board: Board, wanted: str, size: int) -> bool:
    return sum((color, pips) == (wanted, size) for color, pips, _ in board.values()) < 3


def _smallest(board: Board, color: str) -> int:
    """The pips of the smallest piece of this colour in the bank, or 0 if it has none."""
    return next((size for size in (1, 2, 3) if _in_bank(board, color, size)), 0)
