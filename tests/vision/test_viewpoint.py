"""A camera stands over the table where its tilt and height say, with South where it was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from vision.fusing.viewpoint import camera_over_table
from vision.sight import ImageSide


@pytest.mark.parametrize("south", ImageSide)
def test_the_table_s_south_is_the_side_asked_for(south: ImageSide) -> None:
    up = np.array([0.1, -0.5, -1.0]) / np.linalg.norm([0.1, -0.5, -1.0])
    camera = camera_over_table(up, 900.0, 650.0, (1280, 960), south)
    np.testing.assert_allclose(camera.position, (0, 0, 650), atol=1e-9)
    np.testing.assert_allclose(camera.R[:, 2], up)
    middle = camera.to_plane(np.array([[639.5, 479.5]]))[0]
    near, far = camera.project(np.array([[middle[0], middle[1] - 20, 0], [middle[0], middle[1] + 20, 0]]))
    assert (near - far) @ south.direction > 0.8 * np.linalg.norm(near - far)
