"""Refusals of building, trading and moving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import IllegalTurn
from rules.homeworlds.packed import COLOR_OF, smallest
from rules.homeworlds.refusals.words import either, held, other_sizes, what_the_bank_has
from rules.homeworlds.steps import Build, Discover, Move, Trade
from rules.pieces import KINDS, Color, Piece, Size

if TYPE_CHECKING:
    from rules.homeworlds.turns import PartialTurn


def no_ship_of_color(turn: PartialTurn, step: Build) -> IllegalTurn:
    """A ship of a colour that one has none of there."""
    there = turn.table.systems[step.system]
    colors = dict.fromkeys(KINDS[kind].color.value for kind in there.kinds[turn.start.to_move])
    star = any(KINDS[kind].color is step.piece.color for kind in there.stars)
    return IllegalTurn(
        "no_ship_of_color",
        f"{turn.to_move.word} has no {step.piece.color.value} ship at {step.system} to copy"
        f"{' (the star does not count)' if star else ''}: {either(colors)} can be built there.",
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
            f"The bank has no {color.value} piece left: {_buildable(turn, step.system)}.",
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


def _buildable(turn: PartialTurn, name: str) -> str:
    """What can be built at a system instead."""
    own = turn.table.systems[name].kinds[turn.start.to_move]
    able = [
        color.value
        for index, color in enumerate(Color)
        if index in {COLOR_OF[kind] for kind in own} and smallest(turn.table.bank, index) >= 0
    ]
    return f"{either(able)} can be built at {name}" if able else f"nothing can be built at {name} now"


def same_color(turn: PartialTurn, step: Trade) -> IllegalTurn:
    """A trade of a ship for the same."""
    able = [color.value for color in Color if color is not step.color and held(turn, Piece(color, step.piece.size))]
    return IllegalTurn(
        "same_color",
        f"{step.piece} is {step.color.value} already: trade it for another colour; "
        f"{what_the_bank_has(f'{step.piece.size.word} pieces', able)}.",
        rule="12",
        piece=step.piece.code,
    )


def trade_not_in_bank(turn: PartialTurn, step: Trade, wanted: Piece) -> IllegalTurn:
    """A trade for a piece that the bank does not hold."""
    able = [color.value for color in Color if color is not step.piece.color and held(turn, Piece(color, wanted.size))]
    return IllegalTurn(
        "not_in_bank",
        f"The bank has no {wanted.words} piece ({wanted}), and a trade keeps the size: "
        f"{what_the_bank_has(f'{wanted.size.word} pieces', able)}.",
        rule="12",
        piece=wanted.code,
    )


def not_connected(turn: PartialTurn, step: Move) -> IllegalTurn:
    """Two systems that have a size of star in common."""
    if step.origin == step.target:
        return IllegalTurn(
            "same_system",
            f"The ship is at {step.origin} already: name another system.",
            rule="16",
            system=step.origin,
        )
    here, there = turn.table.systems[step.origin], turn.table.systems[step.target]
    shared = [size.word for size in Size if (here.sizes & there.sizes) >> size & 1]
    near = [name for name, system in turn.table.systems.items() if not system.sizes & here.sizes]
    return IllegalTurn(
        "not_connected",
        f"{step.origin} and {step.target} both have a {' and a '.join(shared)} star, so they are not connected: from "
        f"{step.origin} one can move to {either(near) if near else 'no system on the table'}, or discover a system "
        f"with a {other_sizes(here)} star.",
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
        f"from there: take a {other_sizes(here)} star.",
        rule="16",
        origin=step.origin,
        piece=step.star.code,
    )


def star_not_in_bank(turn: PartialTurn, step: Discover) -> IllegalTurn:
    """A new star that the bank does not hold."""
    here = turn.table.systems[step.origin]
    able = [piece.code for piece in KINDS if not here.sizes >> piece.size & 1 and held(turn, piece)]
    return IllegalTurn(
        "not_in_bank",
        f"The bank has no {step.star.words} piece ({step.star}): from {step.origin} "
        f"{either(able) + ' can be discovered' if able else 'nothing can be discovered now'}.",
        rule="16",
        piece=step.star.code,
    )
