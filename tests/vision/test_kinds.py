"""Kinds of all pieces together: against every reading there is, on small tables."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.fusing.kinds import FLOOR, best_readings, marginals
from vision.solids import Array


def every_reading(probabilities: Array, limits: list[int]) -> list[tuple[float, tuple[int, ...]]]:
    """All readings within the limits with their costs, the likeliest first."""
    pieces, kinds = probabilities.shape
    costs = -np.log(np.maximum(probabilities, FLOOR))
    found = []
    for reading in product(range(kinds), repeat=pieces):
        if all(reading.count(kind) <= limits[kind] for kind in range(kinds)):
            found.append((float(sum(costs[piece, kind] for piece, kind in enumerate(reading))), reading))
    return sorted(found)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(2, 4))
def test_the_likeliest_readings_in_order(seed: int, pieces: int, kinds: int) -> None:
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.full(kinds, 0.5), pieces)
    limits = [int(limit) for limit in rng.integers(1, 4, kinds)]
    if sum(limits) < pieces:
        limits[0] = pieces
    wanted = every_reading(probabilities, limits)
    found = best_readings(probabilities, limits, len(wanted) + 5)
    within = [reading for reading in found if -1 not in reading.kinds]
    assert [reading.cost for reading in within] == pytest.approx([cost for cost, _ in wanted])
    assert len({reading.kinds for reading in found}) == len(found)


def test_a_fourth_of_three_is_the_one_that_looks_least_like_it() -> None:
    probabilities = np.array([[0.95, 0.05]] * 3 + [[0.6, 0.4]])
    (best,) = best_readings(probabilities, [3, 3], 1)
    assert best.kinds == (0, 0, 0, 1)


def test_a_piece_beyond_the_set_is_left_over() -> None:
    (best,) = best_readings(np.array([[1.0], [1.0]]), [1], 1)
    assert sorted(best.kinds) == [-1, 0]


def test_marginals_sum_to_one_and_respect_the_set() -> None:
    probabilities = np.array([[0.7, 0.3], [0.7, 0.3]])
    shares = marginals(best_readings(probabilities, [1, 2], 10), 2)
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    assert shares[:, 0].sum() <= 1 + 1e-9
    assert shares[0, 0] == pytest.approx(0.7 * 0.3 / (0.7 * 0.3 * 2 + 0.3 * 0.3))


def test_without_pieces_there_is_one_reading_with_none() -> None:
    assert [reading.kinds for reading in best_readings(np.zeros((0, 12)), [3] * 12, 24)] == [()]
