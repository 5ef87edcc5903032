"""Where corners appear, and how that changes: slopes are what a small step shows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.camera import Camera
from vision.fusing.slopes import SCALE, Looks, X, ideal, pictured, projected
from vision.fusing.viewpoint import camera_over_table
from vision.poses import body_of
from vision.sight import ImageSide
from vision.solids import Array, Posture, Size

STEP = 1e-6
PIECES = [(Size.SMALL, Posture.LYING), (Size.LARGE, Posture.UPRIGHT), (Size.MEDIUM, Posture.LYING)]
BODIES = np.array([body_of(size, posture) for size, posture in PIECES])


def looks(tilts: tuple[float, ...], bend: float) -> Looks:
    """Cameras 600 mm over a table, tilted by so many radians."""
    R = [
        camera_over_table(
            np.array([0.0, -np.sin(tilt), -np.cos(tilt)]), 1000.0, 600.0, (1280, 960), ImageSide.BOTTOM
        ).R
        for tilt in tilts
    ]
    count = len(tilts)
    return Looks(np.array(R), np.full(count, 1000.0), np.full(count, bend), np.array([639.5, 479.5]))


def places(count: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    placed = rng.normal(0, 0.1, (count, len(BODIES), 4))
    placed[..., 0] -= np.log(600.0)
    placed[..., 3] *= 30
    return placed


@given(tilt=st.floats(0, 1.1), bend=st.floats(-0.1, 0.1), seed=st.integers(0, 99))
def test_slopes_are_what_a_small_step_shows(tilt: float, bend: float, seed: int) -> None:
    under, laid = looks((tilt, 0.3), bend), places(2, seed)
    before, slopes = projected(under, BODIES, laid)
    for unknown in range(8):
        moved, camera = laid.copy(), np.zeros((2, 4))
        if unknown < SCALE:
            camera[:, unknown] = STEP
        else:
            moved[..., unknown - SCALE] += STEP
        after, _ = projected(under.moved(camera), BODIES, moved)
        np.testing.assert_allclose((after - before) / STEP, slopes[..., unknown], rtol=1e-3, atol=0.05)


@pytest.mark.parametrize("first", [SCALE, X])
def test_slopes_that_are_not_wanted_are_left_out(first: int) -> None:
    under, laid = looks((0.5,), 0.02), places(1, 7)
    pixels, slopes = projected(under, BODIES, laid)
    same, some = projected(under, BODIES, laid, first)
    np.testing.assert_array_equal(same, pixels)
    np.testing.assert_array_equal(some[..., first:], slopes[..., first:])
    assert not some[..., :first].any()


@given(bend=st.floats(-0.08, 0.08), seed=st.integers(0, 99))
def test_pixels_come_back_from_a_lens_without_distortion(bend: float, seed: int) -> None:
    camera = Camera.looking_at(
        (0.0, 0.0),
        azimuth_deg=270,
        elevation_deg=60,
        distance=700,
        focal=1100,
        size=(1280, 960),
        dist=np.array([bend, 0.0, 0.0, 0.0, 0.0]),
    )
    pixels = np.random.default_rng(seed).uniform((0, 0), camera.size, (6, 5, 2))
    np.testing.assert_allclose(pictured(camera, ideal(camera, pixels)), pixels, atol=0.1)
