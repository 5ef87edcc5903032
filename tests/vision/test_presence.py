"""What speaks for a piece: its own signs, its company and its rivals, and how they are weighed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from simulated_eyes import table

from training.looking import of_each
from training.virtual_scenes import write_scenes
from training.weighing import report, weigh_signs
from vision.eyes.detections import Detections
from vision.fusing.company import COMPANY, company
from vision.fusing.filled import filled
from vision.fusing.presence import ALL_SIGNS, SIGNS, gathered, likely, weighed
from vision.fusing.rivals import NOBODY, RIVALS, rivals, shared
from vision.fusing.sizing import SIZE_SIGNS, size_chances
from vision.fusing.table_fit import TableFit
from vision.perceptron import perceptron_of
from vision.poses import Pose
from vision.solids import Array, Posture

SEEDS = range(4)


def column(
    name: str, seen: Detections, fit: TableFit, believed: NDArray[np.bool_], shades: Array | None = None
) -> Array:
    shown = np.zeros((len(seen), 2)) if shades is None else shades
    return np.asarray(company(seen, fit, believed, shown)[:, COMPANY.index(name)])


def against(name: str, seen: Detections, logits: Array) -> Array:
    return np.asarray(rivals(seen, shared(seen), logits)[:, RIVALS.index(name)])


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
def test_plastic_fills_the_outlines_of_pieces_and_of_nothing_else(seed: int) -> None:
    seen, _ = table(seed)
    clear = np.flatnonzero(seen.visible > 0.9)
    outlines = seen.corners[clear]
    beside = outlines + np.ptp(outlines, axis=1, keepdims=True) * 0.4
    assert np.median(filled(outlines, seen)) > 3
    assert (filled(beside, seen) < filled(outlines, seen)).mean() > 0.9
    assert filled(outlines[:0], seen).shape == (0,)


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


@pytest.mark.parametrize("seed", SEEDS)
def test_a_piece_of_another_shade_than_all_of_its_colour_is_noticed(seed: int) -> None:
    seen, fit = table(seed)
    colors = seen.colors.argmax(axis=1)
    usual = np.array([[2.4, 0.0], [0.4, -2.6], [-1.5, -1.2], [-0.3, 1.4]])[colors]
    shades = usual + np.random.default_rng(seed).normal(0, 0.1, usual.shape)
    odd = int(np.flatnonzero(colors == np.bincount(colors).argmax())[0])
    shades[odd] += 2.0
    everyone = np.ones(len(seen), dtype=bool)
    for name in ("shade", "like"):
        off = column(name, seen, fit, everyone, shades)
        assert off.argmax() == odd
        assert np.isfinite(off).all()
    unknown = np.where(np.arange(len(seen))[:, None] == odd, np.nan, shades)
    assert column("shade", seen, fit, everyone, unknown)[odd] == 0  # of what shows no shade nothing is said


@pytest.mark.parametrize("seed", SEEDS)
def test_of_a_piece_told_twice_each_is_the_rival_of_the_other(seed: int) -> None:
    seen, _ = table(seed)
    first = int(np.argmax(np.ptp(seen.corners, axis=1).sum(axis=1)))
    twice = seen.only([*range(len(seen)), first])
    logits = np.append(np.full(len(seen), 3.0), 1.0)
    assert shared(twice)[first, -1] == pytest.approx(1.0, abs=1e-3)
    for name in ("rival", "alike", "one_foot"):
        assert against(name, twice, logits)[[first, -1]] == pytest.approx([1.0, 3.0], abs=1e-3)
    assert against("lead", twice, logits)[[first, -1]] == pytest.approx([2.0, -2.0], abs=1e-3)
    before, after = against("crowd", seen, logits[:-1]), against("crowd", twice, logits)
    assert after[first] == before[first] + 1
    recoloured = replace(twice, colors=np.vstack([seen.colors, np.roll(twice.colors[-1:], 1, axis=1)]))
    assert against("alike", recoloured, logits)[-1] == against("alike", twice, logits - 99)[-1] == NOBODY


def test_what_stands_alone_has_no_rival() -> None:
    seen, _ = table(0)
    one = seen.only([0])
    assert not shared(one).any()
    assert rivals(one, shared(one), np.array([2.0])).tolist() == [[NOBODY, NOBODY, NOBODY, 2.0 - NOBODY, 1.0]]
    nobody = seen.only([])
    assert rivals(nobody, shared(nobody), np.zeros(0)).shape == (0, len(RIVALS))


@pytest.mark.parametrize("seed", SEEDS)
def test_sizes_are_those_that_the_table_tells(seed: int) -> None:
    """Good eyes that know no size by its looks; what is hidden or cut off may be told as another."""
    seen, fit = table(seed)
    chances = size_chances(fit, seen)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    assert (chances > 0).all()
    clear = seen.visible > 0.9
    same = chances.argmax(axis=1) == fit.size_costs.argmin(axis=1)
    assert same[clear].mean() > 0.9


def test_where_nothing_is_seen_nothing_is_weighed() -> None:
    seen, fit = table(0)
    nothing = {name: getattr(fit, name)[:0] for name in ("size_costs", "posture_costs", "misfit", "ground")}
    nobody, nowhere = seen.only([]), replace(fit, poses=(), below=(), **nothing)
    assert size_chances(nowhere, nobody).shape == (0, 3)
    assert likely(nobody, nowhere).shape == (0,)
    assert not len(weighed(gathered(nobody, nowhere, np.zeros((40, 60, 3), np.uint8))))


def test_scenes_tell_the_weights(tmp_path: Path) -> None:
    write_scenes(tmp_path, range(3))
    files = sorted(tmp_path.glob("virtual_*.json"))
    told = [each for each in of_each(report, files) if each is not None]
    assert len(told) == 3
    counts = weigh_signs(told, tmp_path)
    assert min(counts.values()) > 50
    presence, sizing = (json.loads((tmp_path / name).read_text()) for name in counts)
    assert (presence["pieces"], presence["scenes"], sizing["scenes"]) == (counts["presence.json"], 3, 3)
    alone = perceptron_of(presence["alone"], SIGNS)
    assert alone.constant > 0  # most of what is told is there; of eyes that err in no scene nothing else is learnt
    assert not len(alone.bias)  # the signs of a piece alone are weighed by themselves
    assert len(perceptron_of(presence["together"], ALL_SIGNS).bias)
    assert perceptron_of(sizing, SIZE_SIGNS).logits(np.zeros((1, len(SIZE_SIGNS)))).shape == (1, 3)


def test_scenes_are_read_by_several_processes_as_by_one(tmp_path: Path) -> None:
    write_scenes(tmp_path, range(2))
    files = sorted(tmp_path.glob("virtual_*.json"))
    for one, other in zip(of_each(report, files), of_each(report, files, workers=2), strict=True):
        assert one is not None
        assert other is not None
        np.testing.assert_array_equal(one.there, other.there)
        np.testing.assert_allclose(one.evidence.shades, other.evidence.shades)
