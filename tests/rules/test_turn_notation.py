"""Turns of Homeworlds in words: what the reader understands, how it refuses, and that the writer can be read."""

from __future__ import annotations

from itertools import islice

import pytest
from drawn import spoilt
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

import rules
from rules import AmbiguousTurn, Color, Piece, RulesError, Seat
from rules.homeworlds import (
    Build,
    Capture,
    Discover,
    Homeworld,
    Options,
    PartialTurn,
    Position,
    SelfElimination,
    begin,
    read_turn,
    write_step,
    write_turn,
)

POSITIONS = {
    "set-up": "<0>",
    "early": "<0>; South(0,r2b1)g1g1g3y1-; North(1,y1b3)-g3; Sol(g3)b1r2g1-r1",
    "crowd": "<0>; South(0,r2y1)g3-; North(1,y1b3)-g3; Sol(g3)y1-g1g1g2",
    "odd": "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3; g1(g3)b1-; y(y3)b1r1-g1; to(y3)y1-; Y!(r3)y2-",
    "raided": "<0>; South(0,b1r2)g3r1-g1; North(1,y1b3)-g3",
    "begun": "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3; Sol(g2)g1-; Solaris(y2)g1-",
    "stroke": "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3; And/Or(b1)g1y1-; Sol(g3)b1-",
    "three": "<0>; North(0,r2b3)g3--; East(1,y1b3)-g3-; South(2,y2b1)--g3; Sol(r1)r2-r1y1-r1",
}
READ = rows("homeworlds_turns_read.tsv")
REFUSED = rows("homeworlds_turns_refused.tsv")


def position(name: str) -> Position:
    return Position.parse(POSITIONS[name])


@pytest.mark.parametrize(
    ("where", "text", "strict"), [row[1:] for row in READ], ids=[f"{r[0]}: {r[2]}" for r in READ]
)
def test_the_reader_is_lenient_and_the_writer_strict(where: str, text: str, strict: str) -> None:
    start = position(where)
    turn = read_turn(text.replace("\\n", "\n"), start)
    assert write_turn(turn, start) == strict
    assert read_turn(strict, start) == turn


@pytest.mark.parametrize(
    ("where", "text", "error", "code", "words"), REFUSED, ids=[f"{r[0]}: {r[1]}" for r in REFUSED]
)
def test_what_is_no_turn_is_refused_in_a_sentence(where: str, text: str, error: str, code: str, words: str) -> None:
    with pytest.raises(getattr(rules, error)) as caught:
        read_turn(text, position(where))
    assert caught.value.code == code
    assert words in caught.value.sentence
    assert caught.value.sentence.isprintable()


@pytest.mark.parametrize(("where", "text"), [row[:2] for row in REFUSED if row[2] == "AmbiguousTurn"])
def test_each_choice_says_one_turn(where: str, text: str) -> None:
    with pytest.raises(AmbiguousTurn) as caught:
        read_turn(text, position(where))
    choices = caught.value.parameters["choices"]
    assert isinstance(choices, list)
    assert len(choices) > 1
    start = position(where)
    assert [write_turn(read_turn(choice, start), start) for choice in choices] == choices


@pytest.mark.parametrize("text", ["build g1 " * 300, "pass;" * 41])
def test_endless_texts_are_refused(text: str) -> None:
    with pytest.raises(rules.InvalidTurn, match="at most"):
        read_turn(text, position("early"))


def test_different_ways_to_the_same_end_are_one_turn() -> None:
    start = position("three")
    either_red = read_turn("capture r1 Sol; catastrophe Sol red", start)
    assert either_red in [
        (Capture(Piece.parse("r1"), owner, "Sol"), rules.homeworlds.Catastrophe("Sol", Color.RED))
        for owner in (Seat.EAST, Seat.SOUTH)
    ]


def test_a_turn_in_the_making_is_carried_on() -> None:
    turn = begin(position("early"))
    for text in ("sacrifice g3 South", "build g Sol", "pass"):
        turn = turn.play(read_turn(text, turn)[len(turn.steps) :])
    assert write_turn(turn.steps, turn.start.position()) == "sacrifice g3 South; build g2 Sol; pass"


def test_options_decide_what_is_asked() -> None:
    start = position("crowd")
    allowed = Options(self_elimination=SelfElimination.ALLOWED)
    turn = read_turn("move g3 South Sol", start, allowed)
    assert write_turn(turn, start, allowed) == "move g3 South Sol"
    with pytest.raises(rules.IllegalTurn, match="forbids"):
        read_turn("move g3 South Sol *", start, Options(self_elimination=SelfElimination.FORBIDDEN))


def test_a_home_of_one_star_where_it_is_allowed() -> None:
    start, handicap = position("set-up"), rules.homeworlds.HANDICAP
    turn = read_turn("homeworld B3 - G2", start, handicap)
    assert turn == (Homeworld((Piece.parse("b3"),), Piece.parse("g2"), "South"),)
    assert write_turn(turn, start, handicap) == "homeworld b3 g2 South"


def test_the_writer_alone_names_every_owner() -> None:
    capture = Capture(Piece.parse("r1"), Seat.EAST, "Sol")
    assert write_step(capture) == write_turn((capture,)) == "capture r1E Sol"
    assert write_step(capture, begin(position("three"))) == "capture r1E Sol"


def test_nothing_done_is_written_as_a_pass() -> None:
    assert write_turn((), position("early")) == "pass"


def test_what_is_illegal_cannot_be_written() -> None:
    with pytest.raises(rules.IllegalTurn, match="smallest"):
        write_turn((Build(Piece.parse("g3"), "Sol"),), position("early"))


@st.composite
def turns(draw: st.DrawFn) -> PartialTurn:
    """A legal turn of some steps in one of the positions."""
    turn = begin(position(draw(st.sampled_from(sorted(POSITIONS)))))
    for _ in range(draw(st.integers(1, 4))):
        steps = list(islice(turn.legal_steps(), 300))
        if not steps:
            break
        step = draw(st.sampled_from(steps))
        if isinstance(step, Discover):
            names = st.sampled_from(["g2", "blue", "at", "Vega!", "B1'", "2", "pass"])
            step = Discover(step.piece, step.origin, step.star, draw(names))
            if turn.system(step.name):
                break
        turn = turn.apply(step)
    return turn


@given(turns())
def test_whatever_is_written_is_read_as_the_same(turn: PartialTurn) -> None:
    start = turn.start.position()
    if turn.steps:
        assert read_turn(write_turn(turn.steps, start), start) == turn.steps


@given(st.sampled_from([row[2] for row in READ]).flatmap(spoilt) | st.text(), st.sampled_from(sorted(POSITIONS)))
def test_any_text_is_read_or_refused_in_a_sentence(text: str, where: str) -> None:
    start, refusal = position(where), ""
    try:
        turn = read_turn(text, start)
    except RulesError as error:
        refusal = error.sentence
    assert refusal.isprintable()
    assert refusal or read_turn(write_turn(turn, start), start) == turn
