"""The walk through the turns of Homeworlds leaves out only what cannot have been played."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inferring_tables import key, some_turn

from benchmarks.turn_inference import MISREADINGS, Reader
from companion_app.inferring import Certainty, Observation, explain
from companion_app.inferring.contents import content_of, table_print
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.walk import ends_near
from rules import Color, Piece
from rules.homeworlds import Catastrophe, Move, Options, Position, Sacrifice, Turn, begin
from rules.homeworlds.table import Table


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000))
def test_every_legal_turn_is_found_and_none_is_taken_for_another(seed: int) -> None:
    before, after = some_turn(seed)
    judgement = explain(before, Options(), Reader(str(seed)).exact(after))
    found = [key(one.position) for one in (judgement.best, *judgement.rivals) if one.turns]
    assert key(after) in found
    if judgement.verdict is Certainty.CERTAIN:
        assert found[0] == key(after)


def assert_walks_agree(before: Position, seen: Observation) -> set[int]:
    """The ends that explain *seen*, which both walks find."""
    case = SystemsCase(before, Options(), seen)
    aimed = {
        end.key
        for end in ends_near(case.table, case.nearness(case.table.to_move), case.effort)
        if case.corrections.get(end.print)
    }
    assert not case.effort.is_spent
    assert aimed == {end.key for end in ends_near(case.table) if case.corrections.get(end.print)}
    return aimed


@pytest.mark.parametrize("how", MISREADINGS)
def test_a_catastrophe_that_the_last_action_of_a_sacrifice_makes_is_found(how: str) -> None:
    before = Position.parse("<1>; South(0,b1g3)b3y1-; North(1,r1y3)-g3; Sirius(y2)-b1b2r1; Vega(g2)-y2")
    moves = [Move(Piece.parse(code), "Sirius", "South") for code in ("b1", "b2")]
    turn: Turn = (Sacrifice(Piece.parse("y2"), "Vega"), *moves, Catastrophe("South", Color.BLUE))
    after = begin(before).play(turn).end()
    for seed in range(5):
        seen = Reader(str(seed)).misread(after, how)
        assert seen
        assert key(after) in assert_walks_agree(before, seen)


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), how=st.sampled_from(MISREADINGS))
def test_the_aimed_walk_finds_what_the_whole_walk_finds(seed: int, how: str) -> None:
    before, after = some_turn(seed)
    seen = Reader(str(seed)).misread(after, how)
    assert seen
    assert_walks_agree(before, seen)


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000))
def test_prints_tell_tables_apart(seed: int) -> None:
    table = Table.of(some_turn(seed)[0])
    prints = {end.print: end.key for end in ends_near(table)}
    keys = {end.key for end in ends_near(table)}
    homes = [content_of(system) for system in table.systems.values()]
    assert table_print(homes) in prints
    assert len(prints) >= 0.95 * len(keys)  # home and colony may be alike but for the owner
