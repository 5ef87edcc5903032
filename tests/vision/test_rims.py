"""The rim of a piece beneath another: whether one shows, and of which colour it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera import Camera
from vision.fusing.one_light import hues
from vision.fusing.rims import RIM_SIGNS, rim_of
from vision.poses import Pose
from vision.solids import Array, Color, Posture, Size, nesting_step

PLASTIC = {
    Color.RED: (40, 30, 190),
    Color.YELLOW: (30, 200, 220),
    Color.GREEN: (70, 150, 40),
    Color.BLUE: (180, 80, 40),
}
TABLE = (120, 140, 150)
CAMERA = Camera.looking_at((0.0, 0.0), azimuth_deg=270, elevation_deg=60, distance=450, focal=1300, size=(1280, 960))
LOWER = Pose(Size.MEDIUM, Posture.UPRIGHT, 0.0, 0.0, 20.0)
UPPER = Pose(Size.MEDIUM, Posture.UPRIGHT, 0.0, 0.0, 20.0, nesting_step(Size.MEDIUM, Size.MEDIUM))


def drawn(lower: Color | None, upper: Color) -> tuple[NDArray[np.uint8], Array, Array]:
    """A table with a piece, another beneath it or none, and four beside; the shades and colours of these."""
    image = np.full((960, 1280, 3), TABLE, np.uint8)
    beside = [Pose(Size.LARGE, Posture.UPRIGHT, 90.0 * (index - 1.5), 90.0, 0.0) for index in range(4)]
    for pose, color in [*zip(beside, Color, strict=True), (LOWER, lower), (UPPER, upper)]:
        if color is not None:
            cv2.fillConvexPoly(image, cv2.convexHull(pose.outline(CAMERA).astype(np.int32)), PLASTIC[color])
    return image, hues(image, [pose.outline(CAMERA) for pose in beside]), np.eye(4)


@pytest.mark.parametrize("lower", Color)
@pytest.mark.parametrize("upper", Color)
def test_a_rim_has_the_colour_of_the_lower_piece(lower: Color, upper: Color) -> None:
    image, shades, colors = drawn(lower, upper)
    told, signs = rim_of(LOWER, UPPER, CAMERA, image, shades, colors)
    assert told.argmax() == list(Color).index(lower)
    assert signs[RIM_SIGNS.index("no rim")] == 0
    assert signs[RIM_SIGNS.index("rim contrast")] > 0.3


@pytest.mark.parametrize("upper", Color)
def test_bare_table_is_no_rim(upper: Color) -> None:
    image, shades, colors = drawn(None, upper)
    _, signs = rim_of(LOWER, UPPER, CAMERA, image, shades, colors)
    assert signs[RIM_SIGNS.index("rim contrast")] < 0.01
    assert signs[RIM_SIGNS.index("rim brightness")] < 0.01


@pytest.mark.parametrize("away", [0.0, 5000.0])
def test_where_nothing_can_be_seen_nothing_is_said(away: float) -> None:
    """Of a piece that is swallowed, and outside the picture."""
    image, shades, colors = drawn(Color.RED, Color.BLUE)
    small, large = (Pose(size, Posture.UPRIGHT, away, 0.0, 20.0) for size in (Size.SMALL, Size.LARGE))
    told, signs = rim_of(small, large, CAMERA, image, shades, colors)
    assert not told.any()
    assert signs.tolist() == [0, 0, 0, 1]
