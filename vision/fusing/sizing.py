"""How likely each size of a piece is: its scale on the table first, its looks where scale cannot tell."""

from __future__ import annotations

import numpy as np

from vision.eyes.detections import Detections
from vision.fusing.table_fit import TableFit
from vision.solids import Array

LOOKS = 0.5  # power of what the eyes think of a piece's size by itself
FLOOR = 1e-4
ASTRAY = 0.04  # how often scale is no guide: a corner of a neighbour's was taken, or the piece stands on a hidden one


def size_chances(fit: TableFit, seen: Detections) -> Array:
    """(N, 3) probability of each size of every piece."""
    chances = np.exp(-np.minimum(fit.size_costs, 50.0)) * np.maximum(seen.sizes, FLOOR) ** LOOKS
    chances /= chances.sum(1, keepdims=True)
    return np.asarray((1 - ASTRAY) * chances + ASTRAY / chances.shape[1])


def lying_chances(fit: TableFit) -> Array:
    """(N,) probability that each piece lies, by its looks and by its corners."""
    upright, lying = fit.posture_costs.T
    return np.asarray(1 / (1 + np.exp(np.clip(lying - upright, -50, 50))))
