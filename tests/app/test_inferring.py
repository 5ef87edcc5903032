"""Which turn of Homeworlds was played: told from the position before and an exact reading after it."""

from __future__ import annotations

import pytest
from inferring_tables import BEFORE, G3, HOMES, SACRIFICED, judged, key

from companion_app.inferring import Certainty, Kind, system_case
from rules import Color, Piece, Seat
from rules.homeworlds import Build, Catastrophe, Move, Position, Sacrifice, Trade, Turn, begin


@pytest.mark.parametrize(
    ("after", "step"),
    [
        ("South(0,b3y2)g1g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-", Build(Piece.parse("g1"), "South")),
        ("South(0,b3y2)r3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-", Trade(G3, "South", Color.RED)),
        ("South(0,b3y2)g3-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-; New(r1)y2-", None),
    ],
)
def test_legal_turns_are_recorded_without_a_question(after: str, step: object) -> None:
    judgement = judged(f"<1>; {after}")
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
    assert key(judgement.best.position) == key(Position.parse(f"<1>; {after}"))
    assert step in (None, *judgement.best.turns[0])


def test_a_pass_and_nothing_yet() -> None:
    judgement = judged(BEFORE)
    assert (judgement.verdict, judgement.best.kind, judgement.best.turns) == (
        Certainty.CERTAIN,
        Kind.UNCHANGED,
        ((),),
    )
    assert judgement.best.position == Position.parse(BEFORE.replace("<0>", "<1>"))
    empty = judged("<0>", "<0>")
    assert (empty.best.kind, empty.best.turns) == (Kind.UNCHANGED, ())
    assert empty.best.refusal
    assert empty.best.refusal.code == "pass_at_set_up"


def test_a_home_is_set_up() -> None:
    judgement = judged("<1>; South(0,b3y1)g3-", "<0>")
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
    assert judgement.best.position == Position.parse("<1>; South(0,b3y1)g3-")


@pytest.mark.parametrize(
    ("after", "before"),
    [
        (f"{HOMES}; Sirius(g2)y2-; Vega(b2)g1-; New(b1)-", BEFORE),  # the star is there, the ship not yet
        ("South(0,b3y2)g3-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-; New(b1)-", BEFORE),  # in the hand
        (f"{HOMES}; Sirius(g2)-; Vega(b2)g1-", BEFORE),
        ("South(0,b3y2)g3-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-", BEFORE),  # or a sacrifice
        ("South(0,b3y1)-", "<0>"),
    ],
)
def test_half_done_turns_are_half_done_and_not_illegal(after: str, before: str) -> None:
    amid = judged(f"<0>; {after}", before, ended=False, bank=False)
    assert amid.best.kind is Kind.HALF_DONE
    ended = judged(f"<0>; {after}", before, bank=False)
    assert ended.best.kind is Kind.HALF_DONE or ended.verdict is Certainty.UNSURE


def test_a_sacrifice_whose_actions_are_not_used_is_whole_once_the_turn_is_over() -> None:
    best = judged(SACRIFICED).best
    assert (best.kind, best.turns) == (Kind.LEGAL, ((Sacrifice(Piece.parse("y2"), "South"),),))
    assert best.position.to_move is Seat.NORTH
    assert best.probability > 0.9  # hardly anybody does so: it may be asked about


def test_a_sacrifice_is_half_done_while_nobody_says_that_the_turn_is_over() -> None:
    before = "<0>; South(0,b3y2)g2g3y1-; North(1,r1g2)-g3; Vega(b2)g1-"
    after = "<0>; South(0,b3y2)g1g3y1-; North(1,r1g2)-g3; Vega(b2)g1-"
    amid = judged(after, before, ended=False)
    assert (amid.verdict, amid.best.kind, amid.best.turns) == (Certainty.CERTAIN, Kind.HALF_DONE, ())
    assert amid.best.position == Position.parse(before)
    over = judged(after, before)
    assert (over.verdict, over.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
    assert over.best.turns == ((Sacrifice(Piece.parse("g2"), "South"), Build(Piece.parse("g1"), "South")),)


def test_an_unchanged_table_is_no_pass_while_nobody_says_that_the_turn_is_over() -> None:
    judgement = judged(BEFORE, ended=False)
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.UNCHANGED)
    assert (judgement.best.turns, judgement.best.position) == ((), Position.parse(BEFORE))


