"""Wins at once: held against all legal turns in positions from random play, and who threatens to win."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from random_homeworlds import random_position

from rules import RulesError, Seat
from rules.homeworlds import (
    Game,
    Options,
    PartialTurn,
    Position,
    Turn,
    Victory,
    legal_turns,
    read_turn,
    threats,
    winning_turns,
)

NORTH, EAST, SOUTH, WEST = Seat
MOST_ENDS = 600
"""With more ends of turn than this, a position takes too long to look through."""
MOST_WINS = 12
"""So many winning turns of a position are looked at; one where there are too many ends of turn."""


def wins(game: Game, turn: PartialTurn) -> bool:
    """Whether the player to move is among those who have won after *turn*."""
    game.take(turn)
    outcome = game.outcome()
    game.pop()
    return outcome is not None and turn.to_move in outcome.winners


def wins_if_legal(game: Game, steps: Turn) -> bool:
    try:
        turn = game.begin().play(steps)
    except RulesError:
        return False
    return turn.can_end and wins(game, turn)


def victories(random: Random, position: Position) -> list[Options]:
    """Every way to win, with evil players among those who are still in the game."""
    if position.players == 2:
        return [Options()]
    homes = [seat for seat in position.seats if position.homes(seat)]
    evil = tuple(random.sample(homes, random.randint(1, len(homes) - 1)))
    return [
        Options(),
        Options(victory=Victory.LEFT_NEIGHBOUR),
        Options(victory=Victory.GOOD_AND_EVIL, evil=evil),
    ]


def check_against_all_turns(position: Position, options: Options, ends: list[Turn]) -> bool:
    """Whether there is a win: the search finds one exactly where one of all the legal turns is one."""
    game = Game(options, position)
    begun = game.begin()
    some = any(wins(game, begun.play(turn)) for turn in ends)
    assert any(True for _ in winning_turns(position, options)) == some, (position.line, options)
    return some


def check_turns(position: Position, options: Options, most: int) -> None:
    """Each winning turn is legal, wins, comes once, and has no step too many."""
    game = Game(options, position)
    turns = list(islice(winning_turns(position, options), most))
    assert len(set(turns)) == len(turns)
    for turn in turns:
        assert turn in legal_turns(position, options)
        assert wins_if_legal(game, turn), (position.line, turn)
        for place in range(len(turn)):
            shorter = turn[:place] + turn[place + 1 :]
            assert not wins_if_legal(game, shorter), (position.line, options, turn, place)


@pytest.mark.parametrize("first", range(0, 240, 40))
def test_random_positions(first: int) -> None:
    won = compared = 0
    for seed in range(first, first + 40):
        position = random_position(Random(seed))
        ends = list(islice(legal_turns(position).turns(), MOST_ENDS + 1))
        for options in victories(Random(seed), position):
            if len(ends) <= MOST_ENDS:
                won += check_against_all_turns(position, options, ends)
                compared += 1
            check_turns(position, options, MOST_WINS if len(ends) <= MOST_ENDS else 1)
    assert compared > 40
    assert won > 5


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (  # somebody has to come home in time
            "<0>; South(0,r2b1)y2-; North(1,r1b3)-g1g2g3; Sol(b2)g3-; Vega(g3)r1-",
            "sacrifice y2 South; move r1 Vega South; move g3 Sol North; catastrophe North green",
        ),
        (  # two jumps, by way of a system that stands
            "<0>; South(0,r2b3)y2g3-; North(1,r1b2)-g1g2g3; Sol(b1)g3-; Stop(y3)-r3; Far(y1)-r3r3y3y3b3b3",
            "sacrifice y2 South; move g3 Sol Stop; move g3 Stop North; catastrophe North green",
        ),
        (
            "<0>; South(0,r2b1)g3r3-; North(1,y1b3)y3-g1g2b3",
            "sacrifice r3 South; capture g1 North; capture g2 North; capture b3 North",
        ),
        (
            "<0>; South(0,r2b1)g2r3-; North(1,y1y2)y3-g3b3",
            "sacrifice g2 South; build y1 North; catastrophe North yellow",
        ),
        (
            "<0>; South(0,r2b1)b2r3-; North(1,y1y2)g1g2-b3",
            "sacrifice b2 South; trade g1 North yellow; trade g2 North yellow; catastrophe North yellow",
        ),
        (
            "<0>; South(0,r2b1)r3-; North(1,y1b2)y2y3b3-y3b1b3",
            "catastrophe North yellow; catastrophe North blue",
        ),
    ],
)
def test_wins_that_take_some_finding(line: str, text: str) -> None:
    position = Position.parse(line)
    assert wins_if_legal(Game(position=position), read_turn(text, position))
    assert any(True for _ in winning_turns(position))


def test_no_turn_wins_during_the_set_up() -> None:
    for line in ("<0>", "<1>; South(0,r2b1)g3-", "<2>; North(0,r2b1)r3g1--; East(1,y1b3)r3-g1-"):
        position = Position.parse(line)
        assert not list(winning_turns(position))
        assert threats(position) == ()


def test_giving_up_is_no_win() -> None:
    """The catastrophe would take the only ship from home too; with a second one it wins."""
    assert not list(winning_turns(Position.parse("<0>; South(0,y2b1)g3-; North(1,b3y3)-g1g2g3")))
    assert list(winning_turns(Position.parse("<0>; South(0,y2b1)g2g3-; North(1,b3y3)-g1g2g3")))


@pytest.mark.parametrize(
    ("line", "options", "expected"),
    [
        ("<0>; South(0,r2b1)g3-; North(1,y1b3)-g3", Options(), ""),
        ("<0>; South(0,r2b1)g3-; North(1,y1b3)r3-g1", Options(), "S capture g1 North"),
        ("<1>; South(0,r2b1)g3-; North(1,y1b3)r3-g1", Options(), "S capture g1 North"),
        ("<0>; South(0,b2b1)y1-r2; North(1,y1b3)r3-g1", Options(), "S capture g1 North | N capture y1 South"),
        ("<1>; South(0,b2b1)y1-r2; North(1,y1b3)r3-g1", Options(), "N capture y1 South | S capture g1 North"),
        ("<1>; South(0,r2b1)g3-; North(1,y1b3)g1g2g3-g1", Options(), "S catastrophe North green"),
        ("<0>; South(0,r2b1)g3-; North(1,y1b3)-g1; Sol(g2)g2y1-", Options(), ""),
        ("<0>; South(0,r2b1)g3-; North(1,r1b3)-g1g2; Sol(y2)g2-", Options(), ""),
        (
            "<0>; South(0,r2b1)g3-; North(1,r1b3)-g1g2g3; Sol(y2)g3-",
            Options(),
            "S move g3 Sol North; catastrophe North green",
        ),
        (
            "<0>; North(0,r2b1)r2g3--; East(1,y1b3)r3-g1-; South(2,g1b2)r3--y1",
            Options(),
            "N sacrifice r2 North; capture g1 East; capture y1 South",
        ),
        (
            "<1>; North(0,r2b1)y3g3--; East(1,y1b3)r3-g1-; South(2,g1b2)--y3",
            Options(victory=Victory.LEFT_NEIGHBOUR),
            "N capture g1 East",
        ),
        (
            "<1>; North(0,r2b1)y3g3--; East(1,y1b3)-g1-; South(2,g1b2)r3--y1",
            Options(victory=Victory.LEFT_NEIGHBOUR),
            "",
        ),
        (
            "<2>; North(0,r2b1)y3g3--; South(2,g1b2)r3--y1; East(y1b3)r3g1-r3-",
            Options(),
            "N capture y1 South",
        ),
        (
            "<2>; North(0,r2y1)y1-r3-; East(1,y1b3)r3-g1-; South(2,g1b2)--r3",
            Options(victory=Victory.GOOD_AND_EVIL, evil=(EAST,)),
            "N capture g1 East | E capture y1 North",
        ),
        (
            "<0>; North(0,r2y1)y1-r3-; East(1,y1b3)r3-g1-; South(2,g1b2)--r3",
            Options(victory=Victory.GOOD_AND_EVIL, evil=(SOUTH,)),
            "",
        ),
    ],
)
def test_threats(line: str, options: Options, expected: str) -> None:
    """Who could win if it were their turn, the player to move first and the others in turn order."""
    position = Position.parse(line)
    found = threats(position, options)
    told = [text.split(" ", 1) for text in expected.split(" | ") if text]
    assert [threat.seat.letter for threat in found] == [letter for letter, _ in told]
    for threat, (_, text) in zip(found, told, strict=True):
        theirs = Position(position.systems, threat.seat, position.players)
        assert threat.turn == read_turn(text, theirs, options)
        assert threat.turn in set(winning_turns(theirs, options))
    assert Game(options, position).threats() == found


@pytest.mark.parametrize(
    ("asked", "alerted"), [((), ""), ((SOUTH,), "N"), ((NORTH,), "S"), ((NORTH, SOUTH), "SN"), ((EAST,), "")]
)
def test_red_alerts(asked: tuple[Seat, ...], alerted: str) -> None:
    """Only those who asked for it are told, and of the others' threats only."""
    game = Game(Options(red_alert=asked), Position.parse("<0>; South(0,b2b1)y1-r2; North(1,y1b3)r3-g1"))
    assert "".join(threat.seat.letter for threat in game.red_alerts()) == alerted
    game.push(read_turn("capture g1 North", game.position))
    assert game.red_alerts() == ()


@pytest.mark.parametrize(("asked", "alerted"), [(NORTH, "E"), (EAST, ""), (SOUTH, "")])
def test_among_three_being_put_out_is_what_one_is_told_of(asked: Seat, alerted: str) -> None:
    """East cannot win, for South stands, but could put North out, whose only ship at home is in reach."""
    line = "<2>; North(0,r2b1)g1-r3-; East(1,y1b3)-g1-; South(2,g1b2)--g3"
    game = Game(Options(red_alert=(asked,)), Position.parse(line))
    assert game.threats() == ()
    assert "".join(danger.seat.letter for danger in game.red_alerts()) == alerted
    assert all(danger.victim is asked for danger in game.red_alerts())


def test_a_warning_goes_with_the_person_who_changes_places() -> None:
    position = Position.parse("<0>; South(0,b2b1)y1-r2; North(1,y1b3)r3-g1")
    game = Game(Options(junior=SOUTH, red_alert=(SOUTH,), brain_transference=True), position)
    assert [danger.victim for danger in game.red_alerts()] == [SOUTH]
    game.swap_seats()
    assert game.warned == (NORTH,)
    assert [danger.victim for danger in game.red_alerts()] == [NORTH]
    game.pop()
    assert game.warned == (SOUTH,)
