"""The camera over a board: focal length as far as the picture tells it, the usual lens where it does not."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from vision.camera import Camera, no_distortion
from vision.finding.board_lattice import apply
from vision.solids import Array

USUAL_FOCAL = 0.785  # of the picture's longer side: 65° of view across it
FOCAL_SPREAD = 0.22  # of the logarithm of focal length
STEP, APART = 0.06, 4  # of that logarithm, between two focal lengths that are tried; steps between those tried first
FOCALS = np.exp(np.arange(math.log(0.42), math.log(2.4), STEP)).tolist()  # of the picture's longer side
CORNER_NOISE = 0.5  # px, uncertainty of a corner of the board
FREEDOM = 8  # independent measurements in a homography


def fields_to_mm(field_mm: float) -> Array:
    """(3, 3) from fields, (0, 0) the outer corner of a1, to mm on the table, South at negative y."""
    s = field_mm / math.sqrt(2)
    return np.array([[s, -s, 0.0], [s, s, -6 * s], [0.0, 0.0, 1.0]])


def camera_over(H: Array, size: tuple[int, int], field_mm: float) -> Camera:
    """The camera that sees the fields through *H* (3, 3; fields to px); its table frame has the board's middle."""
    grid = np.array([[u, v] for u in range(7) for v in range(7)], dtype=np.float64)
    pixels = apply(H, grid)
    to_mm = fields_to_mm(field_mm)
    from_mm = H @ np.linalg.inv(to_mm)
    ground = np.column_stack([apply(to_mm, grid), np.zeros(len(grid))])

    @cache
    def tried(index: int) -> tuple[float, Camera]:
        camera = _posed(FOCALS[index] * max(size), from_mm, ground, pixels, size)
        return _cost(camera, ground, pixels), camera

    best = _least(lambda index: tried(index)[0], len(FOCALS))
    if not 0 < best < len(FOCALS) - 1:
        return tried(best)[1]
    low, middle, high = (tried(index)[0] for index in (best - 1, best, best + 1))
    bend = low + high - 2 * middle
    share = (low - high) / (2 * bend) if bend > 1e-12 else 0.0
    return _posed(FOCALS[best] * math.exp(share * STEP) * max(size), from_mm, ground, pixels, size)


def _least(cost: Callable[[int], float], count: int) -> int:
    """Which of *count* costs is the least: the best of a few far apart, and then of its neighbours."""
    rough = min(range(0, count, APART), key=cost)
    return min(range(max(0, rough - APART + 1), min(count, rough + APART)), key=cost)


def rescaled(camera: Camera, factor: float) -> Camera:
    """The same camera over a table whose every length is *factor* times as long."""
    return replace(camera, t=camera.t * factor)


def _posed(focal: float, from_mm: Array, ground: Array, pixels: Array, size: tuple[int, int]) -> Camera:
    """The camera of a given focal length that comes nearest to (N, 3) mm seen at (N, 2) px.

    Args:
        from_mm: (3, 3) the homography from mm on the table to px, to begin with.
    """
    K = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]], dtype=np.float64)
    R, t = _unposed(K, from_mm)
    _, turn, place = cv2.solvePnP(
        ground, pixels, K, no_distortion(), cv2.Rodrigues(R)[0], t[:, None].copy(), True, cv2.SOLVEPNP_ITERATIVE
    )
    return Camera(K, np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.asarray(place, np.float64).ravel(), size)


def _unposed(K: Array, from_mm: Array) -> tuple[Array, Array]:
    """A first rotation and translation, straight from the homography (3, 3; mm to px)."""
    columns = np.linalg.inv(K) @ from_mm
    columns /= math.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    columns *= 1 if columns[2, 2] > 0 else -1
    turn = np.column_stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])])
    left, _, right = np.linalg.svd(turn)
    R = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
    return np.asarray(R, dtype=np.float64), np.asarray(columns[:, 2], dtype=np.float64)


def _cost(camera: Camera, ground: Array, pixels: Array) -> float:
    off = camera.project(ground) - pixels
    misfit = float((off**2).mean()) * FREEDOM / CORNER_NOISE**2
    return misfit + (math.log(camera.focal / max(camera.size) / USUAL_FOCAL) / FOCAL_SPREAD) ** 2
