"""Where rays meet single things: exact tests in each thing's own frame, compiled.

``near`` (16, 2) and ``sides`` (16, 2) are scratch arrays: a pyramid's shell can be crossed in up to two pieces.
Sides of a pyramid: 0 +x, 1 -x, 2 +y, 3 -y, 4 the base; plus 5 inside the hollow.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scenes.tracer.compiled import compiled
from scenes.tracer.world import World
from vision.solids import Array

Indices = NDArray[np.int64]
FAR = 1e9


@compiled
def local_ray(
    world: World, thing: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> tuple[float, float, float, float, float, float]:
    """The ray in the frame of a thing."""
    a = world.axes
    x, y, z = ox - world.origin[thing, 0], oy - world.origin[thing, 1], oz - world.origin[thing, 2]
    return (
        a[thing, 0, 0] * x + a[thing, 0, 1] * y + a[thing, 0, 2] * z,
        a[thing, 1, 0] * x + a[thing, 1, 1] * y + a[thing, 1, 2] * z,
        a[thing, 2, 0] * x + a[thing, 2, 1] * y + a[thing, 2, 2] * z,
        a[thing, 0, 0] * dx + a[thing, 0, 1] * dy + a[thing, 0, 2] * dz,
        a[thing, 1, 0] * dx + a[thing, 1, 1] * dy + a[thing, 1, 2] * dz,
        a[thing, 2, 0] * dx + a[thing, 2, 1] * dy + a[thing, 2, 2] * dz,
    )


@compiled
def past_sphere(world: World, thing: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float) -> bool:
    """Whether the ray misses the bounding sphere."""
    x, y, z = world.center[thing, 0] - ox, world.center[thing, 1] - oy, world.center[thing, 2] - oz
    along = x * dx + y * dy + z * dz
    r2 = world.radius[thing] * world.radius[thing]
    d2 = x * x + y * y + z * z
    return bool(d2 - along * along > r2 or (along < 0 and d2 > r2))


@compiled
def pyramid(
    world: World,
    thing: int,
    ox: float,
    oy: float,
    oz: float,
    dx: float,
    dy: float,
    dz: float,
    span: Array,
    side: Indices,
) -> int:
    """How many stretches of plastic the ray crosses; their ends go to *span* (2, 2), the sides to *side* (2, 2)."""
    x, y, z, u, v, w = local_ray(world, thing, ox, oy, oz, dx, dy, dz)
    half, height, wall = world.dims[thing, 0], world.dims[thing, 1], world.dims[thing, 2]
    slant = math.sqrt(half * half + height * height)
    nx, nz = height / slant, half / slant
    reach = nx * half
    t0, t1, i0, i1 = -FAR, FAR, -FAR, FAR
    s0, s1, j0, j1 = 4, 4, 4, 4
    if w > 1e-12:
        t0 = i0 = -z / w
    elif w < -1e-12:
        t1 = i1 = -z / w
    elif z < 0:
        return 0
    for face in range(4):
        if face == 0:
            place, speed = nx * x, nx * u
        elif face == 1:
            place, speed = -nx * x, -nx * u
        elif face == 2:
            place, speed = nx * y, nx * v
        else:
            place, speed = -nx * y, -nx * v
        place, speed = place + nz * z, speed + nz * w
        if abs(speed) < 1e-12:
            if place > reach:
                return 0
            if place > reach - wall:
                i0 = FAR
            continue
        t, i = (reach - place) / speed, (reach - wall - place) / speed
        if speed < 0:
            if t > t0:
                t0, s0 = t, face
            if i > i0:
                i0, j0 = i, face
        else:
            if t < t1:
                t1, s1 = t, face
            if i < i1:
                i1, j1 = i, face
    if t0 >= t1 or t1 <= 0:
        return 0
    if i0 >= i1:
        span[0, 0], span[0, 1], side[0, 0], side[0, 1] = t0, t1, s0, s1
        return 1
    count = 0
    if i0 - t0 > 1e-6 and i0 > 0:
        span[0, 0], span[0, 1], side[0, 0], side[0, 1] = t0, i0, s0, 5 + j0
        count = 1
    if t1 - i1 > 1e-6:
        span[count, 0], span[count, 1], side[count, 0], side[count, 1] = i1, t1, 5 + j1, s1
        count += 1
    return count


@compiled
def solid(
    world: World, thing: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> tuple[float, int]:
    """Distance at which the ray enters a thing that is no pyramid (FAR: never), and on which side."""
    x, y, z, u, v, w = local_ray(world, thing, ox, oy, oz, dx, dy, dz)
    kind = world.kind[thing]
    a, b, c = world.dims[thing, 0], world.dims[thing, 1], world.dims[thing, 2]
    if kind == 1:
        return box(x, y, z, u, v, w, a, b, c)
    if kind == 2:
        return sphere(x / a, y / b, z / c, u / a, v / b, w / c, 1.0), 0
    t, side = tube(x, y, z, u, v, w, a, b, kind == 4)
    if kind == 3:
        low = sphere(x, y, z, u, v, w, a)
        high = sphere(x, y, z - b, u, v, w, a)
        if low < t:
            t, side = low, 1
        if high < t:
            t, side = high, 2
    return t, side


@compiled
def box(
    x: float, y: float, z: float, u: float, v: float, w: float, a: float, b: float, c: float
) -> tuple[float, int]:
    """Entry into the box ±a, ±b, ±c; sides 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z."""
    t0, t1, side = -FAR, FAR, 0
    for axis in range(3):
        if axis == 0:
            place, speed, half = x, u, a
        elif axis == 1:
            place, speed, half = y, v, b
        else:
            place, speed, half = z, w, c
        if abs(speed) < 1e-12:
            if abs(place) > half:
                return FAR, 0
            continue
        near, far = (-half - place) / speed, (half - place) / speed
        face = 2 * axis + 1
        if near > far:
            near, far, face = far, near, 2 * axis
        if near > t0:
            t0, side = near, face
        t1 = min(t1, far)
    if t0 >= t1 or t0 <= 1e-4:
        return FAR, 0
    return t0, side


@compiled
def sphere(x: float, y: float, z: float, u: float, v: float, w: float, r: float) -> float:
    """Entry into a ball of radius *r*; the direction need not be of unit length."""
    a = u * u + v * v + w * w
    half = x * u + y * v + z * w
    inner = half * half - a * (x * x + y * y + z * z - r * r)
    if inner <= 0:
        return FAR
    t = (-half - math.sqrt(inner)) / a
    return t if t > 1e-4 else FAR


@compiled
def tube(
    x: float, y: float, z: float, u: float, v: float, w: float, r: float, length: float, capped: bool
) -> tuple[float, int]:
    """Entry into the cylinder of radius *r* from z 0 to *length*: side 0 the wall, 3 the top, 4 the bottom."""
    best, side = FAR, 0
    a = u * u + v * v
    if a > 1e-14:
        half = x * u + y * v
        inner = half * half - a * (x * x + y * y - r * r)
        if inner > 0:
            t = (-half - math.sqrt(inner)) / a
            if t > 1e-4 and 0 <= z + t * w <= length:
                best = t
    if capped and abs(w) > 1e-12:
        t = (length - z) / w if w < 0 else -z / w
        if 1e-4 < t < best and (x + t * u) ** 2 + (y + t * v) ** 2 < r * r:
            best, side = t, 3 if w < 0 else 4
    return best, side
