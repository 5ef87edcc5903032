"""What confidences are worth: the split, the isotonic fit, bins and the diagram."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.calibrate import FEWEST, curves_of, halves, judged_by_each_other
from benchmarks.curves import LEAST, MOST, calibrated, fit, pooled, worth
from benchmarks.marking import Claim, Marks
from benchmarks.reading_run import Result
from benchmarks.reliability import bins_of, calibration_error
from benchmarks.reliability_diagram import diagram


def test_halves_are_split_by_scene() -> None:
    results = [Result(f"scene {number}", {}, Marks({}), 0.1) for number in range(11)]
    first, second = halves(results, seed=3)
    assert (len(first), len(second)) == (6, 5)
    assert {one.name for one in first} | {one.name for one in second} == {one.name for one in results}
    again, _ = halves(results[::-1], seed=3)
    assert {one.name for one in again} == {one.name for one in first}
    assert {one.name for one in halves(results, seed=4)[0]} != {one.name for one in first}


def test_nobody_is_judged_by_a_curve_of_his_own() -> None:
    """One half is always right and the other never: each is worth what the other was."""
    right, wrong = ([Claim("piece", 0.5, truth)] * FEWEST for truth in (True, False))
    judged = judged_by_each_other(right, wrong)
    share = 1 / (FEWEST + 2)
    assert [claim.right for claim in judged] == [True] * FEWEST + [False] * FEWEST
    assert [claim.confidence for claim in judged] == pytest.approx([share] * FEWEST + [1 - share] * FEWEST, abs=1e-5)
    assert curves_of(right[1:]) == {}


values_and_weights = st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 100)), min_size=1, max_size=60)


@given(values_and_weights)
def test_pooling_rises_and_keeps_the_mean(pairs: list[tuple[float, float]]) -> None:
    values, weights = (np.array(column) for column in zip(*pairs, strict=True))
    steps, lengths = pooled(values, weights)
    assert sum(lengths) == len(values)
    assert all(low < high for low, high in pairwise(steps))
    assert np.repeat(steps, lengths) @ weights == pytest.approx(values @ weights)


claims = st.lists(
    st.builds(
        Claim, st.just("size"), st.sampled_from([0.0, 0.2, 0.5, 0.9, 0.99, 1.0]) | st.floats(0, 1), st.booleans()
    ),
    min_size=1,
    max_size=80,
)


@given(claims, st.floats(0, 1), st.floats(0, 1))
def test_curves_never_fall_and_never_promise_everything(some: list[Claim], one: float, other: float) -> None:
    curve = fit(some)
    assert worth(min(one, other), curve) <= worth(max(one, other), curve)
    assert LEAST <= worth(one, curve) <= MOST
    assert worth(1.0, curve) <= (len(some) + 1) / (len(some) + 2) + 1e-6


def test_a_curve_of_many_claims_tells_their_share() -> None:
    """Raw confidences that promise too much: 99 % is right nine times in ten, 60 % half of the time."""
    some = [Claim("size", 0.99, number % 10 > 0) for number in range(1000)]
    some += [Claim("size", 0.6, number % 2 > 0) for number in range(1000)]
    after = calibrated(some, {"size": fit(some)})
    assert calibration_error(some) == pytest.approx(0.095)
    assert calibration_error(after) < 0.001
    assert calibrated([Claim("color", 0.3, True)], {"size": fit(some)}) == [Claim("color", 0.3, True)]


def test_bins() -> None:
    some = [
        Claim("piece", 1.0, True),
        Claim("piece", 0.999, False),
        Claim("piece", 0.0, False),
        Claim("piece", 0.95, True),
    ]
    bins = bins_of(some)
    assert [(one.count, one.right) for one in bins] == [(1, 0), (1, 1), (2, 1)]
    low, high = bins[-1].interval
    assert 0 < low < 0.5 < high < 1


def test_the_diagram_is_svg_with_counts() -> None:
    some = [Claim("size", 0.97, True)] * 40 + [Claim("reading", 0.5, False)] * 3
    root = ElementTree.fromstring(diagram(some))
    name = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in root.iter(f"{name}text")]
    assert {"size", "reading", "40", "3"} <= set(texts)
    assert [mark.get("fill") for mark in root.iter(f"{name}circle")] == ["white", "#124"]
    assert ElementTree.fromstring(diagram([])).tag == f"{name}svg"
