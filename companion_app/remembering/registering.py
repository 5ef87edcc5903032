"""How a picture has to be bent to lie on another of the same table, after the camera was bumped.

A camera that turns a little in its place bends its whole picture by one homography, near things and far ones alike.
Plain tables show few places to know again, so that it is some pixels off here and there; a small part of it, such as
the bank, is then drawn on by itself.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.photos import Photo
from companion_app.reading_types import Point
from companion_app.remembering.unchanged import Area, Picture

_FEATURES: Final = 2000
_CLEARER: Final = 0.8
"""A match counts if the next best is so much worse (D. Lowe's ratio test, 2004)."""
_OFF_PX: Final = 2.0
_ENOUGH: Final = 40
"""So many places have to agree on how the picture has moved."""
_FARTHEST: Final = 0.15
"""A bump moves the picture by no more than this share of its width."""
_UNTIL: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
_ECC_BLUR_PX: Final = 5
"""When windows have been drawn onto each other, and what they are blurred by for it."""

Bending = NDArray[np.float64]


def bending(before: Photo, after: Photo) -> Bending | None:
    """(3, 3) the homography from pixels of *before* to those of *after*; ``None`` where they cannot be matched."""
    finder = cv2.ORB.create(nfeatures=_FEATURES)
    (places, words), (others, theirs) = (_features(finder, photo) for photo in (before, after))
    if len(places) < _ENOUGH or len(others) < _ENOUGH:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(words, theirs, k=2)
    clear = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < _CLEARER * pair[1].distance]
    if len(clear) < _ENOUGH:
        return None
    sources = places[[match.queryIdx for match in clear]]
    targets = others[[match.trainIdx for match in clear]]
    found, agreeing = cv2.findHomography(sources, targets, cv2.USAC_MAGSAC, _OFF_PX)
    if found is None or int(agreeing.sum()) < _ENOUGH:
        return None
    homography = np.asarray(found, dtype=np.float64)
    height, width = before.shape[:2]
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    apart = np.linalg.norm(bent(frame, homography) - frame, axis=1)
    return homography if float(apart.max()) < _FARTHEST * width else None


def bent(points: NDArray[np.float64], homography: Bending) -> NDArray[np.float64]:
    """(N, 2) px moved by a homography."""
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography)
    return np.asarray(moved.reshape(-1, 2), dtype=np.float64)


def bent_points(points: tuple[Point, ...], homography: Bending) -> tuple[Point, ...]:
    """The same of an outline."""
    if not points:
        return ()
    moved = bent(np.array(points, dtype=np.float64), homography)
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in moved)


def drawn_onto(before: Picture, after: Picture, but: Area) -> Picture:
    """A window, (h, w, 3), shifted and turned to lie on one *before* it as exactly as can be, *but* for some of it.

    In brighter or darker light both are to be as alike as possible (ECC; G. Evangelidis and E. Psarakis, 2008).
    The window stays as it is where nothing fits.
    """
    one, other = (cv2.cvtColor(shown, cv2.COLOR_BGR2GRAY) for shown in (before, after))
    counts = (~but).astype(np.uint8)
    found = np.eye(2, 3, dtype=np.float32)
    try:
        cv2.findTransformECC(one, other, found, cv2.MOTION_EUCLIDEAN, _UNTIL, counts, _ECC_BLUR_PX)
    except cv2.error:  # it does not converge
        return after
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    drawn = cv2.warpAffine(after, found, one.shape[::-1], flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(drawn, dtype=np.float32)


def _features(finder: cv2.ORB, photo: Photo) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """(N, 2) px and (N, 32) what is to be seen there."""
    spots, words = finder.detectAndCompute(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), None)
    if not spots:
        return np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8)
    return np.array([spot.pt for spot in spots], dtype=np.float32), np.asarray(words, dtype=np.uint8)
