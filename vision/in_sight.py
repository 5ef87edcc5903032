"""Which part of each piece is in sight, when it is known what stands in front of what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.solids import Array

FINEST = 1280  # px: larger pictures are painted as if their longer side were so long
NOBODY = -1

Owners = NDArray[np.int32]
"""(H, W): the index of the piece that shows at each pixel, or ``NOBODY``."""


def painted(outlines: Sequence[Array], far_to_near: Iterable[int], size: tuple[int, int]) -> Owners:
    """Who shows where in a picture of (width, height) px: nearer pieces are painted over those farther away.

    Args:
        outlines: of each piece the (M, 2) px of its whole outline, which is convex.
        far_to_near: indices of the pieces.
    """
    owners: Owners = np.full((size[1], size[0]), NOBODY, np.int32)
    for index in far_to_near:
        cv2.fillConvexPoly(owners, np.round(outlines[index]).astype(np.int32), int(index))
    return owners


def middles_in_sight(outlines: Sequence[Array], far_to_near: Iterable[int], size: tuple[int, int]) -> Array:
    """(N, 2) px, the middle of the box around what shows of each piece; around all of it where nothing does.

    Arguments are those of :func:`painted`.
    """
    scale = min(1.0, FINEST / max(size))
    smaller = [outline * scale for outline in outlines]
    width, height = (max(1, round(side * scale)) for side in size)
    owners = painted(smaller, far_to_near, (width, height))
    middles = [_middle(owners, index, outline) for index, outline in enumerate(smaller)]
    return np.array(middles).reshape(-1, 2) / scale


def _middle(owners: Owners, index: int, outline: Array) -> Array:
    low, high = outline.min(axis=0), outline.max(axis=0)
    left, top = np.maximum(np.floor(low), 0).astype(int)
    right, bottom = np.maximum(np.ceil(high), -1).astype(int) + 1
    shows = (owners[top:bottom, left:right] == index).astype(np.uint8)
    x, y, width, height = cv2.boundingRect(shows) if shows.size else (0, 0, 0, 0)
    if not width:
        return np.asarray((low + high) / 2)
    return np.array([left + x + (width - 1) / 2, top + y + (height - 1) / 2])
