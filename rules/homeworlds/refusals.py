"""Why a step is refused: one function a reason, each with its code, its ruling and a sentence for beginners.

Codes: ``already_set_up``, ``set_up_first``, ``pass_at_set_up``, ``home_stars_wrong``, ``first_ship_wrong``,
``not_in_bank``, ``name_taken``, ``system_unknown``, ``no_ship_there``, ``no_such_ship``, ``no_such_target``,
``action_used``, ``actions_used_up``, ``wrong_sacrifice``, ``no_power``, ``power_is_the_enemys``,
``no_ship_of_color``, ``not_smallest``, ``color_used_up``, ``same_color``, ``not_connected``, ``same_system``,
``star_size_shared``, ``own_ship``, ``too_big``, ``arrived_this_turn``, ``not_overpopulated``,
``self_elimination_forbidden``.

The four common mistakes of the rule book are ``not_connected`` (can't move there), ``power_is_the_enemys`` (can't
do that), ``no_ship_of_color`` and ``not_smallest`` (can't build that), and ``arrived_this_turn``, ``too_big`` and
``no_power`` (can't capture yet).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rules.errors import IllegalTurn, quoted
from rules.homeworlds.packed import UNIT, Packed, smallest
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
)
from rules.homeworlds.system import check_name
from rules.pieces import KINDS, Color, Piece, Size
from rules.seats import Seat

if TYPE_CHECKING:
    from rules.homeworlds.turns import PartialTurn

_POWER: Final = {Color.RED: "capture", Color.YELLOW: "move", Color.GREEN: "build", Color.BLUE: "trade"}
_VERB: Final = {
    Homeworld: "set up",
    Build: "build",
    Trade: "trade",
    Move: "move",
    Discover: "move",
    Capture: "capture",
    Sacrifice: "sacrifice",
    Catastrophe: "declare a catastrophe",
    Pass: "pass",
}
_SIZE_WORD: Final = ("", "small", "medium", "large")


# The set-up


def already_set_up(turn: PartialTurn, step: Step) -> IllegalTurn:
    """A home while one has a home."""
    del step
    return IllegalTurn(
        "already_set_up",
        f"{turn.to_move.word}'s home is set up already: a home is set up once, on the first turn.",
        rule="24",
        seat=turn.to_move.value,
    )


def set_up_first(turn: PartialTurn, step: Step) -> IllegalTurn:
    """Anything else before one has a home."""
    return IllegalTurn(
        "set_up_first",
        f"{turn.to_move.word} has no home yet and cannot {_VERB[type(step)]}: set up first, with two stars, a large "
        f"ship and a name, such as homeworld b3 y1 g3 {turn.to_move.word}.",
        rule="24",
        seat=turn.to_move.value,
    )


def pass_at_set_up(seat: Seat) -> IllegalTurn:
    """A pass before one has a home."""
    return IllegalTurn(
        "pass_at_set_up",
        f"{seat.word} cannot pass on the first turn: set up a home, such as homeworld b3 y1 g3 {seat.word}.",
        rule="10",
        seat=seat.value,
    )


def check_set_up(turn: PartialTurn, step: Homeworld) -> None:
    """Raise what is wrong with a set-up."""
    numbers = turn.options.home_stars
    if len(step.stars) not in numbers:
        raise IllegalTurn(
            "home_stars_wrong",
            f"A home has {_either(str(number) for number in numbers)} star{'s' if max(numbers) > 1 else ''}, not "
            f"{len(step.stars)}.",
            rule="19",
            count=len(step.stars),
        )
    sizes = turn.options.first_ship_sizes
    if step.ship.size not in sizes:
        raise IllegalTurn(
            "first_ship_wrong",
            f"The first ship is {_either(_SIZE_WORD[size] for size in sizes)}: {step.ship} is {step.ship.size.word}.",
            rule="18",
            piece=step.ship.code,
        )
    for piece in (*step.stars, step.ship):
        wanted = (*step.stars, step.ship).count(piece)
        held = _held(turn, piece)
        if wanted > held:
            raise IllegalTurn(
                "not_in_bank",
                f"The set-up takes {wanted} {piece.words} piece{'s' * (wanted > 1)} ({piece}), but the bank holds "
                f"{held or 'none'}.",
                rule="19",
                piece=piece.code,
                held=held,
            )
    check_name(step.name)
    if turn.system(step.name) is not None:
        raise name_taken(turn, step.name)


# Places and ships


def name_taken(turn: PartialTurn, name: str) -> IllegalTurn:
    """A new system with the name of another."""
    return IllegalTurn(
        "name_taken",
        f"There is a system called {turn.system(name) or name} already: give the new one another name.",
        name=name,
    )


def system_unknown(turn: PartialTurn, step: Step, name: str) -> IllegalTurn:
    """A system that is not on the table."""
    gone = name in turn.start.systems
    advice = f"there are {_listed(turn.table.systems)}."
    if isinstance(step, Move) and not gone:
        advice = f"move to {_either(turn.table.systems)}, or discover a new system with a star from the bank."
    return IllegalTurn(
        "system_unknown",
        f"{quoted(name)} {'has gone back to the bank' if gone else 'is no system on the table'}: {advice}",
        rule="6" if gone else "",
        system=name,
    )


def no_ship_there(turn: PartialTurn, step: Step, name: str) -> IllegalTurn:
    """A system where one has no ship."""
    if name not in turn.table.systems:
        return system_unknown(turn, step, name)
    own = [known for known, system in turn.table.systems.items() if system.ships[turn.start.to_move]]
    return IllegalTurn(
        "no_ship_there",
        f"{turn.to_move.word} has no ship at {name} and cannot {_VERB[type(step)]} there: "
        f"{turn.to_move.word}'s ships are at {_listed(own)}.",
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
        f"{mover} has no {piece} at {name}: {whose}, and {mover} has {_pieces(there.ships[turn.start.to_move])}.",
        rule="17",
        piece=piece.code,
        system=name,
    )


# Powers and actions


def action_used(turn: PartialTurn, step: Step) -> IllegalTurn:
    """A second action, or one more than the sacrifice has bought."""
    verb = _VERB[type(step)]
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
        f"A {color.value} ship was sacrificed, which gives actions to {_POWER[color]} only; to {_VERB[type(step)]} "
        f"takes a {power.value} one.",
        rule="17",
        color=color.value,
        needed=power.value,
    )


def no_power(turn: PartialTurn, step: Step, power: Color, name: str) -> IllegalTurn:
    """A system that does not give one the power wanted: of the stars or of one's own ships (ruling 14)."""
    mover = turn.start.to_move
    there = turn.table.systems[name]
    verb = _VERB[type(step)]
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
        f"{turn.to_move.word} {_powers(there, mover)}; the sacrifice of a {power.value} ship would do.",
        rule="14",
        system=name,
        missing=power.value,
    )


