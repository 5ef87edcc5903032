"""Each field of a board has one ship at the most: what else is told there speaks against each."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.finding.board import SIDE
from vision.finding.board_camera import fields_to_mm
from vision.finding.board_lattice import apply
from vision.fusing.own_field import NOWHERE, SURE, fields_of, one_on_each, others_there
from vision.fusing.rivals import NOBODY
from vision.poses import Pose
from vision.solids import Posture, Size

FIELD = 34.29


def ship(file: float, rank: float, size: Size = Size.MEDIUM, posture: Posture = Posture.LYING) -> Pose:
    """With the middle of its footprint in the middle of a field, or so far beside it."""
    there = Pose(size, posture, 0.0, 0.0, 90.0)
    x, y = apply(fields_to_mm(FIELD), np.array([[file + 0.5, rank + 0.5]]))[0] - there.footprint().mean(0)
    return Pose(size, posture, float(x), float(y), 90.0)


@given(st.integers(0, 5), st.integers(0, 5), st.sampled_from(list(Size)), st.floats(-0.4, 0.4), st.floats(-0.4, 0.4))
def test_a_ship_is_on_the_field_of_its_middle(file: int, rank: int, size: Size, aside: float, ahead: float) -> None:
    assert fields_of([ship(file + aside, rank + ahead, size)], FIELD).tolist() == [SIDE * file + rank]


def test_what_stands_or_lies_elsewhere_is_on_no_field() -> None:
    poses = [ship(2, 2, posture=Posture.UPRIGHT), ship(-1, 3), ship(6, 0), ship(3, -2), None]
    assert fields_of(poses, FIELD).tolist() == [NOWHERE] * 5
    assert fields_of([], FIELD).shape == (0,)


def test_the_likeliest_other_one_on_a_field_speaks_against_each() -> None:
    poses = [ship(1, 1), ship(1.1, 0.9), ship(0.9, 1.2), ship(4, 4), None, ship(1, 1, posture=Posture.UPRIGHT)]
    logits = np.array([2.0, 1.0, -20.0, 3.0, 4.0, 5.0])
    assert others_there(poses, logits, FIELD).tolist() == [1.0, 2.0, 2.0, NOBODY, 0.0, 0.0]


def test_where_there_is_no_board_no_field_is_shared() -> None:
    assert others_there([ship(1, 1), ship(1, 1)], np.array([2.0, 1.0]), None).tolist() == [0.0, 0.0]
    assert others_there([], np.zeros(0), FIELD).shape == (0,)


def test_a_ship_told_in_several_ways_is_as_likely_there_as_all_of_them() -> None:
    fields = np.array([7, 7, 7, 8, NOWHERE, NOWHERE])
    told = one_on_each(fields, np.array([0.3, 0.4, 0.2, 0.3, 0.3, 0.6]))
    np.testing.assert_allclose(told, [0.0, 0.9, 0.0, 0.3, 0.3, 0.6])


@given(st.lists(st.tuples(st.sampled_from([NOWHERE, 0, 1, 35]), st.floats(0, 1)), max_size=12))
def test_on_each_field_one_is_left_and_none_becomes_less_likely_by_that(told: list[tuple[int, float]]) -> None:
    fields = np.array([field for field, _ in told], dtype=np.intp)
    chances = np.array([chance for _, chance in told])
    together = one_on_each(fields, chances)
    np.testing.assert_array_equal(together[fields == NOWHERE], chances[fields == NOWHERE])
    for field in set(fields[fields != NOWHERE].tolist()):
        before, after = chances[fields == field], together[fields == field]
        assert (after > 0).sum() <= 1
        assert before.max() <= after.max() <= max(before.max(), SURE)
        assert after.max() <= before.sum() + 1e-12
