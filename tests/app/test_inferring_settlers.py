"""Which turn of Settlers was played: boards are compared field by field."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_app.inferring import Appearance, Certainty, Group, Judgement, Kind, Observation, ObservedPiece, explain
from companion_app.inferring.judging import SURE
from companion_app.reading_types import Game
from companion_app.samples import random_settlers
from rules import Color, Piece, Seat
from rules.settlers import Options, Position, Ship, legal_turns
from rules.settlers.board import FIELDS

EMPTY = "6/6/6/6/6/6 S 0"
BEFORE = "6/3R12/2g2y12/2r1b12/6/3G12 S 3"


def seen(position: Position, doubts: dict[str, tuple[float, Ship]] | None = None, bank: bool = True) -> Observation:
    """The board and bank as they are; on the fields in *doubts* a piece may as well be another."""
    groups = []
    for number, (field, ship) in enumerate(position.board.items()):
        confidence, other = (doubts or {}).get(field, (0.999, ship))
        piece = ObservedPiece.believed(
            number, Appearance(*ship), confidence, {Appearance(*other): 0.999 - confidence}
        )
        groups.append(Group(field, (piece,)))
    return Observation(Game.SETTLERS, tuple(groups), (), position.bank.pieces if bank else ())


def judged(after: str, before: str = BEFORE, earlier: tuple[str, ...] = ()) -> Judgement:
    boards = [Position.parse(line) for line in earlier]
    return explain(Position.parse(before), Options(), seen(Position.parse(after)), earlier=boards)


@pytest.mark.parametrize(
    ("after", "before"),
    [
        ("6/6/6/2g13/6/6 N 1", EMPTY),
        ("6/3R12/1y1g2y12/1y1r1b12/6/3G12 N 4", BEFORE),  # builds twice
        ("6/3R12/2g21y11/2r1b12/6/3G12 N 4", BEFORE),  # moves
        ("6/3R12/2g2y12/2r1g12/6/3G12 N 4", BEFORE),  # trades itself
        ("6/3R12/2g3y12/2r1b12/6/3G12 N 4", BEFORE),  # upgrades a neighbour
    ],
)
def test_legal_turns_are_recorded_without_a_question(after: str, before: str) -> None:
    judgement = judged(after, before)
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
    assert judgement.best.position == Position.parse(after)


@pytest.mark.parametrize(
    ("after", "before", "code", "rule"),
    [
        ("6/6/6/2g23/6/6 N 1", EMPTY, "not_smallest", "S7"),
        ("y15/3R12/2g2y12/2r1b12/6/3G12 S 3", BEFORE, "not_bordering", "S8"),
        ("6/3R12/1y3g2y12/2r1b12/6/3G12 S 3", BEFORE, "not_smallest", "S8"),
        ("6/3r12/2g2y12/2r1b12/6/3G12 S 3", BEFORE, "not_bordering", "S9"),
        ("6/3R12/2g23/2r1b11y1/6/3G12 S 3", BEFORE, "too_far", "S13"),
        ("6/3R12/2g3y22/2r1b12/6/3G12 S 3", BEFORE, "pips_used_up", "S15"),
        ("6/3R12/2g2y12/2r1b12/3Y12/3G12 S 3", BEFORE, "not_to_move", ""),
    ],
)
def test_the_rule_that_is_broken_is_told_and_the_pieces_marked(after: str, before: str, code: str, rule: str) -> None:
    judgement = judged(after, before)
    best = judgement.best
    assert (judgement.verdict, best.kind, best.position) == (Certainty.CERTAIN, Kind.ILLEGAL, Position.parse(before))
    assert best.refusal
    assert (best.refusal.code, best.refusal.rule) == (code, rule)
    fields = list(Position.parse(after).board)
    assert {fields[index] for index in best.marked} == {
        field
        for field, ship in Position.parse(after).board.items()
        if Position.parse(before).board.get(field) != ship
    }


def test_nothing_has_been_played_while_nobody_says_that_the_turn_is_over() -> None:
    before = Position.parse(BEFORE)
    judgement = explain(before, Options(), seen(before), ended=False)
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.UNCHANGED)
    assert (judgement.best.turns, judgement.best.position) == ((), before)


def test_a_piece_in_the_hand_is_a_turn_half_done() -> None:
    assert judged("6/3R12/2g23/2r1b12/6/3G12 S 3").best.kind is Kind.HALF_DONE
    assert judged("6/6/2g2y12/2r1b12/6/3G12 S 3").best.kind is Kind.HALF_DONE


def test_a_pass_two_turns_and_turns_taken_back() -> None:
    passed = judged(BEFORE)
    assert (passed.verdict, passed.best.kind) == (Certainty.CERTAIN, Kind.UNCHANGED)
    assert passed.best.position.to_move is Seat.NORTH
    two = judged("6/3R12/1y1g2y12/2r1b12/3Y12/3G12 S 3").best
    assert (two.kind, len(two.turns), two.position.to_move) == (Kind.SEVERAL, 2, Seat.SOUTH)
    back = judged(BEFORE, "6/3R12/1y1g2y12/2r1b12/6/3G12 N 4", (BEFORE,)).best
    assert (back.kind, back.position) == (Kind.TAKEN_BACK, Position.parse(BEFORE))


def test_nonsense_is_not_explained() -> None:
    assert judged("r1b2g3y1r2b3/6/G1G2Y3R1B1B2/2r1b12/6/3G12 S 3").best.kind is Kind.UNEXPLAINED


def test_legality_settles_a_doubtful_piece_and_asks_where_it_cannot() -> None:
    after = Position.parse("6/3R12/1y1g2y12/2r1b12/6/3G12 N 4")
    blue = Ship(Piece.parse("b1"), Seat.SOUTH)
    settled = explain(
        Position.parse(BEFORE), Options(), seen(after, {"d5": (0.6, Ship(Piece.parse("Y1"), Seat.NORTH))})
    )
    assert (settled.verdict, settled.best.position) == (Certainty.CERTAIN, after)
    doubtful = {"b4": (0.6, blue)}
    told_by_bank = explain(Position.parse(BEFORE), Options(), seen(after, doubtful))
    assert (told_by_bank.verdict, told_by_bank.best.position) == (Certainty.CERTAIN, after)
    asked = explain(Position.parse(BEFORE), Options(), seen(after, doubtful, bank=False))
    assert asked.verdict is Certainty.UNSURE
    assert {Color.YELLOW, Color.BLUE} == {
        one.position.board["b4"].piece.color
        for one in (asked.best, *asked.rivals)
        if isinstance(one.position, Position) and one.kind is Kind.LEGAL and "b4" in one.position.board
    }


def test_what_one_look_alone_tells_is_asked_about_where_the_bank_may_mean_either() -> None:
    """A small blue was traded for a green, or for a yellow: the bank shows one less of either."""
    after = Position.parse("6/3R12/2g2y12/2r1g12/6/3G12 N 4")
    borne_out = seen(after, {"d3": (0.996, Ship(Piece.parse("y1"), Seat.SOUTH))})
    judgement = explain(Position.parse(BEFORE), Options(), borne_out)
    assert (judgement.verdict, judgement.best.position) == (Certainty.CERTAIN, after)
    bank = list(borne_out.bank)
    bank.remove(Piece.parse("y1"))
    either_way = explain(Position.parse(BEFORE), Options(), replace(borne_out, bank=tuple(bank)))
    assert (either_way.verdict, either_way.best.position) == (Certainty.UNSURE, after)
    assert either_way.best.probability > SURE


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_every_legal_turn_is_found(seed: int) -> None:
    before = random_settlers(seed)
    turns = list(islice(legal_turns(before), 500))
    _, after = random.Random(seed).choice(turns)
    judgement = explain(before, Options(), seen(after))
    assert isinstance(judgement.best.position, Position)
    assert judgement.best.position.board == after.board
    assert judgement.best.kind in (Kind.LEGAL, Kind.UNCHANGED)


def test_a_ship_that_nobody_saw_is_not_supposed_on_a_field_that_is_known_to_be_empty() -> None:
    """North built from e5; had he built on f4 first, from e4, and gone on from e5, one more ship would lie there."""
    before = Position.parse("5Y2/3Y1G1G1/3G2G21/3G2y1Y2/3g1y11/6 N 17")
    after = Position.parse("4B1Y2/3Y1G1G1/3G2G21/3G2y1Y2/3g1y11/6 S 18")
    read = seen(after, bank=False)
    free = frozenset(field for field in FIELDS if field not in after.board)
    for empty, supposed in ((frozenset(), True), (free, False), (free - {"f4"}, True)):
        judgement = explain(before, Options(), replace(read, empty=empty))
        assert judgement.best.position == after
        assert any("on f4" in rival.sentence for rival in judgement.rivals) is supposed
        assert (judgement.best.probability > SURE) is not supposed
