"""Dark parts of a picture made lighter before anybody looks: what a lamp does not reach is still seen.

Each place is multiplied until its surroundings are as light as a well-lit table; what is light enough stays as it is.
All three colours are multiplied alike, so that hues stay.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

LIGHT_ENOUGH = 80.0  # of 255, mean of the surroundings
MOST = 5.0  # times as light; beyond that there is only noise
CELL = 16  # px of a picture that is as large as the first net sees it
SURROUNDINGS = 5.0  # cells, spread of the mean
USUAL_SIDE = 1280  # px, longer side of such a picture
DARKEST = 2.0  # of 255; nothing is told of what is darker
WORTH = 1.05  # times: what needs less is left alone
STRIP = 64  # rows at a time: a large picture is twice as fast so, and needs no more memory

Image = NDArray[np.uint8]


def brightened(image: Image, long_side: int | None = None) -> Image:
    """An (H, W, 3) BGR picture with its dark parts lighter.

    Args:
        long_side: px of the longer side of the whole picture, if *image* is a part of one.
    """
    cell = CELL * (long_side or max(image.shape[:2])) / USUAL_SIDE
    coarse = (max(1, round(image.shape[1] / cell)), max(1, round(image.shape[0] / cell)))
    grey = cv2.cvtColor(cv2.resize(image, coarse, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    light = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), SURROUNDINGS)
    gain = np.clip(LIGHT_ENOUGH / np.maximum(light, DARKEST), 1.0, MOST)
    if float(gain.max()) < WORTH:
        return image
    everywhere = cv2.resize(gain, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    lit = np.empty(image.shape, np.uint8)
    for top in range(0, len(image), STRIP):
        rows = slice(top, top + STRIP)
        cv2.multiply(image[rows], cv2.merge([everywhere[rows]] * 3), lit[rows], dtype=cv2.CV_8U)
    return lit
