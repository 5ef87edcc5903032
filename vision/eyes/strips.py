"""The strips along the base edges of pieces, where their pips are, each drawn as large as any other."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes.halvings import Halvings
from vision.solids import FACES, Array

WIDE, HIGH = 48, 20  # px of a strip
TOP, BOTTOM = 0.27, -0.08  # where it begins and ends, as shares of the way from the base edge to the tip
NARROWEST = 12.0  # px of a base edge in the picture; pips of smaller ones cannot be seen
FLATTEST = 0.35  # height of a face in the picture to its base edge; flatter ones are seen from too far aside
COARSER = 1.6  # times as many px as a strip has: pictures with more are halved first
COARSEST = 3  # times a picture is halved at the most

Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Strips:
    """Where S strips lie in a picture.

    Attributes:
        piece: (S,) index of the piece that each is on.
        start, end, tip: (S, 2) px of the base edge, from left to right as one looks at the face, and of the tip.
    """

    piece: NDArray[np.intp]
    start: Array
    end: Array
    tip: Array

    @classmethod
    def along(cls, corners: Array, lying: NDArray[np.bool_]) -> Strips:
        """On all faces that are turned to the camera, of pieces with *corners* (N, 5, 2) px.

        Args:
            lying: (N,) which lie: their first face is on the table. The base of others may be told either way round.
        """
        corners = np.where(_clockwise(corners, lying)[:, None, None], corners[:, [0, 2, 1, 4, 3]], corners)
        faces = corners[:, np.array(FACES)]
        tip, start, end = faces[:, :, 0], faces[:, :, 1], faces[:, :, 2]
        width = np.linalg.norm(end - start, axis=-1)
        height = _twice_the_area(start, end, tip) / np.maximum(width, 1e-6)
        shown = (width >= NARROWEST) & (height >= FLATTEST * width)
        shown[:, 0] &= ~lying
        piece, face = np.nonzero(shown)
        return cls(piece, start[piece, face], end[piece, face], tip[piece, face])

    def __len__(self) -> int:
        return len(self.piece)

    @property
    def width(self) -> Array:
        """(S,) px of the base edges in the picture."""
        return np.asarray(np.linalg.norm(self.end - self.start, axis=1))

    def drawn(self, picture: Halvings) -> Image:
        """(S, HIGH, WIDE, 3) what a picture shows in them; its edge is drawn out."""
        halvings = np.clip(np.ceil(np.log2(self.width / (COARSER * WIDE))), 0, COARSEST).astype(int)
        made = np.empty((len(self), HIGH, WIDE, 3), np.uint8)
        for index, (halved, moved) in enumerate(zip(halvings, self._moved(halvings), strict=True)):
            made[index] = cv2.warpAffine(
                picture.halved(halved),
                moved,
                (WIDE, HIGH),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
        return made

    def _moved(self, halvings: NDArray[np.intp]) -> Array:
        """(S, 2, 3) affine maps from the pixels of each strip to those of the picture halved so often."""
        middle = (self.start + self.end) / 2
        right = (self.end - self.start) / WIDE
        down = (self.tip - middle) * ((BOTTOM - TOP) / HIGH)
        first = middle + (self.tip - middle) * TOP + (1 - WIDE) / 2 * right + down / 2
        shrunk = 0.5 ** halvings[:, None]
        return np.stack([right * shrunk, down * shrunk, (first + 0.5) * shrunk - 0.5], axis=-1)


def _twice_the_area(start: Array, end: Array, tip: Array) -> Array:
    """(…,) px² of triangles, positive where they are seen from the front, y pointing down."""
    along, up = end - start, tip - start
    return np.asarray(along[..., 1] * up[..., 0] - along[..., 0] * up[..., 1])


def _clockwise(corners: Array, lying: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(N,) whether bases are told clockwise as seen from the tip, as those of all are that lie."""
    one, other = corners[:, 3] - corners[:, 1], corners[:, 4] - corners[:, 2]
    return np.asarray(lying | (one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0] > 0))
