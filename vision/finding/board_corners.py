"""Places where four fields of a chequered board meet: saddles of brightness with four sectors around them.

Brightness is taken as a logarithm, so that a shadow over a board shifts it and changes no contrast.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.solids import Array

Tone = NDArray[np.float32]

DARKEST = 16.0  # grey levels below which differences are noise
RADIUS = 5.0  # px of the ring around a saddle
SECTORS = 32  # points on the ring
MIN_CONTRAST = 0.14  # of the logarithm of brightness between neighbouring fields
STRAIGHT = math.radians(24)  # how far a border may bend in passing through a corner
NARROWEST = math.radians(18)  # angle between the two borders, in the picture
MOST = 500  # saddles looked at


@dataclass(frozen=True, eq=False)
class Crossings:
    """Corners where two borders cross.

    Attributes:
        points: (N, 2) px.
        borders: (N, 2) radians in [0, π), directions of the two borders; the sectors that begin with the first
            one, turning towards the second, are the bright ones.
        contrast: (N,) difference of the logarithm of brightness between bright and dark sectors.
    """

    points: Array
    borders: Array
    contrast: Array


def tone_of(image: NDArray[np.uint8]) -> Tone:
    """(H, W) logarithm of the brightness of a BGR picture."""
    table = np.log(np.arange(256, dtype=np.float32) + np.float32(DARKEST))
    return np.asarray(cv2.LUT(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), table), dtype=np.float32)


def find_crossings(tone: Tone) -> Crossings:
    """Every corner of a chequered pattern in the picture, and some things that look like one."""
    smooth = _blurred(tone, 1.4)
    points = _saddles(smooth)
    if not len(points):
        return Crossings(points, np.zeros((0, 2)), np.zeros(0))
    return _with_four_sectors(smooth, points)


def _saddles(smooth: Tone) -> Array:
    """(N, 2) px to a fraction: where brightness curves up one way and down the other, the strongest first."""
    wide = _blurred(smooth, 1.2)
    xx = cv2.Sobel(wide, cv2.CV_32F, 2, 0, ksize=3)
    yy = cv2.Sobel(wide, cv2.CV_32F, 0, 2, ksize=3)
    xy = cv2.Sobel(wide, cv2.CV_32F, 1, 1, ksize=3)
    saddle = np.asarray(xy * xy - xx * yy)
    top = cv2.dilate(saddle, np.ones((7, 7), np.uint8))
    rows, columns = np.nonzero((saddle >= top) & (saddle > 4e-4))
    inside = (rows > 8) & (columns > 8) & (rows < saddle.shape[0] - 9) & (columns < saddle.shape[1] - 9)
    rows, columns = rows[inside], columns[inside]
    order = np.argsort(-saddle[rows, columns])[:MOST]
    rows, columns = rows[order], columns[order]
    whole = np.column_stack([columns, rows]).astype(np.float64)
    return np.asarray(whole + _vertex(wide, rows, columns))


def _blurred(tone: Tone, sigma: float) -> Tone:
    return np.asarray(cv2.GaussianBlur(tone, (0, 0), sigma), dtype=np.float32)


def _vertex(smooth: Tone, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """(N, 2) px from whole pixels to the stationary point of the quadric through their surroundings."""
    offsets = np.arange(-3, 4)
    dy, dx = (grid.ravel().astype(np.float64) for grid in np.meshgrid(offsets, offsets, indexing="ij"))
    design = np.column_stack([np.ones(49), dx, dy, dx * dx / 2, dx * dy, dy * dy / 2])
    fit = np.linalg.pinv(design)
    patches = smooth[rows[:, None] + dy.astype(int), columns[:, None] + dx.astype(int)]
    _, gx, gy, xx, xy, yy = (patches @ fit.T).T
    bent = xx * yy - xy * xy
    bent = np.where(np.abs(bent) < 1e-9, -1e-9, bent)
    shift = np.column_stack([(xy * gy - yy * gx) / bent, (xy * gx - xx * gy) / bent])
    return np.where(np.abs(shift).max(1, keepdims=True) < 2.5, shift, 0.0)


def _with_four_sectors(smooth: Tone, points: Array) -> Crossings:
    """Those points around which bright and dark alternate twice, opposite sectors alike."""
    angles = np.arange(SECTORS) * (2 * math.pi / SECTORS)
    circle = np.column_stack([np.cos(angles), np.sin(angles)]) * RADIUS
    where = (points[:, None, :] + circle).astype(np.float32)
    ring = cv2.remap(smooth, where[..., 0], where[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    low, high = np.percentile(ring, (15, 85), axis=1)
    level = ring - ((low + high) / 2)[:, None]
    bright = level > 0
    rises = bright & ~np.roll(bright, 1, axis=1)
    falls = ~bright & np.roll(bright, 1, axis=1)
    fine = (rises.sum(1) == 2) & (falls.sum(1) == 2) & (high - low > MIN_CONTRAST)
    points, level, contrast = points[fine], level[fine], (high - low)[fine]
    up = _changes(level, rises[fine])
    down = _changes(level, falls[fine])
    straight = (_bend(up) < STRAIGHT) & (_bend(down) < STRAIGHT)
    first, second = _axis(up), _axis(down)
    apart = np.abs(_fold(first - second))
    good = straight & (apart > NARROWEST)
    return Crossings(points[good], np.column_stack([first, second])[good], contrast[good])


def _changes(level: Array, at: NDArray[np.bool_]) -> Array:
    """(N, 2) radians: between which two ring points the level changes sign, to a fraction."""
    index = np.nonzero(at)[1].reshape(-1, 2)
    row = np.arange(len(level))[:, None]
    before, after = level[row, index - 1], level[row, index]
    share = before / np.where(before == after, 1.0, before - after)
    return np.asarray((index - 1 + share) * (2 * math.pi / SECTORS))


def _bend(pair: Array) -> Array:
    """(N,) radians by which two directions fail to be opposite."""
    return np.abs((pair[:, 1] - pair[:, 0]) % (2 * math.pi) - math.pi)


def _axis(pair: Array) -> Array:
    """(N,) radians in [0, π): the mean line through two nearly opposite directions."""
    doubled = np.exp(2j * pair).sum(1)
    return np.asarray((np.angle(doubled) / 2) % math.pi)


def _fold(angle: Array) -> Array:
    """Angles between lines, in [-π/2, π/2)."""
    return np.asarray((angle + math.pi / 2) % math.pi - math.pi / 2)
