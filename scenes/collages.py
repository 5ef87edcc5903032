"""Surfaces that no table has: anything upon anything, so that nothing about a table can be taken for granted.

J. Tobin et al., Domain Randomization for Transferring Deep Neural Networks from Simulation to the Real World (2017).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from scenes.surfaces import SIDE, Bytes, Floats, Rng, as_bytes, hsv, noise, octaves

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789&%$#?!")


def collage(rng: Rng, mm: float) -> Bytes:
    """Two to seven layers of shapes, bands, blots, cells, threads and letters, in colours of every kind."""
    picture = np.tile(_ink(rng), (SIDE, SIDE, 1)).astype(np.float32)
    for _ in range(int(rng.integers(2, 8))):
        layer = LAYERS[int(rng.integers(0, len(LAYERS)))](rng, mm)
        if rng.random() < 0.3:
            layer = np.asarray(cv2.GaussianBlur(layer, (0, 0), rng.uniform(0.5, 4) / mm), np.float32)
        cover = (layer * rng.uniform(0.4, 1))[..., None]
        ink = _ink(rng)
        if rng.random() < 0.4:
            ink = np.asarray(ink + (_ink(rng) - 128) * octaves(rng, 60 / mm)[..., None] / 2, np.float32)
        picture += cover * (ink - picture)
    fine = max(1.0, rng.uniform(0.3, 2) / mm)
    rough = rng.uniform(0, 0.12) * noise(rng, fine, fine) + rng.uniform(0, 0.1) * octaves(rng, 200)
    return as_bytes(picture * (1 + rough)[..., None])


def _ink(rng: Rng) -> Floats:
    return hsv(rng.uniform(0, 360), rng.uniform(0, 1) ** 0.7, rng.uniform(0.05, 1))


def _shapes(rng: Rng, mm: float) -> Floats:
    """Triangles, squares and rounder ones, as large as pieces or larger, strewn or in rows."""
    layer = np.zeros((SIDE, SIDE), np.uint8)
    corners, radius = int(rng.integers(3, 8)), rng.uniform(3, 30) / mm
    pitch = radius * rng.uniform(2, 6)
    rows = np.stack(np.meshgrid(np.arange(0, SIDE, pitch), np.arange(0, SIDE, pitch)), axis=-1).reshape(-1, 2)
    strewn = rng.random() < 0.5
    middles = rng.uniform(0, SIDE, rows.shape) if strewn else rows
    for middle in middles[:1500]:
        around = rng.uniform(0, 2 * math.pi) if strewn else 0.0
        at = around + 2 * math.pi * (np.arange(corners) + rng.uniform(-0.1, 0.1, corners)) / corners
        reach = radius * (rng.uniform(0.5, 1.3) if strewn else 1.0)
        outline = middle + reach * np.stack([np.cos(at), rng.uniform(0.5, 1) * np.sin(at)], axis=-1)
        whole = [np.round(outline).astype(np.int32)]
        if rng.random() < 0.7:
            cv2.fillPoly(layer, whole, 255, cv2.LINE_AA)
        else:
            cv2.polylines(layer, whole, True, 255, max(1, int(reach * 0.15)), cv2.LINE_AA)
    return _covered(layer)


def _bands(rng: Rng, mm: float) -> Floats:
    """Stripes of any direction, straight or wavy."""
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) * mm
    angle, period = rng.uniform(0, math.pi), rng.uniform(3, 90)
    across = x * math.cos(angle) + y * math.sin(angle)
    if rng.random() < 0.4:
        across += rng.uniform(1, 25) * noise(rng, 70 / mm, 70 / mm)
    return np.asarray((across / period) % 1 < rng.uniform(0.1, 0.7), np.float32)


def _blots(rng: Rng, mm: float) -> Floats:
    """Stains and camouflage."""
    return np.asarray(octaves(rng, rng.uniform(6, 90) / mm) > rng.uniform(-0.5, 1.5), np.float32)


def _cells(rng: Rng, mm: float) -> Floats:
    """Broken tiles: some of the cells around points, or the joints between them."""
    points = np.full((SIDE, SIDE), 255, np.uint8)
    count = int(np.clip((SIDE * mm / rng.uniform(8, 70)) ** 2, 4, 4000))
    points[tuple(rng.integers(0, SIDE, (2, count)))] = 0
    _, labels = cv2.distanceTransformWithLabels(points, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    if rng.random() < 0.6:
        chosen = rng.random(int(labels.max()) + 1) < rng.uniform(0.2, 0.7)
        return np.asarray(chosen[labels], np.float32)
    wide = np.ones((3, 3) if mm > 0.5 else (5, 5), np.uint8)
    return np.asarray(cv2.morphologyEx(labels.astype(np.float32), cv2.MORPH_GRADIENT, wide) > 0, np.float32)


def _threads(rng: Rng, mm: float) -> Floats:
    """Scribbles, cracks and straws."""
    layer = np.zeros((SIDE, SIDE), np.uint8)
    thick, bent = max(1, int(rng.uniform(0.4, 5) / mm)), rng.uniform(0, 1)
    for _ in range(int(rng.integers(5, 200))):
        way = rng.uniform(0, 2 * math.pi) + np.cumsum(rng.normal(0, bent, 12))
        steps = rng.uniform(3, 25) / mm * np.stack([np.cos(way), np.sin(way)], axis=-1)
        line = rng.uniform(0, SIDE, 2) + np.cumsum(steps, axis=0)
        cv2.polylines(layer, [np.round(line).astype(np.int32)], False, 255, thick, cv2.LINE_AA)
    return _covered(layer)


def _letters(rng: Rng, mm: float) -> Floats:
    """Words of any size, and each in its own place."""
    layer = np.zeros((SIDE, SIDE), np.uint8)
    for _ in range(int(rng.integers(5, 120))):
        word = "".join(rng.choice(LETTERS, int(rng.integers(1, 12))))
        tall = rng.uniform(2, 40) / mm / 22
        at = rng.integers(-SIDE // 8, SIDE, 2).tolist()
        cv2.putText(layer, word, at, int(rng.integers(0, 8)), tall, 255, max(1, int(2 * tall)), cv2.LINE_AA)
    return _covered(layer if rng.random() < 0.5 else layer.T)


def _covered(layer: Bytes) -> Floats:
    return np.asarray(layer / 255, np.float32)


LAYERS: tuple[Callable[[Rng, float], Floats], ...] = (_shapes, _shapes, _bands, _blots, _cells, _threads, _letters)
