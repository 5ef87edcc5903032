"""Corners drawn to the edges that meet there: finer than the net's cells, with all the pixels that a picture has.

The sides of a piece's outline are looked for across where the net has them, a straight line is laid through what is
found, and a corner moves to where the lines of its two sides cross. Where a side shows no clear edge nothing moves.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.eyes.maps import STRIDE
from vision.eyes.sides import Sides, shown, steepest
from vision.solids import Array

ALONG = np.linspace(0.12, 0.88, 14)  # where a side is looked across
CLEAR = 0.55  # share of a side's points that must lie on one line

# In units of a pixel that the net saw, which is several of a large picture.
REACH, REACH_PX = 0.06, 2.0  # how far: of the piece's diameter, and more
MOST_REACH = 7.0
STEP = 0.5  # between two looks
SHORTEST = 9.0  # of a side
USUAL = 0.6  # that a point of an edge is off its line
FAINT = 6.0  # grey levels over one: less is no edge

SHARPEST = np.sin(np.radians(18))  # of the angle between two sides whose crossing is told well


def sharpened(seen: Detections, image: NDArray[np.uint8]) -> Detections:
    """The same pieces with their outlines' corners where the picture, (H, W, 3) BGR, has edges crossing."""
    if not len(seen):
        return seen
    unit = max(1.0, seen.cell / STRIDE)
    corners = seen.corners / unit
    sides = Sides.around(corners)
    reach = np.minimum(MOST_REACH, REACH * np.linalg.norm(np.ptp(corners, axis=1), axis=1) + REACH_PX)[sides.piece]
    shift, clear = _lines(image, sides, reach, unit)
    crossings = _crossings(sides, shift)
    told = corners[sides.piece, sides.ends]
    near = np.linalg.norm(crossings - told, axis=1) < 2 * reach
    moved = clear & clear[sides.after] & near  # where lines hardly cross nothing is near
    corners[sides.piece[moved], sides.ends[moved]] = crossings[moved]
    return replace(seen, corners=corners * unit)


def _lines(image: NDArray[np.uint8], sides: Sides, reach: Array, unit: float) -> tuple[Array, NDArray[np.bool_]]:
    """(S, 2) by which the line through the edge is off at a side's start and end, and whether there is one."""
    count = int(np.ceil(MOST_REACH / STEP))
    offsets = np.asarray(np.arange(-count, count + 1) * STEP, dtype=np.float64)
    steep = _steepness(image, sides.across(ALONG, offsets) * unit)
    likely = steep * np.exp(-0.5 * (offsets / (0.6 * reach[:, None])) ** 2)[:, None]
    likely[np.broadcast_to((np.abs(offsets) > reach[:, None])[:, None], likely.shape)] = 0
    best = likely.argmax(-1)
    off = offsets[best]
    strong = np.take_along_axis(steep, best[..., None], -1)[..., 0] > FAINT
    return _fitted(off, strong, sides.lengths)


def _steepness(image: NDArray[np.uint8], places: Array) -> Array:
    """(S, T, K) grey levels over a unit, in the channel that changes most, around each of (S, T, K, 2) px."""
    profile = shown(image, places)
    steep = np.zeros(places.shape[:3])
    steep[:, :, 1:-1] = steepest(profile[:, :, 2:] - profile[:, :, :-2]) / (2 * STEP)
    return steep


def _fitted(off: Array, strong: NDArray[np.bool_], length: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Straight lines through (S, T) offsets along the sides, strays left out: (S, 2) at both ends, and (S,) clear."""
    weight = strong.astype(np.float64)
    basis = np.column_stack([1 - ALONG, ALONG])
    ends = np.zeros((len(off), 2))
    for _ in range(6):
        normal = np.einsum("st,ta,tb->sab", weight, basis, basis) + 1e-2 * np.eye(2)
        ends = np.linalg.solve(normal, np.einsum("st,ta,st->sa", weight, basis, off)[..., None])[..., 0]
        left = off - ends @ basis.T
        weight = strong / (1 + (left / USUAL) ** 2) ** 2
    on_line = (np.abs(left) < 2 * USUAL) & strong
    return ends, (on_line.mean(1) >= CLEAR) & (length >= SHORTEST)


def _crossings(sides: Sides, shift: Array) -> Array:
    """(S, 2) where the line of each side crosses that of the one after it; not a number where they hardly do."""
    way = sides.end - sides.start
    with np.errstate(divide="ignore", invalid="ignore"):  # of sides without a length
        normal = np.column_stack([-way[:, 1], way[:, 0]]) / np.linalg.norm(way, axis=1, keepdims=True)
        start = sides.start + shift[:, :1] * normal
        one = sides.end + shift[:, 1:] * normal - start
        other, between = one[sides.after], start[sides.after] - start
        cross = _cross(one, other)
        steep = np.abs(cross) >= SHARPEST * np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
        return np.where(steep[:, None], start + (_cross(between, other) / cross)[:, None] * one, np.nan)


def _cross(one: Array, other: Array) -> Array:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
