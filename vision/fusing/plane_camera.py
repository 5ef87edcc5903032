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
NUDGE = 1e-6
BENT_FROM = 20  # points from which on they can tell a bent lens from a tilted table


def camera_from_points(first: Camera, ground: Array, pixels: Array) -> Camera:
    """The camera, sought from a *first* one, under which (N, 2) mm of the table lie at (N, 2) px, strays aside.

    Straight from above, focal length and height cannot be told apart: then the usual lens is taken.
    """
    places = np.column_stack([ground, np.zeros(len(ground))])
    free = 8 if len(ground) >= BENT_FROM else 7
    log_usual = math.log(USUAL_FOCAL * max(first.size) / first.focal)

    def residuals(values: Array) -> Array:
        off = (_moved(first, values).project(places) - pixels) / NOISE
        return np.append(off.ravel(), [(values[6] - log_usual) / FOCAL_SPREAD, values[7] / BEND_SPREAD])

    def slopes(values: Array) -> Array:
        base = residuals(values)
        columns = [(residuals(values + NUDGE * axis) - base) / NUDGE for axis in np.eye(8)[:free]]
        return np.column_stack([*columns, *[np.zeros(len(base))] * (8 - free)])

    return _moved(first, settle(residuals, slopes, np.zeros(8)))


def _moved(camera: Camera, values: Array) -> Camera:
    """The camera turned by (3,) radians, shifted by (3,) of its distance; then focal length and lens changed."""
    turn = np.asarray(cv2.Rodrigues(values[:3])[0], dtype=np.float64)
    reach = float(np.linalg.norm(camera.t))
    zoom = math.exp(float(np.clip(values[6], -1, 1)))
    K = camera.K * np.array([[zoom, zoom, 1], [zoom, zoom, 1], [1, 1, 1]])
    dist = np.array([values[7], 0.0, 0.0, 0.0, 0.0])
    # Where the lens zooms, the camera backs off by as much, so that the picture hardly changes.
    t = turn @ camera.t * np.array([1, 1, zoom]) + values[3:6] * reach
    return replace(camera, K=K, R=turn @ camera.R, t=t, dist=dist)
