"""Turns of real games inferred from positions: a seeded sample of benchmarks.turn_inference."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from benchmarks.turn_inference import GAMES, MISREADINGS, Reader, Tally, judge, turns_of

TURNS = 60

pytestmark = pytest.mark.skipif(not GAMES.is_dir(), reason=f"the games are not in {GAMES}")


def sample(seed: str) -> Tally:
    """What becomes of some turns, read exactly where *seed* says so, and otherwise with a piece misread."""
    dice = random.Random(seed)
    tally = Tally()
    paths = sorted(GAMES.glob("*.txt"))
    while tally.results.total() < TURNS:
        turn = dice.choice(list(turns_of(dice.choice(paths))))
        reader = Reader(f"{seed} {dice.random()}")
        position = turn.after.position()
        seen = reader.exact(position) if seed == "exact" else reader.misread(position, dice.choice(MISREADINGS))
        if seen:
            judge(turn, seen, tally)
    return tally


def test_exact_readings_need_no_question() -> None:
    tally = sample("exact")
    assert tally.wrong == []
    assert tally.results["sure"] >= TURNS - 1
    assert tally.results["sure"] + tally.results["first"] == TURNS


def test_misread_pieces_make_questions_and_never_wrong_records() -> None:
    results: Counter[str] = sample("misread").results
    assert results["silent"] == results["refused"] == 0
    assert results["lost"] <= 1
    assert results["sure"] + results["first"] >= 0.9 * TURNS
