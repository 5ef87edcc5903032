"""Small pictures of single pieces, each drawn as large as any other: what the second look is shown."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes.halvings import Halvings
from vision.solids import Array

SIDE = 80  # px of a patch
DRAWN = 48.0  # px of it that the diagonal of the box around a piece's corners takes
SMALLEST = 6.0  # px; what is smaller in the picture is drawn smaller
COARSEST = 4  # times a picture is halved at the most

Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Windows:
    """Where N patches lie in a picture: their middles (N, 2) px, and (N,) px of a patch to one px of the picture."""

    middle: Array
    scale: Array

    @classmethod
    def around(cls, corners: Array) -> Windows:
        """Around the corners (N, 5, 2) px of pieces."""
        low, high = corners.min(axis=1), corners.max(axis=1)
        return cls((low + high) / 2, DRAWN / np.maximum(np.linalg.norm(high - low, axis=1), SMALLEST))

    def inward(self, points: Array) -> Array:
        """(N, K, 2) px of the picture -> of the patches."""
        return np.asarray((points - self.middle[:, None]) * self.scale[:, None, None] + (SIDE - 1) / 2)

    def outward(self, points: Array) -> Array:
        """(N, K, 2) px of the patches -> of the picture."""
        return np.asarray((points - (SIDE - 1) / 2) / self.scale[:, None, None] + self.middle[:, None])


def patches(picture: Halvings, windows: Windows) -> Image:
    """(N, SIDE, SIDE, 3) what a picture shows in the windows; its edge is drawn out."""
    halvings = np.clip(np.floor(np.log2(1 / windows.scale) + 0.5), 0, COARSEST).astype(int)
    made = np.empty((len(halvings), SIDE, SIDE, 3), np.uint8)
    for index, (halved, middle, scale) in enumerate(zip(halvings, windows.middle, windows.scale, strict=True)):
        shift = (SIDE - 1) / 2 - scale * middle
        moved = np.array([[scale * 2.0**halved, 0, shift[0]], [0, scale * 2.0**halved, shift[1]]])
        made[index] = cv2.warpAffine(
            picture.halved(halved), moved, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return made
