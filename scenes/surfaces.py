"""What all surfaces are made of: noise, and colours as people name them.

A surface is a picture of (SIDE, SIDE, 3) sRGB bytes; lengths are in texels unless they say mm.
"""

from __future__ import annotations

import colorsys
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Rng = np.random.Generator
SIDE = 1024


def noise(rng: Rng, step_x: float, step_y: float, side: int = SIDE) -> Floats:
    """(side, side) smooth noise with unit deviation whose bumps are about step_x × step_y texels."""
    coarse = rng.standard_normal((int(side / step_y) + 4, int(side / step_x) + 4)).astype(np.float32)
    fine = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine / (fine.std() + 1e-6), dtype=np.float32)


def octaves(rng: Rng, step: float, count: int = 4) -> Floats:
    """Several noises on top of each other, each half as coarse and half as strong."""
    total = np.zeros((SIDE, SIDE), np.float32)
    for k in range(count):
        total += noise(rng, max(1.0, step / 2**k), max(1.0, step / 2**k)) * 0.5**k
    return np.asarray(total / total.std(), np.float32)


def hsv(hue: float, saturation: float, value: float) -> Floats:
    """An sRGB colour from 0 to 255; the hue in degrees."""
    return np.array(colorsys.hsv_to_rgb((hue % 360) / 360, min(1.0, saturation), min(1.0, value)), np.float32) * 255


def as_bytes(picture: NDArray[Any]) -> Bytes:
    """Tones from 0 to 255, what lies beyond cut off."""
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def toned(tone: Floats, dark: Floats, light: Floats) -> Bytes:
    """(H, W, 3) from *dark* where the tone is 0 to *light* where it is 1."""
    mix = np.clip(tone, 0, 1)[..., None]
    return as_bytes(dark + (light - dark) * mix)
