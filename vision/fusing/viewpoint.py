"""A camera over the table, from the tilt, the lens and the height that a picture tells."""

from __future__ import annotations

import numpy as np

from vision.camera import Camera
from vision.sight import ImageSide
from vision.solids import Array


def camera_over_table(up: Array, focal: float, height: float, size: tuple[int, int], south: ImageSide) -> Camera:
    """The camera in a table frame whose origin lies below it and whose South is at *south*.

    Args:
        up: (3,) unit vector of the table's normal in the camera frame (x right, y down, z forward).
        focal: px. height: mm of the camera above the table. size: (width, height) px.
    """
    away = np.array([*(-np.array(south.direction)), 0.0])
    north = away - (away @ up) * up
    north = north / np.linalg.norm(north)
    R = np.column_stack([np.cross(north, up), north, up])
    K = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]], dtype=np.float64)
    return Camera(K, R, -height * up, size)
