"""The sides of pieces' outlines, and what a picture shows across them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.solids import Array

SHORT = 1e-9  # a side that has no length has no direction either


@dataclass(frozen=True, eq=False)
class Sides:
    """S sides of the outlines of pieces, in order around each.

    Attributes:
        start, end: (S, 2). piece: (S,) whose side it is. ends: (S,) at which corner of it the side ends.
        after: (S,) index of the side that begins there.
    """

    start: Array
    end: Array
    piece: NDArray[np.intp]
    ends: NDArray[np.intp]
    after: NDArray[np.intp]

    @classmethod
    def around(cls, corners: Array) -> Sides:
        """The sides of the hulls of (N, 5, 2) corners."""
        rings = [cv2.convexHull(points, returnPoints=False)[:, 0] for points in corners.astype(np.float32)]
        counts = np.array([len(ring) for ring in rings], dtype=np.intp)
        piece = np.repeat(np.arange(len(corners)), counts)
        starts = np.concatenate(rings).astype(np.intp)
        after = np.arange(1, len(starts) + 1)
        last = np.cumsum(counts) - 1
        after[last] = last - counts + 1  # around to the first side of the piece
        ends = starts[after]
        return cls(corners[piece, starts], corners[piece, ends], piece, ends, after)

    @property
    def lengths(self) -> Array:
        """(S,)."""
        return np.asarray(np.linalg.norm(self.end - self.start, axis=1))

    def across(self, along: Array, offsets: Array) -> Array:
        """(S, T, K, 2) places at shares *along* (T,) of each side, by *offsets* (K,) beside it."""
        way = self.end - self.start
        normal = np.column_stack([-way[:, 1], way[:, 0]]) / np.maximum(self.lengths, SHORT)[:, None]
        on_side = self.start[:, None] + along[:, None] * way[:, None]
        return np.asarray(on_side[:, :, None] + offsets[:, None] * normal[:, None, None])


def shown(image: NDArray[np.uint8], places: Array) -> NDArray[np.int16]:
    """(S, T, K, 3) what a (H, W, 3) picture shows at (S, T, K, 2) px, and at its edge beyond it."""
    flat = places.reshape(len(places), -1, 2).astype(np.float32)
    values = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.astype(np.int16).reshape(*places.shape[:3], 3)


def steepest(change: NDArray[np.int16]) -> NDArray[np.int16]:
    """(…, 3) differences -> (…) grey levels of the channel that changes most."""
    size = np.abs(change)  # a maximum over so short an axis would be slow
    return np.asarray(np.maximum(np.maximum(size[..., 0], size[..., 1]), size[..., 2]))
