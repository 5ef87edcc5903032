"""Pieces in the picture: outlines, keypoints, footprints, collisions, and the adjustment of all together."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from corner_scenes import strewn
from hypothesis import given
from hypothesis import strategies as st

from vision.adjust import adjust, corners, tilted
from vision.camera import Camera
from vision.finding.footprints import collide, footprint_of
from vision.finding.shapes import support
from vision.poses import Pose, hull
from vision.solids import Array, Posture, Size

poses = st.builds(
    Pose,
    st.sampled_from(Size),
    st.sampled_from(Posture),
    st.floats(-100, 100),
    st.floats(-100, 100),
    st.floats(0, 360),
    st.sampled_from([0.0, 8.6, 16.7]),
)
elevations = st.floats(30, 90)


def camera_at(elevation: float) -> Camera:
    return Camera.looking_at(
        (0, 0), azimuth_deg=270, elevation_deg=elevation, distance=700, focal=1000, size=(1280, 960)
    )


@given(pose=poses, elevation=elevations)
def test_outlines_are_convex_and_hold_every_keypoint(pose: Pose, elevation: float) -> None:
    camera = camera_at(elevation)
    outline, keypoints = pose.outline(camera), pose.keypoints(camera)
    assert cv2.isContourConvex(outline.astype(np.float32))
    assert 3 <= len(outline) <= 5
    for x, y in keypoints:
        assert cv2.pointPolygonTest(outline.astype(np.float32), (float(x), float(y)), True) > -0.01
    assert all(np.abs(keypoints - corner).max(axis=1).min() < 0.01 for corner in outline)


@given(pose=poses, elevation=elevations)
def test_the_tip_of_an_upright_piece_leans_away_from_the_camera(pose: Pose, elevation: float) -> None:
    camera = camera_at(elevation)
    tip = replace(pose, posture=Posture.UPRIGHT).vertices()[0]
    np.testing.assert_allclose(tip, (pose.x, pose.y, pose.z + pose.size.height), atol=1e-9)
    foot = tip - (0, 0, pose.size.height)
    below = np.array([*camera.position[:2], 0.0])
    if camera.depths(below) > 10:
        top, bottom, origin = camera.project(np.array([tip, foot, below]))
        assert np.linalg.norm(top - origin) >= np.linalg.norm(bottom - origin)


@given(one=poses, other=poses)
def test_collision_is_mutual_and_agrees_with_the_overlap(one: Pose, other: Pose) -> None:
    a, b = footprint_of(one), footprint_of(other)
    assert collide(a, b) == collide(b, a)
    first, second = (hull(pose.footprint()).astype(np.float32) for pose in (one, other))
    overlap, _ = cv2.intersectConvexConvex(first, second)
    if collide(a, b):
        assert overlap > 0
    if overlap > 0.6 * min(cv2.contourArea(first), cv2.contourArea(second)):
        assert collide(a, b)


@pytest.mark.parametrize("apart", [0.0, 6.0, 12.0, 30.0, 300.0])
def test_pieces_collide_when_they_stand_in_each_other(apart: float) -> None:
    left = Pose(Size.SMALL, Posture.UPRIGHT, 0, 0, 0)
    right = Pose(Size.SMALL, Posture.UPRIGHT, apart, 0, 0)
    assert collide(footprint_of(left), footprint_of(right)) is (apart < 10)


@pytest.mark.parametrize("features", [corners, support], ids=["corners", "support"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_adjustment_finds_back(features: object, seed: int) -> None:
    """From a rocked, raised camera and shifted pieces, back to corners or outlines without noise."""
    scene = strewn(seed, noise=0.0, hidden=0.0)
    function = corners if features is corners else support
    observed = function(np.array([pose.keypoints(scene.camera) for pose in scene.poses]))
    rng = np.random.default_rng(seed)
    moved = [
        replace(p, x=p.x + dx, y=p.y + dy, heading_deg=p.heading_deg + turn)
        for p, (dx, dy, turn) in zip(scene.poses, rng.uniform(-4, 4, (len(scene.poses), 3)), strict=True)
    ]
    rocked = tilted(scene.camera, np.array([0.04, -0.03, 0.08, 0.06]))
    camera, poses, rms = adjust(rocked, moved, observed, function, noise=0.5)
    assert rms.max() < 0.6
    assert camera.focal == pytest.approx(scene.camera.focal, rel=0.06)
    assert camera.elevation_deg == pytest.approx(scene.camera.elevation_deg, abs=1.5)
    assert [pose.size for pose in poses] == list(scene.sizes)


def test_adjustment_leaves_the_camera_alone_when_told() -> None:
    scene = strewn(4, noise=0.0, hidden=0.0)
    observed = corners(scene.keypoints)
    moved = [replace(pose, x=pose.x + 3, heading_deg=pose.heading_deg + 5) for pose in scene.poses]
    camera, poses, rms = adjust(scene.camera, moved, observed, corners, free_camera=False)
    assert camera is scene.camera
    assert rms.max() < 0.05
    for pose, truth in zip(poses, scene.poses, strict=True):
        assert math.dist((pose.x, pose.y), (truth.x, truth.y)) < 0.1


@given(change=st.tuples(*[st.floats(-0.2, 0.2)] * 4))
def test_tilting_keeps_a_camera_a_camera(change: tuple[float, float, float, float]) -> None:
    before = camera_at(60)
    after = tilted(before, np.array(change))
    np.testing.assert_allclose(after.R @ after.R.T, np.eye(3), atol=1e-9)
    assert after.focal == pytest.approx(before.focal * math.exp(change[2]))
    height: Array = before.position * (1, 1, math.exp(change[3]))
    np.testing.assert_allclose(after.position, height, atol=1e-6)
