"""How games of Homeworlds end, and for whom: by a turn, by giving up, by agreement, by repetition."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from homeworlds_games import (
    BUILD,
    EAST,
    FOUR,
    NORTH,
    SOUTH,
    THREE,
    TWO,
    WEST,
    P,
    everything,
    game_of,
    refused,
    set_up,
)
from tables import rows

from rules import Outcome, Seat, Termination
from rules.homeworlds import Build, Game, Options, Victory
from rules.option_values import read_options


def options_of(text: str) -> Options:
    """The options of a row, written as in a game file."""
    pairs = [tuple(option.split(" = ")) for option in text.split("; ") if option]
    return read_options(Options, [(name, value) for name, value in pairs])


def listed(seats: tuple[Seat, ...]) -> str:
    return ",".join(seats) or "-"


@pytest.mark.parametrize(
    ("line", "options", "turn", "termination", "players", "sentence"),
    [row[1:] for row in rows("homeworlds_outcomes.tsv")],
    ids=[row[0] for row in rows("homeworlds_outcomes.tsv")],
)
def test_outcomes(line: str, options: str, turn: str, termination: str, players: str, sentence: str) -> None:
    """A turn that ends the game, or one after which some are out and the others go on."""
    game = game_of(line, options_of(options))
    before = everything(game)
    game.push_text(turn)
    outcome = game.outcome()
    if termination == "-":
        assert outcome is None
        assert listed(game.standing) == players
        assert game.to_move in game.standing
    else:
        assert outcome is not None
        assert (outcome.termination, listed(outcome.winners), outcome.sentence) == (termination, players, sentence)
        assert outcome.is_draw == (players == "-")
        assert outcome.winner == (Seat(players) if outcome.winners[:1] and not outcome.winners[1:] else None)
    assert set(game.standing) == set(game.seats) - set(game.out)
    assert set(game.history[-1].out) <= set(game.out)
    game.pop()
    assert everything(game) == before


@pytest.mark.parametrize(
    "do",
    [
        Game.begin,
        lambda game: game.push(()),
        lambda game: game.push_text("pass"),
        Game.resign,
        lambda game: game.resign(NORTH),
        Game.agree_draw,
        Game.claim_repetition,
        Game.swap_seats,
        Game.ask_advice,
    ],
)
@pytest.mark.parametrize("end", [Game.resign, Game.agree_draw, lambda game: game.push_text("sacrifice g3 South *")])
def test_nothing_happens_after_the_end(end: Callable[[Game], object], do: Callable[[Game], object]) -> None:
    options = Options(junior=SOUTH, brain_transference=True, tactical_computer=1, repetition_claim=True)
    game = game_of(TWO, options)
    end(game)
    after = everything(game)
    refused("game_over", lambda: do(game))
    assert everything(game) == after
    assert game.threats() == ()
    assert not game.can_claim_repetition
    game.pop()
    game.push(BUILD)
    assert game.outcome() is None


EVIL_EAST = Options(victory=Victory.GOOD_AND_EVIL, evil=(EAST,))
NEIGHBOUR = Options(victory=Victory.LEFT_NEIGHBOUR)


@pytest.mark.parametrize(
    ("line", "options", "resigning", "to_move", "winners"),
    [
        (TWO, None, "S", None, "north"),
        (TWO, None, "N", None, "south"),
        (THREE, None, "E", "N", None),
        (THREE, None, "N", "E", None),
        (THREE, None, "S", "N", None),
        (THREE, None, "NE", None, "south"),
        (THREE, None, "EN", None, "south"),
        (THREE, None, "ES", None, "north"),
        (THREE, NEIGHBOUR, "E", "N", None),
        (THREE, NEIGHBOUR, "ES", None, "north"),
        (THREE, EVIL_EAST, "E", None, "north,south"),
        (THREE, EVIL_EAST, "N", "E", None),
        (THREE, EVIL_EAST, "NS", None, "east"),
        (FOUR, None, "E", "S", None),
        (FOUR, None, "ES", "W", None),
        (FOUR, None, "SWE", None, "north"),
        (FOUR, None, "SN", "E", None),
        (FOUR, None, "SE", "W", None),
        (FOUR, EVIL_EAST, "NE", None, "south,west"),
        (FOUR, NEIGHBOUR, "SN", "E", None),
    ],
)
def test_resigning(line: str, options: Options | None, resigning: str, to_move: str | None, winners: str) -> None:
    """One after another, on turn or not; the game is over when *winners* are told."""
    game = game_of(line, options)
    pieces = len(game.position.pieces)
    outcome = None
    for letter in resigning:
        assert outcome is None
        seat = seat_of(letter)
        outcome = game.resign(None if seat is game.to_move else seat)
        assert game.history[-1].seat is seat
    assert game.outcome() == outcome
    assert "".join(seat.letter for seat in game.out) == resigning
    if to_move is None:
        assert outcome is not None
        assert (outcome.termination, listed(outcome.winners)) == (Termination.RESIGNATION, winners)
        assert outcome.sentence.endswith(f": {seat_of(resigning[-1]).word} resigns.")
    else:
        assert outcome is None
        assert game.to_move.letter == to_move
        assert len(game.position.pieces) == pieces, "ships of those who are out stay as targets"
        assert {system.home for system in game.position.systems} - {None} == set(game.standing)
    for _ in resigning:
        game.pop()
    assert (game.position.line, game.out) == (line, ())


def seat_of(letter: str) -> Seat:
    return next(seat for seat in Seat if seat.letter == letter)


@pytest.mark.parametrize("seat", [EAST, WEST])
def test_who_is_not_in_the_game_cannot_resign(seat: Seat) -> None:
    game = game_of(THREE)
    game.resign(EAST)
    refused("seat_out", lambda: game.resign(seat))


@pytest.mark.parametrize(
    ("events", "order"),
    [
        ("e...", "NSNS"),
        (".n...", "NESES"),
        ("..n...", "NESESE"),
        ("n...", "ESES"),
        (".s...", "NENEN"),
    ],
)
def test_resigning_during_the_set_up(events: str, order: str) -> None:
    """Three set up; where a letter stands in *events*, that player resigns instead of somebody playing a turn."""
    game = Game(players=3)
    moved = ""
    for event in events + "." * len(order):
        if event != ".":
            game.resign(seat_of(event.upper()))
        elif len(moved) < len(order):
            moved += game.to_move.letter
            if game.position.homes(game.to_move):
                game.push(())
            else:
                set_up(game)
    assert moved == order
    assert game.outcome() is None
    assert len(game.standing) == 2


def test_agreement() -> None:
    game = game_of(THREE)
    outcome = Outcome(Termination.AGREEMENT, (), "A draw: the players agree on it.")
    assert game.agree_draw() == game.outcome() == outcome
    assert outcome.is_draw
    assert outcome.winner is None
    assert game.standing == game.seats


# Repetition


def test_repetitions_are_counted_whatever_systems_are_called() -> None:
    game = game_of("<0>; South(0,r2b1)y1g3-; North(1,y1b3)-g3", Options(repetition_claim=True))
    counts = []
    for name in ("Sol", "Vega", "Deneb"):
        for turn in (f"discover y1 South g3 {name}", "pass", f"move y1 {name} South", "pass"):
            game.push_text(turn)
            counts.append(game.repetitions)
    assert counts == [1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4]
    assert game.can_claim_repetition


def test_claiming_and_taking_back() -> None:
    game = game_of(TWO, Options(repetition_claim=True))
    for times in (1, 2):
        assert game.repetitions == times
        assert not game.can_claim_repetition
        refused("not_repeated", game.claim_repetition)
        game.push(())
        game.push(())
    assert game.can_claim_repetition
    outcome = game.claim_repetition()
    assert (outcome.termination, outcome.winners) == (Termination.REPETITION, ())
    assert game.pop() == ()
    assert game.claim_repetition() == outcome
    game.pop()
    game.pop()
    assert game.repetitions == 2
    refused("not_repeated", game.claim_repetition)
    game.push((Build(P("g1"), "North"),))
    assert game.repetitions == 1


def test_what_is_said_between_turns_repeats_nothing() -> None:
    game = game_of(TWO, Options(repetition_claim=True, junior=SOUTH, tactical_computer=3))
    for _ in range(3):
        game.ask_advice()
    assert game.repetitions == 1


def test_claims_are_off_by_default() -> None:
    game = game_of(TWO)
    for _ in range(4):
        game.push(())
    assert game.repetitions == 3
    assert not game.can_claim_repetition
    refused("claims_off", game.claim_repetition)
