"""Pieces that the eyes tell twice though only one can stand there."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.fusing.orders import ORDERS
from vision.fusing.outlines import of_both
from vision.fusing.presence import BELIEVED
from vision.solids import Array

ONE_BASE = 0.09  # of a piece's diameter: so far the corners of its base are off on the whole when it is told twice
ONE_STACK = 0.35  # of two outlines in common where they may be of one piece under a third


def without_twins(seen: Detections, likely: Array) -> NDArray[np.intp]:
    """Indices of the pieces without those that were told for the second time.

    Where another stands on a piece the eyes may tell it both as an upper one, with its tip at the other's rim, and as
    the lower one that it is. Of two of one colour and one base the *likelier* stands there; of two in one place under
    a piece of another colour that with the clearer corners.

    Args:
        likely: (N,) how likely each is there as it is told.
    """
    outlines = [cv2.convexHull(corners.astype(np.float32)) for corners in seen.corners]
    colors, blurs = seen.colors.argmax(1), np.median(seen.corner_blur, axis=1)
    diameters = np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)
    feet = seen.corners[:, 1:].mean(1)
    standing = np.flatnonzero(~seen.under & (likely >= BELIEVED) & (seen.lying < 0.5)).tolist()
    apart = np.linalg.norm(feet[:, None] - feet, axis=2)
    alike = (colors[:, None] == colors) & (apart < np.maximum(diameters[:, None], diameters))

    def on_one_base(index: int, other: int) -> bool:
        off = seen.corners[index][ORDERS[:, 1:]] - seen.corners[other, 1:]
        return bool(np.linalg.norm(off, axis=2).mean(1).min() < ONE_BASE * diameters[index])

    def under_another(index: int, other: int) -> bool:
        one_place = seen.under[[index, other]].any() and of_both(outlines[index], outlines[other]) > ONE_STACK
        return bool(one_place) and any(
            cv2.pointPolygonTest(outlines[either], feet[third].tolist(), False) > 0
            for third in standing
            if colors[third] != colors[index]
            for either in (index, other)
        )

    lost = np.zeros(len(seen), dtype=bool)
    for one, other in combinations(np.argsort(-likely, kind="stable").tolist(), 2):
        if not alike[one, other] or lost[one] or lost[other]:
            continue
        if on_one_base(one, other):
            lost[other] = True
        elif under_another(one, other):
            lost[max((one, other), key=lambda index: blurs[index])] = True
    return np.flatnonzero(~lost)
