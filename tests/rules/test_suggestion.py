"""The Tactical Computer: it wins where it can, is careful where it has to be, and says why."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest
from random_homeworlds import random_position

from rules import IllegalTurn, Seat
from rules.homeworlds import (
    Build,
    Game,
    Options,
    PartialTurn,
    Position,
    SelfElimination,
    Suggestion,
    Turn,
    Urgency,
    Victory,
    begin,
    legal_turns,
    read_turn,
    warnings,
    winning_turns,
)


def advice(line: str) -> tuple[Game, Suggestion]:
    """What the player to move is told, and the game in which it was asked."""
    position = Position.parse(line)
    game = Game(Options(junior=position.to_move, tactical_computer=1), position)
    return game, game.ask_advice()


def check_sentences(suggestion: Suggestion) -> None:
    """What the turn brings, what it keeps or what it costs; then what comes next, which is one of two."""
    sentence = suggestion.sentence
    if sentence == "This wins at once.":
        return
    assert re.fullmatch(
        r"(It brings [^.]+|It keeps what there is|It pays with ships \(\d+ pips instead of \d+\))\. "
        r"(Nobody can win in the next turn\.|But no turn looked at is safe: [^.]+\.)",
        sentence,
    ), sentence
    told = re.search(r"(\d+) pips instead of (\d+)", sentence)
    if told:
        assert (int(told[1]) > int(told[2])) == sentence.startswith("It brings more")


@pytest.mark.parametrize(
    "line",
    [
        "<0>; South(0,r2b1)g3-; North(1,y1b3)r3-g1",
        "<1>; South(0,r2b1)g1g2g3-g1; North(1,y1b3)-g3",
        "<0>; South(0,b1r2)g3-; North(1,b3y1)y3-g3; Vega(g2)r1-",
        "<0>; South(0,r2g1)g1g2g3-; North(1,y1b3)r3-g1",
    ],
)
def test_it_wins_where_it_can(line: str) -> None:
    game, suggestion = advice(line)
    assert suggestion.sentence == "This wins at once."
    game.push(suggestion.turn)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner is Position.parse(line).to_move


@pytest.mark.parametrize(
    "line",
    [
        "<1>; South(0,r2b1)g3-; North(1,r1b3)y3-g3",  # the attacker at home can be captured
        "<1>; South(0,r2b1)g3-; North(1,y1b3)y3-g3; Sol(g2)r1-",  # another ship at home saves the day
        "<0>; South(0,r2b1)g1g2g3-; North(1,y1b3)-g3",  # building one more green would lose
        "<0>; South(0,r2b1)g1g2g3-; North(1,y1b3)-g2y3; Sol(y2)-g1",  # a fourth green is on its way
        # here the turns that look best all lose
        "<0>; South(0,y1g1)g1g2-; North(1,g2b2)g3-y3b1b1; Sol(b1)-y1y1g3; Vega(r3)g3-; Deneb(y2)g2-",
        "<0>; South(0,y1g3)y1-; North(1,y3g2)-y3; A(b1)b2-; B(b3)-y2; C(g1)-y2y3; D(g2)y1-y2",
    ],
)
def test_it_does_not_lose_where_that_can_be_helped(line: str) -> None:
    position = Position.parse(line)
    game, suggestion = advice(line)
    assert suggestion.sentence.endswith("Nobody can win in the next turn.")
    check_sentences(suggestion)
    game.push(suggestion.turn)
    assert game.outcome() is None
    assert not list(winning_turns(game.position))
    lost = 0
    for turn in legal_turns(position).turns():
        found = warnings(begin(position).play(turn))
        lost += bool(found) and found[0].urgency <= Urgency.LOSS_NEXT
    assert lost, "some turns would have lost"


@pytest.mark.parametrize(
    "line",
    [
        "<0>; South(0,r2b1)g1-r3r3; North(1,y1b3)-g3",
        "<1>; South(0,r2b1)g3-; North(1,y1b3)y3r1r2-g1",
    ],
)
def test_it_says_so_where_every_turn_loses(line: str) -> None:
    game, suggestion = advice(line)
    assert " But no turn looked at is safe: Red alert: " in suggestion.sentence
    check_sentences(suggestion)
    game.push(suggestion.turn)
    assert list(winning_turns(game.position))


@pytest.mark.parametrize(
    ("line", "turn", "sentence"),
    [
        (
            "<0>; South(0,r2b1)y1g3-; North(1,y1b3)-g3",
            "build y1 South",
            "It brings more ships (5 pips instead of 4). Nobody can win in the next turn.",
        ),
    ],
)
def test_quiet_advice(line: str, turn: str, sentence: str) -> None:
    game, suggestion = advice(line)
    assert suggestion.turn == read_turn(turn, game.position)
    assert suggestion.sentence == sentence


@pytest.mark.parametrize("line", ["<0>", "<1>; South(0,r2b1)g3-", "<2>; North(0,r2b1)g3--; East(1,y1b2)-g3-"])
def test_it_sets_up_too(line: str) -> None:
    game, suggestion = advice(line)
    check_sentences(suggestion)
    turn = game.begin().play(suggestion.turn)
    assert warnings(turn) == ()
    game.push(turn)
    assert game.position.homes(Position.parse(line).to_move)


@pytest.mark.parametrize("first", [0, 40])
def test_random_positions(first: int) -> None:
    """Legal advice everywhere, and never to give up the home while there is another turn."""
    for seed in range(first, first + 40):
        position = random_position(Random(seed))
        game = Game(Options(junior=position.to_move, tactical_computer=1), position)
        suggestion = game.ask_advice()
        check_sentences(suggestion)
        can_win = any(True for _ in winning_turns(position))
        assert (suggestion.sentence == "This wins at once.") == can_win
        turn = game.begin().play(suggestion.turn)
        assert not turn.gives_up_home
        if suggestion.sentence.endswith("Nobody can win in the next turn."):
            assert "loses_next_turn" not in {warning.code for warning in warnings(turn)}


@pytest.mark.parametrize(
    ("line", "turn"),
    [
        # both openings that the rule book suggests, and others with and without a green ship
        ("<0>; South(0,b3r1)g3-; North(1,r2b1)-g3", "build g1 South"),
        ("<1>; South(0,b3r1)g1g3-; North(1,r2b1)-g3", "build g1 North"),
        ("<0>; South(0,r2b1)g3-; North(1,b3r1)-g3", "build g1 South"),
        ("<0>; South(0,b3y1)g3-; North(1,r2b1)-g3", "build g1 South"),
        ("<0>; South(0,y3r1)g3-; North(1,r2b1)-g3", "build g1 South"),
        ("<0>; South(0,g3y1)b3-; North(1,r2b1)-g3", "build b1 South"),
        ("<0>; South(0,b3r1)y3-; North(1,r2b1)-g3", "trade y3 South green"),
        ("<0>; South(0,b3r1)g1g3-; North(1,r2b1)-g1g3", "trade g1 South red"),
    ],
)
def test_at_the_opening_it_builds_on_and_never_passes(line: str, turn: str) -> None:
    """A home that is not yet guarded speaks against a turn, but rules none out: only a loss does."""
    game, suggestion = advice(line)
    assert suggestion.turn == read_turn(turn, game.position)


def test_it_builds_rather_than_pass_where_that_does_not_lose() -> None:
    advised = 0
    for seed in range(80):
        position = random_position(Random(seed))
        if position.players == 2:
            _, suggestion = advice(position.line)
            begun = begin(position)
            builds = [turn for turn in islice(legal_turns(position).turns(), 600) if is_build(turn)]
            sound = [turn for turn in builds if can_wait(begun.play(turn))]
            assert suggestion.turn or not sound, position.line
            advised += bool(sound)
    assert advised > 5


def can_wait(turn: PartialTurn) -> bool:
    """Whether nothing more urgent than a weak home speaks against a turn."""
    return all(warning.urgency >= Urgency.WEAK_HOME for warning in warnings(turn)[:1])


def is_build(turn: Turn) -> bool:
    return len(turn) == 1 and isinstance(turn[0], Build)


def test_among_three_it_does_not_let_itself_be_put_out() -> None:
    """East can put North out without winning: North’s large ship must not be left alone with East’s red one."""
    line = "<0>; North(0,r2b1)g1-r3-; East(1,y1b3)-g1-; South(2,g1b2)--r3"
    game, suggestion = advice(line)
    game.push(suggestion.turn)
    assert Game(Options(red_alert=(Seat.NORTH,)), game.position).red_alerts() == ()
    assert suggestion.sentence.endswith("Nobody can win in the next turn.")


def test_secret_sides_are_not_told_by_advice() -> None:
    line = "<0>; North(0,r2g1)g1g2g3--; East(1,y1b3)r3-g1-; South(2,g1b2)--r3"
    told = set()
    for evil in (Seat.EAST, Seat.SOUTH, Seat.NORTH):
        position = Position.parse(line)
        options = Options(victory=Victory.GOOD_AND_EVIL, evil=(evil,), junior=position.to_move, tactical_computer=1)
        told.add(Game(options, position).ask_advice())
    assert len(told) == 1


def test_where_there_is_no_legal_turn_there_is_no_advice() -> None:
    options = Options(junior=Seat.SOUTH, tactical_computer=1, self_elimination=SelfElimination.FORBIDDEN)
    game = Game(options, Position.parse("<0>; South(0,r2b1)-g3; North(1,y1b3)-g3"))
    with pytest.raises(IllegalTurn) as caught:
        game.ask_advice()
    assert caught.value.code == "no_legal_turn"
    assert game.advice_left == 1
