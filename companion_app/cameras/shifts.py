"""Whether the whole picture has moved against an earlier one: the camera or the table was bumped."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.cameras.differences import Mask, Small

CORNERS = 150
LEAST_CORNERS = 10
LEAST_SHARE = 0.55  # of the corners that move as one; a system that is pushed aside has far fewer
NEAR = 1.0  # px between where a corner is and where it should be
LEAST_SHIFT = 0.5  # px: what is less does nobody harm


@dataclass(frozen=True, eq=False)
class Shift:
    """A movement of the whole picture.

    Attributes:
        matrix: (2, 3) from the earlier pixels to the later ones.
        across, down: how far the middle of the picture has moved, px.
    """

    matrix: NDArray[np.float64]
    across: float
    down: float

    def moved(self, known: Small, picture: Small) -> tuple[Small, Mask]:
        """*known* as it would look now, and where it did not show anything: that is taken from *picture*."""
        size = (known.shape[1], known.shape[0])
        warped = cv2.warpAffine(known, self.matrix, size, flags=cv2.INTER_LINEAR)
        whole = cv2.warpAffine(np.ones(known.shape[:2], np.float32), self.matrix, size)
        unknown = cv2.erode(whole, np.ones((3, 3), np.uint8)) <= 0.99
        return np.where(unknown[..., None], picture, warped).astype(np.float32), unknown.astype(np.uint8)


def shift_between(known: Small, picture: Small) -> Shift | None:
    """How *picture* as a whole is shifted against *known*; ``None`` if it is not, or if that cannot be told."""
    before, now = _gray(known), _gray(picture)
    corners = cv2.goodFeaturesToTrack(before, CORNERS, 0.02, 4)
    if corners is None or len(corners) < LEAST_CORNERS:
        return None
    found, status, _ = cv2.calcOpticalFlowPyrLK(before, now, corners, np.empty_like(corners), winSize=(15, 15))
    back, returned, _ = cv2.calcOpticalFlowPyrLK(now, before, found, np.empty_like(corners), winSize=(15, 15))
    there_and_back = np.linalg.norm(back - corners, axis=-1).ravel() < NEAR
    kept = (status.ravel() == 1) & (returned.ravel() == 1) & there_and_back
    if kept.sum() < LEAST_CORNERS:
        return None
    matrix, inliers = cv2.estimateAffinePartial2D(corners[kept], found[kept], ransacReprojThreshold=NEAR)
    if matrix is None or inliers.sum() < LEAST_SHARE * len(corners):
        return None
    return _told(matrix, corners[kept][inliers.ravel() > 0].reshape(-1, 2), known.shape[1], known.shape[0])


def _told(matrix: NDArray[np.float64], corners: NDArray[np.float32], width: int, height: int) -> Shift | None:
    """The shift, if it moves the *corners*, (N, 2) px, by more than a trifle.

    How far it would move the rest of the picture says nothing: where all corners are close together, in the bank
    beside an empty table, the least error of theirs becomes large elsewhere.
    """
    if np.median(np.linalg.norm(_moves(matrix, corners), axis=1)) < LEAST_SHIFT:
        return None
    across, down = _moves(matrix, np.array([[width / 2, height / 2]]))[0]
    return Shift(np.asarray(matrix, np.float64), float(across), float(down))


def _moves(matrix: NDArray[np.float64], places: NDArray[np.floating]) -> NDArray[np.float64]:
    """(N, 2) px by which *places* are moved."""
    return np.asarray(places @ matrix[:, :2].T + matrix[:, 2] - places, np.float64)


def _gray(picture: Small) -> NDArray[np.uint8]:
    """In grey, stretched to the whole range, so that a dark table has corners too."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.normalize(gray, np.empty_like(gray), 0, 255, cv2.NORM_MINMAX), np.uint8)
