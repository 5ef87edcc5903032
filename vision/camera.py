"""A camera over a table: pinhole with radial distortion, and the way back from pixels to the table plane.

Camera frame: x right, y down, z forward. ``x_cam = R @ x_table + t``. The centre of the first pixel is (0, 0).
Distortion follows the model of Brown (1971) as OpenCV writes it: ``(k1, k2, p1, p2, k3)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.solids import Array


def no_distortion() -> Array:
    """Coefficients of a perfect lens."""
    return np.zeros(5)


@dataclass(frozen=True, eq=False)
class Camera:
    """Where a camera stands and how it sees.

    Attributes:
        K: (3, 3) intrinsics in px.
        R, t: (3, 3) rotation and (3,) translation in mm from table to camera frame.
        size: (width, height) px.
        dist: (5,) distortion coefficients.
    """

    K: Array
    R: Array
    t: Array
    size: tuple[int, int]
    dist: Array = field(default_factory=no_distortion)

    @classmethod
    def looking_at(
        cls,
        target: tuple[float, float],
        *,
        azimuth_deg: float,
        elevation_deg: float,
        distance: float,
        focal: float,
        size: tuple[int, int],
        roll_deg: float = 0.0,
        dist: Array | None = None,
    ) -> Camera:
        """A camera *distance* mm from the *target* (x, y) on the table, seen from there at azimuth and elevation.

        Azimuth is counter-clockwise from +x; at 270° the camera sits on the side of negative y and has +x to its
        right. Elevation 90° looks straight down. Positive roll turns the camera clockwise.
        """
        width, height = size
        K = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]], dtype=np.float64)
        R = orientation(azimuth_deg, elevation_deg, roll_deg)
        position = np.array([*target, 0.0]) - distance * R[2]
        return cls(K, R, -R @ position, size, no_distortion() if dist is None else np.asarray(dist, float))

    @property
    def focal(self) -> float:
        """Focal length in px."""
        return float(self.K[0, 0])

    @property
    def position(self) -> Array:
        """(3,) place of the camera in the table frame, mm."""
        return np.asarray(-self.R.T @ self.t)

    @property
    def elevation_deg(self) -> float:
        """Angle of the optical axis below the horizon."""
        return math.degrees(math.asin(max(-1.0, min(1.0, -float(self.R[2, 2])))))

    def project(self, points: Array) -> Array:
        """(…, 3) table points in mm -> (…, 2) px."""
        points = np.asarray(points, dtype=np.float64)
        flat = points.reshape(-1, 3) @ self.R.T + self.t
        if not self.dist.any():
            flat = flat @ self.K.T
            return np.asarray((flat[:, :2] / flat[:, 2:]).reshape(*points.shape[:-1], 2))
        pixels = distort(flat[:, :2] / flat[:, 2:], self.dist) * np.diag(self.K)[:2] + self.K[:2, 2]
        return np.asarray(pixels.reshape(*points.shape[:-1], 2))

    def depths(self, points: Array) -> Array:
        """(…, 3) table points -> (…) mm along the optical axis; positive in front of the camera."""
        return np.asarray(np.asarray(points) @ self.R[2] + self.t[2])

    def rays(self, pixels: Array) -> Array:
        """(N, 2) px -> (N, 3) unit directions in the table frame."""
        pixels = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        if self.dist.any() and len(pixels):  # OpenCV refuses to undistort nothing
            normal = cv2.undistortPoints(pixels[:, None], self.K, self.dist)[:, 0]
        else:
            normal = (pixels - self.K[:2, 2]) / (self.K[0, 0], self.K[1, 1])
        directions = np.column_stack([normal, np.ones(len(normal))]) @ self.R
        return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))

    def to_plane(self, pixels: Array, z: float = 0.0) -> Array:
        """(N, 2) px -> (N, 2) mm where their rays meet the plane at height *z*; NaN where they never do."""
        directions, eye = self.rays(pixels), self.position
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (z - eye[2]) / directions[:, 2]
        reach = np.where(reach > 0, reach, np.nan)
        return np.asarray(eye[:2] + reach[:, None] * directions[:, :2])

    def homography(self, z: float = 0.0) -> Array:
        """(3, 3) map from (x, y, 1) mm on the plane at height *z* to px, lens distortion left out."""
        columns = np.column_stack([self.R[:, 0], self.R[:, 1], self.R[:, 2] * z + self.t])
        return np.asarray(self.K @ columns)


def orientation(azimuth_deg: float, elevation_deg: float, roll_deg: float = 0.0) -> Array:
    """(3, 3) rotation from table to camera frame; see :meth:`Camera.looking_at`."""
    a, e, roll = np.radians([azimuth_deg, elevation_deg, roll_deg])
    forward = -np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
    right = np.array([-math.sin(a), math.cos(a), 0.0])
    down = np.cross(forward, right)
    c, s = math.cos(roll), math.sin(roll)
    return np.array([c * right + s * down, c * down - s * right, forward])


def distort(normal: Array, dist: Array) -> Array:
    """(N, 2) ideal normalised image points -> where the lens puts them."""
    k1, k2, p1, p2, k3 = dist
    x, y = normal[:, 0], normal[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return np.column_stack(
        [
            x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
        ]
    )
