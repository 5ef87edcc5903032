"""Turns of Settlers step by step: what they lead to, all turns of a position, and looking ahead."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from drawn import settlers_positions
from hypothesis import given, settings
from random_settlers import play
from settlers_boards import BLUE, CHAIN, CORNER, EMPTY, GREEN, NO_GREENS_LEFT, TWO_GREENS, YELLOW, P, refused

from rules import KINDS, Color, IllegalTurn, RulesError, Seat, Size
from rules.settlers import (
    BORDERING,
    FIELDS,
    Build,
    Choose,
    Conquer,
    Land,
    Move,
    Options,
    PartialTurn,
    Pass,
    Position,
    Step,
    Trade,
    Transfer,
    Turn,
    Upgrade,
    anybody_can_act,
    begin,
    conquerable,
    is_pass,
    landings,
    legal_turns,
    possibilities,
)

# What a turn leads to

TURNS: list[tuple[str, Turn, str]] = [
    (EMPTY, (), "6/6/6/6/6/6 N 1"),
    (EMPTY, (Pass(),), "6/6/6/6/6/6 N 1"),
    (EMPTY, (Land(P("g1"), "c3"),), "6/6/6/2g13/6/6 N 1"),
    (GREEN, (Choose("c4"), Build(P("r1"), "d4"), Build(P("g1"), "d5")), "6/3g12/2g2r12/6/6/6 N 1"),
    (CORNER, (Land(P("g1"), "f6"),), "5g1/6/6/6/Y1y14/g2y14 N 1"),
    (CORNER, (Choose("a1"), Land(P("g1"), "f6")), "5g1/6/6/6/Y1y14/g2y14 N 1"),
    (TWO_GREENS, (Choose("a1"), Transfer("c4"), Build(P("b1"), "d3")), "6/6/2g13/3b12/Y1y14/g2y14 N 1"),
    # S5: the Green just built goes on with all its pips
    (
        "6/6/6/6/1y14/g2y14 S 9",
        (Choose("a1"), Build(P("g1"), "a2"), Transfer("a2"), Build(P("r1"), "a3")),
        "6/6/6/r15/g1y14/g2y14 N 10",
    ),
    # S9, S10: three reds together; S19: a conquest ends the quiet
    ("6/6/6/6/R2r14/r2r14 S 30", (Choose("a1"), Conquer("a2")), "6/6/6/6/r2r14/r2r14 N 0"),
    # S11: the red conquered first counts for the second conquest
    (CHAIN, (Choose("b2"), Conquer("c2"), Conquer("c3")), "6/6/3R22/2y33/1r3r13/6 N 0"),
    # S13: there and back again
    (YELLOW, (Choose("a2"), Move(("a2", "a3", "a2"))), "6/6/6/1G14/y2g14/b25 N 1"),
    # S14: the second piece borders where the yellow went
    (YELLOW, (Choose("a2"), Move(("a2", "a3")), Move(("b2", "c3"))), "6/6/6/y2G1g13/6/b25 N 1"),
    # S16: a blue that traded itself goes on
    (BLUE, (Choose("a2"), Trade("a2", Color.RED), Upgrade("a1")), "6/6/6/4Y1g1/r2g34/g3G14 N 1"),
    # S17: the piece that came back can be taken by the next pip
    (
        "6/6/6/6/6/b2g1G1G12 S 0",
        (Choose("a1"), Trade("b1", Color.RED), Trade("b1", Color.GREEN)),
        "6/6/6/6/6/b2g1G1G12 N 1",
    ),
]


@pytest.mark.parametrize(("line", "turn", "end"), TURNS)
def test_what_a_turn_leads_to(line: str, turn: Turn, end: str) -> None:
    position = Position.parse(line)
    assert begin(position).play(turn).end().line == end
    assert turn in legal_turns(position)


def test_a_turn_on_its_way() -> None:
    turn = begin(Position.parse("6/6/6/6/6/r2Y14 S 3"))
    assert (turn.actions_left, turn.conquests, turn.can_end, turn.is_pass, turn.steps) == (0, 0, True, True, ())
    turn = turn.apply(Choose("a1"))
    assert (turn.actions_left, turn.is_pass) == (2, True)
    turn = turn.apply(Conquer("b1"))
    assert (turn.actions_left, turn.conquests, turn.is_pass) == (1, 1, False)
    assert turn.so_far.line == "6/6/6/6/6/r2y14 S 3"
    assert turn.position.line == "6/6/6/6/6/r2Y14 S 3"
    assert turn.end().line == "6/6/6/6/6/r2y14 N 0"
    assert list(turn.legal_steps()) == []


@pytest.mark.parametrize(
    ("turn", "nothing_done"),
    [
        ((), True),
        ((Pass(),), True),
        ((Choose("a1"),), True),
        ((Choose("a1"), Transfer("c4")), True),
        ((Choose("a1"), Land(P("g1"), "f6")), False),
        ((Choose("a1"), Move(("a1", "a2", "a1"))), False),
    ],
)
def test_a_turn_in_which_nothing_was_done(turn: Turn, nothing_done: bool) -> None:
    assert is_pass(turn) is nothing_done


def test_a_yellow_may_move_the_opponent_if_so_agreed() -> None:
    position, options = Position.parse(YELLOW), Options(yellow_moves_any=True)
    turn = (Choose("a2"), Move(("b3", "b4")))
    assert turn in legal_turns(position, options)
    assert turn not in legal_turns(position)
    assert begin(position, options).play(turn).end().line == "6/6/1G14/6/y2g14/b25 N 1"


def test_a_larger_landing() -> None:
    options = Options(landing_size=Size.LARGE)
    assert {step.piece for step in begin(Position(), options).legal_steps() if isinstance(step, Land)} == {P("g3")}
    error = refused(EMPTY, (Land(P("g1"), "a1"),), options)
    assert (error.code, error.rule) == ("landing_size", "S22")
    none_left = "6/6/G3G3G33/6/6/6 S 0"
    assert begin(Position.parse(none_left), options).apply(Land(P("g1"), "a1")).can_end
    assert refused(none_left, (Land(P("g3"), "a1"),), options).code == "not_smallest"


@pytest.mark.parametrize(
    "options", [{"handicap": Seat.EAST}, {"handicap_size": Size.SMALL}, {"quiet_limit": 0}], ids=str
)
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(RulesError) as caught:
        Options(**options)
    assert caught.value.sentence.endswith(".")


# All steps, all turns

ALL_STEPS: list[Step] = [
    Pass(),
    *(kind(field) for kind in (Choose, Conquer, Transfer, Upgrade) for field in FIELDS),
    *(Trade(field, color) for field in FIELDS for color in Color),
    *(kind(piece, field) for kind in (Build, Land) for piece in KINDS for field in FIELDS),
    *(Move((start, end)) for start in FIELDS for end in BORDERING[start]),
]


def states(seed: int) -> Iterator[PartialTurn]:
    """Turns of a random game on their way, from beginning to end."""
    dice, game = random.Random(seed), play(seed)
    while game.turns:
        played = game.pop()
        if dice.random() < 0.1:
            turn = game.begin()
            yield turn
            for step in played:
                turn = turn.apply(step)
                yield turn


def refusal_of(turn: PartialTurn, step: Step) -> str | None:
    """The sentence that refuses *step*."""
    try:
        turn.apply(step)
    except IllegalTurn as error:
        return error.sentence
    return None


@pytest.mark.parametrize("seed", range(8))
def test_the_steps_listed_are_those_accepted(seed: int) -> None:
    for turn in states(seed):
        refusals = {step: refusal_of(turn, step) for step in ALL_STEPS}
        accepted = {step for step, refusal in refusals.items() if refusal is None}
        assert all(refusal.isprintable() for refusal in refusals.values() if refusal is not None)
        listed = list(turn.legal_steps())
        assert len(listed) == len(set(listed))
        long_moves = {step for step in listed if isinstance(step, Move) and len(step.path) > 2}
        assert set(listed) - long_moves == accepted, (turn.position.line, turn.steps)
        for move in long_moves:
            turn.apply(move)


@given(settlers_positions())
@settings(max_examples=40)
def test_every_end_of_turn_comes_once_and_the_shortest_first(position: Position) -> None:
    turns = legal_turns(position)
    found = list(islice(turns, 500))
    assert found[0] == ((), begin(position).end())
    assert len({end for _, end in found}) == len(found) == turns.count(at_most=500)
    lengths = [len(turn) for turn, _ in found]
    assert lengths == sorted(lengths)
    for turn, end in found[:50]:
        assert turn in turns
        assert begin(position).play(turn).end() == end


def test_what_is_no_turn_is_no_legal_turn() -> None:
    turns = legal_turns(Position.parse(GREEN))
    assert (Choose("c4"), Pass()) not in turns
    assert "G c4: r1 d4" not in turns


def test_turns_are_found_only_as_far_as_one_asks() -> None:
    endless = "b2g2y31y1r2/1r1g1g3b1g2/y2r3r2g31y3/3y1g31/1g11b11r1/1r2b31y11 S 0"
    assert legal_turns(Position.parse(endless)).count(at_most=1000) == 1000


# Looking ahead


def test_what_each_piece_could_do() -> None:
    found = {one.piece.field: one.actions for one in possibilities(Position.parse("6/6/6/6/Y35/r3g1R13 S 0"))}
    assert set(found) == {"a1", "b1"}
    assert found["a1"] == (Conquer("a2"),)
    assert len(found["b1"]) == 2 * 4  # two fields, four colours


def test_landings_that_could_be_the_whole_turn() -> None:
    assert len(landings(Position.parse(EMPTY))) == 36
    assert Land(P("g1"), "f6") in landings(Position.parse(CORNER))
    assert landings(Position.parse(TWO_GREENS)) == landings(Position.parse(NO_GREENS_LEFT)) == ()


def test_a_chain_of_conquests_is_foreseen() -> None:
    threats = {threat.target.field: threat for threat in conquerable(Position.parse(CHAIN))}
    assert threats["c2"].turn == (Choose("b2"), Conquer("c2"))
    assert threats["c3"].turn == (Choose("b2"), Conquer("c2"), Conquer("c3"))
    assert threats["c3"].by.piece == P("r3")
    assert set(threats) == {"c2", "c3"}


def test_both_sides_are_looked_at() -> None:
    threats = conquerable(Position.parse("6/6/6/6/y2R24/2r33 N 0"))
    assert [(threat.by.owner.letter, threat.by.field, threat.target.field) for threat in threats] == [
        ("N", "b2", "a2"),
        ("S", "c1", "b2"),
    ]


@pytest.mark.parametrize("seed", range(8, 16))
def test_looking_ahead_sees_what_the_turns_show(seed: int) -> None:
    for turn in states(seed):
        position = turn.position
        if turn.steps or legal_turns(position).count(at_most=3000) == 3000:
            continue
        ends = [end for _, end in legal_turns(position)]
        foreseen = {threat.target for threat in conquerable(position) if threat.by.owner is position.to_move}
        assert {target.field for target in foreseen} == {
            field
            for end in ends
            for field, ship in position.board.items()
            if ship.owner is not position.to_move and end.board[field].owner is position.to_move
        }
        assert anybody_can_act(position) or len(ends) == 1
