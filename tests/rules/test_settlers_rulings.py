"""Every ruling of Settlers in games of a turn or a few, each of which would end otherwise were it reversed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tables import rows

from rules import IllegalTurn, Seat, Size
from rules.settlers import Game, Options, Position

RULINGS = rows("settlers_rulings.tsv")

OPTIONS: dict[str, Callable[[str], Any]] = {
    "yellow_moves_any": lambda word: word == "yes",
    "redless": lambda word: word == "yes",
    "handicap": Seat,
    "handicap_size": lambda size: Size(int(size)),
}


def game_of(position: str, options: str) -> Game:
    """A game from the *position* of a row."""
    named = dict(option.split("=") for option in options.split("; ") if option)
    beginner = Seat(named.pop("beginner", "south"))
    agreed = Options(**{name: OPTIONS[name](value) for name, value in named.items()})
    return Game(agreed, Position.parse(position, agreed.redless), beginner)


@pytest.mark.parametrize(
    ("position", "options", "turns", "expected"),
    [row[2:] for row in RULINGS],
    ids=[f"{ruling} {name}" for ruling, name, *_ in RULINGS],
)
def test_ruling(position: str, options: str, turns: str, expected: str) -> None:
    game = game_of(position, options)
    *before, last = turns.split(" | ")
    for text in before:
        game.push_text(text)
        assert game.outcome() is None, f"over before {last}"
    kind, _, rest = expected.partition(" ")
    if kind == "illegal":
        check_refused(game, last, rest)
    else:
        game.push_text(last)
        check_result(game, kind, rest)


def check_refused(game: Game, text: str, rule: str) -> None:
    """The ruling is named by the refusal, and the game is as before."""
    before = game.position
    with pytest.raises(IllegalTurn) as caught:
        game.push_text(text)
    assert caught.value.rule == rule, caught.value.sentence
    assert game.position == before


def check_result(game: Game, kind: str, expected: str) -> None:
    """What has become of the game."""
    outcome = game.outcome()
    if kind == "outcome":
        assert outcome is not None
        assert outcome.winner is not None
        assert f"{outcome.termination} {outcome.winner}" == expected
    else:
        assert kind == "="
        assert outcome is None, outcome
        assert game.position.line == expected


def test_every_ruling_is_in_the_table() -> None:
    assert {row[0] for row in RULINGS} == {f"S{number}" for number in range(1, 24)}
