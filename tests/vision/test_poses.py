"""Pieces in the picture: outlines, keypoints, and the bare table between footprints."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vision.camera import Camera
from vision.finding.footprints import clearance, footprint_of
from vision.fusing.outlines import common_area
from vision.poses import Pose, hull
from vision.solids import Posture, Size

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


@example(
    one=Pose(Size.SMALL, Posture.LYING, 0.0, 0.0, 1.192092896e-07), other=Pose(Size.SMALL, Posture.LYING, 0, 0, 0)
)
@given(one=poses, other=poses)
def test_clearance_is_mutual_and_agrees_with_the_overlap(one: Pose, other: Pose) -> None:
    a, b = footprint_of(one), footprint_of(other)
    bare = clearance(a, b)
    assert bare == pytest.approx(clearance(b, a))
    first, second = (hull(pose.footprint()).astype(np.float32) for pose in (one, other))
    overlap = common_area(first, second)
    if bare < -0.1:
        assert overlap > 0
    if bare > 0.1:
        assert overlap == 0


@pytest.mark.parametrize("apart", [0.0, 6.0, 12.0, 30.0, 300.0])
def test_clearance_is_the_bare_table_between_two_sides(apart: float) -> None:
    left = Pose(Size.SMALL, Posture.UPRIGHT, 0, 0, 0)
    right = Pose(Size.SMALL, Posture.UPRIGHT, apart, 0, 0)
    assert clearance(footprint_of(left), footprint_of(right)) == pytest.approx(apart - Size.SMALL.base)
