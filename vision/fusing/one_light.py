"""Colours together, under the one light of a picture: what is surely red there tells what else is red.

By themselves green plastic under a lamp and yellow plastic in the shade may look alike. But one light falls on all
pieces: it shifts all colours alike, and those that the eyes are sure of show by how much. Each piece is then held
against the others of each colour, and what that says is weighed with what the eyes say.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fusing.placed import Placed
from vision.poses import keypoints_of
from vision.solids import Array, Color

USUAL = np.array([[2.79, 0.03], [0.40, -2.92], [-1.91, -1.40], [-0.43, 1.63]])
"""Logarithms of red and of blue over green in white light: of red, yellow, green and blue plastic."""

SPREAD = np.array([[0.31, 0.20], [0.09, 0.31], [0.34, 0.24], [0.19, 0.20]])
"""Of pieces of each of these colours in one picture, one standard deviation."""

FREEDOM = 2.0  # of Student's t, for some pieces shine or are seen through
EYES, OTHERS = 0.7, 0.6  # powers of what the eyes say and of what the others say, for neither is as sure as it seems
SURE = 0.6  # probability from which on a piece speaks for its colour
COLOR_KNOWN, LIGHT_KNOWN = 0.2, 0.25  # as if so many pieces had shown a usual colour, and the usual light
INNER = 0.8  # of an outline: at its edges pieces shine, and shadows begin
FEWEST = 12  # px that tell a colour
MOST = 400  # px about which are looked at of a large outline
BURNT = 250  # of 255: brighter pixels tell none
DEEPEST = 0.25  # of the pixels: the most colourful ones, in which the least is mirrored
DARK = 0.004  # of full light, added to all: darker pixels are mostly noise
BLACK = 8.0  # of 255: what is darker has hardly a colour
LEAST = 1e-4  # probability of each colour

Image = NDArray[np.uint8]


def under_one_light(placed: Placed, shades: Array) -> Placed:
    """The same pieces, each of a colour that suits the others; *shades* (N, 2) are those of :func:`shades_of`."""
    seen = placed.detections
    together = suited(shades, seen.our_colors)
    ours = slice(0, len(Color))
    share = seen.colors[:, ours].sum(1, keepdims=True)
    colors = np.concatenate([together * share, seen.colors[:, len(Color) :]], axis=1)
    return replace(placed, detections=replace(seen, colors=colors))


def shades_of(placed: Placed, image: Image) -> Array:
    """(N, 2) deep shades of the pieces in a (H, W, 3) BGR *image*, as :func:`hues` tells them."""
    return hues(image, list(keypoints_of(placed.poses, placed.camera)), deep_shade_of)


def suited(shades: Array, chances: Array) -> Array:
    """(N, 4) probabilities of colours for *shades* (N, 2), where each piece by itself has its (N, 4) *chances*.

    Shades are deep ones of :func:`hues`; a piece that shows none stays as it is.
    """
    chances = np.clip(chances, LEAST, 1)
    chances = chances / chances.sum(1, keepdims=True)
    shown = np.flatnonzero(~np.isnan(shades[:, 0]))
    speaking = np.where(chances[shown] > SURE, chances[shown], 0.0)
    off = np.einsum("nc,ncd->cd", speaking, shades[shown][:, None] - USUAL)
    sums, counts = speaking.T @ shades[shown], speaking.sum(0)
    together = chances.copy()
    for own, index in zip(speaking, shown.tolist(), strict=True):  # each against the others alone
        left = counts - own
        light = (off - own[:, None] * (shades[index] - USUAL)).sum(0) / (left.sum() + LIGHT_KNOWN)
        others = COLOR_KNOWN * (USUAL + light) + sums - own[:, None] * shades[index]
        apart = ((shades[index] - others / (COLOR_KNOWN + left)[:, None]) / SPREAD) ** 2
        likely = (1 + apart.sum(1) / FREEDOM) ** (-(FREEDOM + 2) / 2) / SPREAD.prod(1)
        together[index] = together[index] ** EYES * likely**OTHERS
    return np.asarray(together / together.sum(1, keepdims=True))


def shade_of(pixels: Image) -> Array:
    """(2,) of (M, 3) BGR pixels, their light taken back from how pictures are stored."""
    half = ((len(pixels) - 1) // 2, len(pixels) // 2)
    median = np.partition(pixels, half, axis=0)[half, :].mean(0)  # much sooner told than by np.median
    blue, green, red = np.log((median / 255) ** 2.2 + DARK)
    return np.array([red - green, blue - green])


def deep_shade_of(pixels: Image) -> Array:
    """(2,) the same of the most colourful among (M, 3) BGR pixels: what is mirrored in a face is not its colour."""
    strongest = pixels.max(1).astype(np.float64)
    colorful = (strongest - pixels.min(1)) / np.maximum(strongest, BLACK)
    most = max(FEWEST // 3, int(len(pixels) * DEEPEST))
    return shade_of(pixels[np.argpartition(-colorful, min(most, len(pixels)) - 1)[:most]])


def hues(image: Image, outlines: list[Array], told_by: Callable[[Image], Array] = shade_of) -> Array:
    """(N, 2) logarithms of red and of blue over green within the hull of each outline (M, 2) px.

    NaN where too little shows; where other outlines cover it nothing is asked.

    Args:
        told_by: tells them of (M, 3) BGR pixels, :func:`shade_of` or :func:`deep_shade_of`.
    """
    shades = np.full((len(outlines), 2), np.nan)
    hulls = [cv2.convexHull(outline.astype(np.float32))[:, 0] for outline in outlines]
    low, high = np.array([[hull.min(0), hull.max(0)] for hull in hulls]).reshape(-1, 2, 2).swapaxes(0, 1)
    near = np.asarray((low[:, None] < high).all(-1) & (low < high[:, None]).all(-1))
    np.fill_diagonal(near, False)
    first = np.maximum(np.floor(low), 0).astype(int).tolist()
    last = np.minimum(np.ceil(high) + 1, image.shape[1::-1]).astype(int).tolist()
    whole = [np.round(hull).astype(np.int32) for hull in hulls]
    for index, ((left, top), (right, bottom)) in enumerate(zip(first, last, strict=True)):
        if right <= left or bottom <= top:
            continue
        mask = np.zeros((bottom - top, right - left), np.uint8)
        middle = hulls[index].mean(0)
        inner = np.round(middle + INNER * (hulls[index] - middle)).astype(np.int32)
        corner = np.array([left, top], dtype=np.int32)
        cv2.fillConvexPoly(mask, inner - corner, 1)
        for other in np.flatnonzero(near[index]).tolist():
            cv2.fillConvexPoly(mask, whole[other] - corner, 0)
        every = max(1, round(math.sqrt(mask.size / MOST)))
        pixels = image[top:bottom:every, left:right:every][mask[::every, ::every] > 0]
        told = pixels[pixels.max(1, initial=0) < BURNT]
        if len(pixels) >= FEWEST:
            shades[index] = told_by(told if len(told) >= FEWEST else pixels)
    return shades
