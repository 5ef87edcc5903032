"""The points that a heat map tells of, finer than its cells."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes.maps import Map
from vision.solids import Array

CLOSEST = 1.2  # cells between two points of one map
LEAST_HEAT = 1e-4


def peaks(heat: Map, threshold: float) -> tuple[Array, Array]:
    """(rows, columns) heat -> (N, 2) places in cells, x before y, and (N,) heat of each, hottest first.

    A peak is at least as hot as its eight neighbours. Heat falls off like a Gaussian, so a parabola through the
    logarithms tells where between the cells it has its top.
    """
    rows, columns = np.nonzero((heat >= threshold) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))))
    order = np.argsort(-heat[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    places = np.column_stack([columns, rows]).astype(np.float64)
    logs = np.log(np.maximum(cv2.copyMakeBorder(heat, 1, 1, 1, 1, cv2.BORDER_REFLECT_101), LEAST_HEAT))
    rows, columns = rows + 1, columns + 1
    here = logs[rows, columns]
    places[:, 0] += _top(logs[rows, columns - 1], here, logs[rows, columns + 1])
    places[:, 1] += _top(logs[rows - 1, columns], here, logs[rows + 1, columns])
    kept = _apart(places)
    return places[kept], heat[rows - 1, columns - 1][kept].astype(np.float64)


def _top(before: Map, here: Map, after: Map) -> Map:
    """Where in [-0.5, 0.5] the parabola through three equidistant values is highest."""
    bend = before + after - 2 * here
    top = (before - after) / np.where(bend < -1e-6, 2 * bend, -1.0)
    return np.asarray(np.where(bend < -1e-6, np.clip(top, -0.5, 0.5), 0.0), dtype=np.float32)


def _apart(places: Array) -> NDArray[np.intp]:
    """Indices of those that are not too close to a hotter one: two cells of equal heat are one peak."""
    close = np.tril(np.linalg.norm(places[:, None] - places, axis=-1) < CLOSEST, -1)
    kept = np.ones(len(places), dtype=bool)
    for index in np.nonzero(close.any(1))[0]:
        kept[index] = not (close[index] & kept).any()
    return np.nonzero(kept)[0]
