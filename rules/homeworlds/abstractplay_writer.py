"""Games written in the notation of AbstractPlay, one turn a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import count
from typing import Final

from rules.errors import RulesError
from rules.homeworlds.abstractplay import seats_of
from rules.homeworlds.game import Game, Played, Special
from rules.homeworlds.options import Victory
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
)
from rules.homeworlds.turns import PartialTurn, begin
from rules.seats import Seat

_LONGEST_NAME: Final = 25
_UNUSABLE: Final = re.compile(r"[^A-Za-z0-9_-]+")
_CLOSINGS: Final = {
    Special.RESIGN: "resign",
    Special.AGREE_DRAW: "draw",
    Special.CLAIM_REPETITION: "draw",
}


def write_abstractplay(game: Game) -> str:
    """The turns of *game*, a line each; :func:`rules.homeworlds.abstractplay.read_moves` reads them again.

    Who begins is North there, and systems whose names cannot be used there get similar ones. A
    :class:`rules.RulesError` where the game holds what AbstractPlay does not have.

    >>> game = Game()
    >>> for text in ("homeworld b1 r2 g3 South", "homeworld y1 b3 g3 North", "build g1 South", "build g1 North"):
    ...     _ = game.push_text(text)
    >>> print(write_abstractplay(game), end="")
    homeworld b1 r2 g3 *
    homeworld y1 b3 g3 *
    build g1 North
    build g1 South
    """
    return "".join(f"{line}\n" for line in _lines(game))


def doubts(game: Game) -> Iterator[str]:
    """What AbstractPlay would not take of a *game* that can be written for it, a sentence each."""
    if any(played.special is None and played.seat in played.out for played in game.history):
        yield "AbstractPlay does not allow a turn that gives up one's own home: this game has one."
    if len(game.seats) > 2 and game.options.victory is not Victory.LEFT_NEIGHBOUR:
        yield "On AbstractPlay, who puts out the left neighbour wins: there this game may have ended before."


def _lines(game: Game) -> Iterator[str]:
    start = game.positions[0]
    if start.systems:
        raise _cannot("it begins in the middle of a game")
    if game.options.extra_ships or game.options.timewarp:
        raise _cannot("one player has extra ships or turns")
    first = start.seats.index(start.to_move)
    names = _Names(dict(zip(start.seats[first:] + start.seats[:first], seats_of(start.players), strict=True)))
    for played, before in zip(game.history, game.positions, strict=False):
        if played.special is None:
            yield _written_turn(begin(before, game.options), played, names)
        elif played.special is not Special.ASK_ADVICE:
            yield _written_special(played, before, game)


def _written_special(played: Played, before: Position, game: Game) -> str:
    if played.special not in _CLOSINGS:
        raise _cannot("the players change places")
    if not game.outcome():
        raise _cannot(f"{played.seat.word} resigns and the others play on")
    if played.special is Special.RESIGN and played.seat is not before.to_move:
        raise _cannot(f"{played.seat.word} resigns when it is {before.to_move.word}'s turn")
    return _CLOSINGS[played.special]


def _cannot(why: str) -> RulesError:
    return RulesError("not_on_abstractplay", f"This game cannot be written for AbstractPlay: {why}.")


class _Names:
    """What seats and systems are called there."""

    def __init__(self, seats: dict[Seat, Seat]) -> None:
        self.seats = seats
        self._systems: dict[str, str] = {}

    def of(self, system: str) -> str:
        """The name there of a system that stands."""
        return self._systems[system]

    def settle(self, seat: Seat, home: str) -> None:
        """Note the name of a home: it is that of the seat."""
        self._systems[home] = self.seats[seat].word

    def discover(self, system: str, standing: Iterator[str]) -> str:
        """A name for a new system, unlike those of the systems *standing* and of all seats."""
        taken = {self._systems[name].lower() for name in standing} | {seat.value for seat in Seat}
        plain = unicodedata.normalize("NFKD", system).encode("ascii", "ignore").decode()
        base = _UNUSABLE.sub("-", plain).lstrip("-_")[:_LONGEST_NAME] or "Star"
        tries = (base[: _LONGEST_NAME - len(str(number))] + str(number) for number in count(2))
        name = base if base.lower() not in taken else next(other for other in tries if other.lower() not in taken)
        self._systems[system] = name
        return name


def _written_turn(turn: PartialTurn, played: Played, names: _Names) -> str:
    steps = []
    for step in played.turn:
        steps.append(_written_step(step, turn, names))
        turn = turn.apply(step)
    if turn.actions_left and not turn.is_set_up:  # there, no action may be left unsaid
        steps.append("pass" if turn.actions_left == 1 else f"pass {turn.actions_left}")
    return ", ".join(steps)


def _written_step(step: Step, turn: PartialTurn, names: _Names) -> str:
    match step:
        case Homeworld(stars, ship, name, _):
            names.settle(turn.to_move, name)
            codes = [star.code for star in stars] + ["-"] * (2 - len(stars))
            return f"homeworld {' '.join(codes)} {ship.code} *"
        case Build(piece, system):
            return f"build {piece.code} {names.of(system)}"
        case Trade(piece, system, color):
            return f"trade {piece.code} {names.of(system)} {color.letter}"
        case Move(piece, origin, target):
            return f"move {piece.code} {names.of(origin)} {names.of(target)}"
        case Discover(piece, origin, star, name):
            there = names.of(origin)
            return f"discover {piece.code} {there} {star.code} {names.discover(name, iter(turn.table.systems))}"
        case Capture(piece, owner, system):
            return f"attack {piece.code}{names.seats[owner].letter} {names.of(system)}"
        case Sacrifice(piece, system):
            return f"sacrifice {piece.code} {names.of(system)}"
        case Catastrophe(system, color):
            return f"catastrophe {names.of(system)} {color.letter}"
        case Pass():
            return "pass"
