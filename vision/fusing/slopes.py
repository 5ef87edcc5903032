"""Projection with its slopes, for many cameras and many pieces at once.

A picture cannot tell a small table under a near camera from a large one under a far camera. So cameras stand one unit
above the table's origin here, and a piece's body, in mm, is shrunk by ``exp(scale)``: pieces of known sizes share one
scale, which is minus the logarithm of the camera's height in mm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.solids import Array

TILTS = slice(0, 2)  # the unknowns, in the order of the slopes: rocking about the camera's own x and y axes
FOCAL, BEND, SCALE, X, Y, TURN = range(2, 8)  # logarithm of the focal length, radial distortion, then the piece's own
GRAZING = -0.03  # rays that fall less steeply than this are taken to do so


@dataclass(frozen=True, eq=False)
class Looks:
    """G cameras, each one unit above the origin of the table.

    Attributes:
        R: (G, 3, 3) rotations from table to camera frame.
        focal: (G,) px. bend: (G,) first coefficient of radial distortion.
        middle: (2,) px, where the optical axis meets the picture.
    """

    R: Array
    focal: Array
    bend: Array
    middle: Array

    @classmethod
    def of(cls, camera: Camera) -> Looks:
        """A known camera, for pixels that were taken through :func:`ideal`."""
        return cls(camera.R[None], np.array([camera.focal]), np.zeros(1), np.zeros(2))

    def __getitem__(self, index: int) -> Looks:
        return Looks(self.R[[index]], self.focal[[index]], self.bend[[index]], self.middle)

    def camera(self, height: float, size: tuple[int, int]) -> Camera:
        """The first of the cameras, *height* mm over the table."""
        focal = float(self.focal[0])
        K = np.array([[focal, 0, self.middle[0]], [0, focal, self.middle[1]], [0, 0, 1]])
        dist = np.array([float(self.bend[0]), 0, 0, 0, 0])
        return Camera(K, self.R[0], -height * self.R[0][:, 2], size, dist)

    def moved(self, change: Array) -> Looks:
        """Rocked, zoomed and bent by (G, 4) small amounts."""
        a, b = change[:, 0], change[:, 1]
        one, none = np.ones_like(a), np.zeros_like(a)
        about_x = np.array([[one, none, none], [none, np.cos(a), -np.sin(a)], [none, np.sin(a), np.cos(a)]])
        about_y = np.array([[np.cos(b), none, np.sin(b)], [none, one, none], [-np.sin(b), none, np.cos(b)]])
        R = about_y.transpose(2, 0, 1) @ about_x.transpose(2, 0, 1) @ self.R
        return Looks(R, self.focal * np.exp(change[:, FOCAL]), self.bend + change[:, BEND], self.middle)

    def replaced(self, other: Looks, where: NDArray[np.bool_]) -> Looks:
        """Those of *other* where (G,) bool says so."""
        return Looks(
            np.where(where[:, None, None], other.R, self.R),
            np.where(where, other.focal, self.focal),
            np.where(where, other.bend, self.bend),
            self.middle,
        )

    def rays(self, pixels: Array) -> Array:
        """(N, 5, 2) px -> (G, N, 5, 3) directions in the table frame, down by one unit."""
        bent = (pixels - self.middle) / self.focal[:, None, None, None]
        normal = bent
        for _ in range(4):
            normal = bent / (1 + self.bend[:, None, None, None] * (normal**2).sum(-1, keepdims=True))
        towards = np.concatenate([normal, np.ones((*normal.shape[:-1], 1))], axis=-1) @ self.R[:, None]
        return np.asarray(towards / np.maximum(-towards[..., 2:], -GRAZING))


def ideal(camera: Camera, pixels: Array) -> Array:
    """(…, 2) px -> where a lens without distortion, of the same focal length, would show them around (0, 0)."""
    rays = camera.rays(pixels) @ camera.R.T
    return np.asarray((camera.focal * rays[:, :2] / rays[:, 2:]).reshape(pixels.shape))


def projected(looks: Looks, bodies: Array, places: Array) -> tuple[Array, Array]:
    """Where corners appear, and how that changes with everything unknown.

    Args:
        bodies: (N, 5, 3) or (G, N, 5, 3) mm.
        places: (G, N, 4) scale, x, y (both in units of the camera's height) and turn in radians.

    Returns:
        (G, N, 5, 2) px and their slopes (G, N, 5, 2, 8), in the order named above.
    """
    scale = np.exp(places[..., 0])[..., None]
    c, s = np.cos(places[..., 3])[..., None] * scale, np.sin(places[..., 3])[..., None] * scale
    arm_x, arm_y = bodies[..., 0] * c - bodies[..., 1] * s, bodies[..., 0] * s + bodies[..., 1] * c
    rise = bodies[..., 2] * scale
    flat = np.zeros_like(arm_x)
    points = np.stack([arm_x + places[..., 1, None], arm_y + places[..., 2, None], rise - 1], axis=-1)
    by_scale, by_turn = np.stack([arm_x, arm_y, rise], axis=-1), np.stack([-arm_y, arm_x, flat], axis=-1)
    R = looks.R[:, None]
    seen = points @ R.swapaxes(-1, -2)
    depth = np.maximum(seen[..., 2:], 1e-3)
    normal = seen[..., :2] / depth
    moving = np.empty((*normal.shape, 6))  # rock, rock, scale, x, y, turn
    across = normal[..., 0] * normal[..., 1]
    moving[..., 0, 0], moving[..., 1, 0] = -across, -1 - normal[..., 1] ** 2
    moving[..., 0, 1], moving[..., 1, 1] = 1 + normal[..., 0] ** 2, across
    for column, change in ((2, by_scale @ R.swapaxes(-1, -2)), (5, by_turn @ R.swapaxes(-1, -2))):
        moving[..., column] = (change[..., :2] - normal * change[..., 2:]) / depth
    for column, axis in ((3, looks.R[:, None, None, :, 0]), (4, looks.R[:, None, None, :, 1])):
        moving[..., column] = (axis[..., :2] - normal * axis[..., 2:]) / depth
    bend, focal = looks.bend[:, None, None, None], looks.focal[:, None, None, None]
    far = normal[..., :1] ** 2 + normal[..., 1:] ** 2  # sums over axes as short as that are slow
    stretch = 1 + bend * far
    outward = normal[..., :1, None] * moving[..., :1, :] + normal[..., 1:, None] * moving[..., 1:, :]
    moving = (stretch[..., None] * moving + 2 * bend[..., None] * normal[..., None] * outward) * focal[..., None]
    pixels = normal * stretch * focal
    slopes = np.concatenate(
        [moving[..., :2], pixels[..., None], (normal * far * focal)[..., None], moving[..., 2:]], axis=-1
    )
    return pixels + looks.middle, slopes
