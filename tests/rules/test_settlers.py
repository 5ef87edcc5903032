"""Positions of Homeworlds Settlers: their line, their bank, what speaks against them, and the score."""

from __future__ import annotations

import copy
import pickle

import pytest
from drawn import settlers_positions, spoilt
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

from rules import Piece, RulesError, Seat, full_set
from rules.settlers import FIELDS, Placement, Position, Reason, Ship, field_of, score, status_of

LINE = "5B3/6/1g1G23/6/6/r2Y34 N 12"
GREEN, RED = Piece.parse("g1"), Piece.parse("r3")


@pytest.mark.parametrize(("what", "written", "canonical"), rows("settlers_lines.tsv"))
def test_the_reader_is_lenient_and_the_writer_strict(what: str, written: str, canonical: str) -> None:
    position = Position.parse(written)
    assert position.line == str(position) == canonical, what
    assert Position.parse(canonical) == position


@pytest.mark.parametrize(("line", "code"), rows("settlers_errors.tsv"))
def test_a_line_that_cannot_be_read(line: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        Position.parse(line)
    assert caught.value.code == code
    assert caught.value.sentence.isprintable()


def test_where_the_ranks_of_a_line_lie() -> None:
    position = Position.parse("5B3/6/1g1G23/6/6/r2Y34 N 12")
    assert position.board == {
        "a1": Ship(Piece.parse("r2"), Seat.SOUTH),
        "b1": Ship(Piece.parse("y3"), Seat.NORTH),
        "b4": Ship(Piece.parse("g1"), Seat.SOUTH),
        "c4": Ship(Piece.parse("g2"), Seat.NORTH),
        "f6": Ship(Piece.parse("b3"), Seat.NORTH),
    }
    assert (position.to_move, position.quiet_turns) == (Seat.NORTH, 12)


@pytest.mark.parametrize("row", rows("settlers_findings.tsv"), ids=lambda row: str(row[0]))
def test_what_speaks_against_a_position(row: list[str]) -> None:
    findings = Position.parse(row[0], redless=row[1] == "yes").status()
    if row[2] == "none":
        assert findings == ()
    else:
        severity, code, words = row[2:]
        assert [(finding.severity.value, finding.code) for finding in findings] == [(severity, code)]
        assert words in findings[0].sentence


def test_a_field_named_twice_is_reported() -> None:
    seen = [Placement("C4", GREEN, Seat.SOUTH), Placement("c4", RED, Seat.NORTH), Placement("a1", GREEN, Seat.NORTH)]
    (finding,) = status_of(seen)
    assert finding.code == "field_twice"
    assert finding.sentence == "2 pieces are on c4 (small green, large red): a field holds only one."
    assert Position.of(seen).board["c4"] == Ship(GREEN, Seat.SOUTH)
    assert Position.of(seen).status() == ()


def test_hidden_doubles_still_count_as_pieces() -> None:
    seen = [Placement(field, GREEN, Seat.SOUTH) for field in ("a1", "a1", "b1", "b2")]
    assert {finding.code for finding in status_of(seen)} >= {"too_many_of_a_kind", "field_twice"}


@given(settlers_positions())
def test_lines_round_trip(position: Position) -> None:
    again = Position.parse(position.line, position.redless)
    assert again == position
    assert hash(again) == hash(position)


@given(settlers_positions())
def test_placements_round_trip(position: Position) -> None:
    again = Position.of(position.placements[::-1], position.to_move, position.quiet_turns, position.redless)
    assert again == position
    assert status_of(position.placements, position.quiet_turns, position.redless) == position.status()


@given(settlers_positions())
def test_board_and_bank_make_the_full_set(position: Position) -> None:
    assert position.bank + position.pieces == position.full_set == full_set(redless=position.redless)
    assert position.bank.total == (27 if position.redless else 36) - len(position.board)
    assert position.surplus.total == 0


@given(spoilt(LINE) | st.text())
def test_any_text_is_read_or_refused_in_a_sentence(line: str) -> None:
    refusal = ""
    try:
        position = Position.parse(line)
    except RulesError as error:
        refusal = error.sentence
    assert refusal.isprintable()
    assert refusal or Position.parse(position.line) == position


def test_a_surplus_leaves_none_in_the_bank() -> None:
    position = Position.parse("6/6/6/6/6/g1g1g1g1R11 S 0", redless=True)
    assert position.bank[GREEN] == 0
    assert position.bank.total == 24
    assert [piece.code for piece in position.surplus.pieces] == ["r1", "g1"]


def test_positions_can_be_copied_and_pickled() -> None:
    position = Position.parse(LINE)
    assert copy.deepcopy(position) == pickle.loads(pickle.dumps(position)) == position


@pytest.mark.parametrize("text", ["", "a", "a0", "a7", "g1", "11", "aa1", "a１"])
def test_fields_the_board_does_not_have(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        field_of(text)
    assert caught.value.code == "field_unknown"
    with pytest.raises(RulesError):
        Position({text: Ship(GREEN, Seat.SOUTH)})


def test_fields_in_order() -> None:
    assert (len(set(FIELDS)), FIELDS[0], FIELDS[1], FIELDS[-1]) == (36, "a1", "a2", "f6")
    assert list(Position({"b1": Ship(GREEN, Seat.SOUTH), "a2": Ship(RED, Seat.SOUTH)}).board) == ["a2", "b1"]


def test_east_and_west_do_not_play() -> None:
    with pytest.raises(RulesError, match="South and North play"):
        Position({"a1": Ship(GREEN, Seat.EAST)})
    with pytest.raises(RulesError, match="South and North play"):
        Position(to_move=Seat.WEST)


def test_turns_are_counted_from_nothing() -> None:
    with pytest.raises(RulesError) as caught:
        Position(quiet_turns=-1)
    assert caught.value.code == "quiet_turns_negative"


@pytest.mark.parametrize(
    ("line", "redless", "beginner", "south", "north", "winner", "reason", "majority"), rows("settlers_scores.tsv")
)
def test_scores(
    line: str, redless: str, beginner: str, south: str, north: str, winner: str, reason: str, majority: str
) -> None:
    result = score(Position.parse(line, redless == "yes"), None if beginner == "-" else Seat(beginner))
    assert (result.south, result.north) == (int(south), int(north))
    assert result.winner == (None if winner == "-" else Seat(winner))
    assert result.reason == Reason(reason)
    assert result.majority == int(majority)
    assert (f"{winner.title()} wins" in result.sentence) == (result.winner is not None)


@pytest.mark.parametrize(
    ("line", "beginner", "sentence"),
    [
        ("6/6/g3Y24/6/6/6 S 0", None, "South wins, 3 points to 2."),
        ("6/6/g1Y14/6/6/6 S 0", Seat.NORTH, "1 point each: South wins the tie, because North began."),
        ("6/6/6/6/6/6 S 0", None, "0 points each: a tie goes to the player who did not begin, so say who began."),
        (
            "r3r3r3y3y3y3/g3g3g3b3b3b3/g15/6/6/6 S 0",
            None,
            "South wins, 37 points to 0: more than 36 of all 72 points, a majority.",
        ),
    ],
)
def test_the_score_in_a_sentence(line: str, beginner: Seat | None, sentence: str) -> None:
    assert score(Position.parse(line), beginner).sentence == sentence


@given(settlers_positions(), st.sampled_from([Seat.SOUTH, Seat.NORTH]))
def test_somebody_always_wins_once_it_is_known_who_began(position: Position, beginner: Seat) -> None:
    result = score(position, beginner)
    assert result.south + result.north == position.full_set.pips - position.bank.pips
    assert result.winner is not None
    assert (result.reason is Reason.TIE_BREAK) == (result.south == result.north)
    assert (result.reason is Reason.MAJORITY) == (max(result.south, result.north) > result.majority)
