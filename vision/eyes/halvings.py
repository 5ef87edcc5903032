"""A picture, and the same halved again and again: what is shown small is drawn from one that is nearly as small."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


class Halvings:
    """A picture that is looked at more than once; each halving is made when it is first asked for.

    Attributes:
        image: (H, W, 3) BGR.
    """

    def __init__(self, image: Image) -> None:
        self.image = image
        self._made = [image]

    def halved(self, times: int) -> Image:
        """The picture halved so often, 0 being the whole."""
        while len(self._made) <= times:
            self._made.append(np.asarray(cv2.pyrDown(self._made[-1]), dtype=np.uint8))
        return self._made[times]
