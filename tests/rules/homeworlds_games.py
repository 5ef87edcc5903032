"""Games of Homeworlds to begin tests with, for two, three and four, and what tests ask of a game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules import RulesError, Seat
from rules.homeworlds import Build, Game, Options, Position, Turn
from rules.pieces import Piece

NORTH, EAST, SOUTH, WEST = Seat
P = Piece.parse
TWO = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
THREE = "<0>; North(0,r2b1)y3g3--; East(1,y1b3)-g1-; South(2,g1b2)--r3"
FOUR = "<1>; North(0,r2b1)y3g3---; East(1,y1b3)-g1--; South(2,g1b2)--r3-; West(3,r1y2)---g3"
BUILD: Turn = (Build(P("g1"), "South"),)


def game_of(line: str, options: Options | None = None) -> Game:
    return Game(options, Position.parse(line))


def set_up(game: Game) -> None:
    """The player to move sets up a home of the first two stars that fit."""
    game.push(next(game.legal_turns.turns()))


def everything(game: Game) -> tuple[object, ...]:
    """All that can be asked of a game."""
    asked = (game.position, game.to_move, game.outcome(), game.standing, game.out, game.turns, game.history)
    return *asked, game.positions, game.repetitions, game.advice_left, game.junior, game.seats_swapped


def refused(code: str, doing: Callable[[], object]) -> None:
    with pytest.raises(RulesError) as caught:
        doing()
    assert caught.value.code == code, caught.value.sentence