# Building and trading


def no_ship_of_color(turn: PartialTurn, step: Build) -> IllegalTurn:
    """A ship of a colour that one has none of there."""
    there = turn.table.systems[step.system]
    colors = dict.fromkeys(KINDS[kind].color.value for kind in there.kinds[turn.start.to_move])
    star = any(KINDS[kind].color is step.piece.color for kind in there.stars)
    return IllegalTurn(
        "no_ship_of_color",
        f"{turn.to_move.word} has no {step.piece.color.value} ship at {step.system} to copy"
        f"{' (the star does not count)' if star else ''}: {_either(colors)} can be built there.",
        rule="15",
        system=step.system,
        missing=step.piece.color.value,
    )


def not_smallest(turn: PartialTurn, step: Build) -> IllegalTurn:
    """Another size than the bank's smallest of that colour."""
    color = step.piece.color
    kind = smallest(turn.table.bank, tuple(Color).index(color))
    if kind < 0:
        return IllegalTurn(
            "color_used_up",
            f"The bank has no {color.value} piece left, so none can be built.",
            rule="15",
            piece=step.piece.code,
        )
    return IllegalTurn(
        "not_smallest",
        f"You must build the smallest {color.value} piece of the bank: {KINDS[kind]}, not {step.piece}.",
        rule="15",
        piece=step.piece.code,
        smallest=KINDS[kind].code,
    )


def same_color(turn: PartialTurn, step: Trade) -> IllegalTurn:
    """A trade of a ship for the same."""
    able = [color.value for color in Color if color is not step.color and _held(turn, Piece(color, step.piece.size))]
    return IllegalTurn(
        "same_color",
        f"{step.piece} is {step.color.value} already: trade it for another colour; "
        f"{_has(f'{step.piece.size.word} pieces', able)}.",
        rule="12",
        piece=step.piece.code,
    )


