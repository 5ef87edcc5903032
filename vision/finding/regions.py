"""Connected patches of one plastic colour: one piece, or several that touch or hide each other."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.finding.colors import COLORS, ColorMap
from vision.solids import Array, Color

MIN_AREA = 40  # px, smaller patches are specks
MOST = 54  # patches; 36 pieces, some of them cut in two by others


@dataclass(frozen=True, eq=False)
class Region:
    """A patch of plastic.

    Attributes:
        contour: (N, 2) px, its outer border.
        area: px.
        box: (x0, y0, x1, y1) px, the far side not included.
    """

    color: Color
    contour: Array
    area: float
    box: tuple[int, int, int, int]

    def inside(self, size: tuple[int, int]) -> bool:
        """Whether the patch keeps clear of the rim of a picture of (width, height) px."""
        x0, y0, x1, y1 = self.box
        return x0 > 1 and y0 > 1 and x1 < size[0] - 1 and y1 < size[1] - 1


def find_regions(colors: ColorMap) -> tuple[Region, ...]:
    """The patches of all colours, the largest first; no more than a table full of pyramids could show."""
    regions: list[Region] = []
    for color in COLORS:
        contours, _ = cv2.findContours(colors.mask(color), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            area = float(cv2.contourArea(contour))
            if area >= MIN_AREA:
                x, y, w, h = cv2.boundingRect(contour)
                points = contour[:, 0].astype(np.float64)
                regions.append(Region(color, points, area, (x, y, x + w, y + h)))
    return tuple(sorted(regions, key=lambda region: -region.area)[:MOST])
