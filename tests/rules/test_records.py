"""Game files: what they look like, that they hold everything, and how broken ones are refused."""

from __future__ import annotations

from itertools import pairwise

import pytest
from drawn import spoilt
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

from rules import RulesError, Seat, Termination, homeworlds, seats_for
from rules.records import SPECIAL_TURNS, GameKind, Record, RecordedTurn, Result, read_record, write_record

TEXT = """Game: homeworlds
Players: North, South
Option: home_stars = 1, 2
Option: victory = last standing
Start: <1>; South(0,r2b1)g3-; North(1,y1b3)-g3
Result: South wins by direct assault

1. North: build g1 North
2. South: sacrifice g3 South; build g1 South *
3. South: resign
"""
RECORD = Record(
    GameKind.HOMEWORLDS,
    (Seat.NORTH, Seat.SOUTH),
    (
        RecordedTurn(Seat.NORTH, "build g1 North"),
        RecordedTurn(Seat.SOUTH, "sacrifice g3 South; build g1 South *"),
        RecordedTurn(Seat.SOUTH, "resign"),
    ),
    (("home_stars", "1, 2"), ("victory", "last standing")),
    "<1>; South(0,r2b1)g3-; North(1,y1b3)-g3",
    Result(Termination.DIRECT_ASSAULT, (Seat.SOUTH,)),
)

seats = st.integers(2, 4).map(seats_for).flatmap(st.permutations).map(tuple)
plain = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=30).map(str.strip)
words = plain.filter(lambda text: text.isprintable() and text != "")
option_names = st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record that can be written."""
    players = draw(seats)
    turn = st.builds(RecordedTurn, st.sampled_from(players), words | st.sampled_from(SPECIAL_TURNS))
    winners = st.lists(st.sampled_from(players), max_size=len(players), unique=True).map(tuple)
    return Record(
        draw(st.sampled_from(GameKind)),
        players,
        tuple(draw(st.lists(turn, max_size=5))),
        tuple(draw(st.dictionaries(option_names, words, max_size=3)).items()),
        draw(st.just("") | words),
        draw(st.none() | st.builds(Result, st.sampled_from(Termination), winners)),
    )


def test_what_a_record_looks_like() -> None:
    assert write_record(RECORD) == TEXT
    assert read_record(TEXT) == RECORD


def test_what_stands_in_place_of_a_turn() -> None:
    assert [turn.is_special for turn in RECORD.turns] == [False, False, True]
    assert set(SPECIAL_TURNS) == {special.value for special in homeworlds.Special}


@given(records())
def test_whatever_is_written_is_read_as_the_same(record: Record) -> None:
    assert read_record(write_record(record)) == record


@given(spoilt(TEXT) | st.text())
def test_one_text_for_each_record(text: str) -> None:
    refusal = ""
    try:
        record = read_record(text)
    except RulesError as error:
        refusal = error.sentence
        line = error.parameters["line"]
    assert refusal.isprintable()
    assert refusal.startswith(f"Line {line}: ") if refusal else write_record(record) == text


@pytest.mark.parametrize(("text", "line", "code", "said"), rows("record_errors.tsv"))
def test_what_is_no_record_is_refused_with_its_line(text: str, line: str, code: str, said: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_record(text.replace("\\n", "\n"))
    assert (caught.value.code, caught.value.parameters["line"]) == (code, int(line))
    assert said in caught.value.sentence


@pytest.mark.parametrize(
    "record",
    [
        Record(GameKind.SETTLERS, (Seat.SOUTH, Seat.NORTH), (RecordedTurn(Seat.SOUTH, "pass\n2. North: pass"),)),
        Record(GameKind.SETTLERS, (Seat.SOUTH, Seat.NORTH), (RecordedTurn(Seat.SOUTH, " pass"),)),
        Record(GameKind.SETTLERS, (Seat.SOUTH, Seat.NORTH), options=(("redless", "yes\nOption: a = b"),)),
        Record(GameKind.SETTLERS, (Seat.SOUTH,)),
    ],
)
def test_what_a_file_cannot_hold_is_not_written(record: Record) -> None:
    with pytest.raises(RulesError):
        write_record(record)


def test_the_headers_have_one_order() -> None:
    header, turns = TEXT.split("\n\n")
    lines = header.split("\n")
    for number, (one, other) in enumerate(pairwise(lines)):
        if one.split(":")[0] != other.split(":")[0]:
            swapped = [*lines[:number], other, one, *lines[number + 2 :]]
            with pytest.raises(RulesError, match=f"Line {number + 2}: .* comes too late"):
                read_record("\n".join(swapped) + "\n\n" + turns)
