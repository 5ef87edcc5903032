"""Crops as strange pictures: the same pieces before another camera, on another cloth, on a board of another make."""

from __future__ import annotations

import numpy as np

from training.crops import Crop, Image
from training.photo_errors import spoilt
from training.tablecloths import dyed, grained

DYED = 0.45  # share of crops whose table gets another pattern
GRAINED = 0.4  # share of crops whose board gets another


def strange(crop: Crop, rng: np.random.Generator) -> Image:
    """(H, W, 3) BGR, the crop as another camera might have taken it elsewhere; its truth stays."""
    shown = dyed(crop, rng) if rng.random() < DYED else crop.image
    if rng.random() < GRAINED:
        shown = grained(crop, shown, rng)
    return spoilt(shown, rng)
