"""Pieces looked at again where the geometry expects them: on one table each says where its five corners must be.

A corner that was drawn to a neighbour's disagrees with the other four. Told where the table has it, the eyes find the
right one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes import Eyes
from vision.eyes.detections import Detections
from vision.eyes.sharpen import sharpened
from vision.fusing.believing import of_the_four_colors
from vision.fusing.presence import weighed
from vision.fusing.table_fit import TableFit
from vision.poses import Pose
from vision.solids import Array, Posture

ASTRAY = 0.2  # of the piece's length: pieces that fit worse expect nothing
FAINT = 0.05  # probability that there is a piece; others are not asked again
FORWARD, BACKWARD = np.array([1, 2, 3, 4]), np.array([1, 4, 3, 2])
ORDERS = np.array([[0, *np.roll(way, turn)] for way in (FORWARD, BACKWARD) for turn in range(4)])

Fitting = Callable[[Detections], TableFit | None]


def fitted_again(
    seen: Detections, first: TableFit, image: NDArray[np.uint8], eyes: Eyes, fitting: Fitting
) -> tuple[Detections, TableFit]:
    """The pieces looked at again where the table expects them, each weighed, and how the table fits them then.

    Args:
        seen: in px of *image*, (H, W, 3) BGR. first: how they fit as they are.
        fitting: finds camera and poses; ``None`` where it cannot.
    """
    again, fit = looked_again(seen, first, image, eyes, fitting)
    return weighed(again, fit), fit


def looked_again(
    seen: Detections, first: TableFit, image: NDArray[np.uint8], eyes: Eyes, fitting: Fitting
) -> tuple[Detections, TableFit]:
    """The same before the pieces are weighed: their scores are the eyes' alone."""
    likely = np.flatnonzero(seen.score >= FAINT)
    again = eyes.look_again(seen.only(likely), expected(seen, first)[likely], image)
    again = sharpened(of_the_four_colors(again), image)
    second = fitting(again) if len(again) else None
    return (seen, first) if second is None else (again, second)


def expected(seen: Detections, fit: TableFit) -> Array:
    """(N, 5, 2) px, the corners of the pieces where *fit* has them; of those that fit badly as they are."""
    corners = seen.corners.copy()
    lengths = np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)
    for index, pose in enumerate(fit.poses):
        if pose is not None and fit.misfit[index] <= ASTRAY * lengths[index]:
            corners[index] = _as_ordered(pose, fit.camera, seen.corners[index])
    return corners


def _as_ordered(pose: Pose, camera: Camera, told: Array) -> Array:
    """(5, 2) px of a pose's corners, those of an upright one in the order in which they were *told*."""
    corners = pose.keypoints(camera)
    if pose.posture is Posture.LYING:
        return corners
    orders = corners[ORDERS]
    return np.asarray(orders[np.abs(orders - told).sum(axis=(1, 2)).argmin()])
