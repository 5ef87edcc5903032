"""Ships that the eyes saw in a wrong pose are asked about as ships, both ways that they may point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from simulated_eyes import table

from vision.eyes.detections import Detections
from vision.fusing.other_poses import fitting_better, fitting_well, other_poses
from vision.fusing.table_fit import TableFit
from vision.poses import Pose
from vision.solids import Array, Posture

SEEDS = range(4)


def ship_of(fit: TableFit) -> tuple[int, Pose]:
    return next((index, pose) for index, pose in enumerate(fit.poses) if pose and pose.posture is Posture.LYING)


def taken_for_a_star(seen: Detections, fit: TableFit, index: int) -> tuple[Detections, TableFit]:
    """The same, but the ship at *index* was told as one that stands, and fits badly."""
    pose = fit.poses[index]
    assert pose is not None
    poses = (*fit.poses[:index], replace(pose, posture=Posture.UPRIGHT), *fit.poses[index + 1 :])
    misfit = fit.misfit.copy()
    misfit[index] = 0.3 * np.linalg.norm(np.ptp(seen.corners[index], axis=0))
    lying = seen.lying.copy()
    lying[index] = 0.02
    return replace(seen, lying=lying), replace(fit, poses=poses, misfit=misfit)


def everyone(seen: Detections) -> Array:
    return np.ones(len(seen))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ship_that_was_taken_for_a_star_is_guessed_where_it_lies(seed: int) -> None:
    seen, fit = table(seed)
    index, ship = ship_of(fit)
    of, guessed = other_poses(*taken_for_a_star(seen, fit, index), everyone(seen))
    own = guessed[of == index]
    assert len(own) == 2  # it may point either way
    true = ship.keypoints(fit.camera)
    off = np.linalg.norm(own - true, axis=2).mean(axis=1)
    assert off.min() < 0.25 * np.linalg.norm(np.ptp(true, axis=0))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_stands_well_or_is_hardly_there_is_not_asked_about(seed: int) -> None:
    seen, fit = table(seed)
    index, _ = ship_of(fit)
    assert not len(other_poses(seen, replace(fit, misfit=np.zeros(len(seen))), everyone(seen))[0])
    there = everyone(seen)
    there[index] = 0.01
    assert index not in other_poses(*taken_for_a_star(seen, fit, index), there)[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ship_is_found_again(seed: int) -> None:
    seen, fit = table(seed)
    index, _ = ship_of(fit)
    confused, told = taken_for_a_star(seen, fit, index)
    of, _ = other_poses(confused, told, everyone(seen))
    own = np.flatnonzero(of == index)
    answers = seen.only([index] * len(own))  # the eyes know the ship when they are asked
    found, corners = fitting_better(answers, of[own], confused, told)
    assert len(found) == 1
    np.testing.assert_array_equal(found.corners[0], seen.corners[index])
    pose = fit.poses[index]
    assert pose is not None
    np.testing.assert_allclose(corners[0], pose.keypoints(fit.camera), atol=1.0)
    assert len(fitting_well(found, told)) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ship_with_the_corners_of_others_is_asked_about_too(seed: int) -> None:
    seen, fit = table(seed)
    index, _ = ship_of(fit)
    misfit = fit.misfit.copy()
    misfit[index] = 0.1 * np.linalg.norm(np.ptp(seen.corners[index], axis=0))
    of, _ = other_poses(seen, replace(fit, misfit=misfit), everyone(seen))
    assert (of == index).sum() == 2


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_no_ship_or_no_news_is_not_believed(seed: int) -> None:
    seen, fit = table(seed)
    index, _ = ship_of(fit)
    confused, told = taken_for_a_star(seen, fit, index)
    of = np.array([index])
    answer = seen.only([index])
    another_color = replace(answer, colors=np.roll(answer.colors, 1, axis=1))
    length = np.linalg.norm(np.ptp(answer.corners[0], axis=0))
    crooked = replace(
        answer, corners=answer.corners + 0.3 * length * np.array([[0, 0], [0, 1], [0, 0], [1, 0], [0, 0]])
    )
    for refused in (
        replace(answer, lying=np.array([0.1])),
        replace(answer, score=np.array([0.3])),
        another_color,
        crooked,
    ):
        assert not len(fitting_better(refused, of, confused, told)[0])
    assert not len(fitting_well(crooked, told))
    assert not len(fitting_better(answer, of, seen, told)[0])  # it was told lying already
    well = replace(told, misfit=np.full(len(seen), 0.01))
    assert not len(fitting_better(answer, of, confused, well)[0])  # nothing fits better than that
    nothing, nowhere = fitting_better(seen.only([]), of[:0], seen, fit)
    assert (len(nothing), nowhere.shape) == (0, (0, 5, 2))
    assert not len(fitting_well(nothing, fit))
