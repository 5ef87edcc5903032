"""Project, perturb, recover: from corners alone back to the camera, the places and the sizes.

Bars lie a little above what was measured on 100 other scenes of 8 to 16 pieces with up to 1.5 px of noise and every
seventh corner hidden: focal length 0.6 % off in the median and 5 % at worst, elevation 0.1° and 0.8°, places 0.5 mm
and 2.8 mm, the worst heading of a scene 1.7° and 7°, and 1192 of 1193 sizes right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from corner_scenes import CORNER_SIZE, Corners, strewn
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.recover import Recovery, recover
from vision.sight import ImageSide
from vision.solids import Array, Posture, Size

SCENES = range(40)


@dataclass(frozen=True)
class Errors:
    """How far a recovery is from the truth, the table moved and turned as fits best."""

    pieces: int
    wrong_sizes: int
    focal: float  # relative
    elevation: float  # degrees
    height: float  # relative
    place: float  # mm, root mean square
    heading: float  # degrees, the largest


def recovered(scene: Corners) -> Recovery:
    """The recovery of a scene, which there must be."""
    recovery = recover(scene.keypoints, scene.postures, CORNER_SIZE)
    assert recovery is not None
    return recovery


def errors_of(scene: Corners, recovery: Recovery) -> Errors:
    """Compares up to the free gauge: nothing in the picture fixes north or the origin of the table."""
    pairs = [(got, want) for got, want in zip(recovery.poses, scene.poses, strict=True) if got is not None]
    found = np.array([(got.x, got.y) for got, _ in pairs])
    true = np.array([(want.x, want.y) for _, want in pairs])
    turned, turn = laid_over(found, true)
    off = [(got.heading_deg + turn - want.heading_deg + 180) % 360 - 180 for got, want in pairs]
    return Errors(
        len(pairs),
        sum(got.size is not want.size for got, want in pairs),
        recovery.camera.focal / scene.camera.focal - 1,
        recovery.camera.elevation_deg - scene.camera.elevation_deg,
        float(recovery.camera.position[2] / scene.camera.position[2]) - 1,
        float(np.sqrt(((turned - true) ** 2).sum(axis=1).mean())),
        max(abs(degrees) for degrees in off),
    )


def laid_over(points: Array, onto: Array) -> tuple[Array, float]:
    """(N, 2) points turned and moved, unscaled, as near as they go; and by how many degrees."""
    here, there = points - points.mean(axis=0), onto - onto.mean(axis=0)
    along = float((here * there).sum())
    across = float((here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]).sum())
    turn = math.atan2(across, along)
    c, s = math.cos(turn), math.sin(turn)
    return here @ np.array([[c, s], [-s, c]]) + onto.mean(axis=0), math.degrees(turn)


@cache
def all_errors() -> tuple[Errors, ...]:
    """Of the seeded scenes with pieces of all three sizes."""
    return tuple(errors_of(strewn(seed), recovered(strewn(seed))) for seed in SCENES)


def test_sizes_are_decided_together() -> None:
    pieces = sum(errors.pieces for errors in all_errors())
    assert pieces > 400
    assert sum(errors.wrong_sizes for errors in all_errors()) <= 0.01 * pieces


@pytest.mark.parametrize(
    ("what", "usual", "worst"),
    [
        ("focal", 0.015, 0.08),
        ("height", 0.015, 0.08),
        ("elevation", 0.3, 1.5),
        ("place", 1.2, 4.0),
        ("heading", 3.0, 12.0),
    ],
)
def test_camera_and_places_come_back(what: str, usual: float, worst: float) -> None:
    off = [abs(getattr(errors, what)) for errors in all_errors()]
    assert np.median(off) < usual
    assert max(off) < worst


@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=st.integers(1000, 10**6))
def test_clean_corners_come_back_exactly(seed: int) -> None:
    scene = strewn(seed, count=10, noise=0.0, hidden=0.1)
    recovery = recovered(scene)
    errors = errors_of(scene, recovery)
    assert not recovery.ambiguous
    assert errors.wrong_sizes == 0
    assert abs(errors.focal) < 0.01
    assert abs(errors.elevation) < 0.2
    assert errors.place < 0.3
    assert errors.heading < 0.5
    assert np.nanmax(recovery.rms) < 0.2


@pytest.mark.parametrize("size", Size)
def test_pieces_of_one_size_may_be_of_any(size: Size) -> None:
    scene = strewn(int(size), sizes=(size,))
    recovery = recovered(scene)
    assert recovery.ambiguous
    told = {*recovery.rivals, recovery.sizes}
    posed = len(recovery.sizes)
    assert {(other,) * posed for other in Size} <= told


@pytest.mark.parametrize("pair", [(Size.SMALL, Size.MEDIUM), (Size.MEDIUM, Size.LARGE), (Size.SMALL, Size.LARGE)])
@pytest.mark.parametrize("seed", [0, 2])
def test_two_sizes_are_told_by_their_ratio(pair: tuple[Size, Size], seed: int) -> None:
    scene = strewn(seed, sizes=pair, noise=0.5)
    recovery = recovered(scene)
    assert not recovery.ambiguous
    assert errors_of(scene, recovery).wrong_sizes == 0


def test_two_pieces_leave_it_open() -> None:
    for seed in range(2):
        scene = strewn(seed, count=2, noise=1.0, hidden=0.0)
        recovery = recovered(scene)
        right = recovery.sizes == scene.sizes
        assert recovery.ambiguous
        assert right or scene.sizes in recovery.rivals


def test_more_noise_gives_less_certainty() -> None:
    """Corners worse than they claim to be are noticed."""
    margins = [recovered(strewn(3, noise=noise, hidden=0.0)).margin for noise in (0.5, 4.0)]
    assert margins[1] < margins[0]


def test_pieces_hardly_seen_get_no_pose() -> None:
    scene = strewn(7, noise=0.3, hidden=0.0)
    keypoints = scene.keypoints.copy()
    keypoints[1, 2:] = np.nan
    keypoints[4] = np.nan
    recovery = recovered(Corners(scene.camera, scene.poses, keypoints))
    assert [index for index, pose in enumerate(recovery.poses) if pose is None] == [1, 4]
    assert np.isnan(recovery.rms[[1, 4]]).all()
    assert len(recovery.sizes) == len(scene.poses) - 2
    assert errors_of(Corners(scene.camera, scene.poses, keypoints), recovery).wrong_sizes == 0


@pytest.mark.parametrize("south", ImageSide)
def test_south_is_where_it_was_said(south: ImageSide) -> None:
    scene = strewn(5, noise=0.2)
    recovery = recover(scene.keypoints, scene.postures, CORNER_SIZE, south=south)
    assert recovery is not None
    camera = recovery.camera
    middle = np.array([pose.vertices().mean(axis=0) for pose in recovery.poses if pose is not None]).mean(axis=0)
    near, far = camera.project(middle + np.array([[0, -30, 0], [0, 30, 0]]))
    assert (near - far) @ south.direction > 0.9 * np.linalg.norm(near - far)


@pytest.mark.parametrize(
    "keypoints",
    [
        np.zeros((0, 5, 2)),
        strewn(0).keypoints[:1],
        np.full((6, 5, 2), np.nan),
        np.where(np.arange(5)[None, :, None] < 2, strewn(0, noise=0.0, hidden=0.0).keypoints, np.nan),
    ],
    ids=["nothing", "one piece", "unseen", "two corners each"],
)
def test_too_little_is_no_recovery(keypoints: Array) -> None:
    assert recover(keypoints, [Posture.LYING] * len(keypoints), CORNER_SIZE) is None


def test_random_points_raise_nothing() -> None:
    rng = np.random.default_rng(0)
    recovery = recover(rng.uniform(0, 900, (8, 5, 2)), [Posture.LYING, Posture.UPRIGHT] * 4, CORNER_SIZE)
    assert recovery is None or recovery.ambiguous or np.nanmax(recovery.rms) > 10
