"""A reading of the table held against a plan: which steps are done, what is wrong, and what is too much.

A reading that is in doubt about a piece never makes it wrong: then the step looks right, and a person should say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion_app.errors import AppError
from companion_app.positions import kinds
from companion_app.questions import DOUBTFUL
from companion_app.reading_types import Game, Reading, Verdict
from companion_app.restoring.fitting import LIKELY_MISFIT, advice, described, doubt_about, misfit
from companion_app.restoring.matching import matched
from companion_app.restoring.spots import Spot, spots_of
from companion_app.restoring.steps import BANK, TOKEN, Plan, counted
from rules import Bank, Seat, homeworlds
from vision.sight import Role


class Mark(StrEnum):
    """How it stands with a step: still to do, done, done as far as can be seen, or done wrong."""

    OPEN = "open"
    DONE = "done"
    LIKELY = "likely"
    WRONG = "wrong"


@dataclass(frozen=True)
class Found:
    """What a reading shows of a step: the number of the piece that lies there, and what to say beside the mark."""

    mark: Mark
    piece: int | None = None
    sentence: str = ""


@dataclass(frozen=True)
class Surplus:
    """A piece, by its number, that does not belong where it is; not *sure* where the reading is in doubt about it."""

    piece: int
    sure: bool
    sentence: str


@dataclass(frozen=True)
class Comparison:
    """A plan and a reading of the table side by side.

    Attributes:
        found: for each step of the plan; ``None`` where the picture does not tell.
        surplus: pieces that do not belong where they are.
        places: the reading's ids of systems by the plan's names of them.
    """

    found: tuple[Found | None, ...]
    surplus: tuple[Surplus, ...]
    places: Mapping[str, int]

    @property
    def complete(self) -> bool:
        """Whether all stands as it should, and no doubt is left."""
        return not self.surplus and all(found is not None and found.mark is Mark.DONE for found in self.found)


def compare(plan: Plan, reading: Reading) -> Comparison:
    """What *reading* shows of *plan*.

    ``AppError`` where they cannot be compared: ``look_other_game``, ``look_two_players`` or ``look_unreadable``.
    """
    _check(plan, reading)
    spots = spots_of(plan, reading)
    found: dict[int, Found] = {}
    surplus = list(_loose(reading))
    for spot in spots:
        _compare_spot(plan, reading, spot, found, surplus)
    for number, step in enumerate(plan.steps):
        if step.place == TOKEN and reading.turn_token:
            found[number] = _token(plan, reading.turn_token.value)
        if step.place == BANK and not surplus and all(one.mark in (Mark.DONE, Mark.LIKELY) for one in found.values()):
            found.update((number, bank) for bank in _bank(plan, reading))
    return Comparison(
        tuple(found.get(number) for number in range(len(plan.steps))),
        tuple(surplus),
        {spot.place: spot.system for spot in spots if spot.place and spot.system is not None},
    )


def _check(plan: Plan, reading: Reading) -> None:
    game = Game.HOMEWORLDS if isinstance(plan.position, homeworlds.Position) else Game.SETTLERS
    if reading.game is not game:
        raise AppError(
            "look_other_game", f"This is a picture of another game: look at a table of {game.value.title()}."
        )
    if isinstance(plan.position, homeworlds.Position) and plan.position.players > 2:
        raise AppError("look_two_players", "Pictures are read for two players only: tick the steps by hand.")
    if reading.verdict is Verdict.UNREADABLE and (reading.pieces or plan.position.pieces):
        why = reading.questions[0].sentence if reading.questions else "Take it again, from higher up."
        raise AppError("look_unreadable", f"This picture of the table could not be read. {why}")


def _compare_spot(plan: Plan, reading: Reading, spot: Spot, found: dict[int, Found], surplus: list[Surplus]) -> None:
    """Add what is *found* at one place, and its *surplus*."""
    steps = [plan.steps[number] for number in spot.steps]
    pieces = [reading.pieces[index] for index in spot.pieces]
    matching = matched(steps, pieces, misfit)
    for number, step, partner in zip(spot.steps, steps, matching.partners, strict=True):
        if partner is None:
            found[number] = Found(Mark.OPEN)
            continue
        seen, index = pieces[partner], spot.pieces[partner]
        cost = misfit(step, seen)
        if cost > LIKELY_MISFIT:
            found[number] = Found(Mark.WRONG, index, advice(step, seen))
        elif spot.home_wrong and step.owner is None:
            found[number] = Found(Mark.WRONG, index, spot.home_wrong)
        else:
            found[number] = Found(Mark.LIKELY, index, doubt_about(seen)) if cost else Found(Mark.DONE, index)
    for place in matching.left:
        seen = pieces[place]
        sentence = f"Take away the {described(seen)} {spot.words}: it belongs in the bank."
        surplus.append(Surplus(spot.pieces[place], seen.confidence >= DOUBTFUL, sentence))


def _loose(reading: Reading) -> Iterator[Surplus]:
    """What lies about, or has no place: it may be in the bank, where it does no harm."""
    for index, piece in enumerate(reading.pieces):
        placed = piece.system if reading.game is Game.HOMEWORLDS else piece.field
        if piece.role is Role.LOOSE or (piece.on_table and placed is None):
            words = f"{piece.size.word} {piece.color.value}"
            yield Surplus(index, False, f"A {words} lies beside the game: put it into the bank, or where it belongs.")


def _token(plan: Plan, lies_before: str) -> Found:
    to_move = plan.position.to_move
    if lies_before == to_move.value:
        return Found(Mark.DONE)
    return Found(
        Mark.WRONG, None, f"The turn token lies before {Seat(lies_before).word}: it is {to_move.word}’s turn."
    )


def _bank(plan: Plan, reading: Reading) -> Iterator[Found]:
    """The bank once all else stands: pieces that hide behind others are a doubt, pieces too many are none."""
    wanted = plan.position.bank
    seen = Bank(kinds(piece for piece in reading.pieces if piece.role is Role.BANK))
    _, unseen = seen.take(wanted)
    _, too_many = wanted.take(seen)
    if too_many.total:
        yield Found(Mark.WRONG, None, f"The bank shows more than it should hold: {counted(too_many.pieces)}.")
    elif unseen.total and seen.total:
        yield Found(Mark.LIKELY, None, f"Not seen in the bank: {counted(unseen.pieces)}. Count them.")
    elif not unseen.total:
        yield Found(Mark.DONE)
