"""Head starts in Homeworlds: extra turns, changed places, advice; each for the junior, and as often as agreed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from homeworlds_games import EAST, NORTH, SOUTH, THREE, TWO, everything, game_of, refused, set_up

from rules import seats_for
from rules.homeworlds import Game, Options, Special


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("timewarp", range(4))
@pytest.mark.parametrize("junior", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_timewarp(players: int, timewarp: int, junior: int, first: int) -> None:
    """The junior's extra turns come between the set-up and the first player's turn, which they do not take."""
    seats = seats_for(players)
    order = seats[first:] + seats[:first]
    game = Game(Options(junior=seats[junior], timewarp=timewarp), players=players, first=order[0])
    expected = [*order, *[seats[junior]] * timewarp, *order, *order]
    for _ in ("played", "taken back and played again"):
        before = []
        for seat in expected:
            before.append(everything(game))
            assert game.to_move is seat
            if game.position.homes(seat):
                game.push(())
            else:
                set_up(game)
        while before:
            game.pop()
            assert everything(game) == before.pop()


def test_timewarp_of_one_who_resigns() -> None:
    """The extra turns of the junior who resigns are nobody's; those of the junior remain when another resigns."""
    for resigning, order in ((EAST, "NSNS"), (NORTH, "EEEESE")):
        game = Game(Options(junior=EAST, timewarp=3), players=3)
        for _ in range(3):
            set_up(game)
        game.resign(resigning)
        moved = ""
        for _ in order:
            moved += game.to_move.letter
            game.push(())
        assert moved == order


def test_no_timewarp_from_a_position() -> None:
    game = game_of(TWO, Options(junior=SOUTH, timewarp=2))
    game.push(())
    assert game.to_move is NORTH


def test_brain_transference_once() -> None:
    game = game_of(TWO, Options(junior=SOUTH, brain_transference=True))
    assert (game.junior, game.seats_swapped) == (SOUTH, False)
    game.swap_seats()
    assert (game.junior, game.seats_swapped) == (NORTH, True)
    assert game.position.line == TWO
    refused("already_swapped", game.swap_seats)
    assert game.pop() == ()
    assert (game.junior, game.seats_swapped) == (SOUTH, False)
    game.push(())
    game.swap_seats()
    assert game.history[-1].special is Special.SWAP_SEATS


def test_brain_transference_is_for_two() -> None:
    game = game_of(THREE, Options(junior=EAST, brain_transference=True))
    refused("two_players_only", game.swap_seats)


def test_tactical_computer() -> None:
    game = game_of(TWO, Options(junior=SOUTH, tactical_computer=2))
    suggestion = game.ask_advice()
    assert (game.advice_left, game.position.line, game.turns) == (1, TWO, ())
    assert game.ask_advice() == suggestion
    assert game.advice_left == 0
    refused("no_tokens_left", game.ask_advice)
    assert game.pop() == ()
    assert game.advice_left == 1
    game.push(suggestion.turn)
    refused("not_your_turn", game.ask_advice)
    assert game.advice_left == 1


def test_advice_that_is_known_is_spent_without_being_worked_out() -> None:
    game = game_of(TWO, Options(junior=SOUTH, tactical_computer=1))
    game.spend_advice()
    assert (game.advice_left, game.history[-1].special) == (0, Special.ASK_ADVICE)
    refused("no_tokens_left", game.spend_advice)


@pytest.mark.parametrize("do", [Game.swap_seats, Game.ask_advice])
@pytest.mark.parametrize(
    "options", [Options(), Options(junior=SOUTH), Options(brain_transference=True, tactical_computer=1)]
)
def test_head_starts_that_nobody_has(options: Options, do: Callable[[Game], object]) -> None:
    refused("head_start_off", lambda: do(game_of(TWO, options)))
