"""Projection with its slopes, for many cameras and many pieces at once.

A picture cannot tell a small table under a near camera from a large one under a far camera. So cameras stand one unit
above the table's origin here, and a piece's body, in mm, is shrunk by ``exp(scale)``: pieces of known sizes share one
scale, which is minus the logarithm of the camera's height in mm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, distort
from vision.solids import Array

ROCK_X, ROCK_Y = range(2)  # the unknowns, in the order of the slopes: rocking about the camera's own axes
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


def pictured(camera: Camera, points: Array) -> Array:
    """(…, 2) around (0, 0), as :func:`ideal` tells them -> px of the picture."""
    bent = distort(points.reshape(-1, 2) / camera.focal, camera.dist) if camera.dist.any() else points / camera.focal
    return np.asarray(bent.reshape(points.shape) * camera.focal + camera.K[:2, 2])


def projected(looks: Looks, bodies: Array, places: Array, first: int = ROCK_X) -> tuple[Array, Array]:
    """Where corners appear, and how that changes with everything unknown.

    Args:
        bodies: (N, 5, 3) or (G, N, 5, 3) mm.
        places: (G, N, 4) scale, x, y (both in units of the camera's height) and turn in radians.
        first: unknown from which on slopes are wanted; those before it are told as 0.

    Returns:
        (G, N, 5, 2) px and their slopes (G, N, 5, 2, 8), in the order named above.
    """
    scale = np.exp(places[..., 0])[..., None]
    c, s = np.cos(places[..., 3])[..., None] * scale, np.sin(places[..., 3])[..., None] * scale
    arm_x, arm_y = bodies[..., 0] * c - bodies[..., 1] * s, bodies[..., 0] * s + bodies[..., 1] * c
    rise = bodies[..., 2] * scale
    x, y, z = _turned(looks.R, arm_x + places[..., 1, None], arm_y + places[..., 2, None], rise - 1)
    near = 1 / np.maximum(z, 1e-3)
    u, v = x * near, y * near
    bend, focal = looks.bend[:, None, None], looks.focal[:, None, None]
    far = u**2 + v**2
    stretch = 1 + bend * far
    outward_x, outward_y, athwart = (
        (stretch + 2 * bend * u**2) * focal,
        (stretch + 2 * bend * v**2) * focal,
        2 * bend * u * v * focal,
    )

    def in_px(along: Array, down: Array) -> tuple[Array, Array]:
        """How pixels change as (u, v) does."""
        return outward_x * along + athwart * down, athwart * along + outward_y * down

    def moved(axis: int) -> tuple[Array, Array]:
        """How they change as the corner moves along an axis of the table."""
        r = looks.R[:, :, axis, None, None]
        return in_px((r[:, 0] - u * r[:, 2]) * near, (r[:, 1] - v * r[:, 2]) * near)

    by_x, by_y = moved(0), moved(1)
    moving = {X: by_x, Y: by_y, TURN: (arm_x * by_y[0] - arm_y * by_x[0], arm_x * by_y[1] - arm_y * by_x[1])}
    if first <= SCALE:
        by_z = moved(2)
        along, down = (arm_x * by_x[i] + arm_y * by_y[i] + rise * by_z[i] for i in range(2))
        moving[SCALE] = along, down
    if first <= ROCK_X:
        moving |= {ROCK_X: in_px(-u * v, -1 - v**2), ROCK_Y: in_px(1 + u**2, u * v)}
    slopes = np.zeros((*u.shape, 2, 8))
    for unknown, (along, down) in moving.items():
        slopes[..., 0, unknown], slopes[..., 1, unknown] = along, down
    normal = np.stack([u, v], axis=-1) * focal[..., None]
    pixels = normal * stretch[..., None]
    if first <= ROCK_X:
        slopes[..., FOCAL], slopes[..., BEND] = pixels, normal * far[..., None]
    return pixels + looks.middle, slopes


def _turned(R: Array, x: Array, y: Array, z: Array) -> tuple[Array, Array, Array]:
    """(G, N, 5) each, turned by (G, 3, 3); written out, for many products of small matrices are slow."""
    r = R[..., None, None]
    x_, y_, z_ = (r[:, row, 0] * x + r[:, row, 1] * y + r[:, row, 2] * z for row in range(3))
    return x_, y_, z_
