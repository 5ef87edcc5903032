"""How clear plastic bends light: what is seen through it is shifted, its edges show something else; compiled."""

from __future__ import annotations

import math
from typing import Final

from scenes.tracer.compiled import compiled
from scenes.tracer.shade import normal_of
from scenes.tracer.travel import Trip
from scenes.tracer.world import World
from vision.solids import Array

INDEX: Final = 1.49  # acrylic's and nearly polystyrene's
CONTACT: Final = 3.0  # mm before what is seen within which no bending shows


@compiled
def bent(
    world: World,
    trip: Trip,
    ox: float,
    oy: float,
    oz: float,
    dx: float,
    dy: float,
    dz: float,
    stop: float,
    way: Array,
) -> bool:
    """Writes where and in which direction a ray leaves the plastic it crosses before *stop* to *way* (6,).

    The stretches must be sorted. A wall with parallel faces only shifts the ray; at edges it is turned as by a prism.
    False when nothing worth following is bent.
    """
    ex, ey, ez = dx, dy, dz
    px = py = pz = 0.0
    last = 0.0
    for i in range(trip.crossed[0]):
        near, far = trip.ends[i, 0], trip.ends[i, 1]
        if far > stop - CONTACT:
            break
        thing, into, out = trip.owner[i], trip.sides[i, 0], trip.sides[i, 1]
        nx, ny, nz = normal_of(world, 1, thing, into, ox + near * dx, oy + near * dy, oz + near * dz)
        cos = nx * ex + ny * ey + nz * ez
        sign = -1.0 if cos > 0 else 1.0  # the normal against the ray
        nx, ny, nz, cos = sign * nx, sign * ny, sign * nz, abs(cos)
        inner = math.sqrt(1 - (1 - cos * cos) / (INDEX * INDEX))
        push = cos / INDEX - inner
        ix, iy, iz = ex / INDEX + push * nx, ey / INDEX + push * ny, ez / INDEX + push * nz
        length = far - near
        last = far
        if abs(into - out) == 5:
            path = length * cos / inner
            px, py, pz = px + path * ix - length * dx, py + path * iy - length * dy, pz + path * iz - length * dz
            continue
        px, py, pz = px + length * (ix - dx), py + length * (iy - dy), pz + length * (iz - dz)
        mx, my, mz = normal_of(world, 1, thing, out, ox + far * dx, oy + far * dy, oz + far * dz)
        cos = mx * ix + my * iy + mz * iz
        if cos < 0:
            mx, my, mz, cos = -mx, -my, -mz, -cos
        outer = 1 - INDEX * INDEX * (1 - cos * cos)
        if outer <= 0:  # mirrored inside
            ex, ey, ez = ix - 2 * cos * mx, iy - 2 * cos * my, iz - 2 * cos * mz
        else:
            push = math.sqrt(outer) - INDEX * cos
            ex, ey, ez = INDEX * ix + push * mx, INDEX * iy + push * my, INDEX * iz + push * mz
    if last <= 0:
        return False
    way[0], way[1], way[2] = ox + last * dx + px, oy + last * dy + py, oz + last * dz + pz
    way[3], way[4], way[5] = ex, ey, ez
    return True
