"""Squares that the net was in two minds about, unfolded onto the corners that it sees.

The base of an upright piece has no first corner. Where the net cannot tell which order to use, it answers with a mean
of several, a square that is turned and shrunk around its true middle. The heat of corners has no order: so the square
is turned and grown until its corners lie where it is hot.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.eyes.maps import Map, px_to_cells
from vision.solids import Array

TURNS = np.radians(np.arange(-45.0, 45.1, 7.5))  # in the plane of the square, 0 as told
GROWTH = 1.15 ** np.arange(0, 9)
DEAR = 0.12  # heat that a square must gain to be e times as large
HOT = 0.6  # more than this a corner does not count
WORTH = 0.35  # heat that must be gained altogether
REACH = 3  # cells that a corner may be off


def unfolded(corners: Array, heat: Map) -> Array:
    """The base corners of upright pieces, (N, 4, 2) px, where the corners' *heat* (rows, columns) asks for another.

    Corners that follow each other in the answer do so around the piece.
    """
    if not len(corners):
        return corners
    near = np.asarray(cv2.dilate(np.minimum(heat, HOT), np.ones((REACH, REACH), np.uint8)), dtype=np.float64)
    middle = corners.mean(1, keepdims=True)
    spokes = corners - middle
    after = np.roll(spokes, -1, axis=1)
    c, s = np.cos(TURNS)[:, None, None], np.sin(TURNS)[:, None, None]
    turned = spokes[:, None] * c - after[:, None] * s  # (N, turns, 4, 2)
    tried = middle[:, None, None] + turned[:, :, None] * GROWTH[:, None, None]
    tried = tried.reshape(len(corners), -1, 4, 2)
    worth = _at(near, tried).sum(-1) - np.tile(DEAR * np.log(GROWTH), len(TURNS))
    as_told = int(np.argmin(np.abs(TURNS))) * len(GROWTH)
    best = worth.argmax(1)
    every = np.arange(len(corners))
    better = worth[every, best] > worth[:, as_told] + WORTH
    return np.where(better[:, None, None], tried[every, best], corners)


def _at(heat: Array, places: Array) -> Array:
    """(…) heat at (…, 2) px, none outside."""
    cells = np.round(px_to_cells(places)).astype(np.intp)
    column, row = cells[..., 0], cells[..., 1]
    within = (row >= 0) & (column >= 0) & (row < heat.shape[0]) & (column < heat.shape[1])
    return np.where(within, heat[np.clip(row, 0, heat.shape[0] - 1), np.clip(column, 0, heat.shape[1] - 1)], 0.0)
