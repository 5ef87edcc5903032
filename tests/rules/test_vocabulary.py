"""Pieces, seats, counted pieces, and the error that speaks of them."""

from __future__ import annotations

import copy
import pickle

import pytest
from drawn import handfuls
from hypothesis import given
from hypothesis import strategies as st

from rules import KINDS, Bank, Color, FrozenMap, Piece, RulesError, Seat, Size, full_set, seats_for


def test_the_twelve_kinds_in_order() -> None:
    assert " ".join(piece.code for piece in KINDS) == "r1 r2 r3 y1 y2 y3 g1 g2 g3 b1 b2 b3"
    assert sorted(set(KINDS)) == list(KINDS)
    assert max(KINDS) == Piece(Color.BLUE, Size.LARGE)


@pytest.mark.parametrize("piece", KINDS, ids=str)
def test_a_piece_is_read_in_either_case(piece: Piece) -> None:
    assert Piece.parse(piece.code) == Piece.parse(f" {piece.code.upper()} ") == piece
    assert piece.words == f"{piece.size.word} {piece.color.value}"


@pytest.mark.parametrize("text", ["", "r", "r0", "r4", "x1", "1r", "r11", "r 1", "red", "r٣"])
def test_other_text_is_no_piece(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        Piece.parse(text)
    assert caught.value.code == "piece_unreadable"
    assert caught.value.parameters == {"text": text}
    assert text in str(caught.value) == caught.value.sentence


@pytest.mark.parametrize(("players", "letters"), [(2, "SN"), (3, "NES"), (4, "NESW")])
def test_seats_in_turn_order(players: int, letters: str) -> None:
    assert "".join(seat.letter for seat in seats_for(players)) == letters


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_too_few_or_too_many_players(players: int) -> None:
    with pytest.raises(RulesError, match="two, three or four"):
        full_set(players)


def test_opposite_seats() -> None:
    assert [seat.opposite for seat in Seat] == [Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST]


@pytest.mark.parametrize(
    ("players", "redless", "total", "pips"),
    [(2, False, 36, 72), (3, False, 48, 96), (4, False, 60, 120), (2, True, 27, 54), (3, True, 36, 72)],
)
def test_a_full_set(players: int, redless: bool, total: int, pips: int) -> None:
    whole = full_set(players, redless)
    assert (whole.total, whole.pips) == (total, pips)
    assert {count for piece, count in whole.items() if piece.color is not Color.RED} == {players + 1}
    assert {whole[piece] for piece in KINDS[:3]} == {0 if redless else players + 1}


@given(handfuls())
def test_pieces_taken_out_and_put_back(taken: list[Piece]) -> None:
    rest = full_set() - taken
    assert rest.total == 36 - len(taken)
    assert rest + taken == rest + Bank(taken) == full_set()


@given(handfuls())
def test_banks_are_values(taken: list[Piece]) -> None:
    one, other = full_set() - taken, full_set() - taken[::-1]
    assert one == other == dict(other)
    assert hash(one) == hash(other)
    assert Bank(one.pieces) == one
    assert {one: "found"}[other] == "found"


@given(st.lists(st.sampled_from(KINDS), max_size=60))
def test_what_the_bank_lacks_is_told_apart(wanted: list[Piece]) -> None:
    rest, lacking = full_set().take(wanted)
    assert rest + wanted == full_set() + lacking
    assert all(rest[piece] == 0 or lacking[piece] == 0 for piece in KINDS)


def test_taking_what_is_not_there() -> None:
    green = Piece.parse("g1")
    with pytest.raises(RulesError) as caught:
        full_set() - [green] * 3 - [green]
    assert caught.value.code == "bank_lacks"
    assert caught.value.parameters == {"piece": "g1", "held": 0, "wanted": 1}


def test_a_count_below_nothing() -> None:
    with pytest.raises(RulesError) as caught:
        Bank({Piece.parse("g1"): -1})
    assert caught.value.code == "count_negative"


def test_a_frozen_map_is_a_value() -> None:
    content = {"a": 1}
    frozen = FrozenMap(content)
    content["a"] = 2
    assert frozen == {"a": 1}
    assert hash(frozen) == hash(FrozenMap({"a": 1}))
    assert frozen != FrozenMap({"a": 2})
    assert copy.deepcopy(frozen) == pickle.loads(pickle.dumps(frozen)) == frozen
