"""The camera: to the picture and back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.camera import Camera
from vision.solids import Array

LENSES = {
    "perfect": np.zeros(5),
    "barrel": np.array([-0.12, 0.03, 0.0, 0.0, 0.0]),
    "pincushion, off centre": np.array([0.06, -0.01, 0.001, -0.0015, 0.0]),
}
CORNERS = np.array([[0, 0], [1279, 0], [1279, 959], [0, 959], [639.5, 479.5]], dtype=np.float64)

cameras = st.builds(
    Camera.looking_at,
    st.tuples(st.floats(-200, 200), st.floats(-200, 200)),
    azimuth_deg=st.floats(0, 360),
    elevation_deg=st.floats(50, 90),
    distance=st.floats(250, 1500),
    focal=st.floats(800, 1500),
    size=st.just((1280, 960)),
    roll_deg=st.floats(-30, 30),
    dist=st.sampled_from(list(LENSES.values())),
)


@given(camera=cameras, z=st.floats(0, 40))
def test_from_picture_to_table_and_back(camera: Camera, z: float) -> None:
    ground = camera.to_plane(CORNERS, z)
    seen = camera.project(np.column_stack([ground, np.full(len(ground), z)]))
    np.testing.assert_allclose(seen, CORNERS, atol=0.02)


@given(camera=cameras, places=st.lists(st.tuples(st.floats(-90, 90), st.floats(-90, 90)), min_size=1, max_size=8))
def test_from_table_to_picture_and_back(camera: Camera, places: list[tuple[float, float]]) -> None:
    target = camera.to_plane(np.array([[639.5, 479.5]]))[0]
    points = np.array(places) + target
    flat = np.column_stack([points, np.zeros(len(points))])
    pixels = camera.project(flat)
    inside = (camera.depths(flat) > 50) & (np.abs(pixels - CORNERS[4]) < CORNERS[4] + 1).all(axis=1)
    np.testing.assert_allclose(camera.to_plane(pixels[inside]), points[inside], atol=0.05)


@given(camera=cameras)
def test_what_it_looks_at_is_in_the_middle(camera: Camera) -> None:
    eye, forward = camera.position, camera.R[2]
    assert eye[2] > 0
    target = eye - forward * eye[2] / forward[2]
    np.testing.assert_allclose(target[2], 0, atol=1e-9)
    np.testing.assert_allclose(camera.project(target), (639.5, 479.5), atol=1e-6)


@pytest.mark.parametrize("azimuth", [0, 77, 180, 270])
@pytest.mark.parametrize("elevation", [35, 60, 90])
@pytest.mark.parametrize("roll", [-10, 0, 25])
def test_looking_at_stands_where_it_says(azimuth: float, elevation: float, roll: float) -> None:
    camera = Camera.looking_at(
        (30, -20),
        azimuth_deg=azimuth,
        elevation_deg=elevation,
        distance=700,
        focal=1000,
        size=(640, 480),
        roll_deg=roll,
    )
    assert camera.elevation_deg == pytest.approx(elevation, abs=1e-5)
    assert np.linalg.norm(camera.position - (30, -20, 0)) == pytest.approx(700)
    assert camera.depths(np.array([30, -20, 0])) == pytest.approx(700)
    np.testing.assert_allclose(camera.project(np.array([30.0, -20, 0])), (319.5, 239.5), atol=1e-9)
    np.testing.assert_allclose(camera.R @ camera.R.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(camera.R) == pytest.approx(1)


def test_from_the_south_east_is_right_and_north_is_up() -> None:
    camera = Camera.looking_at((0, 0), azimuth_deg=270, elevation_deg=50, distance=600, focal=900, size=(800, 600))
    origin, east, north, tip = camera.project(np.array([[0.0, 0, 0], [50, 0, 0], [0, 50, 0], [0, 0, 50]]))
    assert east[0] > origin[0]
    assert east[1] == pytest.approx(origin[1])
    assert north[1] < origin[1]
    assert tip[1] < origin[1]


def test_positive_roll_turns_the_camera_clockwise() -> None:
    straight, rolled = (
        Camera.looking_at(
            (0, 0), azimuth_deg=270, elevation_deg=90, distance=600, focal=900, size=(800, 600), roll_deg=roll
        ).project(np.array([100.0, 0, 0]))
        for roll in (0, 20)
    )
    assert straight[1] == pytest.approx(299.5)
    assert rolled[1] < 299.5  # a camera turned clockwise sees the world turn the other way


@given(camera=cameras, z=st.floats(0, 40), x=st.floats(-100, 100), y=st.floats(-100, 100))
def test_homography_agrees_with_projection(camera: Camera, z: float, x: float, y: float) -> None:
    perfect = Camera(camera.K, camera.R, camera.t, camera.size)
    target = perfect.to_plane(np.array([[639.5, 479.5]]))[0] + (x, y)
    u, v, w = perfect.homography(z) @ (*target, 1.0)
    np.testing.assert_allclose((u / w, v / w), perfect.project(np.array([*target, z])), atol=1e-6)


@settings(max_examples=30)
@given(camera=cameras)
def test_projection_is_that_of_opencv(camera: Camera) -> None:
    target = camera.to_plane(CORNERS[4][None])[0]
    points = np.array([[*target, 0.0], [*target, 44.0], [target[0] + 60, target[1] - 40, 20.0]])
    turn, _ = cv2.Rodrigues(camera.R)
    expected, _ = cv2.projectPoints(points, turn, camera.t, camera.K, camera.dist)
    np.testing.assert_allclose(camera.project(points), expected[:, 0], atol=1e-4)


def test_rays_into_the_sky_meet_no_table() -> None:
    camera = Camera.looking_at((0, 0), azimuth_deg=270, elevation_deg=5, distance=600, focal=700, size=(800, 600))
    ground = camera.to_plane(np.array([[400.0, 10.0], [400.0, 590.0]]))
    assert np.isnan(ground[0]).all()
    assert np.isfinite(ground[1]).all()


def test_projection_keeps_the_shape_of_its_input() -> None:
    camera = Camera.looking_at((0, 0), azimuth_deg=270, elevation_deg=50, distance=600, focal=900, size=(800, 600))
    points: Array = np.random.default_rng(1).uniform(-50, 50, (2, 3, 4, 3))
    pixels = camera.project(points)
    assert pixels.shape == (2, 3, 4, 2)
    np.testing.assert_allclose(pixels[1, 2, 3], camera.project(points[1, 2, 3]))
