"""How well plastic fills the outline of a piece: of a pattern that is taken for one it does not reach all edges."""

from __future__ import annotations

import cv2
import numpy as np

from vision.eyes.chances import logit
from vision.eyes.detections import Detections
from vision.eyes.sides import Sides
from vision.solids import Array

INNER = 0.8  # of an outline: where its edges are drawn so far in, there is plastic
ALONG = np.linspace(0.15, 0.85, 6)  # where an edge is looked at
SURE = 5.0  # logit of plastic; more counts as that


def filled(outlines: Array, seen: Detections) -> Array:
    """(N,) logit of plastic, on the mean, along the inner edges of pieces that have their corners at (N, 5, 2) px."""
    if not len(outlines):
        return np.zeros(0)
    middles = outlines.mean(axis=1, keepdims=True)
    sides = Sides.around((middles + INNER * (outlines - middles)) / seen.cell)
    cells = sides.across(ALONG, np.zeros(1))[:, :, 0].astype(np.float32)
    plastic = np.clip(logit(seen.plastic.astype(np.float64)), -SURE, SURE).astype(np.float32)
    told = cv2.remap(plastic, cells[..., 0], cells[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    total, count = np.zeros(len(outlines)), np.zeros(len(outlines))
    np.add.at(total, sides.piece, told.mean(axis=1))
    np.add.at(count, sides.piece, 1.0)
    return total / count
