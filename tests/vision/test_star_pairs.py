"""Two stars told as one: the upper one is looked for where it would be, and found if it is there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from simulated_eyes import SimulatedEyes

from training.score import matched
from training.virtual_scenes import photograph_with_truth
from vision.eyes.detections import Detections
from vision.fusing.expecting import looked_again
from vision.fusing.orders import least_apart
from vision.fusing.presence import likely
from vision.fusing.star_pairs import beneath_stars, confirmed_beneath, confirmed_upon, upon_stars
from vision.fusing.table_fit import TableFit, fit_table
from vision.sight import Seat
from vision.solids import Color, Size
from vision.virtual import Picture, View
from vision.virtual.layout import ShipSpec, SystemsLayout, SystemSpec

SEEDS = range(6)
KINDS = [(color, size) for size in Size for color in Color]


@cache
def binaries(seed: int, colors: int) -> tuple[Picture, SimulatedEyes, Detections, TableFit]:
    """A virtual table of four stars with one of *colors* colours upon another, and a ship beside each."""
    rng = np.random.default_rng(seed)
    systems = []
    for color in Color:
        upper, lower = np.sort(rng.integers(1, 4, 2)).tolist()
        other = color if colors == 1 else list(Color)[(list(Color).index(color) + 1) % 4]
        ship = ShipSpec(color, Size(int(rng.integers(1, 4))), Seat.SOUTH)
        systems.append(SystemSpec(((color, Size(lower)), (other, Size(upper))), (ship,)))
    picture, truth = photograph_with_truth(SystemsLayout(tuple(systems)), seed)
    eyes = SimulatedEyes(truth, seed=seed)
    seen = eyes.look(eyes.lit(picture.image))
    fit = _fitted(seen, eyes, seed)
    assert fit is not None
    return picture, eyes, seen, fit


def _fitted(seen: Detections, eyes: SimulatedEyes, seed: int) -> TableFit | None:
    return fit_table(seen, eyes.scene.size, View.random(seed).south)


@pytest.mark.parametrize("colors", [1, 2])
def test_smaller_stars_upon_larger_ones_are_found_if_they_were_not_told(colors: int) -> None:
    found = [_is_found(seed, colors, upper) for seed in SEEDS for upper in _smaller_uppers(seed, colors)]
    assert len(found) > 8
    assert np.mean(found) > 0.75


def _smaller_uppers(seed: int, colors: int) -> list[int]:
    """Those that stand nearly as straight as what they stand on."""
    poses, below = (getattr(binaries(seed, colors)[3], name) for name in ("poses", "below"))
    return [
        index
        for index, lower in enumerate(below)
        if lower >= 0
        and poses[index].size < poses[lower].size
        and abs((poses[index].heading_deg - poses[lower].heading_deg + 45) % 90 - 45) < 8
    ]


def _is_found(seed: int, colors: int, upper: int) -> bool:
    """Whether an upper star is told in the end, though the first glance left it out."""
    picture, eyes, seen, fit = binaries(seed, colors)
    left = np.delete(np.arange(len(seen)), upper)
    merged = replace(seen.only(left), under=seen.under[left] & (left != fit.below[upper]))
    first = _fitted(merged, eyes, seed)
    assert first is not None
    lit = eyes.lit(picture.image)
    again, _ = looked_again(merged, first, picture.image, lit, eyes, lambda told: _fitted(told, eyes, seed))
    true = {detection: piece for piece, detection in matched(eyes.scene, seen)}
    return true[upper] in dict(matched(eyes.scene, again))


@pytest.mark.parametrize("seed", SEEDS)
def test_stars_that_were_told_are_not_told_twice(seed: int) -> None:
    picture, eyes, seen, fit = binaries(seed, 2)
    stars, guessed = upon_stars(fit, likely(seen, fit))
    assert not len(confirmed_upon(eyes.look_for(seen.only(stars), guessed, eyes.lit(picture.image)), guessed, seen))


def _left_out(seed: int, colors: int, lower: int) -> bool:
    """Whether a lower star is told in the end, though the first glance left it out."""
    picture, eyes, seen, _ = binaries(seed, colors)
    first = _fitted(less := seen.only(np.delete(np.arange(len(seen)), lower)), eyes, seed)
    assert first is not None
    lit = eyes.lit(picture.image)
    again, _ = looked_again(less, first, picture.image, lit, eyes, lambda told: _fitted(told, eyes, seed))
    true = {detection: piece for piece, detection in matched(eyes.scene, seen)}
    return true[lower] in dict(matched(eyes.scene, again))


def test_lower_stars_of_another_colour_are_found_if_they_were_not_told() -> None:
    lowers = [(seed, lower) for seed in SEEDS for lower in binaries(seed, 2)[3].below if lower >= 0]
    found = [_left_out(seed, 2, lower) for seed, lower in lowers]
    assert len(found) > 8
    assert np.mean(found) > 0.75


def test_lower_stars_of_the_same_colour_are_not_guessed() -> None:
    """A piece and what is to be seen beneath it would be one and the same answer."""
    picture, eyes, seen, fit = binaries(2, 1)
    upper = next(index for index, below in enumerate(fit.below) if below >= 0)
    lower = fit.below[upper]
    less = seen.only([upper, *(index for index in range(len(seen)) if index not in (upper, lower))])
    for colors, found in ((seen.colors[upper], 0), ([*np.roll(seen.colors[upper][:4], 1).tolist(), 0.0], 1)):
        told = replace(less, colors=np.vstack([colors, less.colors[1:]]))
        answers = eyes.look_for(told.only([0]), seen.corners[[lower]], eyes.lit(picture.image), under=True)
        assert len(confirmed_beneath(answers, seen.corners[[lower]], np.array([0]), told)) == found


@pytest.mark.parametrize("seed", SEEDS)
def test_only_what_seems_to_stand_on_something_has_something_beneath_it(seed: int) -> None:
    _, _, seen, fit = binaries(seed, 2)
    uppers = [index for index, below in enumerate(fit.below) if below >= 0]
    alone = replace(fit, below=tuple(-1 for _ in seen.score))
    all_there = np.ones(len(seen))
    of, corners = beneath_stars(seen, alone, all_there)
    assert set(of.tolist()) <= set(uppers)
    assert len(of) >= len(corners) > 0
    assert not len(beneath_stars(replace(seen, above=np.zeros(len(seen))), alone, all_there)[0])


def test_only_what_stands_alone_beside_a_ship_is_asked_about() -> None:
    _, _, seen, fit = binaries(1, 2)
    sure = np.full(len(seen), 0.99)
    stacked = {*fit.below, *(index for index, below in enumerate(fit.below) if below >= 0)}
    asked, corners = upon_stars(fit, sure)
    assert len(asked) == len(corners)
    assert not stacked & {*asked.tolist()}
    alone = replace(fit, below=(-1,) * len(seen))
    stars, guesses = upon_stars(alone, sure)
    assert {*stars.tolist()} == {*np.flatnonzero(seen.lying < 0.5).tolist()}
    for star, guess in zip(stars.tolist(), guesses, strict=True):
        assert np.ptp(guess, axis=0).max() < 1.5 * np.ptp(seen.corners[star], axis=0).max()
    without_ships = np.where(seen.lying > 0.5, 0.0, sure)
    assert not len(upon_stars(alone, without_ships)[0])


def test_corners_told_in_another_order_are_no_farther_apart() -> None:
    rng = np.random.default_rng(0)
    piece = rng.uniform(0, 100, (5, 2))
    for turn in range(4):
        turned = np.concatenate([piece[:1], np.roll(piece[1:], turn, axis=0)])
        mirrored = np.concatenate([turned[:1], turned[:0:-1]])
        assert least_apart(turned, piece) == pytest.approx(0)
        assert least_apart(mirrored, piece + np.array([3, 4])) == pytest.approx(5)
