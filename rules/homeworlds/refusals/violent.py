"""Refusals of captures and catastrophes, and of the end of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import IllegalTurn
from rules.homeworlds.refusals.places import action_used, wrong_sacrifice
from rules.homeworlds.refusals.words import SIZE_WORD, both, codes
from rules.homeworlds.steps import Capture, Catastrophe, Discover, Move
from rules.pieces import KINDS, Color
from rules.seats import Seat

if TYPE_CHECKING:
    from rules.homeworlds.turns import PartialTurn


def own_ship(turn: PartialTurn, step: Capture) -> IllegalTurn:
    """One's own ship as the target."""
    return IllegalTurn(
        "own_ship",
        f"{turn.to_move.word}'s own ship cannot be captured: name a ship of another player.",
        rule="12",
        piece=step.piece.code,
        system=step.system,
    )


def no_such_target(turn: PartialTurn, step: Capture) -> IllegalTurn:
    """A ship that is not there to be captured."""
    there = turn.table.systems[step.system]
    mover = turn.start.to_move
    others = [
        f"{seat.word}'s {codes(there.ships[number])}"
        for number, seat in enumerate(turn.seats)
        if number != mover and there.ships[number]
    ]
    if not others and step.piece in [KINDS[kind] for kind in there.kinds[mover]]:
        return own_ship(turn, step)
    return IllegalTurn(
        "no_such_target",
        f"{step.owner.word} has no {step.piece} at {step.system}: the ships of others there are "
        f"{both(others) if others else 'none'}.",
        rule="13",
        piece=step.piece.code,
        system=step.system,
    )


def too_late_to_capture(turn: PartialTurn, step: Capture) -> IllegalTurn:
    """A capture after another action; right after arriving, this is the rule book's fourth common mistake."""
    arrived = any(
        step.system == (done.target if isinstance(done, Move) else done.name)
        for done in turn.steps
        if isinstance(done, Move | Discover)
    )
    if not arrived:
        power_left = turn.sacrificed >= 0 and turn.actions_left > 0
        return wrong_sacrifice(turn, step, Color.RED) if power_left else action_used(turn, step)
    return IllegalTurn(
        "arrived_this_turn",
        f"A ship that has moved to {step.system} this turn cannot capture yet: moving was the action, and "
        f"{step.owner.word} has a turn to answer first.",
        rule="13",
        piece=step.piece.code,
        system=step.system,
    )


def too_big(turn: PartialTurn, step: Capture) -> IllegalTurn:
    """A target bigger than all of one's own ships there."""
    biggest = turn.table.systems[step.system].biggest[turn.start.to_move]
    return IllegalTurn(
        "too_big",
        f"{step.piece} is {step.piece.size.word}, and {turn.to_move.word}'s biggest ship at {step.system} is "
        f"{SIZE_WORD[biggest]}: only ships of up to its size can be captured.",
        rule="13",
        piece=step.piece.code,
        system=step.system,
        biggest=biggest,
    )


def not_overpopulated(turn: PartialTurn, step: Catastrophe, count: int) -> IllegalTurn:
    """A catastrophe with fewer than four pieces of the colour."""
    elsewhere = [
        f"{name} ({both(tuple(Color)[color].value for color in system.overpopulated)})"
        for name, system in turn.table.systems.items()
        if system.overpopulated
    ]
    advice = f"overpopulated are {both(elsewhere)}" if elsewhere else "no system is overpopulated"
    return IllegalTurn(
        "not_overpopulated",
        f"{step.system} has {count or 'no'} {step.color.value} piece{'s' * (count != 1)}, and a catastrophe takes "
        f"four of one colour: {advice}.",
        rule="2",
        system=step.system,
        color=step.color.value,
        count=count,
    )


def self_elimination(seat: Seat) -> IllegalTurn:
    """An end of the turn without a ship at home, where that is forbidden by an option."""
    return IllegalTurn(
        "self_elimination_forbidden",
        f"{seat.word} would have no ship at home at the end of the turn, and this game forbids to give up one's own "
        "home: keep or bring a ship there.",
        rule="7",
        seat=seat.value,
    )
