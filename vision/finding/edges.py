"""Where brightness or colour breaks: the seams between faces, and between pieces of one colour."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.colors import Image

FLAT = 7.0  # grey levels across 3 px: noise and the grain of plastic
SHARP = 20.0  # grey levels: certainly a seam


def seam_map(image: Image, shrink: int) -> NDArray[np.float32]:
    """(H, W) from 0 (flat) to 1 (seam) for every *shrink* pixels of a BGR picture, a pixel wide either side."""
    smooth = cv2.GaussianBlur(image, (0, 0), 1.0)
    breaks = cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    strength = np.clip((breaks.astype(np.float32) - FLAT) / (SHARP - FLAT), 0, 1)
    height, width = strength.shape[0] // shrink * shrink, strength.shape[1] // shrink * shrink
    blocks = strength[:height, :width].reshape(height // shrink, shrink, width // shrink, shrink)
    pooled = np.asarray(blocks.max(axis=(1, 3)), dtype=np.float32)
    right, below = image.shape[1] % shrink > 0, image.shape[0] % shrink > 0
    return np.pad(pooled, ((0, int(below)), (0, int(right))))
