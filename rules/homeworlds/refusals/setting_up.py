"""Refusals of the set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import IllegalTurn
from rules.homeworlds.refusals.places import name_taken
from rules.homeworlds.refusals.words import SIZE_WORD, VERB, both, either, held
from rules.homeworlds.steps import Homeworld, Step
from rules.homeworlds.system import check_name
from rules.seats import Seat

if TYPE_CHECKING:
    from rules.homeworlds.turns import PartialTurn


def already_set_up(turn: PartialTurn, step: Step) -> IllegalTurn:
    """A home while one has a home."""
    del step
    return IllegalTurn(
        "already_set_up",
        f"{turn.to_move.word}'s home is set up already, which is done once: build, trade, move, capture, sacrifice "
        "or pass instead.",
        rule="24",
        seat=turn.to_move.value,
    )


def set_up_first(turn: PartialTurn, step: Step) -> IllegalTurn:
    """Anything else before one has a home."""
    return IllegalTurn(
        "set_up_first",
        f"{turn.to_move.word} has no home yet and cannot {VERB[type(step)]}: set up first, with two stars, a large "
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
            f"A home has {either(str(number) for number in numbers)} star{'s' if max(numbers) > 1 else ''}, not "
            f"{len(step.stars)}.",
            rule="19",
            count=len(step.stars),
        )
    sizes = turn.options.first_ship_sizes
    if step.ship.size not in sizes:
        raise IllegalTurn(
            "first_ship_wrong",
            f"The first ship has to be {either(SIZE_WORD[size] for size in sizes)}, and {step.ship} is "
            f"{step.ship.size.word}.",
            rule="18",
            piece=step.ship.code,
        )
    if sorted(ship.size for ship in step.extra) != sorted(turn.extra_ships):
        further = both(f"a {SIZE_WORD[size]}" for size in turn.extra_ships)
        raise IllegalTurn(
            "extra_ships_wrong",
            f"{turn.to_move.word} sets up with the first ship and {further} one behind it, such as "
            f"homeworld b3 y1 g3 {' '.join(f'g{size}' for size in turn.extra_ships)} {turn.to_move.word}."
            if further
            else f"{turn.to_move.word} sets up with one ship, not {1 + len(step.extra)}: write homeworld b3 y1 g3 "
            f"{turn.to_move.word}.",
            rule="25",
        )
    pieces = (*step.stars, step.ship, *step.extra)
    for piece in pieces:
        wanted = pieces.count(piece)
        there = held(turn, piece)
        if wanted > there:
            raise IllegalTurn(
                "not_in_bank",
                f"The set-up takes {wanted} {piece.words} piece{'s' * (wanted > 1)} ({piece}), but the bank holds "
                f"{there or 'none'}: choose another.",
                rule="19",
                piece=piece.code,
                held=there,
            )
    check_name(step.name)
    if turn.system(step.name) is not None:
        raise name_taken(turn, step.name)
