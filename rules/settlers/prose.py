"""Turns of Settlers told in sentences."""

from __future__ import annotations

from rules.settlers.position import Position
from rules.settlers.steps import Build, Choose, Conquer, Land, Move, Pass, Step, Trade, Transfer, Turn, Upgrade


def told(turn: Turn, position: Position) -> str:
    """What the player to move in *position* does in *turn*, as one sentence.

    >>> from rules import Piece
    >>> told((Land(Piece.parse("g1"), "c3"),), Position())
    'South lands a small green on c3.'
    """
    seat = position.to_move
    parts = [_step(step, position) for step in turn if not isinstance(step, Pass)]
    if not parts:
        return f"{seat.word} passes."
    return f"{seat.word} {', '.join(parts[:-1])}{' and ' if parts[1:] else ''}{parts[-1]}."


def _step(step: Step, position: Position) -> str:
    match step:
        case Choose(field):
            ship = position.board.get(field)
            return f"takes the {ship.piece.words if ship else 'piece'} on {field}"
        case Build(piece, field):
            return f"builds a {piece.words} on {field}"
        case Transfer(field):
            return f"goes on building from {field}"
        case Land(piece, field):
            return f"lands a {piece.words} on {field}"
        case Conquer(field):
            return f"conquers {field}"
        case Move(path):
            return f"moves {path[0]} to {path[-1]}" + (f" over {', '.join(path[1:-1])}" if path[2:] else "")
        case Trade(field, color):
            return f"trades {field} for a {color.value} one"
        case Upgrade(field):
            return f"upgrades {field}"
        case Pass():
            return "passes"
