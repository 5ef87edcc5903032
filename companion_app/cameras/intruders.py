"""Hands and arms: large, not there before, and coming in over the edge of the picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.cameras.differences import Mask, Small

LEAST_AREA = 0.010  # of the picture
LEAST_CONTACT = 0.06  # of the picture's width: as wide as it crosses the edge; a piece that lies there is narrower
GONE = 1.25  # how many times sharper the outline was before, if what was there has gone


def intruder(mask: Mask, unknown: Mask | None = None) -> Mask | None:
    """The largest patch of *mask* that is as a hand could be, or ``None``.

    At what is *unknown*, as after a bump, the picture might as well end.
    """
    height, width = mask.shape
    solid = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8)
    best, area = 0, LEAST_AREA * height * width
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] >= area and _contact(labels == label, unknown) >= LEAST_CONTACT * width:
            best, area = label, float(stats[label, cv2.CC_STAT_AREA])
    return (labels == best).astype(np.uint8) if best else None


def has_gone(patch: Mask, known: Small, picture: Small) -> bool:
    """Whether *patch* is where something lay that is there no more: its outline was sharper in *known*."""
    kernel = np.ones((3, 3), np.uint8)
    height, width = patch.shape
    outline = np.asarray(cv2.dilate(patch, kernel) - cv2.erode(patch, kernel), np.uint8)
    outline[[0, 1, height - 2, height - 1]] = 0
    outline[:, [0, 1, width - 2, width - 1]] = 0
    before, now = (_sharpness(one, outline) for one in (known, picture))
    return before > GONE * now


def _contact(patch: NDArray[np.bool_], unknown: Mask | None) -> int:
    """How many pixels of an edge of the picture a patch crosses, at the most."""
    crossed = np.zeros_like(patch)
    crossed[[0, -1]], crossed[:, [0, -1]] = patch[[0, -1]], patch[:, [0, -1]]
    if unknown is not None:
        crossed |= (np.asarray(cv2.dilate(patch.astype(np.uint8), np.ones((3, 3))), np.uint8) & unknown) > 0
    return int(max(crossed.any(axis=0).sum(), crossed.any(axis=1).sum()))


def _sharpness(picture: Small, where: Mask) -> float:
    """Mean gradient at the pixels of a mask."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    across, along = cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1)
    return float(cv2.mean(cv2.magnitude(across, along), where)[0])
