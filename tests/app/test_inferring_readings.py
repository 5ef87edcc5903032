"""From the reading of a picture to the turn that was played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion_app.inferring import Appearance, Certainty, Kind, Observation, ObservedPiece, explain
from companion_app.inferring.observation import LEAST_DOUBT, LEAST_OF_KNOWN
from companion_app.reading import Reading, ReadPiece, reading_of
from companion_app.reading_types import ReadAlternative
from companion_app.samples import layout_of
from rules import Piece, Seat, homeworlds, settlers
from vision import sight
from vision.sight import Role
from vision.solids import Posture
from vision.virtual import View, photograph

TABLE = "<0>; South(0,b3y2)g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-"
BUILT = "<1>; South(0,b3y2)g1g3y2-; North(1,r1g2)-g3; Sirius(g2)y2-; Vega(b2)g1-"
BOARD = "6/3R12/2g2y12/2r1b12/6/3G12 S 3"
MOVED = "6/3R12/2g21y11/2r1b12/6/3G12 N 4"


def reading_after(line: str) -> Reading:
    """What a faultless reader would read from a picture of a position."""
    game = "settlers" if "/" in line else "homeworlds"
    position = settlers.Position.parse(line) if game == "settlers" else homeworlds.Position.parse(line)
    return reading_of(photograph(layout_of(position), seed=1, view=View.random(1)).truth, game)


@pytest.fixture(scope="module")
def built() -> Reading:
    return reading_after(BUILT)


def test_a_build_is_told_from_a_picture(built: Reading) -> None:
    judgement = explain(homeworlds.Position.parse(TABLE), homeworlds.Options(), Observation.of(built))
    assert (judgement.verdict, judgement.best.kind) == (Certainty.CERTAIN, Kind.LEGAL)
    assert judgement.best.sentence == "South builds a small green at South."
    assert judgement.best.position == homeworlds.Position.parse(BUILT)


def test_a_move_is_told_from_a_picture() -> None:
    seen = Observation.of(reading_after(MOVED))
    judgement = explain(settlers.Position.parse(BOARD), settlers.Options(), seen)
    assert (judgement.verdict, judgement.best.position) == (Certainty.CERTAIN, settlers.Position.parse(MOVED))


def test_an_observation_keeps_the_indices_and_the_bank(built: Reading) -> None:
    seen = Observation.of(built)
    for piece in seen.pieces:
        assert built.pieces[piece.index].code == piece.read.piece.code
    assert len(seen.bank) == sum(piece.role is Role.BANK for piece in built.pieces)
    assert seen.adrift == ()


def test_a_ship_without_a_star_is_adrift_and_goes_where_the_rules_let_it(built: Reading) -> None:
    def adrift(piece: ReadPiece) -> ReadPiece:
        is_new = piece.code == "g1" and piece.role is Role.SHIP and piece.system == 1
        return replace(piece, system=None) if is_new else piece

    seen = Observation.of(replace(built, pieces=tuple(map(adrift, built.pieces))))
    assert [piece.read for piece in seen.adrift] == [Appearance(Piece.parse("g1"), Seat.SOUTH)]
    judgement = explain(homeworlds.Position.parse(TABLE), homeworlds.Options(), seen)
    offered = [one.sentence for one in (judgement.best, *judgement.rivals)]
    assert judgement.verdict is Certainty.UNSURE
    assert "South builds a small green at South." in offered
    assert "South builds a small green at Vega." in offered


def test_a_ship_taken_for_a_new_star_beside_a_system_has_rather_come_there() -> None:
    before = "<0>; South(0,b3y2)g3y2-; North(1,r1g2)-g3; Sirius(g1)y2-; Vega(b2)g1-"
    moved = reading_after("<1>; South(0,b3y2)y2-; North(1,r1g2)-g3; Sirius(g1)g3y2-; Vega(b2)g1-")

    def as_star(piece: ReadPiece) -> ReadPiece:
        if piece.code != "g3" or piece.owner is not sight.Seat.SOUTH:
            return piece
        ship = ReadAlternative(piece.color, piece.size, Posture.LYING, piece.owner, 0.05)
        star = replace(piece, posture=Posture.UPRIGHT, role=Role.STAR, owner=None, system=9)
        return replace(star, confidence=0.945, alternatives=(ship,))

    seen = Observation.of(replace(moved, pieces=tuple(map(as_star, moved.pieces))))
    judgement = explain(homeworlds.Position.parse(before), homeworlds.Options(), seen)
    assert judgement.best.sentence == "South moves the large green from South to Sirius."


def test_beliefs_sum_to_one_and_are_never_quite_sure() -> None:
    look, other = Appearance(Piece.parse("g1"), Seat.SOUTH), Appearance(Piece.parse("y1"), Seat.SOUTH)
    for confidence, second in ((1.0, 0.0), (0.9, 0.05), (0.6, 0.4), (0.0, 0.0), (0.9, 0.9)):
        piece = ObservedPiece.believed(0, look, confidence, {other: second})
        unthought = 36 - len(piece.beliefs)
        total = sum(piece.beliefs.values()) + piece.nothing + unthought * piece.other
        assert total == pytest.approx(1)
        assert piece.beliefs[look] <= 1 - (LEAST_OF_KNOWN if confidence == 1 else LEAST_DOUBT)
        assert min(piece.beliefs[look], piece.nothing, piece.other) > 0


def test_what_nobody_thought_of_is_rather_like_what_was_read() -> None:
    piece = ObservedPiece.believed(0, Appearance(Piece.parse("g1"), Seat.SOUTH), 0.99, {})
    for code, seat in (("r1", Seat.SOUTH), ("g3", Seat.SOUTH), ("g1", Seat.NORTH)):
        assert piece.beliefs[Appearance(Piece.parse(code), seat)] > 10 * piece.other
    assert Appearance(Piece.parse("r3"), Seat.SOUTH) not in piece.beliefs
