"""Every ruling of Homeworlds in games of a turn or a few, each of which would end otherwise were it reversed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tables import rows

from rules import IllegalTurn, Seat, Size, homeworlds

RULINGS = rows("homeworlds_rulings.tsv")


def seats(words: str) -> tuple[Seat, ...]:
    """The seats of a list such as ``north,south``."""
    return tuple(Seat(word) for word in words.split(","))


OPTIONS: dict[str, Callable[[str], Any]] = {
    "self_elimination": homeworlds.SelfElimination,
    "first_ship_sizes": lambda sizes: tuple(Size(int(size)) for size in sizes.split(",")),
    "home_stars": lambda numbers: tuple(int(number) for number in numbers.split(",")),
    "repetition_claim": lambda word: word == "yes",
    "victory": homeworlds.Victory,
    "evil": seats,
    "junior": Seat,
    "timewarp": int,
    "red_alert": seats,
    "brain_transference": lambda word: word == "yes",
    "tactical_computer": int,
}


def game_of(position: str, options: str) -> homeworlds.Game:
    """A game from the *position* of a row."""
    named = (option.split("=") for option in options.split("; ") if option)
    return homeworlds.Game(
        homeworlds.Options(**{name: OPTIONS[name](value) for name, value in named}),
        homeworlds.Position.parse(position),
    )


def play(game: homeworlds.Game, said: str) -> None:
    """One turn of a row, or what somebody says at the table."""
    match said.strip("()").split() if said.startswith("(") else []:
        case ["claim"]:
            game.claim_repetition()
        case ["agree"]:
            game.agree_draw()
        case ["resign", seat]:
            game.resign(Seat(seat))
        case ["swap"]:
            game.swap_seats()
        case ["advice"]:
            assert game.ask_advice().turn in game.legal_turns
        case _:
            game.push_text(said)


def check_refused(game: homeworlds.Game, said: str, rule: str) -> None:
    """The ruling is named by the refusal, and the game is as before."""
    before = game.position
    with pytest.raises(IllegalTurn) as caught:
        play(game, said)
    assert caught.value.rule == rule, caught.value.sentence
    assert game.position == before


def check_warned(game: homeworlds.Game, said: str, code: str) -> None:
    """The turn is legal, but its player is told of something before it is ended."""
    turn = game.begin().play(homeworlds.read_turn(said, game.position, game.options))
    assert turn.can_end
    assert code in {warning.code for warning in homeworlds.warnings(turn)}


def check_result(game: homeworlds.Game, kind: str, expected: str) -> None:
    """What has become of the game."""
    outcome = game.outcome()
    if kind == "outcome":
        assert outcome is not None
        assert f"{outcome.termination} {listed(outcome.winners)}" == expected.lower()
        return
    assert outcome is None
    if kind == "alerted":
        assert listed(tuple(threat.seat for threat in game.red_alerts())) == expected
    else:
        assert kind == "="
        assert game.position.line == expected


def listed(players: tuple[Seat, ...]) -> str:
    """Some seats as the table writes them."""
    return ",".join(player.value for player in players) or "-"


@pytest.mark.parametrize(
    ("position", "options", "turns", "expected"),
    [row[2:] for row in RULINGS],
    ids=[f"{ruling} {name}" for ruling, name, *_ in RULINGS],
)
def test_ruling(position: str, options: str, turns: str, expected: str) -> None:
    game = game_of(position, options)
    *before, last = turns.split(" | ")
    for said in before:
        play(game, said)
        assert game.outcome() is None, f"over before {last}"
    kind, _, rest = expected.partition(" ")
    if kind == "illegal":
        check_refused(game, last, rest)
    elif kind == "warned":
        check_warned(game, last, rest)
    else:
        play(game, last)
        check_result(game, kind, rest)


@pytest.mark.parametrize("turn", [(), (homeworlds.Pass(),)], ids=["nothing", "pass"])
def test_no_kind_of_pass_is_a_set_up(turn: homeworlds.Turn) -> None:
    game = game_of("<0>", "")
    assert not game.begin().can_end
    with pytest.raises(IllegalTurn) as caught:
        game.push(turn)
    assert caught.value.rule == "10"
    assert game.turns == ()


def test_every_ruling_is_in_the_table() -> None:
    assert {int(row[0]) for row in RULINGS} == set(range(1, 26))
