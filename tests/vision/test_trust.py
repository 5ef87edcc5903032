"""Confidence as it turned out to be: the curve never falls, and what it takes or gives the other readings share."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.fusing import trust
from vision.fusing.judging import KINDS, judge

CURVE = Path(trust.__file__).with_name(trust.FILE)


def test_the_curve_rises_between_doubt_and_certainty() -> None:
    points = np.array(json.loads(CURVE.read_text(encoding="utf-8"))["piece"])
    assert (np.diff(points, axis=0) > 0).all()
    assert points.min() >= 0
    assert points.max() < 1


@given(st.integers(0, 10_000), st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 1))
def test_confidence_and_other_readings_stay_one_whole(seed: int, lying: float, south: float, there: float) -> None:
    kinds = np.random.default_rng(seed).dirichlet(np.full(len(KINDS), 0.3))
    before = judge(kinds, int(kinds.argmax()), lying, south, there)
    after = trust.trusted(before)
    assert 0 <= after.confidence <= 1
    assert sum((after.confidence, *(other.probability for other in after.alternatives))) <= 1 + 1e-6
    assert [other.probability for other in after.alternatives] == sorted(
        (other.probability for other in after.alternatives), reverse=True
    )
    assert (after.color, after.size, after.posture, after.owner) == (
        before.color,
        before.size,
        before.posture,
        before.owner,
    )


def test_confidence_is_told_as_it_was_reckoned_to_those_who_measure_it() -> None:
    kinds = np.array([0.9, *[0.1 / 11] * 11])
    before = judge(kinds, 0, 0.98, 0.97)
    with trust.as_reckoned():
        assert trust.trusted(before) == before
    assert trust.trusted(before).confidence != before.confidence
