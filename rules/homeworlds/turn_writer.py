"""Turns in words, as the strict notation has them: one text for each turn."""

from __future__ import annotations

from rules.homeworlds.options import Options, SelfElimination
from rules.homeworlds.position import Position
from rules.homeworlds.steps import (
    Build,
    Capture,
    Catastrophe,
    Discover,
    Homeworld,
    Move,
    Pass,
    Sacrifice,
    Step,
    Trade,
    Turn,
)
from rules.homeworlds.turns import PartialTurn, begin

BETWEEN = "; "
CONFIRMED = " *"


def write_step(step: Step, turn: PartialTurn | None = None) -> str:
    """The one way to write *step* as the next of *turn*.

    The owner of a captured ship is written only where several players have such a ship there, or where *turn* is
    not given.

    >>> from rules import Color, Piece
    >>> write_step(Trade(Piece.parse("g1"), "Sol", Color.YELLOW))
    'trade g1 Sol y'
    """
    match step:
        case Homeworld(stars, ship, name, extra):
            return f"homeworld {' '.join(piece.code for piece in (*stars, ship, *extra))} {name}"
        case Build(piece, system):
            return f"build {piece.code} {system}"
        case Trade(piece, system, color):
            return f"trade {piece.code} {system} {color.letter}"
        case Move(piece, origin, target):
            return f"move {piece.code} {origin} {target}"
        case Discover(piece, origin, star, name):
            return f"discover {piece.code} {origin} {star.code} {name}"
        case Capture(piece, owner, system):
            unclear = turn is None or len(turn.owners_of(piece, system)) > 1
            return f"capture {piece.code}{owner.letter if unclear else ''} {system}"
        case Sacrifice(piece, system):
            return f"sacrifice {piece.code} {system}"
        case Catastrophe(system, color):
            return f"catastrophe {system} {color.letter}"
        case Pass():
            return "pass"


def write_turn(steps: Turn, start: Position | PartialTurn | None = None, options: Options | None = None) -> str:
    """The one way to write a turn that begins at *start*; an :class:`rules.IllegalTurn` when it is illegal there.

    With *start*, owners of captured ships are written only where needed, and a turn that gives up one's own home is
    confirmed with a ``*``, unless the options (of a turn in the making, its own) have it otherwise.

    >>> from rules import Piece
    >>> write_turn((Sacrifice(Piece.parse("y2"), "Sol"), Move(Piece.parse("g1"), "Sol", "Vega"), Pass()))
    'sacrifice y2 Sol; move g1 Sol Vega; pass'
    """
    if not steps:
        return "pass"
    if start is None:
        return BETWEEN.join(write_step(step) for step in steps)
    turn = start if isinstance(start, PartialTurn) else begin(start, options)
    texts = []
    for step in steps:
        texts.append(write_step(step, turn))
        turn = turn.apply(step)
    needs_star = turn.options.self_elimination is SelfElimination.CONFIRMED and turn.gives_up_home
    return BETWEEN.join(texts) + (CONFIRMED if needs_star else "")
