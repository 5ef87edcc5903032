"""Turns of Homeworlds that nobody may play: which rule they break."""

from __future__ import annotations

import pytest
from inferring_tables import BEFORE, HOMES, judged

from benchmarks.turn_inference import Reader
from companion_app.inferring import Certainty, Kind, explain
from rules import Piece, Seat
from rules.homeworlds import Options, Position

SECOND = f"<0>; {HOMES}; Sirius(g3)r1-y2"
THIRD = f"<0>; {HOMES}; Sirius(g3)g1-y1"


@pytest.mark.parametrize(
    ("after", "before", "code", "rule", "said"),
    [
        (
            f"{HOMES}; Vega(b2)g1y2-",
            BEFORE,
            "not_connected",
            "16",
            "South moves the medium yellow from Sirius",
        ),
        (f"{HOMES}; Sirius(g2)-; Vega(b2)g1y2-", BEFORE, "not_connected", "16", "South moves the medium yellow from"),
        (
            f"{HOMES}; Sirius(g2)r2-; Vega(b2)g1-",
            BEFORE,
            "no_power",
            "14",
            "South trades the medium yellow",
        ),
        (
            f"{HOMES}g1; Sirius(g2)y2-; Vega(b2)g1-",
            BEFORE,
            "not_to_move",
            "24",
            "North builds a small green at North",
        ),
        (
            f"{HOMES}; Sirius(g2)y2-; Vega(b2)g1g2-",
            BEFORE,
            "not_smallest",
            "15",
            "South builds a medium green",
        ),
        (
            f"{HOMES}; Sirius(g2)y2-; Vega(b2)g1r1-",
            BEFORE,
            "no_ship_of_color",
            "15",
            "South builds a small red",
        ),
        (f"{HOMES}; Sirius(g3)r1y2-", SECOND, "too_big", "13", "South captures North's medium yellow at Sirius:"),
        (f"{HOMES}; Sirius(g3)g1y1-", THIRD, "no_power", "14", "South captures North's small yellow at Sirius:"),
        ("South(0,b3y1)g3y1-", "<0>", "first_ship_wrong", "18", "South sets up"),
        (
            f"{HOMES}; New(r2)y2-; Vega(b2)g1-",  # the last ship of Sirius, to a star as large as Sirius itself
            BEFORE,
            "star_size_shared",
            "16",
            "South discovers Altair, a medium red star, with the medium yellow from Sirius:",
        ),
        (
            "South(0,b3y2)g3-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-; New(r3)y2-",
            BEFORE,
            "star_size_shared",
            "16",
            "South discovers Altair, a large red star, with the medium yellow from South:",
        ),
    ],
)
def test_the_rule_that_is_broken_is_told(after: str, before: str, code: str, rule: str, said: str) -> None:
    judgement = judged(f"<0>; {after}", before)
    best = judgement.best
    assert (judgement.verdict, best.kind) == (Certainty.CERTAIN, Kind.ILLEGAL)
    assert best.refusal
    assert (best.refusal.code, best.refusal.rule) == (code, rule)
    assert best.sentence.startswith(said)
    assert best.sentence.endswith(best.refusal.sentence)
    assert best.position == Position.parse(before)


def test_what_broke_the_rule_is_marked() -> None:
    position = Position.parse("<0>; South(0,b3y2)g3y2-; North(1,r1g2)-g3; Vega(b2)g1y2-")
    seen = Reader("marks").exact(position)
    (marked,) = explain(Position.parse(BEFORE), Options(), seen).best.marked
    piece = next(piece for piece in seen.pieces if piece.index == marked)
    group = next(group for group in seen.groups if piece in group.pieces)
    assert piece.read == (Piece.parse("y2"), Seat.SOUTH)
    assert {one.read.piece.code for one in group.pieces} == {"b2", "g1", "y2"}


def test_two_actions_are_one_too_many() -> None:
    best = judged("<0>; South(0,b3y2)g1g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1g1-").best
    assert best.kind is Kind.ILLEGAL
    assert best.refusal
    assert best.refusal.code == "action_used"
