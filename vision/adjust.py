"""Bundle adjustment: tilt, lens and height of the camera together with the place and heading of every piece.

What is compared is a choice of features of the projected corners: the corners themselves when they are known, or
the reach of their hull in many directions when only outlines are. Camera frame and table frame as in
:mod:`vision.camera`; the camera keeps its azimuth and its place over the table, which nothing in a picture fixes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.poses import Pose, body_of
from vision.settling import settle
from vision.solids import Array

Features = Callable[[Array], Array]  # (B, 5, 2) px -> (B, F) px
FOCAL_SPREAD = 0.25  # of the logarithm of focal length over its first guess
NUDGE = 1e-5  # of any variable, for slopes
HEIGHT_RANGE = 0.7  # how far the logarithm of the height may move


def adjust(
    camera: Camera,
    poses: Sequence[Pose],
    observed: Array,
    features: Features,
    *,
    noise: float = 1.0,
    free_camera: bool = True,
) -> tuple[Camera, list[Pose], Array]:
    """Moves camera and poses until the features of their pictures match the *observed* ones.

    Args:
        observed: (B, F) px; NaN where a feature was not seen.
        noise: px, misfit from which a feature counts as an outlier.
        free_camera: whether tilt, focal length and height may move, or only the pieces.

    Returns:
        The camera, the poses, and (B,) px: each piece's root-mean-square misfit.
    """
    bodies = np.array([body_of(pose.size, pose.posture) for pose in poses])
    lifts = np.array([pose.z for pose in poses])
    shared = 4 if free_camera else 0
    seen = np.isfinite(observed)
    wanted = np.where(seen, observed, 0.0)
    count, width = observed.shape

    def unpack(values: Array) -> tuple[Camera, Array]:
        moved = tilted(camera, values[:4]) if free_camera else camera
        return moved, values[shared:].reshape(-1, 3)

    def residuals(values: Array) -> Array:
        moved, places = unpack(values)
        pixels = moved.project(_placed_all(bodies, places, lifts))
        misfit = np.where(seen, features(pixels) - wanted, 0.0) / noise
        prior = np.array([values[2] / FOCAL_SPREAD]) if free_camera else np.zeros(0)
        return np.concatenate([misfit.ravel(), prior])

    def jacobian(values: Array) -> Array:
        """Each piece moves only its own features, so that all pieces are moved at once."""
        base = residuals(values)
        rows = count * width
        slopes = np.zeros((len(base), len(values)))
        for column in range(shared):
            slopes[:, column] = (residuals(_nudged(values, [column])) - base) / NUDGE
        own = np.arange(rows).reshape(count, width)
        for column in range(3):
            columns = shared + 3 * np.arange(count) + column
            change = (residuals(_nudged(values, columns)) - base)[:rows] / NUDGE
            slopes[own, columns[:, None]] = change.reshape(count, width)
        return slopes

    start = np.concatenate([np.zeros(shared), np.array([_place(pose) for pose in poses]).ravel()])
    found = settle(residuals, jacobian, start)
    best, places = unpack(found)
    moved_poses = [
        replace(pose, x=float(x), y=float(y), heading_deg=float(np.degrees(turn)) % 360)
        for pose, (x, y, turn) in zip(poses, places, strict=True)
    ]
    misfit = residuals(found)[: count * width].reshape(count, width) * noise
    rms = np.sqrt((misfit**2).sum(1) / np.maximum(seen.sum(1), 1))
    return best, moved_poses, np.asarray(rms)


def tilted(camera: Camera, change: Array) -> Camera:
    """The camera rocked by two small angles about its own x and y axes, then lens and height scaled by ``exp``."""
    a, b, log_focal, log_height = change
    rock_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    rock_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    R = rock_y @ rock_x @ camera.R
    focal = np.exp(log_focal)
    K = camera.K * np.array([[focal, focal, 1], [focal, focal, 1], [1, 1, 1]])
    eye = camera.position * (1, 1, np.exp(np.clip(log_height, -HEIGHT_RANGE, HEIGHT_RANGE)))
    return replace(camera, K=K, R=R, t=-R @ eye)


def _nudged(values: Array, columns: Sequence[int] | NDArray[np.intp]) -> Array:
    nudged = values.copy()
    nudged[columns] += NUDGE
    return nudged


def corners(pixels: Array) -> Array:
    """The feature "every corner by itself": (B, 5, 2) -> (B, 10)."""
    return np.asarray(pixels.reshape(len(pixels), -1))


def _place(pose: Pose) -> tuple[float, float, float]:
    return pose.x, pose.y, float(np.radians(pose.heading_deg))


def _placed_all(bodies: Array, places: Array, lifts: Array) -> Array:
    """(B, 5, 3) bodies moved to (B, 3) places (x, y, heading in radians) and lifted by (B,) mm."""
    c, s = np.cos(places[:, 2])[:, None], np.sin(places[:, 2])[:, None]
    x = bodies[..., 0] * c - bodies[..., 1] * s + places[:, :1]
    y = bodies[..., 0] * s + bodies[..., 1] * c + places[:, 1:2]
    return np.stack([x, y, bodies[..., 2] + lifts[:, None]], axis=-1)
