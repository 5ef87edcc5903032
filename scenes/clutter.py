"""Things that lie about and are no pieces: cards, dice, mugs, phones, glass stones, pens, hands, turn tokens."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from scenes.lookalikes import colored_dice, cubes, paper_triangles, printed_triangles
from scenes.surfaces import Bytes, Rng, hsv
from scenes.tracer.world import BOX, CAPSULE, CYLINDER, ELLIPSOID, Builder, Substance, turned
from vision.solids import Array

Spot = tuple[float, float]


def srgb(color: object) -> tuple[float, float, float]:
    """Linear reflectance of an sRGB colour from 0 to 255."""
    r, g, b = ((np.asarray(color, dtype=float) / 255) ** 2.2).tolist()
    return r, g, b


def vivid(rng: Rng) -> tuple[float, float, float]:
    """Any strong colour, the pieces' own ones included."""
    return srgb(hsv(rng.uniform(0, 360), rng.uniform(0.4, 1), rng.uniform(0.3, 0.95)))


def along(direction: Array) -> Array:
    """Axes of a thing whose own z points along *direction*."""
    z = direction / np.linalg.norm(direction)
    x = np.cross([0.0, 0.0, 1.0] if abs(z[2]) < 0.9 else [1.0, 0.0, 0.0], z)
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])


def capsule(world: Builder, start: Array, end: Array, radius: float, substance: int) -> None:
    """A rounded rod between two points."""
    length = float(np.linalg.norm(end - start))
    world.thing(CAPSULE, start, along(end - start), (radius, length), substance, length / 2, length / 2 + radius)


def cards(world: Builder, spot: Spot, rng: Rng) -> None:
    """A few cards, one on another, with a printed back or face."""
    back = _card_picture(rng)
    for k in range(int(rng.integers(1, 4))):
        texture = world.texture(back, 0.4)
        paper = world.substance(Substance((1, 1, 1), 0.02, 60, texture=texture))
        x, y = spot[0] + float(rng.normal(0, 9)), spot[1] + float(rng.normal(0, 9))
        origin = np.array([x, y, 0.3 + 0.5 * k])
        world.thing(BOX, origin, turned(rng.uniform(0, 6.3)), (31.5, 44, 0.25), paper, 0, 54.2)


def _card_picture(rng: Rng) -> Bytes:
    card = np.full((220, 158, 3), hsv(40, 0.03, 0.95), np.uint8)
    ink = hsv(rng.uniform(0, 360), rng.uniform(0.3, 0.95), rng.uniform(0.2, 0.9)).tolist()
    if rng.random() < 0.5:
        cv2.rectangle(card, (10, 10), (147, 209), ink, -1)
        for k in range(0, 200, 18):
            cv2.line(card, (10, 10 + k), (147, 209 - k), hsv(40, 0.1, 0.9).tolist(), 2)
    else:
        for x, y in rng.integers(30, 130, (int(rng.integers(1, 9)), 2)).tolist():
            cv2.putText(
                card, "AKQJ98"[int(rng.integers(0, 6))], (x - 15, y + 40), cv2.FONT_HERSHEY_DUPLEX, 1.2, ink, 3
            )
    return card


def dice(world: Builder, spot: Spot, rng: Rng) -> None:
    """One to three dice."""
    face = np.full((64, 64, 3), hsv(rng.uniform(0, 360), rng.choice((0.05, 0.85)), 0.9), np.float32)
    for x, y in ((16, 16), (48, 48), (32, 32), (16, 48), (48, 16)):
        cv2.circle(face, (x, y), 6, (250, 250, 250) if face.min() < 100 else (20, 20, 20), -1, cv2.LINE_AA)
    half = float(rng.uniform(6, 9))
    texture = world.texture(face.astype(np.uint8), 2 * half / 64)
    substance = world.substance(Substance((1, 1, 1), 0.05, 150, texture=texture))
    for k in range(int(rng.integers(1, 4))):
        origin = np.array([spot[0] + 24 * k, spot[1] + float(rng.normal(0, 6)), half])
        world.thing(BOX, origin, turned(rng.uniform(0, 6.3)), (half, half, half), substance, 0, half * 1.74)


def mug(world: Builder, spot: Spot, rng: Rng) -> None:
    """A mug or glass with something dark in it."""
    radius, height = float(rng.uniform(30, 42)), float(rng.uniform(60, 100))
    wall = world.substance(Substance(vivid(rng) if rng.random() < 0.6 else (0.8, 0.8, 0.78), 0.05, 200))
    drink = world.substance(Substance((0.05, 0.025, 0.01), 0.06, 600))
    at = np.array([*spot, 0.0])
    world.thing(CYLINDER, at, turned(0), (radius, height), wall, height / 2, math.hypot(radius, height / 2))
    top = at + np.array([0, 0, height - 1.0])
    world.thing(CYLINDER, top, turned(0), (radius - 3.5, 1.3), drink, 0.6, radius)


def phone(world: Builder, spot: Spot, rng: Rng) -> None:
    """A dark slab with a mirror of glass."""
    glass = world.substance(Substance((0.012, 0.012, 0.015), 0.05, 1500, mirror=1.0))
    world.thing(BOX, np.array([*spot, 4.0]), turned(rng.uniform(0, 6.3)), (36, 75, 4), glass, 0, 84)


def book(world: Builder, spot: Spot, rng: Rng) -> None:
    """A box or a book in one strong colour."""
    paper = world.substance(Substance(vivid(rng), 0.03, 80))
    half = (float(rng.uniform(35, 90)), float(rng.uniform(35, 90)), float(rng.uniform(4, 20)))
    world.thing(
        BOX, np.array([*spot, half[2]]), turned(rng.uniform(0, 6.3)), half, paper, 0, float(np.linalg.norm(half))
    )


