"""Positions of Homeworlds: their line, their bank, and what speaks against them."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
from drawn import homeworlds_positions, spoilt
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

from rules import Piece, RulesError, Seat, full_set
from rules.homeworlds import Position, System

ARCHIVE = Path(__file__).parents[2].parent / "shared" / "games"
LINE = "<1>; South(0,r2b1)g3-; North(1,y1b3)-g3; Sirius(g3)g1-y1"


@pytest.mark.parametrize(("what", "written", "canonical"), rows("homeworlds_lines.tsv"))
def test_the_reader_is_lenient_and_the_writer_strict(what: str, written: str, canonical: str) -> None:
    position = Position.parse(written)
    assert position.line == str(position) == canonical, what
    assert Position.parse(canonical) == position


@pytest.mark.parametrize(("line", "code"), rows("homeworlds_errors.tsv"))
def test_a_line_that_cannot_be_read(line: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        Position.parse(line)
    assert caught.value.code == code
    assert caught.value.sentence.isprintable()


@pytest.mark.parametrize("row", rows("homeworlds_findings.tsv"), ids=lambda row: str(row[0]))
def test_what_speaks_against_a_position(row: list[str]) -> None:
    findings = Position.parse(row[0]).status()
    if row[1] == "none":
        assert findings == ()
    else:
        severity, code, words = row[1:]
        assert [(finding.severity.value, finding.code) for finding in findings] == [(severity, code)]
        assert words in findings[0].sentence


def test_several_findings_at_once() -> None:
    position = Position.parse("<0>; A(r1r2r3)-; B(0,y1y2)g1-; C(0,b1b2)-g2")
    assert {finding.code for finding in position.status()} == {
        "two_homes",
        "no_home",
        "too_many_stars",
        "star_without_ship",
        "home_without_ship",
    }


@given(homeworlds_positions())
def test_lines_round_trip(position: Position) -> None:
    assert Position.parse(position.line) == position


@given(homeworlds_positions(), st.data())
def test_order_does_not_matter(position: Position, data: st.DataObject) -> None:
    systems = data.draw(st.permutations(position.systems))
    shuffled = Position(systems, position.to_move, position.players)
    assert shuffled == position
    assert hash(shuffled) == hash(position)
    assert shuffled.line == position.line


@given(homeworlds_positions())
def test_table_and_bank_make_the_full_set(position: Position) -> None:
    assert position.bank + position.pieces == full_set(position.players)
    assert position.surplus.total == 0
    assert "too_many_of_a_kind" not in {finding.code for finding in position.status()}


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
    position = Position.parse("<0>; South(0,r1r1)r1r1-")
    assert position.bank[Piece.parse("r1")] == 0
    assert position.surplus.pieces == (Piece.parse("r1"),)
    assert position.bank + position.pieces == full_set() + position.surplus


def test_names_belong_to_a_position() -> None:
    assert Position.parse("<0>; Sirius(g3)g1-") != Position.parse("<0>; Vega(g3)g1-")


def test_homes_are_found_by_their_owner() -> None:
    position = Position.parse(LINE)
    assert [home.name for home in position.homes(Seat.NORTH)] == ["North"]
    assert position.to_move is Seat.NORTH


def test_an_empty_table_of_three_needs_to_be_told() -> None:
    position = Position(players=3)
    assert position.line == "<0>"
    assert Position.parse("<0>", players=3) == position != Position.parse("<0>")
    assert position.to_move is Seat.NORTH


def test_positions_can_be_copied_and_pickled() -> None:
    position = Position.parse(LINE)
    assert copy.deepcopy(position) == pickle.loads(pickle.dumps(position)) == position


@pytest.mark.parametrize(
    ("systems", "to_move"),
    [
        ([], Seat.EAST),
        ([System("Sol", Seat.WEST, [])], Seat.SOUTH),
        ([System("Sol", None, [], {Seat.EAST: [Piece.parse("g1")]})], Seat.SOUTH),
    ],
)
def test_nobody_sits_there(systems: list[System], to_move: Seat) -> None:
    with pytest.raises(RulesError, match=r"Nobody sits (East|West) when 2 play: the seats are South, North\."):
        Position(systems, to_move)


@pytest.mark.parametrize("file", ["perft1.tsv", "win_in_one.tsv"])
def test_archived_positions_round_trip(file: str) -> None:
    if not (ARCHIVE / file).exists():
        pytest.skip(f"no archived games here: {file} is absent")
    lines = (ARCHIVE / file).read_text(encoding="utf-8").splitlines()[1:]
    assert lines
    for line in lines:
        text = line.split("\t")[-1]
        position = Position.parse(text)
        assert Position.parse(position.line) == position
        assert sorted(position.line.split("; ")) == sorted(text.split("; "))
        assert not [found for found in position.status() if found.severity == "impossible"], text
