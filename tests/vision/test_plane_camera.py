"""A camera is found by where points of the table are seen: its slopes are those of what it shows."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Camera
from vision.fusing.plane_camera import camera_from_points, how_points_move, moved
from vision.solids import Array

NUDGE = 1e-6
GRID = np.array([[x, y] for x in range(-90, 91, 30) for y in range(-90, 91, 30)], dtype=np.float64)


def camera(focal: float = 1000.0, tilt: float = 55.0) -> Camera:
    return Camera.looking_at(
        (5, -8), azimuth_deg=262, elevation_deg=tilt, distance=500, focal=focal, size=(1280, 960)
    )


@pytest.mark.parametrize(
    "values",
    [
        np.zeros(8),
        np.array([0.02, -0.05, 0.1, 0.03, -0.02, 0.05, 0.2, -0.08]),
        np.array([0, 0.1, 0, 0, 0, 0.1, -0.4, 0.1]),
    ],
)
def test_slopes_are_those_of_what_the_moved_camera_shows(values: Array) -> None:
    first = camera()
    places = np.column_stack([GRID, np.zeros(len(GRID))])

    def shown(at: Array) -> Array:
        return moved(first, at).project(places).ravel()

    found = how_points_move(first, values, places)
    tried = [(shown(values + NUDGE * axis) - shown(values - NUDGE * axis)) / (2 * NUDGE) for axis in np.eye(8)]
    np.testing.assert_allclose(found, np.column_stack(tried), rtol=1e-5, atol=1e-3)


@pytest.mark.parametrize("tilt", [35.0, 55.0, 75.0])
def test_the_camera_is_found_from_a_first_one_nearby(tilt: float) -> None:
    true = camera(tilt=tilt)
    pixels = true.project(np.column_stack([GRID, np.zeros(len(GRID))]))
    found = camera_from_points(camera(focal=900.0, tilt=tilt + 4), GRID, pixels)
    off = found.project(np.column_stack([GRID, np.zeros(len(GRID))])) - pixels
    assert np.abs(off).max() < 1.0
