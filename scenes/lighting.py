"""Lamps and rooms by name. Light is relative: the camera exposes for it later."""

from __future__ import annotations

import math

import numpy as np

from scenes.looks import RGB, Look, warmth
from scenes.tracer.world import Lamp, Room

Rng = np.random.Generator


def lit(
    name: str, look: Look, table: RGB, camera: tuple[float, float, float], rng: Rng
) -> tuple[list[Lamp], Room, float, RGB]:
    """The lamps, the room and the main colour temperature of the light called *name*, and its colour on the
    whole.

    *table* is the table's mean reflectance, which shines back from below; *camera* is where a flash sits, mm.
    """
    low, high = look.kelvin[int(rng.integers(0, len(look.kelvin)))]
    kelvin = float(rng.uniform(low, high))
    warm, day = warmth(kelvin), warmth(float(rng.uniform(5500, 7500)))
    fill = float(rng.uniform(0.12, 0.5))
    lamps: list[Lamp] = []
    pane, around = 0.0, warm
    known = 1.0  # power of its colour that a camera knows
    where = float(rng.uniform(0, 2 * math.pi))
    if name in ("lamp", "two lamps"):
        for k in range(1 if name == "lamp" else 2):
            at = _at(rng.uniform(0, 2 * math.pi), rng.uniform(35, 80), rng.uniform(500, 1600))
            lamps.append(
                Lamp(
                    at,
                    float(rng.choice((15, 60, 150, 300)) * rng.uniform(0.7, 1.3)),
                    _times(warm, rng.uniform(0.35, 1) if k else 1),
                )
            )
    elif name == "window":
        fill, around, pane = fill + 0.1, day, float(rng.uniform(1.5, 4))
        lamps.append(Lamp(_at(where, rng.uniform(22, 45), 1800), float(rng.uniform(350, 700)), _times(day, 0.9)))
    elif name == "overcast":
        fill, around = float(rng.uniform(0.6, 1.0)), day
        lamps.append(Lamp(_at(where, 75, 2500), 1500.0, _times(day, 0.45)))
    elif name == "sun":
        around, pane = warmth(6800), 3.0
        sun = _at(where, rng.uniform(25, 65), 40000)
        patch = None
        if rng.random() < 0.6:
            patch = (
                *rng.normal(0, 90, 2).tolist(),
                where + rng.normal(0, 0.3),
                float(rng.uniform(90, 260)),
                float(rng.uniform(70, 200)),
            )
        lamps.append(Lamp(sun, 40000 * 0.0047, _times(warmth(5300), rng.uniform(1.0, 2.5)), patch=patch))
        lamps.append(Lamp(_at(where, 40, 2000), 600.0, _times(around, 0.5)))
    elif name == "tube":
        green = (warm[0] * 0.95, warm[1] * 1.05, warm[2] * 0.95)
        for x in (-300.0, 350.0):
            lamps.append(Lamp((x, float(rng.uniform(-600, 600)), 1700.0), 40.0, _times(green, 0.6), stretch=14.0))
    elif name == "low lamp":
        lamps.append(Lamp(_at(where, rng.uniform(20, 32), 600), float(rng.uniform(30, 90)), warm))
        fill *= 0.6
    elif name == "evening":  # one light, red and hardly higher than the pieces, and what is left of the day
        red = warmth(float(rng.uniform(2000, 3000)))
        far, wide = (20000.0, 120.0) if rng.random() < 0.4 else (rng.uniform(500, 1300), rng.uniform(12, 70))
        lamps.append(Lamp(_at(where, rng.uniform(10, 26), far), float(wide), _times(red, rng.uniform(0.7, 1.4))))
        fill, around = float(rng.uniform(0.08, 0.35)), red if rng.random() < 0.6 else day
        known = 0.5  # no camera takes all of its red for white
    elif name == "any":  # up to three lamps of any size and colour, from anywhere
        for _ in range(int(rng.integers(1, 4))):
            tint = warmth(float(rng.uniform(1900, 9000)))
            if rng.random() < 0.25:
                tint = _mixed(tint, rng.dirichlet((2, 2, 2)).tolist(), float(rng.uniform(0.2, 0.8)))
            at = _at(rng.uniform(0, 2 * math.pi), rng.uniform(10, 85), float(np.exp(rng.uniform(6.0, 8.0))))
            lamps.append(Lamp(at, float(np.exp(rng.uniform(2.3, 6.3))), _times(tint, rng.uniform(0.15, 1.2))))
        fill, around = float(rng.uniform(0.05, 0.7)), warm if rng.random() < 0.5 else day
        pane = float(rng.uniform(0, 3)) if rng.random() < 0.4 else 0.0
        known = float(rng.uniform(0.4, 1))
    elif name == "mixed":
        pane = 2.5
        lamps.append(Lamp(_at(where, 32, 1600), 500.0, _times(day, 0.7)))
        lamps.append(
            Lamp(_at(where + rng.uniform(1.5, 4.5), 60, 900), 90.0, _times(warmth(2700), rng.uniform(0.3, 0.8)))
        )
    elif name == "flash":
        lamps.append(Lamp((camera[0] + 25, camera[1], camera[2] + 15), 6.0, _times(day, 0.8)))
        lamps.append(Lamp(_at(where, 60, 1400), 250.0, _times(warm, 0.35)))
    else:  # blinds: sun in two narrow bands
        for k in (-1, 1):
            patch = (k * 95.0, float(rng.normal(0, 60)), where, 55.0, 400.0)
            lamps.append(Lamp(_at(where + 0.4, 38, 40000), 190.0, _times(warmth(5000), 1.2), patch=patch))
        lamps.append(Lamp(_at(where, 35, 1800), 500.0, _times(day, 0.6)))
        around = day
    walls = rng.uniform(0.5, 1.0, 3) * fill
    up = float(rng.uniform(0.6, 1.2)) * fill
    total = np.sum([lamp.color for lamp in lamps if lamp.patch is None], axis=0) + fill
    ground = np.array(table) * total * 0.7
    room = Room(
        _times(around, up),
        (around[0] * walls[0], around[1] * walls[1], around[2] * walls[2]),
        (float(ground[0]), float(ground[1]), float(ground[2])),
        _times(day, pane),
        where,
        float(rng.uniform(0.25, 0.6)),
        float(rng.uniform(0.05, 0.25)),
        float(rng.uniform(0.5, 0.8)),
    )
    whole = np.sum([lamp.color for lamp in lamps if lamp.patch is None], axis=0) + np.array(room.horizon)
    r, g, b = ((whole / whole[1]) ** known).tolist()
    return lamps, room, kelvin, (r, g, b)


def _mixed(one: RGB, other: list[float], part: float) -> RGB:
    r, g, b = ((1 - part) * np.array(one) + part * 3 * np.array(other)).tolist()
    return r, g, b


def _times(color: RGB, factor: float) -> RGB:
    f = float(factor)
    return color[0] * f, color[1] * f, color[2] * f


def _at(azimuth: float, elevation_deg: float, distance: float) -> tuple[float, float, float]:
    e = math.radians(float(elevation_deg))
    flat = float(distance) * math.cos(e)
    return flat * math.cos(azimuth), flat * math.sin(azimuth), float(distance) * math.sin(e)
