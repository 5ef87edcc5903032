"""What is taken for a piece, and where its corners are looked for once the table is known."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_eyes import SimulatedEyes

from companion_app.samples import layout_of, random_homeworlds
from training.score import matched
from training.virtual_scenes import photograph_with_truth
from vision.eyes.detections import Detections
from vision.fusing.believing import of_the_four_colors, standing_on_the_table
from vision.fusing.expecting import expected, looked_again
from vision.fusing.presence import gathered, likely, weighed
from vision.fusing.table_fit import TableFit, fit_table
from vision.fusing.twins import without_twins
from vision.solids import Array
from vision.virtual import Picture, View

SEEDS = range(4)


@cache
def table(seed: int, clutter: int = 0) -> tuple[Picture, SimulatedEyes, Detections, TableFit]:
    """A virtual table, what good eyes tell of it, and how that fits."""
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    eyes = SimulatedEyes(truth, clutter=clutter, seed=seed)
    seen = of_the_four_colors(eyes.look(eyes.lit(picture.image)))
    fit = fit_table(seen, eyes.scene.size, View.random(seed).south)
    assert fit is not None
    return picture, eyes, seen, fit


def again(eyes: SimulatedEyes, seed: int, seen: Detections) -> TableFit | None:
    return fit_table(seen, eyes.scene.size, View.random(seed).south)


@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_are_likelier_than_clutter(seed: int) -> None:
    picture, eyes, seen, fit = table(seed, clutter=6)
    chances = weighed(gathered(seen, fit, picture.image)).score
    real = np.isin(np.arange(len(seen)), [detection for _, detection in matched(eyes.scene, seen)])
    assert np.median(chances[real]) > 0.8
    assert chances[~real].max() < np.median(chances[real])


@pytest.mark.parametrize("seed", SEEDS)
def test_what_may_not_speak_bends_no_camera(seed: int) -> None:
    _, eyes, seen, _ = table(seed, clutter=6)
    real = np.isin(np.arange(len(seen)), [detection for _, detection in matched(eyes.scene, seen)])
    loud = replace(seen, score=np.full(len(seen), 0.99))
    quiet, alone = (again(eyes, seed, each) for each in (replace(loud, speaks=real), loud.only(np.flatnonzero(real))))
    assert quiet is not None
    assert alone is not None
    np.testing.assert_array_equal(quiet.camera.position, alone.camera.position)
    bent = again(eyes, seed, loud)
    assert bent is not None
    assert (bent.camera.position != alone.camera.position).any()
    assert len(quiet.poses) == len(seen)  # but it is laid on the table as well


@pytest.mark.parametrize("seed", SEEDS)
def test_what_has_no_place_on_the_table_is_none(seed: int) -> None:
    picture, _, seen, fit = table(seed)
    nowhere = replace(fit, ground=np.zeros(len(seen), dtype=bool))
    there = weighed(gathered(seen, nowhere, picture.image))
    assert not there.score.any()
    assert not likely(seen, nowhere).any()
    assert not len(standing_on_the_table(there, nowhere))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_piece_told_twice_is_one(seed: int) -> None:
    _, _, seen, _ = table(seed)
    twice = seen.only([*range(len(seen)), *range(len(seen))])
    fainter = replace(twice, score=twice.score * np.repeat([1.0, 0.6], len(seen)), under=twice.under ^ True)
    once = of_the_four_colors(fainter)
    np.testing.assert_array_equal(once.corners, seen.corners)
    np.testing.assert_array_equal(once.score, seen.score)


@pytest.mark.parametrize(
    ("other_color", "off", "told"),
    [(False, 0.0, 1), (False, 0.33, 2), (True, 0.0, 1), (True, 0.08, 2), (True, 0.33, 2)],
)
def test_two_pieces_of_a_stack_are_two_where_both_can_be_seen(other_color: bool, off: float, told: int) -> None:
    """What has the outline of another cannot be seen under it; of another colour a little of it is enough."""
    _, _, seen, _ = table(0)
    upper = seen.only([0])
    shift = np.ptp(upper.corners[0], axis=0) * off
    colors = upper.colors[:, [1, 2, 3, 0, 4]] if other_color else upper.colors
    both = replace(
        seen.only([0, 0]),
        corners=np.concatenate([upper.corners, upper.corners + shift]),
        colors=np.concatenate([upper.colors, colors]),
        score=np.concatenate([upper.score, upper.score * 0.9]),
    )
    assert len(of_the_four_colors(both)) == told


@pytest.mark.parametrize(
    ("off", "other_color", "left"), [(0.0, False, [1]), (0.0, True, [0, 1]), (0.33, False, [0, 1])]
)
def test_of_two_on_one_base_the_likelier_stands_there(off: float, other_color: bool, left: list[int]) -> None:
    """Told once with its tip at the rim of what stands on it, and once with its own; corners in any order."""
    _, _, seen, _ = table(0)
    true = seen.only([0])
    base = np.roll(true.corners[:, 1:], 1, axis=1) + np.ptp(true.corners[0], axis=0) * off
    wrong = np.concatenate([base.mean(1, keepdims=True), base], axis=1)
    colors = true.colors[:, [1, 2, 3, 0, 4]] if other_color else true.colors
    both = replace(
        seen.only([0, 0]),
        corners=np.concatenate([wrong, true.corners]),
        colors=np.concatenate([colors, true.colors]),
    )
    assert without_twins(both, np.array([0.6, 0.9])).tolist() == left


@pytest.mark.parametrize(("topped", "left"), [(True, [0, 2]), (False, [0, 1, 2])])
def test_of_two_in_one_place_under_another_the_clearer_stands_there(topped: bool, left: list[int]) -> None:
    """A lower piece told twice, with corners that are clear or not; without anything on it, it may be a stack."""
    _, _, seen, _ = table(0)
    lower = seen.only([0]).corners
    middle = lower[:, 1:].mean(1, keepdims=True)
    fuzzy, top = middle + (lower - middle) * 0.7, middle + (lower - middle) * 0.5
    top = top if topped else top + 1000
    colors = seen.only([0]).colors
    stack = replace(
        seen.only([0, 0, 0]),
        corners=np.concatenate([lower, fuzzy, top]),
        corner_blur=np.repeat([1.0, 4.0, 1.0], 5).reshape(3, 5),
        colors=np.concatenate([colors, colors, colors[:, [1, 2, 3, 0, 4]]]),
        under=np.array([True, True, False]),
        lying=np.zeros(3),
    )
    assert without_twins(stack, np.array([0.8, 0.9, 0.99])).tolist() == left


@pytest.mark.parametrize("seed", SEEDS)
def test_a_corner_drawn_to_a_neighbours_is_expected_elsewhere(seed: int) -> None:
    """One corner of some pieces drawn to a neighbour's: the other four say where it is."""
    _, eyes, seen, _ = table(seed)
    rng = np.random.default_rng(seed)
    wrong = seen.corners.copy()
    lying = np.flatnonzero(seen.lying > 0.5)
    chosen = rng.choice(lying, size=max(1, len(lying) // 4), replace=False)
    for index in chosen:
        wrong[index, 2] += 0.2 * np.linalg.norm(np.ptp(seen.corners[index], axis=0))
    misled = replace(seen, corners=wrong)
    fit = again(eyes, seed, misled)
    assert fit is not None
    found = expected(misled, fit)
    before, after = (_off(each, seen, chosen) for each in (misled, replace(seen, corners=found)))
    assert np.median(after) < 0.25 * np.median(before)


@settings(max_examples=8)
@given(st.sampled_from(SEEDS), st.floats(0.0, 2.0))
def test_asking_again_loses_no_piece(seed: int, noise: float) -> None:
    picture, eyes, seen, _ = table(seed)
    rng = np.random.default_rng(seed)
    noisy = replace(seen, corners=seen.corners + rng.normal(0, noise, seen.corners.shape))
    first = again(eyes, seed, noisy)
    assert first is not None
    asked, second = looked_again(
        noisy, first, picture.image, eyes.lit(picture.image), eyes, lambda seen: again(eyes, seed, seen)
    )
    assert len(second.poses) == len(asked)
    before, after = (
        len(standing_on_the_table(weighed(gathered(told, fit, picture.image)), fit))
        for told, fit in ((noisy, first), (asked, second))
    )
    assert after >= 0.9 * before


def test_an_answer_that_cannot_be_fitted_again_stays() -> None:
    picture, eyes, seen, fit = table(1)
    asked, same = looked_again(seen, fit, picture.image, eyes.lit(picture.image), eyes, lambda _: None)
    assert same is fit
    np.testing.assert_array_equal(asked.corners, seen.corners)


def _off(told: Detections, right: Detections, chosen: Array) -> Array:
    return np.asarray(np.linalg.norm(told.corners[chosen, 2] - right.corners[chosen, 2], axis=1))
