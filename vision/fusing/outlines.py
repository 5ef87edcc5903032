"""What convex outlines have in common in the picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Outline = NDArray[np.float32] | cv2.typing.MatLike

HAIR = np.array([0.013, 0.007], dtype=np.float32)  # px


def of_smaller(one: Outline, other: Outline) -> float:
    """The share of the smaller of two outlines (M, 2) px that the other covers."""
    return min(1.0, common_area(one, other) / max(min(cv2.contourArea(one), cv2.contourArea(other)), 1.0))


def of_both(one: Outline, other: Outline) -> float:
    """Intersection over union of two outlines (M, 2) px."""
    common = common_area(one, other)
    return common / max(cv2.contourArea(one) + cv2.contourArea(other) - common, 1e-6)


def common_area(one: Outline, other: Outline) -> float:
    """px², of two convex outlines (M, 2) px.

    OpenCV sometimes finds none where they are all but the same: then one is moved by a hair.
    """
    area = float(cv2.intersectConvexConvex(one, other)[0])
    if area > 0 or not _is_within(one, other):
        return area
    return float(cv2.intersectConvexConvex(one, np.asarray(other, dtype=np.float32) + HAIR)[0])


def _is_within(one: Outline, other: Outline) -> bool:
    """Whether the middle of one outline lies in the other."""
    x, y = np.asarray(one).reshape(-1, 2).mean(axis=0).tolist()
    return cv2.pointPolygonTest(other, (x, y), False) > 0
