"""Turns of Homeworlds told in sentences."""

from __future__ import annotations

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
from rules.seats import Seat


def told(turn: Turn, seat: Seat) -> str:
    """What *seat* does in *turn*, as one sentence.

    >>> from rules import Piece
    >>> told((Sacrifice(Piece.parse("y2"), "Sol"), Move(Piece.parse("g1"), "Sol", "Vega"), Pass()), Seat.NORTH)
    'North sacrifices the medium yellow at Sol, moves the small green from Sol to Vega and lets an action go.'
    """
    if not turn or turn == (Pass(),):
        return f"{seat.word} passes."
    parts = [_step(step) for step in turn]
    return f"{seat.word} {', '.join(parts[:-1])}{' and ' if parts[1:] else ''}{parts[-1]}."


def _step(step: Step) -> str:
    match step:
        case Homeworld(stars, ship, name, extra):
            around = " and ".join(f"a {star.words}" for star in stars)
            role = "stars" if stars[1:] else "its star"
            ships = " and ".join(f"a {one.words} ship" for one in (ship, *extra))
            return f"sets up {name}, with {around} as {role} and {ships}"
        case Build(piece, system):
            return f"builds a {piece.words} at {system}"
        case Trade(piece, system, color):
            return f"trades the {piece.words} at {system} for a {color.value} one"
        case Move(piece, origin, target):
            return f"moves the {piece.words} from {origin} to {target}"
        case Discover(piece, origin, star, name):
            return f"discovers {name}, a {star.words} star, with the {piece.words} from {origin}"
        case Capture(piece, owner, system):
            return f"captures {owner.word}'s {piece.words} at {system}"
        case Sacrifice(piece, system):
            return f"sacrifices the {piece.words} at {system}"
        case Catastrophe(system, color):
            return f"declares the {color.value} catastrophe at {system}"
        case Pass():
            return "lets an action go"
