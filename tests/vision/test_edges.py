"""Edges in the picture bear out outlines that lie on them, and no others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from simulated_eyes import pictured_table

from vision.eyes.detections import Detections
from vision.fusing.edges import borne_out, with_edges
from vision.fusing.table_fit import TableFit
from vision.solids import Array

SEEDS = range(4)
LARGEST = 1.3  # more than any size of another


def seen_table(seed: int) -> tuple[Detections, TableFit, NDArray[np.uint8]]:
    """A table of which the corners are told well enough for outlines to lie on edges."""
    return pictured_table(seed, noise=0.3)


def in_sight(seen: Detections, fit: TableFit) -> NDArray[np.intp]:
    """The pieces of which all is seen, and that have a place."""
    return np.flatnonzero((seen.visible > 0.95) & ~seen.under & fit.ground)


def own_outlines(fit: TableFit, which: NDArray[np.intp]) -> Array:
    return np.asarray(fit.outlines[which, fit.size_costs[which].argmin(axis=1)])


@pytest.mark.parametrize("seed", SEEDS)
def test_outlines_of_every_size_are_told_and_the_best_is_where_the_piece_is(seed: int) -> None:
    _, fit, _ = seen_table(seed)
    for index, pose in enumerate(fit.poses):
        if pose is not None:
            told, shown = fit.outlines[index, pose.size - 1], pose.keypoints(fit.camera)
            turns = [np.roll(shown[1:][::way], by, axis=0) for way in (1, -1) for by in range(4)]
            assert min(np.abs(told[1:] - turned).max() for turned in turns) < 0.01
            np.testing.assert_allclose(told[0], shown[0], atol=0.01)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_outline_where_a_piece_is_is_borne_out_better_than_beside_it(seed: int) -> None:
    seen, fit, image = seen_table(seed)
    outlines = own_outlines(fit, in_sight(seen, fit))
    middles = outlines.mean(axis=1, keepdims=True)
    there = borne_out(outlines, image, 1.0)
    for elsewhere in (
        outlines + 5.0,
        middles + LARGEST * (outlines - middles),
        middles + (outlines - middles) / LARGEST,
    ):
        assert (borne_out(elsewhere, image, 1.0) < there).mean() > 0.9
    assert np.median(there) > 0.5


@pytest.mark.parametrize("seed", SEEDS)
def test_of_the_sizes_that_a_piece_may_have_the_right_one_lies_on_edges(seed: int) -> None:
    seen, fit, image = seen_table(seed)
    which = in_sight(seen, fit)
    assert len(which) > 5
    edges = with_edges(seen, fit, image).edges[which]
    assert (edges.argmax(axis=1) == fit.size_costs[which].argmin(axis=1)).mean() > 0.9


def test_larger_pictures_say_the_same() -> None:
    seen, fit, image = seen_table(1)
    outlines = own_outlines(fit, in_sight(seen, fit))
    twice = np.repeat(np.repeat(image, 2, axis=0), 2, axis=1)
    small, large = borne_out(outlines, image, 1.0), borne_out(2 * outlines + 0.5, twice, 2.0)
    assert np.corrcoef(small, large)[0, 1] > 0.95


def test_without_edges_nothing_is_borne_out() -> None:
    seen, fit, image = seen_table(0)
    assert not with_edges(seen, fit, np.full_like(image, 90)).edges.any()
    noise = np.random.default_rng(0).integers(0, 255, image.shape, dtype=np.uint8)
    assert np.abs(with_edges(seen, fit, noise).edges).mean() < 0.5  # edges everywhere say little of any place


def test_what_has_no_place_is_not_looked_at() -> None:
    seen, fit, image = seen_table(0)
    nowhere = replace(fit, ground=np.zeros(len(seen), dtype=bool))
    assert not with_edges(seen, nowhere, image).edges.any()
    assert with_edges(seen.only([]), replace(fit, ground=fit.ground[:0]), image).edges.shape == (0, 3)
