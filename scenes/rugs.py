"""Knotted rugs in the colours of wool dyed with plants: madder, indigo, walnut, ochre, ivory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scenes.surfaces import SIDE, Bytes, Floats, Rng, as_bytes, hsv, noise, octaves

Which = NDArray[np.intp]
Fold = Callable[[Floats, Floats], tuple[Floats, Floats]]

WOOLS: Final = (
    *((2, 0.75, 0.50), (12, 0.70, 0.45), (355, 0.65, 0.30), (22, 0.60, 0.60), (16, 0.45, 0.75)),  # madder, rust
    *((35, 0.55, 0.75), (42, 0.30, 0.88), (38, 0.15, 0.90)),  # ochre, ivory
    *((40, 0.10, 0.70), (30, 0.40, 0.55)),  # camel
    *((25, 0.50, 0.28), (30, 0.15, 0.15), (0, 0.05, 0.35)),  # walnut, black, grey
    *((225, 0.55, 0.30), (240, 0.40, 0.22), (205, 0.35, 0.55)),  # indigo
    *((90, 0.30, 0.40), (160, 0.35, 0.35)),  # olive
)
"""Hue in degrees, saturation and value of wools as they are seen in daylight."""
INKS: Final = 5


def knotted(rng: Rng, mm: float) -> Bytes:
    """A field of small figures, often a medallion, bands around it; no knot as light as the next."""
    knot = float(rng.uniform(1.0, 3.2))  # mm
    count = int(SIDE * mm / knot)
    which = _field(rng, count)
    if rng.random() < 0.35:
        _lay_medallion(which, rng)
    _lay_bands(which, knot, rng)
    wool = _wools(rng)[which] * (1 + float(rng.uniform(0.03, 0.2)) * _each(rng, count))[..., None]
    picture = cv2.resize(wool.astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
    picture = cv2.GaussianBlur(picture, (0, 0), max(0.5, 0.22 * knot / mm))
    pile = max(1.2, knot / mm / 2)
    worn = 0.05 * octaves(rng, 200) + 0.05 * noise(rng, SIDE, 60)  # trodden, and dyed in more than one bath
    return as_bytes(picture * (1 + 0.08 * noise(rng, pile, pile) + worn)[..., None])


def _wools(rng: Rng) -> Floats:
    """(INKS, 3) colours that a weaver put together."""
    inks = []
    for index in rng.choice(len(WOOLS), INKS, replace=False).tolist():
        hue, saturation, value = WOOLS[index]
        inks.append(
            hsv(hue + float(rng.normal(0, 6)), saturation * rng.uniform(0.7, 1.3), value * rng.uniform(0.75, 1.2))
        )
    return np.array(inks, np.float32)


def _each(rng: Rng, count: int) -> Floats:
    return rng.standard_normal((count, count)).astype(np.float32)


def _field(rng: Rng, count: int) -> Which:
    """(count, count) inks of figures side by side, in rows that are even or staggered."""
    period = int(rng.integers(10, 44))
    y, x = np.mgrid[:count, :count].astype(np.float32)
    row = np.floor(y / period)
    if rng.random() < 0.5:
        x = x + row * period / 2
    u, v = (np.abs((at / period) % 1 - 0.5) * 2 for at in (x, y))  # 0 in the middle of a figure, 1 at its rim
    figures = [_figure(rng) for _ in range(int(rng.integers(1, 3)))]
    drawn = np.array([figure(u, v) for figure in figures])
    turn = (np.floor(x / period) + row).astype(np.intp) % len(figures)
    return np.asarray(np.take_along_axis(drawn, turn[None], axis=0)[0], dtype=np.intp)


def _figure(rng: Rng) -> Callable[[Floats, Floats], Which]:
    """Rings of inks around a middle: squares, diamonds, octagons, stars or rosettes, one in another."""
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    other = SHAPES[int(rng.integers(len(SHAPES)))]
    rings = np.sort(rng.uniform(0.1, 1.15, int(rng.integers(2, 6))))
    inks = rng.integers(0, INKS, len(rings) + 1)
    corner = float(rng.uniform(0.2, 0.6)) if rng.random() < 0.6 else 0.0
    ink = int(rng.integers(0, INKS))

    def drawn(u: Floats, v: Floats) -> Which:
        which = inks[np.searchsorted(rings, shape(u, v))]
        between = other(1 - u, 1 - v) < corner  # where four figures meet
        return np.asarray(np.where(between, ink, which), dtype=np.intp)

    return drawn


def _square(u: Floats, v: Floats) -> Floats:
    return np.asarray(np.maximum(u, v), dtype=np.float32)


def _diamond(u: Floats, v: Floats) -> Floats:
    return np.asarray(u + v, dtype=np.float32)


def _octagon(u: Floats, v: Floats) -> Floats:
    return np.asarray(np.maximum(np.maximum(u, v), (u + v) / np.float32(1.41)), dtype=np.float32)


def _star(u: Floats, v: Floats) -> Floats:
    return np.asarray(np.minimum(np.maximum(u, v), (u + v) / np.float32(1.41)) * np.float32(1.15), dtype=np.float32)


def _cross(u: Floats, v: Floats) -> Floats:
    return np.asarray(np.minimum(u, v) * np.float32(1.6) + np.float32(0.3) * np.maximum(u, v), dtype=np.float32)


def _rosette(u: Floats, v: Floats) -> Floats:
    petals = 1 + np.float32(0.25) * np.cos(8 * np.arctan2(v, u + np.float32(1e-6)))
    return np.asarray(np.hypot(u, v) * petals, dtype=np.float32)


SHAPES: Final = (_square, _diamond, _octagon, _star, _cross, _rosette)
"""How far out a knot lies, from 0 in the middle to about 1 at the rim, of a figure mirrored both ways."""


def _lay_medallion(which: Which, rng: Rng) -> None:
    """One large figure in the middle."""
    count = len(which)
    y, x = np.mgrid[-1 : 1 : count * 1j, -1 : 1 : count * 1j].astype(np.float32)
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    size = float(rng.uniform(0.15, 0.6))
    u, v = np.abs(x) / np.float32(size), np.abs(y) / np.float32(size)
    within = shape(u, v) < 1
    which[within] = _figure(rng)(u, v)[within]


def _lay_bands(which: Which, knot: float, rng: Rng) -> None:
    """Borders of smaller figures, with narrow plain ones beside them."""
    count, edge = len(which), 0
    for _ in range(int(rng.integers(0, 5))):
        plain = rng.random() < 0.4
        width = max(1, int((rng.uniform(2, 7) if plain else rng.uniform(8, 40)) / knot))
        y, x = np.mgrid[:width, :count].astype(np.float32)
        across, along = np.abs(2 * y / max(1, width - 1) - 1), np.abs((x / (2 * width)) % 1 - 0.5) * 4
        band = np.full((width, count), int(rng.integers(0, INKS))) if plain else _figure(rng)(along, across)
        end = count - edge
        if end - edge <= 2 * width:
            return
        for top in (edge, end - width):
            which[top : top + width, edge:end] = band[:, edge:end]
            which[edge:end, top : top + width] = band.T[edge:end]
        edge += width
