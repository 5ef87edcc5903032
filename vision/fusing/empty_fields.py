"""Ships on fields that seem empty: where a board shows plastic and nobody told a ship that fits, one is looked for.

On a board all is known but the ship itself: where its field is, that there is one ship on it at the most, and which
two ways it may point. Of the fields where plastic shows and no ship is believed every second one has one. And a small
ship on a field of its colour is easily told with that field's corners, so what fits badly is asked about again.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.finding.board import SIDE
from vision.finding.board_camera import fields_to_mm
from vision.finding.board_lattice import apply
from vision.fusing.other_poses import BADLY
from vision.fusing.own_field import NOWHERE, fields_of
from vision.fusing.presence import BELIEVED
from vision.fusing.star_pairs import lengths_of
from vision.fusing.table_fit import TableFit
from vision.poses import Pose
from vision.solids import Array, Posture, Size

WAYS = (90.0, 270.0)  # degrees: away from South, and towards South
ACROSS = np.linspace(-10, 10, 5)  # mm from a field's middle, where plastic is looked for
ALONG = np.linspace(-15, 15, 7)  # mm, the way ships point
COVERED = 12  # of these places, those that look most like plastic
PLASTIC = 0.6  # probability, on their mean, from which on something lies there


def ships_on_empty_fields(seen: Detections, fit: TableFit, likely: Array, field_mm: float) -> Array:
    """(M, 5, 2) px of corners of ships in the middles of fields where plastic shows and no *likely* (N,) one fits.

    They are of all sizes, and point either way.
    """
    well = fit.misfit < BADLY * lengths_of(seen.corners)
    fields = np.argwhere(~_taken(fit, np.where(well, likely, 0.0), field_mm)).astype(np.float64)
    middles = apply(fields_to_mm(field_mm), fields + 0.5)
    asked = middles[_plastic(middles, seen, fit) >= PLASTIC]
    ships = [Pose(size, Posture.LYING, x, y, way) for x, y in asked for way in WAYS for size in Size]
    return np.array([ship.keypoints(fit.camera) for ship in ships]).reshape(-1, 5, 2)


def _taken(fit: TableFit, likely: Array, field_mm: float) -> NDArray[np.bool_]:
    """(6, 6) on which fields, by file and rank, a ship is believed."""
    believed = [pose for pose, chance in zip(fit.poses, likely, strict=True) if chance >= BELIEVED]
    fields = fields_of(believed, field_mm)
    taken = np.zeros(SIDE**2, dtype=bool)
    taken[fields[fields != NOWHERE]] = True
    return taken.reshape(SIDE, SIDE)


def _plastic(middles: Array, seen: Detections, fit: TableFit) -> Array:
    """(K,) probability of plastic about (K, 2) mm, where it is highest."""
    if not len(middles):
        return np.zeros(0)
    around = np.array([(across, along, 0.0) for across in ACROSS for along in ALONG])
    cells = (fit.camera.project(np.pad(middles, ((0, 0), (0, 1)))[:, None] + around) / seen.cell).astype(np.float32)
    told = cv2.remap(seen.plastic, cells[..., 0], cells[..., 1], cv2.INTER_LINEAR, borderValue=0)
    return np.asarray(np.sort(told.reshape(len(middles), -1), axis=1)[:, -COVERED:].mean(axis=1), dtype=np.float64)
