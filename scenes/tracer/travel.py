"""Rays on their way through the grid of things and over the plates, compiled.

:class:`Trip` is one ray's scratch memory: the stretches of translucent plastic it crosses, and where it ends.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scenes.tracer.compiled import compiled
from scenes.tracer.meet import FAR, Indices, box, local_ray, past_sphere, pyramid, solid
from scenes.tracer.world import CELL, PYRAMID, World
from vision.solids import Array

MOST = 24
NOTHING, THING, PLATE = 0, 1, 2


class Trip(NamedTuple):
    """Scratch: ``ends`` (24, 2) mm of crossed plastic, ``sides`` (24, 2), ``owner`` (24,), ``crossed`` (1,) of them;
    ``first_t`` (1,) and ``first`` (3,) = what stops the ray, its row and side; span, side: of one pyramid;
    ``seed`` (1,) of the random numbers."""

    ends: Array
    sides: Indices
    owner: Indices
    crossed: Indices
    first_t: Array
    first: Indices
    span: Array
    side: Indices
    seed: np.ndarray[tuple[int], np.dtype[np.uint64]]


def new_trip() -> Trip:
    """Empty scratch memory."""
    whole = np.int64
    return Trip(
        np.zeros((MOST, 2)),
        np.zeros((MOST, 2), whole),
        np.zeros(MOST, whole),
        np.zeros(1, whole),
        np.zeros(1),
        np.zeros(3, whole),
        np.zeros((2, 2)),
        np.zeros((2, 2), whole),
        np.ones(1, np.uint64),
    )


@compiled
def random(trip: Trip) -> float:
    """The next number from 0 to 1."""
    x = trip.seed[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    trip.seed[0] = x
    return float((x * np.uint64(2685821657736338717)) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@compiled
def through_grid(
    world: World, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> tuple[float, float]:
    """From where to where the ray may meet things; an empty stretch when it cannot."""
    g = world.grid
    a, b = 0.0, FAR
    for axis in range(3):
        if axis == 0:
            place, speed, low, high = ox, dx, g[0], g[0] + CELL * g[2]
        elif axis == 1:
            place, speed, low, high = oy, dy, g[1], g[1] + CELL * g[3]
        else:
            place, speed, low, high = oz, dz, -1.0, g[4]
        if abs(speed) < 1e-12:
            if place < low or place > high:
                return 1.0, 0.0
            continue
        near, far = (low - place) / speed, (high - place) / speed
        if near > far:
            near, far = far, near
        a, b = max(a, near), min(b, far)
    return a, b


@compiled
def follow(
    world: World,
    trip: Trip,
    ox: float,
    oy: float,
    oz: float,
    dx: float,
    dy: float,
    dz: float,
    reach: float,
    shadow: bool,
) -> bool:
    """Send the ray up to *reach* mm; the trip is filled. A *shadow* ray returns True at once when it is blocked."""
    trip.crossed[0] = 0
    trip.first_t[0] = reach
    trip.first[0] = NOTHING
    a, b = through_grid(world, ox, oy, oz, dx, dy, dz)
    b = min(b, reach)
    if a < b and world.kind.shape[0] > 0:
        g = world.grid
        columns, rows = int(g[2]), int(g[3])
        px, py = ox + a * dx - g[0], oy + a * dy - g[1]
        column = min(max(int(px / CELL), 0), columns - 1)
        row = min(max(int(py / CELL), 0), rows - 1)
        right, up = 1 if dx > 0 else -1, 1 if dy > 0 else -1
        step_x = CELL / abs(dx) if abs(dx) > 1e-12 else FAR
        step_y = CELL / abs(dy) if abs(dy) > 1e-12 else FAR
        next_x = ((column + (right + 1) // 2) * CELL + g[0] - ox) / dx if abs(dx) > 1e-12 else FAR
        next_y = ((row + (up + 1) // 2) * CELL + g[1] - oy) / dy if abs(dy) > 1e-12 else FAR
        enter = a
        while True:
            leave = min(next_x, next_y, b)
            cell = row * columns + column
            low_z = oz + dz * (leave if dz < 0 else enter)
            if low_z <= world.cell_top[cell]:
                for at in range(world.cell_start[cell], world.cell_start[cell + 1]):
                    thing = world.cell_things[at]
                    if past_sphere(world, thing, ox, oy, oz, dx, dy, dz):
                        continue
                    if world.kind[thing] == PYRAMID:
                        crossed = pyramid(world, thing, ox, oy, oz, dx, dy, dz, trip.span, trip.side)
                        through = world.substances[world.substance[thing], 5] > 0
                        for k in range(crossed):
                            t = trip.span[k, 0]
                            if trip.span[k, 1] <= 1e-4:
                                continue
                            here = max(t, 0.0)
                            if through:
                                if enter <= here < leave and trip.crossed[0] < MOST:
                                    n = trip.crossed[0]
                                    trip.ends[n, 0], trip.ends[n, 1] = t, trip.span[k, 1]
                                    trip.sides[n, 0], trip.sides[n, 1] = trip.side[k, 0], trip.side[k, 1]
                                    trip.owner[n] = thing
                                    trip.crossed[0] = n + 1
                            elif 1e-4 < t < trip.first_t[0]:
                                trip.first_t[0] = t
                                trip.first[0], trip.first[1], trip.first[2] = THING, thing, trip.side[k, 0]
                    else:
                        t, face = solid(world, thing, ox, oy, oz, dx, dy, dz)
                        if t < trip.first_t[0]:
                            trip.first_t[0] = t
                            trip.first[0], trip.first[1], trip.first[2] = THING, thing, face
                if trip.first[0] != NOTHING and (shadow or trip.first_t[0] <= leave):
                    break
            if leave >= b:
                break
            if next_x < next_y:
                column += right
                next_x += step_x
                if column < 0 or column >= columns:
                    break
            else:
                row += up
                next_y += step_y
                if row < 0 or row >= rows:
                    break
            enter = leave
    if shadow:
        return bool(trip.first[0] != NOTHING)
    for plate in range(world.plates.shape[0]):
        t, face = meet_plate(world, plate, ox, oy, oz, dx, dy, dz)
        if t < trip.first_t[0]:
            trip.first_t[0] = t
            trip.first[0], trip.first[1], trip.first[2] = PLATE, plate, face
    return bool(trip.first[0] != NOTHING)


@compiled
def meet_plate(
    world: World, plate: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> tuple[float, int]:
    """Entry into a plate (FAR: never) and the side; rounded corners count on its top only."""
    p = world.plates
    cos, sin = p[plate, 2], p[plate, 3]
    x, y = ox - p[plate, 0], oy - p[plate, 1]
    x, y = cos * x + sin * y, cos * y - sin * x
    u, v = cos * dx + sin * dy, cos * dy - sin * dx
    thick = p[plate, 7] / 2
    t, side = box(x, y, oz - p[plate, 6] + thick, u, v, dz, p[plate, 4], p[plate, 5], thick)
    corner = p[plate, 9]
    if t < FAR and corner > 0:
        over_x = max(0.0, abs(x + t * u) - p[plate, 4] + corner)
        over_y = max(0.0, abs(y + t * v) - p[plate, 5] + corner)
        if over_x * over_x + over_y * over_y > corner * corner:
            return FAR, 0
    return t, side


@compiled
def light_through(
    world: World, trip: Trip, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, reach: float
) -> tuple[float, float, float]:
    """What part of the light of a lamp *reach* mm away arrives here, in RGB: shadows of plastic are coloured.

    Edges turn light away, and what passes near a piece's axis is gathered: a bright streak inside the shadow.
    """
    if follow(world, trip, ox, oy, oz, dx, dy, dz, reach, True):
        return 0.0, 0.0, 0.0
    r = g = b = 1.0
    for n in range(trip.crossed[0]):
        row = world.substance[trip.owner[n]]
        s = world.substances
        length = min(trip.ends[n, 1], reach) - max(trip.ends[n, 0], 0.0)
        lost = 0.80 - 0.35 * s[row, 9]
        if abs(trip.sides[n, 0] - trip.sides[n, 1]) != 5:
            lost *= 0.65
        if s[row, 15] > 0 and trip.sides[n, 0] < 5:
            lost *= gathered(world, trip.owner[n], s[row, 15], ox, oy, oz, dx, dy, dz)
        r *= lost * math.exp(-s[row, 6] * length)
        g *= lost * math.exp(-s[row, 7] * length)
        b *= lost * math.exp(-s[row, 8] * length)
    return r, g, b


@compiled
def gathered(
    world: World, thing: int, focus: float, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> float:
    """How much brighter a ray through a clear pyramid is for passing near its axis."""
    x, y, z, u, v, w = local_ray(world, thing, ox, oy, oz, dx, dy, dz)
    flat = u * u + v * v
    if flat < 1e-9:
        return 1.0
    beside = (x * v - y * u) / (math.sqrt(flat) * 0.2 * world.dims[thing, 0])
    up = (z - (x * u + y * v) / flat * w) / world.dims[thing, 1]
    return float(1 + 2.0 * focus * math.exp(-beside * beside - 6 * (up - 0.6) ** 2))
