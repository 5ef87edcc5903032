"""Refusals that rest on where ships are, and on the actions a turn has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import IllegalTurn, quoted
from rules.homeworlds.refusals.words import POWER, VERB, codes, either, listed, powers_of
from rules.homeworlds.steps import Move, Sacrifice, Step
from rules.pieces import Color, Piece

if TYPE_CHECKING:
    from rules.homeworlds.turns import PartialTurn


def name_taken(turn: PartialTurn, name: str) -> IllegalTurn:
    """A new system with the name of another."""
    return IllegalTurn(
        "name_taken",
        f"There is a system called {turn.system(name) or name} already: give the new one another name.",
        name=name,
    )


def system_unknown(turn: PartialTurn, step: Step, name: str) -> IllegalTurn:
    """A system that is not on the table."""
    rule = "6" if name in turn.start.systems else "16" if isinstance(step, Move) and name == step.target else ""
    advice = f"there are {listed(turn.table.systems)}."
    if rule == "16":
        advice = f"move to {either(turn.table.systems)}, or discover a new system with a star from the bank."
    return IllegalTurn(
        "system_unknown",
        f"{quoted(name)} {'has gone back to the bank' if rule == '6' else 'is no system on the table'}: {advice}",
        rule=rule,
        system=name,
    )


def no_ship_there(turn: PartialTurn, step: Step, name: str) -> IllegalTurn:
    """A system where one has no ship."""
    if name not in turn.table.systems:
        return system_unknown(turn, step, name)
    own = [known for known, system in turn.table.systems.items() if system.ships[turn.start.to_move]]
    return IllegalTurn(
        "no_ship_there",
        f"{turn.to_move.word} has no ship at {name} and cannot {VERB[type(step)]} there: "
        f"{turn.to_move.word}'s ships are at {listed(own)}.",
        rule="17",
        system=name,
    )


def no_such_ship(turn: PartialTurn, step: Step, piece: Piece, name: str) -> IllegalTurn:
    """An own ship that is not there."""
    there = turn.table.systems.get(name)
    if there is None:
        return system_unknown(turn, step, name)
    if not there.ships[turn.start.to_move]:
        return no_ship_there(turn, step, name)
    mover = turn.to_move.word
    enemys = turn.owners_of(piece, name)
    whose = f"the {piece} there is {enemys[0].word}'s" if enemys else f"there is no {piece} ship"
    return IllegalTurn(
        "no_such_ship",
        f"{mover} has no {piece} at {name}: {whose}, and {mover} has {codes(there.ships[turn.start.to_move])}.",
        rule="17",
        piece=piece.code,
        system=name,
    )


def action_used(turn: PartialTurn, step: Step) -> IllegalTurn:
    """A second action, or one more than the sacrifice has bought."""
    verb = VERB[type(step)]
    if turn.sacrificed >= 0:
        if isinstance(step, Sacrifice):
            return IllegalTurn(
                "action_used",
                "Only one ship can be sacrificed in a turn: go on with the actions that the first one gives.",
                rule="17",
            )
        return IllegalTurn(
            "actions_used_up",
            f"All actions of the sacrifice are used up, so there is none left to {verb}: end the turn.",
            rule="17",
        )
    instead = "a sacrifice takes the place of the action" if isinstance(step, Sacrifice) else "end the turn"
    return IllegalTurn(
        "action_used",
        f"A turn has one action, or a sacrifice with its actions, and the action is done: {instead}; only "
        "catastrophes can still be declared.",
        rule="17",
    )


def wrong_sacrifice(turn: PartialTurn, step: Step, power: Color) -> IllegalTurn:
    """An action of another colour than that of the sacrificed ship."""
    color = tuple(Color)[turn.sacrificed]
    return IllegalTurn(
        "wrong_sacrifice",
        f"A {color.value} ship was sacrificed, which gives actions to {POWER[color]} only; to {VERB[type(step)]} "
        f"takes a {power.value} one.",
        rule="17",
        color=color.value,
        needed=power.value,
    )


def no_power(turn: PartialTurn, step: Step, power: Color, name: str) -> IllegalTurn:
    """A system that does not give one the power wanted: of the stars or of one's own ships (ruling 14)."""
    mover = turn.start.to_move
    there = turn.table.systems[name]
    verb = VERB[type(step)]
    index = tuple(Color).index(power)
    others = [seat for number, seat in enumerate(turn.seats) if number != mover and there.powers[number] >> index & 1]
    if others:
        return IllegalTurn(
            "power_is_the_enemys",
            f"The {power.value} ship at {name} is {others[0].word}'s, and another player's ship lends no power: to "
            f"{verb} there takes a {power.value} star or a {power.value} ship of one's own, or the sacrifice of one.",
            rule="14",
            system=name,
            missing=power.value,
        )
    return IllegalTurn(
        "no_power",
        f"To {verb} at {name} takes {power.value}, and no star or own ship there is {power.value}: {name} gives "
        f"{turn.to_move.word} {powers_of(there, mover)}; the sacrifice of a {power.value} ship would do.",
        rule="14",
        system=name,
        missing=power.value,
    )