def test_an_action_that_only_a_catastrophe_makes_possible_is_found() -> None:
    """Nobody can move anywhere before the small star of South's home is gone."""
    before = "<0>; South(0,b1g2)b2b3b3y1g3-; North(1,r1y2)-g3; Sirius(r1)y2-"
    turn: Turn = (Catastrophe("South", Color.BLUE), Move(Piece.parse("y1"), "South", "Sirius"))
    judgement = judged(begin(Position.parse(before)).play(turn).end().line, before)
    assert (judgement.verdict, judgement.best.turns) == (Certainty.CERTAIN, (turn,))


def test_a_search_that_was_given_up_is_never_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    after = BEFORE.replace("g3y2-; North", "g1g3y2-; North")
    assert judged(after).verdict is Certainty.CERTAIN
    monkeypatch.setattr(system_case, "WIDEST", 1)
    given_up = judged(after)
    assert (given_up.verdict, given_up.best.kind) == (Certainty.UNSURE, Kind.LEGAL)


def test_a_home_that_is_given_up_is_asked_about() -> None:
    before = "<1>; South(0,y1g2)g3b1-; North(1,r2y1)-g3; Vega(y3)-g2"
    judgement = judged("<0>; South(0,y1g2)g3b1-; Vega(y3)-g2g3", before)
    assert (judgement.verdict, judgement.best.kind) == (Certainty.UNSURE, Kind.LEGAL)
    assert judgement.best.turns == ((Move(G3, "North", "Vega"),),)


def test_several_turns_at_once() -> None:
    two = judged("<0>; South(0,b3y2)g1g3y2-; North(1,r1g2)-g1g3; Sirius(g2)y2-; Vega(b2)g1-").best
    assert (two.kind, len(two.turns), two.position.to_move) == (Kind.SEVERAL, 2, Seat.SOUTH)
    three = judged("<1>; South(0,b3y2)g1y1g3y2-; North(1,r1g2)-g1g3; Sirius(g2)y2-; Vega(b2)g1-").best
    assert (three.kind, len(three.turns), three.position.to_move) == (Kind.SEVERAL, 3, Seat.NORTH)


def test_turns_are_taken_back_and_played_otherwise() -> None:
    before = "<1>; South(0,b3y2)g1g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-"
    back = judged(BEFORE, before, (BEFORE,)).best
    assert (back.kind, back.turns, back.position) == (Kind.TAKEN_BACK, (), Position.parse(BEFORE))
    after = "<1>; South(0,b3y2)g3y2-; North(1,r1g2)-g3; Sirius(g2)y1y2-; Vega(b2)g1-"
    otherwise = judged(after, before, (BEFORE,)).best
    assert (otherwise.kind, otherwise.turns) == (Kind.TAKEN_BACK, ((Build(Piece.parse("y1"), "Sirius"),),))
    assert otherwise.position == Position.parse(after)


def test_the_same_turn_played_again_is_no_other_one() -> None:
    """An unchanged table is a pass, though the last turn may have been taken back and played once more."""
    before = "<1>; South(0,b3y2)g1g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-"
    passed = judged(before, before, (BEFORE,))
    assert passed.best.kind is Kind.UNCHANGED
    assert passed.best.probability == pytest.approx(judged(before, before).best.probability, abs=1e-6)


def test_nonsense_is_not_explained() -> None:
    nonsense = judged("<0>; South(0,r3r2)g1y2-; North(1,b1b2)-y3; Sirius(y1)y2-; Vega(b2)r1-")
    assert (nonsense.verdict, nonsense.best.kind) == (Certainty.UNSURE, Kind.UNEXPLAINED)


def test_a_recapture_is_no_take_back() -> None:
    start = f"<0>; {HOMES}; Sirius(r3)r1-b1r1"
    captured = f"<1>; {HOMES}; Sirius(r3)b1r1-r1"
    assert judged(captured, start).best.kind is Kind.LEGAL
    recaptured = judged(start, captured, (start,))
    assert (recaptured.verdict, recaptured.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
