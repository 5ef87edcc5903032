"""A piece somewhere on the table: its pose, its vertices there, and its outline and keypoints in the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.camera import Camera
from vision.solids import Array, Posture, Size, lying, upright


@dataclass(frozen=True)
class Pose:
    """Where and how a piece stands.

    Attributes:
        x, y: mm on the table, centre of the footprint.
        heading_deg: counter-clockwise from +x; where a lying piece's tip points, or how an upright one is turned
            (then modulo 90°).
        z: mm between the table and the lowest point: board thickness, or the pieces stacked below.
    """

    size: Size
    posture: Posture
    x: float
    y: float
    heading_deg: float
    z: float = 0.0

    def vertices(self) -> Array:
        """(5, 3) mm in the table frame: tip, then the base corners (see :mod:`vision.solids`)."""
        return placed(body_of(self.size, self.posture), self.x, self.y, self.heading_deg, self.z)

    def keypoints(self, camera: Camera) -> Array:
        """(5, 2) px of tip and base corners, hidden or not."""
        return camera.project(self.vertices())

    def outline(self, camera: Camera) -> Array:
        """(M, 2) px, the silhouette: a pyramid is convex, so it is the hull of its corners."""
        return hull(self.keypoints(camera))

    def footprint(self) -> Array:
        """(M, 2) mm on the table: the triangle or square on which the piece rests."""
        corners = self.vertices()
        return np.asarray(corners[:3, :2] if self.posture is Posture.LYING else corners[1:, :2])


def keypoints_of(poses: Sequence[Pose], camera: Camera) -> Array:
    """(N, 5, 2) px of the tips and base corners of N pieces: all at once, which is much sooner done."""
    return camera.project(np.array([pose.vertices() for pose in poses]).reshape(-1, 5, 3))


@cache
def body_of(size: Size, posture: Posture) -> Array:
    """(5, 3) vertices of a piece at the origin, tip first; shared, so not to be written to."""
    body = upright(size) if posture is Posture.UPRIGHT else lying(size)
    body.flags.writeable = False
    return body


def placed(body: Array, x: float, y: float, heading_deg: float, z: float = 0.0) -> Array:
    """(N, 3) body points turned by the heading and moved onto the table at (x, y, z)."""
    c, s = math.cos(math.radians(heading_deg)), math.sin(math.radians(heading_deg))
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(body @ turn + np.array([x, y, z]))


def hull(points: Array) -> Array:
    """Convex hull of (N, 2) points, in order around it."""
    return np.asarray(cv2.convexHull(np.asarray(points, dtype=np.float32))[:, 0], dtype=np.float64)
