"""The camera that sees known points of the table where they are seen: pose, focal length and the lens's bend."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from vision.camera import Camera
from vision.finding.board_camera import FOCAL_SPREAD, USUAL_FOCAL
from vision.settling import settle
from vision.solids import Array

BEND_SPREAD = 0.06  # of the first radial coefficient around none
NOISE = 1.0  # px, of a point
ZOOMED = 1.0  # of the logarithm of focal length, on either side: farther nothing is sought
BENT_FROM = 20  # points from which on they can tell a bent lens from a tilted table

FOCAL, BEND = 6, 7
"""Places of the focal length's logarithm and of the lens's bend among the unknowns; before them turn and shift."""

JACOBIAN = (slice(0, 3), slice(3, 6), slice(6, 8), 10)
"""Columns of OpenCV's for rotation, place, both focal lengths and the first coefficient of the lens."""


def camera_from_points(first: Camera, ground: Array, pixels: Array) -> Camera:
    """The camera, sought from a *first* one, under which (N, 2) mm of the table lie at (N, 2) px, strays aside.

    Straight from above, focal length and height cannot be told apart: then the usual lens is taken.
    """
    places = np.column_stack([ground, np.zeros(len(ground))])
    free = 8 if len(ground) >= BENT_FROM else 7
    log_usual = math.log(USUAL_FOCAL * max(first.size) / first.focal)

    def residuals(values: Array) -> Array:
        off = (moved(first, values).project(places) - pixels) / NOISE
        return np.append(off.ravel(), [(values[FOCAL] - log_usual) / FOCAL_SPREAD, values[BEND] / BEND_SPREAD])

    def slopes(values: Array) -> Array:
        steep = np.zeros((2 * len(ground) + 2, len(values)))
        steep[:-2] = how_points_move(first, values, places) / NOISE
        steep[-2, FOCAL], steep[-1, BEND] = 1 / FOCAL_SPREAD, 1 / BEND_SPREAD
        steep[:, free:] = 0
        return steep

    return moved(first, settle(residuals, slopes, np.zeros(8)))


def moved(camera: Camera, values: Array) -> Camera:
    """The camera turned by (3,) radians, shifted by (3,) of its distance; then focal length and lens changed."""
    turn = np.asarray(cv2.Rodrigues(values[:3])[0], dtype=np.float64)
    zoom = _zoom(values)
    K = camera.K * np.array([[zoom, zoom, 1], [zoom, zoom, 1], [1, 1, 1]])
    dist = np.array([values[BEND], 0.0, 0.0, 0.0, 0.0])
    # Where the lens zooms, the camera backs off by as much, so that the picture hardly changes.
    t = turn @ camera.t * np.array([1, 1, zoom]) + values[3:6] * _reach(camera)
    return replace(camera, K=K, R=turn @ camera.R, t=t, dist=dist)


def how_points_move(camera: Camera, values: Array, places: Array) -> Array:
    """(2N, 8) px: how points (N, 3) mm of the table move in the picture with each value of the moved camera."""
    now, zoom = moved(camera, values), _zoom(values)
    turn, by_turn = cv2.Rodrigues(values[:3])
    jacobian = cv2.projectPoints(places @ camera.R.T, values[:3], now.t, now.K, now.dist)[1]
    by_turn_alone, by_place, by_focal, by_bend = (jacobian[:, part] for part in JACOBIAN)
    places_turned = (by_turn.reshape(3, 3, 3) @ camera.t).T * np.array([[1], [1], [zoom]])
    backed_off = np.array([0, 0, zoom]) * (turn @ camera.t)
    within = abs(values[FOCAL]) < ZOOMED
    zoomed = by_focal @ np.diag(now.K)[:2] + by_place @ backed_off
    return np.column_stack(
        [by_turn_alone + by_place @ places_turned, by_place * _reach(camera), zoomed * within, by_bend]
    )


def _zoom(values: Array) -> float:
    return math.exp(float(np.clip(values[FOCAL], -ZOOMED, ZOOMED)))


def _reach(camera: Camera) -> float:
    """mm, the distance of which shifts are told in shares."""
    return float(np.linalg.norm(camera.t))
