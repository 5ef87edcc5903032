"""What speaks for a piece: its own signs, its company, and how both are learnt."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from simulated_eyes import SimulatedEyes

from companion_app.samples import layout_of, random_homeworlds
from training.presence import learn, logistic
from training.virtual_scenes import photograph_with_truth, write_scenes
from vision.eyes.detections import Detections
from vision.fusing.company import COMPANY, company
from vision.fusing.presence import SIGNS
from vision.fusing.regression import Regression, regression_of
from vision.fusing.table_fit import TableFit, fit_table
from vision.poses import Pose
from vision.solids import Array, Posture
from vision.virtual import View

SEEDS = range(4)
NAMES = ("one", "other")


@cache
def table(seed: int) -> tuple[Detections, TableFit]:
    """What good eyes tell of a virtual table, and how it fits."""
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    seen = SimulatedEyes(truth, seed=seed).look(picture.image)
    fit = fit_table(seen, (picture.image.shape[1], picture.image.shape[0]), View.random(seed).south)
    assert fit is not None
    return seen, fit


def column(name: str, seen: Detections, fit: TableFit, believed: NDArray[np.bool_]) -> Array:
    return np.asarray(company(seen, fit, believed)[:, COMPANY.index(name)])


def ships(fit: TableFit) -> list[int]:
    return [index for index, pose in enumerate(fit.poses) if pose and pose.posture is Posture.LYING]


def pose_of(fit: TableFit, index: int) -> Pose:
    pose = fit.poses[index]
    assert pose is not None
    return pose


def with_pose(fit: TableFit, index: int, pose: Pose) -> TableFit:
    return replace(fit, poses=(*fit.poses[:index], pose, *fit.poses[index + 1 :]))


def moved_away(fit: TableFit, index: int) -> TableFit:
    return with_pose(fit, index, replace(pose_of(fit, index), x=5000.0))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ship_turned_aside_points_across_the_others(seed: int) -> None:
    seen, fit = table(seed)
    everyone = np.ones(len(seen), dtype=bool)
    lying = ships(fit)
    assert len(lying) > 3
    before = column("across", seen, fit, everyone)
    usual = pose_of(fit, lying[int(before[lying].argmin())]).heading_deg
    aside = replace(pose_of(fit, lying[-1]), heading_deg=usual + 90)
    after = column("across", seen, with_pose(fit, lying[-1], aside), everyone)
    assert np.median(before[lying]) < 0.35
    assert after[lying[-1]] > 0.8
    assert not before[[index for index in range(len(seen)) if index not in lying]].any()


@pytest.mark.parametrize("seed", SEEDS)
def test_few_ships_tell_no_way(seed: int) -> None:
    seen, fit = table(seed)
    believed = np.isin(np.arange(len(seen)), ships(fit)[:2])
    assert not column("across", seen, fit, believed).any()


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_moved_away_is_far_from_stars_and_ships(seed: int) -> None:
    seen, fit = table(seed)
    alone = ships(fit)[0]
    away = moved_away(fit, alone)
    for name in ("star", "ship"):
        before, after = (column(name, seen, each, np.ones(len(seen), dtype=bool)) for each in (fit, away))
        assert after[alone] > before[alone]
        assert after[alone] == pytest.approx(np.log(400))


@pytest.mark.parametrize("seed", SEEDS)
def test_ghosts_are_counted_on_the_whole_and_near(seed: int) -> None:
    seen, fit = table(seed)
    believed = np.ones(len(seen), dtype=bool)
    assert not column("ghosts", seen, fit, believed).any()
    assert not column("swarm", seen, fit, believed).any()
    ghost = ships(fit)[0]
    beside = moved_away(fit, ghost)
    believed[ghost] = False
    assert (column("ghosts", seen, beside, believed) > 0).all()
    assert not column("swarm", seen, beside, believed).any()
    assert column("swarm", seen, fit, believed).sum() > 0
    assert column("swarm", seen, fit, believed)[ghost] == 0  # its own company is the others


def test_what_stands_on_another_speaks_for_it() -> None:
    seen, fit = table(1)
    upper = next(index for index, below in enumerate(fit.below) if below >= 0)
    everyone = np.ones(len(seen), dtype=bool)
    surely, hardly = (
        column("carries", replace(seen, above=np.full(len(seen), chance)), fit, everyone) for chance in (0.99, 0.01)
    )
    assert surely[fit.below[upper]] == pytest.approx(-hardly[fit.below[upper]]) == pytest.approx(np.log(99))
    alone = [index for index in range(len(seen)) if index not in fit.below]
    assert not surely[alone].any()
    np.testing.assert_array_equal(column("carried", seen, fit, everyone), np.array(fit.below) >= 0)


def test_weights_are_learnt() -> None:
    rng = np.random.default_rng(3)
    signs = rng.normal(size=(4000, 2)) * (1.0, 5.0) + (0, 10)
    chances = 1 / (1 + np.exp(-(signs @ (1.5, -0.4) + 3.5)))
    learnt = logistic(NAMES, signs, rng.random(4000) < chances)
    np.testing.assert_allclose(learnt.chances(signs), chances, atol=0.06)


def test_what_signs_say_together_is_learnt() -> None:
    """Two that agree speak for a piece, and neither says anything by itself."""
    rng = np.random.default_rng(4)
    signs = rng.normal(size=(4000, 2)) * (1.0, 5.0) + (0, 10)
    there = signs[:, 0] * (signs[:, 1] - 10) > 0
    alone, together = (logistic(NAMES, signs, there, products=products) for products in (False, True))
    assert ((alone.chances(signs) > 0.5) == there).mean() < 0.6
    assert ((together.chances(signs) > 0.5) == there).mean() > 0.95


@pytest.mark.parametrize("products", [False, True])
def test_what_is_kept_answers_as_what_was_told(products: bool) -> None:
    rng = np.random.default_rng(5)
    signs = rng.normal(size=(300, 2))
    learnt = logistic(NAMES, signs, rng.random(300) < 0.5, products=products)
    kept = regression_of(json.loads(json.dumps(learnt.told())), NAMES)
    np.testing.assert_allclose(kept.chances(signs), learnt.chances(signs), atol=1e-3)
    with pytest.raises(ValueError, match="one, other"):
        regression_of(learnt.told(), ("other", "one"))


def test_scenes_tell_the_weights(tmp_path: Path) -> None:
    write_scenes(tmp_path, range(3))
    target = tmp_path / "presence.json"
    count = learn(sorted(tmp_path.glob("virtual_*.json")), target)
    told = json.loads(target.read_text())
    assert (told["pieces"], told["scenes"]) == (count, 3)
    assert count > 50
    alone = regression_of(told["alone"], SIGNS)
    assert isinstance(regression_of(told["together"], SIGNS + COMPANY), Regression)
    assert alone.constant > 0  # most of what is told is there; of eyes that err in no scene nothing else is learnt
