"""Outlines of pieces in one picture, held against each other."""

from __future__ import annotations

from collections.abc import Iterable
from math import dist
from typing import Final

import cv2
import numpy as np

from companion_app.reading_types import ReadPiece

ONE: Final = 0.4
"""Of two outlines in common from which on they are taken for those of one piece."""
OF_A_STACK: Final = 0.25
"""The same from which on they are taken for those of one stack."""


def nearest(piece: ReadPiece, others: Iterable[ReadPiece], least: float) -> ReadPiece | None:
    """Of the *others* the one that shares most of its outline with *piece*, if that is at least so much."""
    near = [(share(piece, other), other) for other in others if _is_near(piece, other)]
    most, best = max(near, key=lambda one: one[0], default=(0.0, None))
    return best if most >= least else None


def share(one: ReadPiece, other: ReadPiece) -> float:
    """Intersection over union of two outlines."""
    hulls = [cv2.convexHull(np.array(piece.outline, dtype=np.float32)) for piece in (one, other)]
    common = cv2.intersectConvexConvex(hulls[0], hulls[1])[0]
    return float(common / max(sum(map(cv2.contourArea, hulls)) - common, 1e-6))


def covers(one: ReadPiece, other: ReadPiece) -> bool:
    """Whether the middle of the other piece is within the outline of the one."""
    hull = cv2.convexHull(np.array(one.outline, dtype=np.float32))
    return cv2.pointPolygonTest(hull, other.middle, False) >= 0


def length(piece: ReadPiece) -> float:
    """px, of the outline's diagonal; 0 where there is none."""
    return float(np.linalg.norm(np.ptp(np.array(piece.outline), axis=0))) if piece.outline else 0.0


def _is_near(one: ReadPiece, other: ReadPiece) -> bool:
    if not one.outline or not other.outline:
        return False
    return dist(one.middle, other.middle) < max(length(one), length(other))
