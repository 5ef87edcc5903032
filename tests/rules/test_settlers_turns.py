"""Turns of Settlers step by step: what may be done, why the rest is refused, and all turns of a position."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from drawn import settlers_positions
from hypothesis import given, settings
from random_settlers import play

from rules import KINDS, Color, IllegalTurn, Piece, RulesError, Seat, Size
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

P = Piece.parse
EMPTY = "6/6/6/6/6/6 S 0"
GREEN = "6/6/2g23/6/6/6 S 0"  # c4
RED = "6/6/2Y3Y12/2r2R12/6/6 S 0"  # the medium red on c3 and, beside it, Y3 on c4, Y1 on d4, R1 on d3
YELLOW = "6/6/6/1G14/y2g14/b25 S 0"  # the medium yellow on a2 between b2, b3 and a1
BLUE = "6/6/6/4Y1g1/b2g34/g2G14 S 0"  # the medium blue on a2 between a1, b1 and b2; far away f3
CORNER = "6/6/6/6/Y1y14/g2y14 S 0"  # the medium green on a1 has no space, and it is the only green
TWO_GREENS = "6/6/2g13/6/Y1y14/g2y14 S 0"  # now there is another one on c4
NO_SPACE = "6/6/2y2y1y2/2y2g1y2/2b1b1b2/6 S 0"  # greens without space at all
CROWDED = "y1y1y1r1r1r1/b1b1b1r2r2r2/r3r3r3y2y2y2/y3y3y3b2b2b2/1b3b3b3g3g3/g1g1g1g2g2g2 S 0"  # only a2 is empty
CHAIN = "6/6/3R22/2Y33/1r3R13/6 S 5"  # the R1 on c2 and the R2 on d4 save Y3 on c3 from r3 on b2, for now
NO_GREENS_LEFT = "6/6/G3G3G33/G2G2G23/G1G1G13/5b1 S 0"


def refused(line: str, steps: Turn, options: Options | None = None) -> IllegalTurn:
    """Why the last of *steps* may not be taken."""
    turn = begin(Position.parse(line), options).play(steps[:-1])
    with pytest.raises(IllegalTurn) as caught:
        turn.apply(steps[-1])
    return caught.value


REFUSALS: list[tuple[str, Turn, str, str, str]] = [
    # any step
    (GREEN, (Choose("c7"),), "field_unknown", "", "The board has no field “c7”"),
    (GREEN, (Choose("C4"),), "field_unknown", "", "such as c4"),
    (GREEN, (Pass(), Choose("c4")), "turn_over", "S7", "over"),
    (EMPTY, (Land(P("g1"), "c4"), Pass()), "turn_over", "S7", "over"),
    (GREEN, (Choose("c4"), Pass()), "pass_alone", "S18", "simply end the turn"),
    (GREEN, (Choose("c3"),), "field_empty", "", "c3 is empty: choose a piece of your own on c4."),
    (EMPTY, (Choose("c3"),), "field_empty", "S1", "you own no piece yet, so land a green"),
    (RED, (Choose("d4"),), "not_yours", "", "The small yellow on d4 is North's: choose a piece of your own on c3."),
    (GREEN, (Choose("c4"), Choose("c4")), "already_chosen", "S5", "one turn uses one action piece"),
    (RED, (Choose("c3"), Choose("c3")), "already_chosen", "S9", "The medium red on c3 is your action piece"),
    (GREEN, (Build(P("r1"), "d4"),), "choose_first", "S8", "First choose the green piece that is to build."),
    (RED, (Conquer("d4"),), "choose_first", "S9", "First choose the red piece that is to conquer."),
    (GREEN, (Choose("c4"), Conquer("d4")), "wrong_action", "S9", "green action piece, which builds: only a red one"),
    (BLUE, (Choose("a2"), Move(("a2", "a3"))), "wrong_action", "S13", "only a yellow one can move a piece"),
    (RED, (Choose("c3"), Land(P("g1"), "a1")), "wrong_action", "S7", "a landing is a turn of its own"),
    # Red
    (
        RED,
        (Choose("c3"), Conquer("b2")),
        "field_empty",
        "S9",
        "no piece on b2 to conquer: your red on c3 can conquer what is on d3 or d4.",
    ),
    (RED, (Choose("c3"), Conquer("c3")), "own_piece", "S9", "yours already"),
    (
        "6/6/6/Y25/6/r35 S 0",
        (Choose("a1"), Conquer("a3")),
        "not_bordering",
        "S9",
        "your red on a1 can conquer nothing now",
    ),
    (
        RED,
        (Choose("c3"), Conquer("c4")),
        "too_large",
        "S9",
        "up to its own size: your red on c3 can conquer what is on d3 or d4.",
    ),
    ("6/6/6/6/R25/r25 S 0", (Choose("a1"), Conquer("a2")), "too_weak", "S10", "2 pips, its own among them: you need"),
    ("6/6/6/R25/Y15/r25 S 0", (Choose("a1"), Conquer("a2")), "too_weak", "S10", "your reds have 2 pips and the def"),
    ("6/6/6/6/6/r1Y1Y13 S 0", (Choose("a1"), Conquer("b1"), Conquer("c1")), "pips_used_up", "S9", "end the turn"),
    # Yellow
    (YELLOW, (Choose("a2"), Move(("a2",))), "path_too_short", "S13", "name both"),
    (
        YELLOW,
        (Choose("a2"), Move(("a2", "a3", "a4", "a5"))),
        "too_far",
        "S13",
        "3 fields far, but your yellow has only 2",
    ),
    (YELLOW, (Choose("a2"), Move(("a2", "a4"))), "not_a_step", "S13", "from a2 you may move to a3 or b1."),
    (YELLOW, (Choose("a2"), Move(("a2", "b3"))), "field_taken", "S13", "The small green on b3 stands in the way"),
    (YELLOW, (Choose("a2"), Move(("a3", "a4"))), "field_empty", "S14", "no piece on a3"),
    (YELLOW, (Choose("a2"), Move(("b3", "b4"))), "not_yours", "S12", "yellow moves only your own"),
    (
        YELLOW,
        (Choose("a2"), Move(("a2", "a3")), Move(("a1", "b1"))),
        "not_bordering",
        "S14",
        "which is a3 now: move your yellow on a3 or what is beside it on b2.",
    ),
    (YELLOW, (Choose("a2"), Move(("a2", "a3", "a4")), Move(("a4", "a5"))), "pips_used_up", "S13", "no actions left"),
    # Green
    (CORNER, (Choose("a1"), Build(P("r1"), "c3")), "no_space", "S3", "you may land a green instead"),
    (TWO_GREENS, (Choose("a1"), Build(P("r1"), "c3")), "no_space", "S3", "go on with your green on c4"),
    (CROWDED, (Choose("d1"), Build(P("g3"), "a2")), "no_space", "S3", "go on with your green on a1 or b1"),
    (GREEN, (Choose("c4"), Build(P("r1"), "c2")), "not_bordering", "S8", "build on b3, b4, b5, c3, c5, d3, d4 or d5"),
    (BLUE, (Choose("b2"), Build(P("r1"), "b1")), "field_taken", "S8", "small green on b1 is in the way: build on a3"),
    (GREEN, (Choose("c4"), Build(P("r2"), "c3")), "not_smallest", "S8", "which is the small red (r1)"),
    (CROWDED, (Choose("a1"), Build(P("r1"), "a2")), "bank_lacks", "S8", "holds no red piece: you may build g3."),
    (GREEN, (Choose("c4"), Transfer("c4")), "still_space", "S6", "build there or stop"),
    (TWO_GREENS, (Choose("a1"), Transfer("a1")), "same_green", "S5", "name another one"),
    (
        TWO_GREENS,
        (Choose("a1"), Transfer("b1")),
        "not_green",
        "S5",
        "There is no green of yours on b1: go on with your green on c4.",
    ),
    (TWO_GREENS, (Choose("a1"), Transfer("f6")), "not_green", "S5", "no green of yours on f6"),
    (CROWDED, (Choose("c1"), Transfer("d1")), "no_space", "S5", "no empty field beside it either"),
    (
        "6/6/6/6/y1y14/1g14 S 0",
        (Choose("b1"), Build(P("r1"), "a1"), Build(P("r1"), "c1")),
        "pips_used_up",
        "S4",
        "Your green action piece has no actions left",
    ),
    (TWO_GREENS, (Land(P("g1"), "f6"),), "green_has_space", "S3", "build with the one on c4"),
    (TWO_GREENS, (Choose("a1"), Land(P("g1"), "f6")), "green_has_space", "S3", "build with the one on c4"),
    (CORNER, (Land(P("r1"), "f6"),), "landing_green_only", "S7", "Only a green"),
    (CORNER, (Land(P("g2"), "f6"),), "not_smallest", "S7", "which is the small green (g1)"),
    (CORNER, (Land(P("g1"), "b2"),), "field_taken", "S7", "land on any empty field"),
    (NO_GREENS_LEFT, (Land(P("g1"), "f6"),), "bank_lacks", "S7", "no green piece, so you cannot land"),
    # Blue
    (BLUE, (Choose("a2"), Trade("a2", Color.BLUE)), "same_color", "S15", "trade it for red, yellow or green"),
    (BLUE, (Choose("a2"), Trade("a3", Color.RED)), "field_empty", "S15", "no piece on a3"),
    (
        BLUE,
        (Choose("a2"), Trade("b1", Color.RED)),
        "not_yours",
        "S15",
        "is North's, and blue exchanges only your own",
    ),
    (
        BLUE,
        (Choose("a2"), Upgrade("f3")),
        "not_bordering",
        "S15",
        "exchange your action piece on a2 or what is beside it on a1 or b2.",
    ),
    (BLUE, (Choose("a2"), Upgrade("b2")), "already_large", "S15", "large is the largest"),
    (
        "6/6/6/6/6/b1G2G2G22 S 0",
        (Choose("a1"), Trade("a1", Color.GREEN), Upgrade("a1")),
        "pips_used_up",
        "S15",
        "blue",
    ),
    (
        "6/6/6/6/6/b2G2G2G22 S 0",
        (Choose("a1"), Trade("a1", Color.GREEN)),
        "bank_lacks",
        "S15",
        "can become r2, y2 or b3",
    ),
]


@pytest.mark.parametrize(("line", "steps", "code", "rule", "words"), REFUSALS)
def test_a_refusal_says_what_would_be_legal(line: str, steps: Turn, code: str, rule: str, words: str) -> None:
    error = refused(line, steps)
    assert (error.code, error.rule) == (code, rule)
    assert words in error.sentence


def test_a_refusal_carries_what_it_speaks_of() -> None:
    error = refused(CHAIN, (Choose("b2"), Conquer("c3")))
    assert (error.code, error.parameters) == ("too_weak", {"field": "c3", "attack": 3, "defence": 3})
    assert error.sentence == "Around c3 your reds have 3 pips and the defence has 3 pips: you need at least 4."


def test_redless_games_build_no_reds() -> None:
    turn = begin(Position.parse(GREEN, redless=True)).apply(Choose("c4"))
    assert {step.piece.code for step in turn.legal_steps() if isinstance(step, Build)} == {"y1", "g1", "b1"}
    with pytest.raises(IllegalTurn, match=r"holds no red piece: you may build y1, g1 or b1\."):
        turn.apply(Build(P("r1"), "c3"))


def test_a_full_bank_is_not_needed_to_say_that_it_is_empty() -> None:
    line = "y1y1y1y2y2y2/y3y3y3b1b1b1/b2b2b2b3b3b3/g1g1g1g2g2g2/g3g3g33/6 S 0"
    with pytest.raises(IllegalTurn, match="holds no yellow piece: it is empty"):
        begin(Position.parse(line, redless=True)).play((Choose("c2"), Build(P("y1"), "d1")))


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
@settings(max_examples=40, deadline=None)
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