def trade_not_in_bank(turn: PartialTurn, step: Trade, wanted: Piece) -> IllegalTurn:
    """A trade for a piece that the bank does not hold."""
    able = [
        color.value for color in Color if color is not step.piece.color and _held(turn, Piece(color, wanted.size))
    ]
    return IllegalTurn(
        "not_in_bank",
        f"The bank has no {wanted.words} piece ({wanted}), and a trade keeps the size: "
        f"{_has(f'{wanted.size.word} pieces', able)}.",
        rule="12",
        piece=wanted.code,
    )


# Moving


def not_connected(turn: PartialTurn, step: Move) -> IllegalTurn:
    """Two systems that have a size of star in common."""
    if step.origin == step.target:
        return IllegalTurn("same_system", f"The ship is at {step.origin} already: name another system.", rule="16")
    here, there = turn.table.systems[step.origin], turn.table.systems[step.target]
    shared = [size.word for size in Size if (here.sizes & there.sizes) >> size & 1]
    near = [name for name, system in turn.table.systems.items() if not system.sizes & here.sizes]
    return IllegalTurn(
        "not_connected",
        f"{step.origin} and {step.target} both have a {' and a '.join(shared)} star, so they are not connected: from "
        f"{step.origin} one can move to {_either(near) if near else 'no system on the table'}, or discover a system "
        f"with a {_other_sizes(here)} star.",
        rule="16",
        origin=step.origin,
        target=step.target,
        shared=shared,
    )


def star_size_shared(turn: PartialTurn, step: Discover) -> IllegalTurn:
    """A new star of a size that the origin has."""
    here = turn.table.systems[step.origin]
    return IllegalTurn(
        "star_size_shared",
        f"{step.origin} has a {step.star.size.word} star itself, so a {step.star.size.word} one cannot be discovered "
        f"from there: take a {_other_sizes(here)} star.",
        rule="16",
        origin=step.origin,
        piece=step.star.code,
    )


def star_not_in_bank(turn: PartialTurn, step: Discover) -> IllegalTurn:
    """A new star that the bank does not hold."""
    here = turn.table.systems[step.origin]
    able = [piece.code for piece in KINDS if not here.sizes >> piece.size & 1 and _held(turn, piece)]
    return IllegalTurn(
        "not_in_bank",
        f"The bank has no {step.star.words} piece ({step.star}): from {step.origin} "
        f"{_either(able) + ' can be discovered' if able else 'nothing can be discovered now'}.",
        rule="16",
        piece=step.star.code,
    )


# Capturing


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
        f"{seat.word}'s {_pieces(there.ships[number])}"
        for number, seat in enumerate(turn.seats)
        if number != mover and there.ships[number]
    ]
    if not others and step.piece in [KINDS[kind] for kind in there.kinds[mover]]:
        return own_ship(turn, step)
    return IllegalTurn(
        "no_such_target",
        f"{step.owner.word} has no {step.piece} at {step.system}: the ships of others there are "
        f"{_and(others) if others else 'none'}.",
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
        f"{_SIZE_WORD[biggest]}: only ships of up to its size can be captured.",
        rule="13",
        piece=step.piece.code,
        system=step.system,
        biggest=biggest,
    )


# Catastrophes and the end of a turn


def not_overpopulated(turn: PartialTurn, step: Catastrophe, count: int) -> IllegalTurn:
    """A catastrophe with fewer than four pieces of the colour."""
    elsewhere = [
        f"{name} ({_and(tuple(Color)[color].value for color in system.overpopulated)})"
        for name, system in turn.table.systems.items()
        if system.overpopulated
    ]
    advice = f"overpopulated are {_and(elsewhere)}" if elsewhere else "no system is overpopulated"
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


# Words


def _held(turn: PartialTurn, piece: Piece) -> int:
    return turn.table.bank // UNIT[piece.kind] & 7


def _pieces(kinds: Iterable[int]) -> str:
    return _and(KINDS[kind].code for kind in kinds) or "none"


def _powers(there: Packed, seat: int) -> str:
    powers = [_POWER[color] for index, color in enumerate(Color) if there.powers[seat] >> index & 1]
    return f"only the power to {_either(powers)}"


def _other_sizes(here: Packed) -> str:
    return _either(size.word for size in Size if not here.sizes >> size & 1)


def _has(what: str, able: list[str]) -> str:
    return f"the bank has {what} in {_and(able)}" if able else f"the bank has no other {what}"


def _and(words: Iterable[str]) -> str:
    return _joined(list(words), "and")


def _either(words: Iterable[str]) -> str:
    return _joined(list(words), "or")


def _listed(words: Iterable[str]) -> str:
    return _joined(list(words), "and") or "none"


def _joined(words: list[str], last: str) -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
