"""Where the plastic is, and of which colour: the table's own colour is measured first and divided out.

A pixel is plastic when, seen in the table's light, it is far more saturated than a shadow or a reflection could be.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.solids import Color

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]

COLORS = tuple(Color)
ELSEWHERE = len(COLORS) + 1  # label of plastic that is accounted for already
MIN_SATURATION = 0.36  # of the colour divided by the table's; tinted shadows stay below 0.3
MIN_DISTANCE = 14.0  # grey levels between a pixel and every brightness of the table's colour

# Hue ranges in degrees under roughly white light; measured plastics lie well inside (red 353-2, yellow 37-61,
# green 89-140, blue 220-274).
HUE_LIMITS = ((22.0, Color.RED), (76.0, Color.YELLOW), (178.0, Color.GREEN), (292.0, Color.BLUE), (360.0, Color.RED))


@dataclass(frozen=True, eq=False)
class ColorMap:
    """The colour of plastic at each pixel.

    Attributes:
        labels: (H, W) uint8, 0 for no plastic, else 1 + index in ``COLORS``.
        table: (3,) BGR of the table top.
    """

    labels: Mask
    table: NDArray[np.float64]

    def mask(self, color: Color) -> Mask:
        """(H, W) uint8, 255 where the plastic has this colour."""
        return np.where(self.labels == COLORS.index(color) + 1, np.uint8(255), np.uint8(0))


def map_colors(image: Image) -> ColorMap:
    """Labels every pixel of a (H, W, 3) BGR picture of a table."""
    smooth = np.asarray(cv2.medianBlur(image, 3), dtype=np.uint8)
    table = table_color(smooth)
    plastic = _saturated(smooth, table) & _unlike_table(smooth, table)
    labels = np.where(plastic, _nearest_hue(smooth), 0).astype(np.uint8)
    return ColorMap(_without_specks(labels), table)


def table_color(image: Image) -> NDArray[np.float64]:
    """(3,) BGR of the commonest colour of the picture: the middle of its fullest histogram bin and around it."""
    small = image[::4, ::4].reshape(-1, 3)
    bins = (small >> 4).astype(np.int32)
    codes = (bins[:, 0] << 8) | (bins[:, 1] << 4) | bins[:, 2]
    counts = np.bincount(codes, minlength=4096).reshape(16, 16, 16).astype(np.float32)
    padded = np.pad(counts, 1)
    corners = [(i, j, k) for i in range(3) for j in range(3) for k in range(3)]
    around = np.sum([padded[i : i + 16, j : j + 16, k : k + 16] for i, j, k in corners], axis=0)
    best = np.array(np.unravel_index(int(np.argmax(around)), around.shape))
    near = np.abs(bins - best).max(1) <= 1
    return np.asarray(np.maximum(np.median(small[near], axis=0), 6.0), dtype=np.float64)


def _saturated(image: Image, table: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether a pixel keeps a strong colour after the table's is divided out."""
    gains = (table.max() / table).tolist()
    scaled = [channel.astype(np.float32) * np.float32(g) for channel, g in zip(cv2.split(image), gains, strict=True)]
    high = np.maximum(np.maximum(scaled[0], scaled[1]), scaled[2])
    low = np.minimum(np.minimum(scaled[0], scaled[1]), scaled[2])
    return np.asarray(high - low > MIN_SATURATION * np.maximum(high, 1.0))


def _unlike_table(image: Image, table: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether no brightness of the table's colour comes near a pixel."""
    direction = (table / np.linalg.norm(table)).astype(np.float32)
    b, g, r = (channel.astype(np.float32) for channel in cv2.split(image))
    along = b * direction[0] + g * direction[1] + r * direction[2]
    across = b * b + g * g + r * r - along * along
    return np.asarray(across > MIN_DISTANCE**2)


def _nearest_hue(image: Image) -> Mask:
    """(H, W) uint8: 1 + index of the colour whose hue a pixel has."""
    hue = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)[..., 0]
    table = np.zeros(256, np.uint8)
    low = 0.0
    for high, color in HUE_LIMITS:
        table[int(low / 2) : int(high / 2) + 1] = COLORS.index(color) + 1
        low = high
    return np.asarray(cv2.LUT(hue, table), dtype=np.uint8)


def _without_specks(labels: Mask) -> Mask:
    """The labels with lone pixels and hairlines taken out, colour by colour."""
    clean = np.zeros_like(labels)
    kernel = np.ones((3, 3), np.uint8)
    for index in range(1, len(COLORS) + 1):
        mask = np.where(labels == index, np.uint8(255), np.uint8(0))
        mask = cv2.morphologyEx(cv2.medianBlur(mask, 3), cv2.MORPH_OPEN, kernel)
        clean[mask > 0] = index
    return clean
