"""Turns of Settlers as text: the reader is lenient, the writer strict, other text is refused in a sentence."""

from __future__ import annotations

import random

import pytest
from drawn import spoilt
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import rows

from rules import AmbiguousTurn, IllegalTurn, InvalidTurn, RulesError
from rules.settlers import Choose, Conquer, Game, Options, PartialTurn, Pass, Position
from rules.settlers.turn_notation import read_turn, write_turn

POSITION = Position.parse("6/6/2g2y12/1b2r1G12/6/6 S 0")
TURNS = [row[1] for row in rows("settlers_turn_texts.tsv")]


@pytest.mark.parametrize(("text", "strict"), rows("settlers_turn_texts.tsv"))
def test_the_reader_is_lenient_and_the_writer_strict(text: str, strict: str) -> None:
    turn = read_turn(text, POSITION)
    assert write_turn(turn, POSITION) == strict
    assert read_turn(strict, POSITION) == turn


@pytest.mark.parametrize(("text", "error", "code"), rows("settlers_turn_text_errors.tsv"))
def test_a_text_that_is_refused(text: str, error: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_turn(text, POSITION)
    assert (type(caught.value).__name__, caught.value.code) == (error, code)
    assert caught.value.sentence.isprintable()


def test_the_choices_of_a_text_that_says_several_turns() -> None:
    with pytest.raises(AmbiguousTurn) as caught:
        read_turn("c5", POSITION)
    assert caught.value.parameters["choices"] == ["G c4: r1 c5", "G c4: y1 c5", "G c4: g1 c5", "G c4: b1 c5"]


def test_several_readings_that_lead_to_the_same_position_are_one() -> None:
    position = Position.parse("6/6/2r1r12/3B12/6/6 S 0")
    assert read_turn("x d3", position) == (Choose("c4"), Conquer("d3"))


def test_an_empty_turn_is_written_as_a_pass() -> None:
    assert write_turn((), POSITION) == "pass"
    assert read_turn("pass", POSITION) == (Pass(),)


def test_a_turn_without_an_action_piece_has_no_text() -> None:
    with pytest.raises(InvalidTurn):
        write_turn((Conquer("d3"),), POSITION)
    with pytest.raises(IllegalTurn):
        write_turn((Choose("a1"),), POSITION)


@pytest.mark.parametrize("text", ["c3, " * 1000, ">" * 2001, "c3:" * 700])
def test_a_text_too_long(text: str) -> None:
    with pytest.raises(InvalidTurn) as caught:
        read_turn(text, POSITION)
    assert caught.value.code == "turn_too_long"


def test_a_text_that_could_be_too_many_turns() -> None:
    four_corners = Position.parse("g2y12y1g3/y14b1/6/6/b14b1/g2y22y2g2 S 0")
    with pytest.raises(InvalidTurn) as caught:
        read_turn("a1: b2 > f1: e2 > a6: b5 > f6: e5", four_corners)
    assert caught.value.code == "turn_too_vague"
    assert read_turn("a1: r b2 > f1: r e2 > a6: r b5 > f6: r e5", four_corners)


@pytest.mark.parametrize("seed", range(20))
def test_turns_round_trip_along_a_game(seed: int) -> None:
    dice = random.Random(seed)
    options = Options(yellow_moves_any=seed % 3 == 0, redless=seed % 4 == 1)
    game = Game(options)
    while game.outcome() is None and len(game.turns) < 40:
        turn = random_turn(game.begin(), dice)
        text = write_turn(turn.steps, game.position)
        assert read_turn(text, game.position, options) == (turn.steps or (Pass(),))
        assert read_turn(f"  {text.upper()} ", game.position, options) == (turn.steps or (Pass(),))
        game.push(turn.steps)


def random_turn(turn: PartialTurn, dice: random.Random) -> PartialTurn:
    """A turn taken step by step, mostly to its last pip."""
    while dice.random() < 0.95 and (steps := list(turn.legal_steps())):
        turn = turn.apply(dice.choice(steps))
    return turn


@settings(max_examples=300)
@given(st.sampled_from(TURNS).flatmap(spoilt) | st.text("rgybx123456acdf:>^=+-,; \n", max_size=60) | st.text())
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    refusal = ""
    try:
        turn = read_turn(text, POSITION)
    except RulesError as error:
        refusal = error.sentence
    assert refusal.isprintable()
    assert refusal or read_turn(write_turn(turn, POSITION), POSITION) == turn
