"""What a camera makes of the light: defocus, shake, vignetting, exposure, white balance, noise, sharpening."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scenes.looks import RGB, Look
from scenes.surfaces import Bytes, Rng
from vision.solids import Array

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Development:
    """How one picture is taken and developed.

    Attributes:
        defocus: radius of the blur disk in px; ``shake``: length in px, in direction ``shake_deg``.
        vignetting: light lost in the corners; ``exposure``: mean sRGB tone aimed at; ``error``: stops off.
        balance: RGB gains left over after white balance; ``noise``: strength; ``jpeg``: quality.
    """

    defocus: float
    shake: float
    shake_deg: float
    vignetting: float
    exposure: float
    error: float
    balance: RGB
    contrast: float
    saturation: float
    noise: float
    sharpening: str
    jpeg: int

    @classmethod
    def drawn(cls, look: Look, light: RGB, rng: Rng) -> Development:
        """A development at random; *light* is the colour of the main lamp, which the camera corrects in part.

        Some pictures are dark and noisy, and some are balanced for quite another light.
        """
        dark, unbalanced = rng.random() < 0.12, rng.random() < 0.15
        corrected = rng.uniform(-0.1, 0.5) if unbalanced else rng.uniform(0.55, 1.0)
        off = np.exp(rng.normal(0, 0.14 if unbalanced else 0.03, 3))
        gains = np.array([(1 / max(0.05, c)) ** corrected for c in light]) * off
        gains = gains / gains[1]
        return cls(
            float(rng.choice((0.0, 0.5, 0.9, 1.6), p=(0.45, 0.3, 0.17, 0.08))),
            float(rng.choice((0.0, 2.0, 4.0), p=(0.8, 0.15, 0.05))),
            float(rng.uniform(0, 180)),
            float(rng.uniform(0, 0.4)),
            float(rng.uniform(0.36, 0.55)),
            float(rng.uniform(-2.4, -1.0) if dark else rng.normal(0, 0.35)),
            (float(gains[0]), 1.0, float(gains[2])),
            float(rng.uniform(0.9, 1.25)),
            float(rng.uniform(0.85, 1.25)),
            float(rng.uniform(1.2, 2.8) if dark else rng.choice((0.3, 0.8, 1.6), p=(0.45, 0.4, 0.15))),
            str(rng.choice(look.sharpening)),
            int(rng.integers(50, 96)),
        )

    def settings(self) -> dict[str, object]:
        """As JSON."""
        return asdict(self)


def developed(light: Floats, how: Development, rng: Rng) -> Bytes:
    """(H, W, 3) linear RGB -> sRGB bytes."""
    height, width = light.shape[:2]
    picture = light
    if how.defocus > 0:
        picture = np.asarray(cv2.filter2D(picture, -1, _disk(how.defocus)), np.float32)
    if how.shake > 0:
        picture = np.asarray(cv2.filter2D(picture, -1, _streak(how.shake, how.shake_deg)), np.float32)
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    fall = np.asarray(1 - how.vignetting * (x * x + y * y) / 2, np.float32)
    picture = picture * np.array(how.balance, np.float32)
    middle = float(np.mean(np.minimum(picture, 4 * np.median(picture) + 1e-4)))
    gain = how.exposure**2.2 / max(1e-6, middle) * 2**how.error
    picture = np.asarray(picture * (fall[..., None] * np.float32(gain)), np.float32)
    fine = rng.standard_normal((height, width, 3), dtype=np.float32)
    grain = np.asarray(0.6 * fine + 0.8 * cv2.GaussianBlur(fine, (3, 3), 0.8), np.float32)
    picture += grain * (0.012 * how.noise * np.sqrt(np.maximum(picture, 0)) + 0.002 * how.noise)
    grey = picture @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    picture = np.maximum(grey[..., None] + (picture - grey[..., None]) * np.float32(how.saturation), 0)
    knee = np.float32(0.75)  # highlights roll off
    rolled = knee + (1 - knee) * np.tanh((picture - knee) / (1 - knee) * np.float32(0.8))
    picture = np.where(picture > knee, rolled, picture)
    tone = np.power(picture, np.float32(1 / 2.2))
    tone = tone + np.float32((how.contrast - 1) * 0.9) * (tone - 0.5) * 4 * tone * (1 - tone)
    edged = _edged(np.asarray(tone, np.float32), how.sharpening)
    return np.asarray(np.clip(edged * 255 + 0.5, 0, 255), np.uint8)


def _edged(tone: Floats, sharpening: str) -> Floats:
    if sharpening == "unsharp":
        return np.asarray(tone + 0.6 * (tone - cv2.GaussianBlur(tone, (0, 0), 1.0)), np.float32)
    if sharpening == "wide unsharp":
        return np.asarray(tone + 0.5 * (tone - cv2.GaussianBlur(tone, (0, 0), 2.2)), np.float32)
    if sharpening == "smeared":
        soft = cv2.medianBlur(np.clip(tone * 255, 0, 255).astype(np.uint8), 3).astype(np.float32) / 255
        return np.asarray(soft + 0.8 * (soft - cv2.GaussianBlur(soft, (0, 0), 1.2)), np.float32)
    return tone


def _disk(radius: float) -> Array:
    reach = int(np.ceil(radius))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disk = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(disk / disk.sum())


def _streak(length: float, angle_deg: float) -> Array:
    reach = int(np.ceil(length))
    streak = np.zeros((2 * reach + 1, 2 * reach + 1))
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    for t in np.linspace(-length / 2, length / 2, 33):
        streak[round(reach + t * s), round(reach + t * c)] += 1
    return np.asarray(streak / streak.sum())
