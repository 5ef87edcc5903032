"""Settlers boards of many looks: 6 × 6 chequered fields, seen from above as a picture."""

from __future__ import annotations

import numpy as np

from scenes.surfaces import Bytes, Floats, Rng, hsv, noise
from scenes.textures import TEXTURES

MM = 0.4  # of a texel
FIELDS = 6


def board_picture(style: str, pitch: float, border: float, rng: Rng) -> Bytes:
    """(N, N, 3): the fields, a border of *border* mm around them; a1, dark, at the bottom left."""
    side = round((FIELDS * pitch + 2 * border) / MM)
    at = (np.arange(side) + 0.5) * MM - border
    cell = np.floor(at / pitch).astype(int)
    inside = (cell >= 0) & (cell < FIELDS)
    dark = (cell[None, :] + (FIELDS - 1 - cell[:, None])) % 2 == 0
    fields = inside[None, :] & inside[:, None]
    low, high, edge = _tones(style, rng)
    picture = np.where(fields[..., None], np.where(dark[..., None], low, high), edge).astype(np.float32)
    if style in ("wood", "leather", "marble"):
        grain = TEXTURES[style](rng, 0.4).astype(np.float32)
        picture *= _cut(grain / grain.mean((0, 1)), side)
    elif style == "cloth":
        picture *= _cut((1 + 0.06 * noise(rng, 2, 2))[..., None], side)
    if style == "lines" or rng.random() < 0.3:
        line = (np.abs(at / pitch - np.round(at / pitch)) * pitch < 0.5) & (at > -0.6) & (at < FIELDS * pitch + 0.6)
        within = (at > -0.6) & (at < FIELDS * pitch + 0.6)
        ink = hsv(rng.uniform(0, 360), 0.2, rng.choice((0.1, 0.9)))
        picture[(line[None, :] & within[:, None]) | (line[:, None] & within[None, :])] = ink
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _tones(style: str, rng: Rng) -> tuple[Floats, Floats, Floats]:
    """Dark and light fields and the border; the two always differ clearly."""
    hue = rng.uniform(0, 360)
    if style == "wood":
        low, high = (
            hsv(rng.uniform(12, 28), 0.6, rng.uniform(0.25, 0.5)),
            hsv(rng.uniform(28, 40), 0.4, rng.uniform(0.75, 0.95)),
        )
    elif style == "paper":
        low, high = hsv(hue, rng.choice((0.0, 0.7)), rng.uniform(0.15, 0.65)), hsv(40, 0.03, 0.95)
    elif style == "leather":
        low, high = hsv(hue, 0.5, 0.3), hsv(rng.uniform(25, 45), 0.35, 0.75)
    else:
        low, high = (
            hsv(hue, rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.5)),
            hsv(hue + rng.uniform(-60, 60), rng.uniform(0, 0.35), rng.uniform(0.7, 0.97)),
        )
    edge = (low, high, hsv(rng.uniform(0, 360), rng.uniform(0, 0.6), rng.uniform(0.1, 0.95)))[int(rng.integers(0, 3))]
    return low, high, edge


def _cut(grain: Floats, side: int) -> Floats:
    times = side // grain.shape[0] + 1
    return np.asarray(np.tile(grain, (times, times, 1))[:side, :side], np.float32)
