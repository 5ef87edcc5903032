"""What cameras and people do to pictures, on top of what the generator did: colour, exposure, blur, noise, JPEG."""

from __future__ import annotations

from statistics import NormalDist

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Light = NDArray[np.float32]

BYTE_AS_NOISE: Light = np.array([NormalDist().inv_cdf((byte + 0.5) / 256) for byte in range(256)], np.float32)
"""Random bytes become noise: the middles of 256 equally likely parts of the normal distribution."""

TOO_DARK, DARK = 0.15, (0.15, 0.6)  # share of pictures taken in far too little light, and how much there was
LAMPLIGHT = np.array([0.45, 0.8, 1.1])  # BGR of a lamp where the camera expects daylight
DAZZLED, DAZZLING = 0.12, (60.0, 400.0)  # share with a glare, and how bright its middle is in grey levels
UNBALANCED, BALANCED_FOR = 0.15, (-0.5, 1.0)  # share balanced for another light, from bluish to all of that
TWO_LIGHTS, MIXED = 0.4, (-0.3, 0.5)  # share of the shaded ones in light of two colours, and how much of lamplight


def spoilt(image: Image, rng: np.random.Generator) -> Image:
    """An (H, W, 3) BGR picture as another camera might have taken it."""
    light = _exposed(image, rng) if rng.random() < 0.8 else image.astype(np.float32)
    if rng.random() < 0.3:
        light = shaded(light, rng)
    if rng.random() < DAZZLED:
        light = _dazzled(light, rng)
    if rng.random() < 0.3:
        light = _blurred(light, rng)
    if rng.random() < 0.5:
        light = _noisy(light, rng)
    picture = np.asarray(np.clip(light, 0, 255), dtype=np.uint8)
    return _packed(picture, rng) if rng.random() < 0.4 else picture


def _exposed(image: Image, rng: np.random.Generator) -> Light:
    """Another white balance, exposure, contrast and depth of colour."""
    dark = rng.uniform(*DARK) if rng.random() < TOO_DARK else 1.0
    color = LAMPLIGHT ** rng.uniform(*BALANCED_FOR) if rng.random() < UNBALANCED else 1.0
    balance = dark * color * np.exp(rng.normal(0, 0.07, 3)) * np.exp(rng.normal(0, 0.18))
    levels = 255 * np.clip(np.arange(256)[:, None] * balance / 255, 0, 1) ** np.exp(rng.normal(0, 0.15))
    depth = np.exp(rng.normal(0, 0.15))
    from_grey = depth * np.eye(3) + (1 - depth) / 3
    light = cv2.LUT(image, levels[None].astype(np.float32))
    return np.asarray(cv2.transform(light, from_grey.astype(np.float32)), dtype=np.float32)


def shaded(light: Light, rng: np.random.Generator) -> Light:
    """Brighter on one side, or under a soft shadow; perhaps in the light of a lamp here and of a window there."""
    coarse = np.exp(rng.normal(0, 0.25, (3, 4, 1)))
    mixed = LAMPLIGHT ** rng.uniform(*MIXED, (3, 4, 1)) if rng.random() < TWO_LIGHTS else np.ones(3)
    shade = cv2.resize((coarse * mixed).astype(np.float32), light.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.multiply(light, np.clip(shade, 0.3, 2.0)), dtype=np.float32)


def _dazzled(light: Light, rng: np.random.Generator) -> Light:
    """With the glare of a lamp or a window somewhere, soft, longer one way than the other."""
    rows, columns = np.ogrid[: light.shape[0], : light.shape[1]]
    middle = rng.uniform(0, 1, 2) * light.shape[:2]
    turn, (long, wide) = rng.uniform(0, np.pi), np.exp(rng.uniform(np.log(20), np.log(160), 2))
    down, across = rows - middle[0], columns - middle[1]
    along, aside = down * np.cos(turn) + across * np.sin(turn), across * np.cos(turn) - down * np.sin(turn)
    bell = np.exp(-((along / long) ** 2) - (aside / wide) ** 2).astype(np.float32)
    color = rng.uniform(*DAZZLING) * LAMPLIGHT ** rng.uniform(0, 1)
    return np.asarray(light + bell[..., None] * color.astype(np.float32), dtype=np.float32)


def _blurred(light: Light, rng: np.random.Generator) -> Light:
    """Out of focus, or moved along a line."""
    if rng.random() < 0.6:
        return np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 1.8))), dtype=np.float32)
    length = int(rng.integers(3, 8))
    line = np.zeros((length, length), np.float32)
    line[length // 2] = 1 / length
    turned = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), float(rng.uniform(0, 180)), 1)
    kernel = np.asarray(cv2.warpAffine(line, turned, (length, length)), dtype=np.float32)
    return np.asarray(cv2.filter2D(light, -1, kernel / np.float32(max(kernel.sum(), 1e-3))), dtype=np.float32)


def _noisy(light: Light, rng: np.random.Generator) -> Light:
    noise = BYTE_AS_NOISE * np.float32(rng.uniform(1, 9))
    grain = rng.integers(0, 256, light.shape, np.uint8)
    return np.asarray(light + cv2.LUT(grain, noise), dtype=np.float32)


def _packed(image: Image, rng: np.random.Generator) -> Image:
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 96))])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
