"""Corners looked for again where the geometry expects them: the nearest hot spot is not always the right one.

Once all pieces are laid on one table, each of them says where its five corners must be. A corner that was drawn to a
neighbour's hot spot disagrees with the other four; the right hot spot lies where they say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.eyes.maps import STRIDE
from vision.eyes.sharpen import sharpened
from vision.fusing.presence import weighed
from vision.fusing.table_fit import TableFit
from vision.poses import Pose
from vision.solids import Array, Posture

REACH, REACH_PX = 0.05, 2.0  # of the piece's length, and more: how far a hot spot may be from where it is expected
ASTRAY = 0.2  # of the piece's length: pieces that fit worse expect nothing
FAINT = 0.2  # probability that there is a piece; others are not asked again
FORWARD, BACKWARD = np.array([1, 2, 3, 4]), np.array([1, 4, 3, 2])
ORDERS = np.array([[0, *np.roll(way, turn)] for way in (FORWARD, BACKWARD) for turn in range(4)])

Fitting = Callable[[Detections], TableFit | None]


def fitted_again(
    seen: Detections, first: TableFit, image: NDArray[np.uint8], fitting: Fitting
) -> tuple[Detections, TableFit]:
    """The pieces with their corners where the table expects them, each weighed, and how the table fits them then.

    Args:
        seen: in px of *image*, (H, W, 3) BGR. first: how they fit as they are.
        fitting: finds camera and poses; ``None`` where it cannot.
    """
    by_looks = weighed(seen, first)
    likely = np.flatnonzero(by_looks.score >= FAINT)
    again = sharpened(expected(by_looks, first).only(likely), image)
    second = fitting(again) if len(again) else None
    return (by_looks, first) if second is None else (again, second)


def expected(seen: Detections, fit: TableFit) -> Detections:
    """The same pieces, each corner on the hot spot nearest to where *fit* expects it, or right there."""
    corners, heat = seen.corners.copy(), seen.corner_seen.copy()
    lengths = np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)
    for index, pose in enumerate(fit.poses):
        if pose is None or fit.misfit[index] > ASTRAY * lengths[index]:
            continue
        corners[index] = _as_ordered(pose, fit.camera, seen.corners[index])
        reach = REACH * lengths[index] + REACH_PX * seen.cell / STRIDE
        for spots, which in ((seen.tips, slice(0, 1)), (seen.base_corners, slice(1, 5))):
            corners[index, which], heat[index, which] = _on_spots(corners[index, which], spots, reach)
    return replace(seen, corners=corners, corner_seen=heat)


def _as_ordered(pose: Pose, camera: Camera, told: Array) -> Array:
    """(5, 2) px of a pose's corners, those of an upright one in the order in which they were *told*."""
    corners = pose.keypoints(camera)
    if pose.posture is Posture.LYING:
        return corners
    orders = corners[ORDERS]
    return np.asarray(orders[np.abs(orders - told).sum(axis=(1, 2)).argmin()])


def _on_spots(points: Array, spots: Array, reach: float) -> tuple[Array, Array]:
    """Points (K, 2) moved to the nearest of the (M, 3) spots within reach, and (K,) their heat; 0 without one."""
    if not len(spots):
        return points, np.zeros(len(points))
    apart = np.linalg.norm(points[:, None] - spots[:, :2], axis=2)
    nearest = apart.argmin(axis=1)
    near = apart.min(axis=1) <= reach
    return np.where(near[:, None], spots[nearest, :2], points), np.where(near, spots[nearest, 2], 0.0)
