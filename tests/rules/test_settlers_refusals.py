"""Steps of Settlers that are refused: the code, the ruling, and words that say what would be legal."""

from __future__ import annotations

import pytest
from settlers_boards import (
    BLUE,
    CHAIN,
    CORNER,
    CROWDED,
    EMPTY,
    GREEN,
    NO_GREENS_LEFT,
    RED,
    TWO_GREENS,
    YELLOW,
    P,
    refused,
)

from rules import Color, IllegalTurn
from rules.settlers import (
    Build,
    Choose,
    Conquer,
    Land,
    Move,
    Pass,
    Position,
    Trade,
    Transfer,
    Turn,
    Upgrade,
    begin,
)

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
