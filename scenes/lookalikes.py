"""Things that may be taken for pieces: triangles of paper and in print, cubes and dice in the colours of pieces."""

from __future__ import annotations

import math

import cv2
import numpy as np

from scenes.surfaces import Bytes, Rng, hsv
from scenes.tracer.world import BOX, PYRAMID, Builder, Substance, turned
from vision.solids import Array, Size, lying

Spot = tuple[float, float]
HUES = (0.0, 52.0, 120.0, 235.0)  # of red, yellow, green and blue plastic


def piece_like(rng: Rng) -> Array:
    """An sRGB colour as pieces have it, from 0 to 255."""
    tone = hsv(float(rng.choice(HUES)) + float(rng.normal(0, 8)), rng.uniform(0.65, 1), rng.uniform(0.35, 0.95))
    return np.asarray(tone, np.float64)


def paper_triangles(world: Builder, spot: Spot, rng: Rng) -> None:
    """One to five triangles cut from coloured paper: lying pyramids pressed flat."""
    for _ in range(int(rng.integers(1, 6))):
        r, g, b = ((piece_like(rng) / 255) ** 2.2).tolist()
        paper = world.substance(Substance((r, g, b), 0.005, 10))
        size = Size(int(rng.integers(1, 4)))
        body = lying(size)
        place = turned(float(rng.uniform(0, 2 * math.pi)))
        x, y = spot[0] + float(rng.normal(0, 18)), spot[1] + float(rng.normal(0, 18))
        press = np.diag([rng.uniform(0.7, 1.2), rng.uniform(0.8, 1.5), 0.02])
        middle = body[1:].mean(0)
        up, right = (body[0] - middle) / size.height, (body[2] - body[1]) / size.base
        axes = np.array([right, np.cross(up, right), up]) @ np.linalg.inv(press) @ place
        origin = middle @ press @ place + np.array([x, y, 0.05])
        world.thing(PYRAMID, origin, axes, (size.base / 2, size.height, 1.5, 0), paper, 0.0, 1.3 * size.slant)


def printed_triangles(world: Builder, spot: Spot, rng: Rng) -> None:
    """A card or leaflet with triangles and drawn pyramids on it."""
    half = (float(rng.uniform(28, 70)), float(rng.uniform(28, 70)))
    texture = world.texture(_triangle_print(half, rng), 0.4)
    paper = world.substance(Substance((1, 1, 1), float(rng.choice((0.004, 0.03))), 60, texture=texture))
    axes = turned(float(rng.uniform(0, 2 * math.pi)))
    world.thing(BOX, np.array([*spot, 0.3]), axes, (*half, 0.25), paper, 0.0, math.hypot(*half) + 0.3)


def _triangle_print(half: tuple[float, float], rng: Rng) -> Bytes:
    width, height = (int(2 * side / 0.4) for side in half)
    ground = piece_like(rng) if rng.random() < 0.3 else hsv(rng.uniform(0, 360), rng.uniform(0, 0.2), 0.93)
    card = np.empty((height, width, 3), np.uint8)
    card[:] = np.asarray(ground, np.uint8)
    for _ in range(int(rng.integers(1, 9))):
        base, turn = rng.uniform(14, 30) / 0.4, rng.uniform(0, 2 * math.pi)
        tall = base * rng.uniform(0.8, 2)
        flat = np.array([[0, tall / 2], [-base / 2, -tall / 2], [0.1 * base, -tall / 2], [base / 2, -tall / 2]])
        spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        tip, left, split, right = np.round(flat @ spin + rng.uniform(0, (width, height))).astype(np.int32)
        ink = piece_like(rng)
        second = ink * rng.uniform(0.55, 0.9) if rng.random() < 0.5 else ink  # a darker side makes it a pyramid
        cv2.fillConvexPoly(card, np.array([tip, left, split]), ink.tolist(), cv2.LINE_AA)
        cv2.fillConvexPoly(card, np.array([tip, split, right]), second.tolist(), cv2.LINE_AA)
    return card


def cubes(world: Builder, spot: Spot, rng: Rng) -> None:
    """Wooden cubes and bricks, natural or painted in the colours of pieces."""
    half = float(rng.uniform(4, 11))
    for _ in range(int(rng.integers(1, 7))):
        wooden = hsv(rng.uniform(24, 38), rng.uniform(0.3, 0.55), rng.uniform(0.6, 0.9))
        tone = np.asarray(wooden, np.float64) if rng.random() < 0.3 else piece_like(rng)
        r, g, b = ((tone / 255) ** 2.2).tolist()
        side = world.substance(Substance((r, g, b), float(rng.choice((0.004, 0.04))), 60))
        axes = turned(float(rng.uniform(0, 2 * math.pi)))
        x, y = spot[0] + float(rng.normal(0, 18)), spot[1] + float(rng.normal(0, 18))
        long = half * float(rng.choice((1.0, 1.0, 2.0)))
        world.thing(BOX, np.array([x, y, half]), axes, (half, long, half), side, 0.0, 1.5 * long + half)


def colored_dice(world: Builder, spot: Spot, rng: Rng) -> None:
    """A handful of dice in one colour of the pieces, with white or black pips."""
    ink = (245, 245, 240) if rng.random() < 0.7 else (15, 15, 15)
    face = np.empty((64, 64, 3), np.uint8)
    face[:] = np.asarray(piece_like(rng), np.uint8)
    pips = ((32, 32), (16, 16), (48, 48), (16, 48), (48, 16))[: int(rng.integers(1, 6))]
    for x, y in pips:
        cv2.circle(face, (x, y), 6, ink, -1, cv2.LINE_AA)
    half = float(rng.uniform(5, 9))
    texture = world.texture(face, 2 * half / 64)
    plastic = world.substance(Substance((1, 1, 1), 0.05, 250, texture=texture))
    for k in range(int(rng.integers(1, 5))):
        axes = turned(float(rng.uniform(0, 2 * math.pi)))
        at = np.array([spot[0] + 2.9 * half * (k - 1.5), spot[1] + float(rng.normal(0, 8)), half])
        world.thing(BOX, at, axes, (half, half, half), plastic, 0.0, 1.74 * half)