def stones(world: Builder, spot: Spot, rng: Rng) -> None:
    """Flat glass stones, black, white or in the colours of pieces."""
    for _ in range(int(rng.integers(1, 6))):
        tone = vivid(rng) if rng.random() < 0.6 else (float(rng.choice((0.01, 0.8))),) * 3
        glass = world.substance(Substance(tone, 0.08, 400))
        wide, tall = float(rng.uniform(7, 11)), float(rng.uniform(3, 5))
        origin = np.array([spot[0] + float(rng.normal(0, 22)), spot[1] + float(rng.normal(0, 22)), tall * 0.9])
        world.thing(ELLIPSOID, origin, turned(0), (wide, wide * float(rng.uniform(0.8, 1)), tall), glass, 0, wide)


def pen(world: Builder, spot: Spot, rng: Rng) -> None:
    """A pen or pencil."""
    substance = world.substance(Substance(vivid(rng), 0.06, 200))
    angle, radius = float(rng.uniform(0, 6.3)), float(rng.uniform(3, 5.5))
    reach = np.array([math.cos(angle), math.sin(angle), 0.0]) * 68
    middle = np.array([*spot, radius])
    capsule(world, middle - reach, middle + reach, radius, substance)


def blocks(world: Builder, spot: Spot, rng: Rng) -> None:
    """Small wooden or plastic bits in the colours of pieces: cubes, cones of other games as ellipsoids, chips."""
    for _ in range(int(rng.integers(1, 5))):
        substance = world.substance(Substance(vivid(rng), 0.05, 60))
        at = np.array([spot[0] + float(rng.normal(0, 20)), spot[1] + float(rng.normal(0, 20)), 0.0])
        kind, size = int(rng.integers(0, 3)), float(rng.uniform(4, 9))
        if kind == 0:
            world.thing(
                BOX,
                at + np.array([0.0, 0.0, size]),
                turned(rng.uniform(0, 6.3)),
                (size, size * rng.uniform(0.6, 1), size),
                substance,
                0,
                size * 1.74,
            )
        elif kind == 1:
            world.thing(
                ELLIPSOID,
                at + np.array([0.0, 0.0, size]),
                turned(0),
                (size * 0.7, size * 0.7, size * 1.3),
                substance,
                0,
                size * 1.3,
            )
        else:
            world.thing(CYLINDER, at, turned(0), (size * 2, 3.3), substance, 1.6, size * 2.1)


def hand(world: Builder, spot: Spot, rng: Rng) -> None:
    """A hand that reaches in over the table, with its arm and sleeve."""
    skin = world.substance(
        Substance(srgb(hsv(rng.uniform(10, 26), rng.uniform(0.3, 0.6), rng.uniform(0.3, 0.95))), 0.02, 12)
    )
    sleeve = world.substance(Substance(vivid(rng) if rng.random() < 0.5 else (0.1, 0.1, 0.12), 0.0, 10))
    away = np.array([*spot, 0.0])
    away = away / (np.linalg.norm(away) + 1e-9)
    side = np.array([-away[1], away[0], 0.0])
    palm = np.array([*spot, float(rng.uniform(24, 55))])
    axes = np.array([away, side, [0.0, 0.0, 1.0]])
    world.thing(ELLIPSOID, palm, axes, (48, 40, 17), skin, 0, 48)
    wrist = palm + 45 * away
    elbow = wrist + 210 * away + side * float(rng.normal(0, 40)) + np.array([0, 0, 30.0])
    capsule(world, wrist, wrist + (elbow - wrist) * 0.45, 24, skin)
    capsule(world, wrist + (elbow - wrist) * 0.35, elbow, 37, sleeve)
    for k in range(5):
        root = palm + side * (k - 2) * 17 - away * (34 - 5 * abs(k - 2))
        knuckle = root - away * (26 if k else 18) + np.array([0, 0, float(rng.uniform(2, 14))])
        tip = knuckle - away * float(rng.uniform(8, 24)) - np.array([0, 0, float(rng.uniform(4, palm[2] - 10))])
        capsule(world, root, knuckle, 9.0, skin)
        capsule(world, knuckle, tip, 7.5, skin)


CLUTTER: dict[str, tuple[Callable[[Builder, Spot, Rng], None], float]] = {
    "cards": (cards, 60.0),
    "dice": (dice, 45.0),
    "mug": (mug, 48.0),
    "phone": (phone, 88.0),
    "book": (book, 110.0),
    "stones": (stones, 40.0),
    "pen": (pen, 78.0),
    "blocks": (blocks, 45.0),
    "hand": (hand, 100.0),
    "paper triangles": (paper_triangles, 75.0),
    "printed triangles": (printed_triangles, 100.0),
    "cubes": (cubes, 60.0),
    "colored dice": (colored_dice, 50.0),
}
"""How to put each down, and its reach in mm."""


def token(world: Builder, spot: Spot, top: float, rng: Rng) -> None:
    """The turn token: a coin, a chip or a stone."""
    metal = world.substance(
        Substance(srgb(hsv(rng.uniform(25, 50), rng.choice((0.0, 0.5)), rng.uniform(0.1, 0.9))), 0.12, 40)
    )
    radius = float(rng.uniform(9, 16))
    at = np.array([*spot, top])
    if rng.random() < 0.6:
        world.thing(CYLINDER, at, turned(0), (radius, 2.2), metal, 1.1, radius + 1)
    else:
        world.thing(ELLIPSOID, at + np.array([0.0, 0.0, 4.0]), turned(0), (radius, radius, 4.4), metal, 0, radius)
