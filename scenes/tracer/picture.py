"""From a world and a camera to a picture in linear light, with the thing seen first at every pixel."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenes.tracer.bending import bent
from scenes.tracer.compiled import compiled
from scenes.tracer.shade import normal_of, sky
from scenes.tracer.surface import plastic, surface
from scenes.tracer.travel import NOTHING, PLATE, THING, Trip, follow, new_trip
from scenes.tracer.world import World
from vision.camera import Camera
from vision.solids import Array

Numbers = NDArray[np.int32]
Floats = NDArray[np.float32]
NOBODY = -1


@dataclass(frozen=True)
class Picture:
    """``light`` (H, W, 3) linear RGB; ``first`` (H, W): the thing that each pixel's middle meets first, or -1."""

    light: Floats
    first: Numbers


def trace(world: World, camera: Camera, samples: int, seed: int) -> Picture:
    """The picture that *camera* takes; *samples* rays a pixel where a single one would not do."""
    width, height = camera.size
    rays = all_rays(camera)
    eye = camera.position
    trip = new_trip()
    first = np.full((height, width), NOBODY, np.int32)
    surfaces = np.zeros((height, width), np.int32)
    depth = np.zeros((height, width), np.float64)
    look_first(world, trip, eye, rays, first, surfaces, depth)
    color = np.zeros((height, width, 3), np.float32)
    glow = np.zeros((height, width, 3), np.float32)
    extra = np.zeros((height, width, 3), np.float32)
    ambient = np.zeros((height, width, 3), np.float32)
    scratch = np.zeros(12), np.zeros(6), np.zeros(6)
    shine(world, trip, eye, rays, surfaces, depth, samples, seed, color, glow, extra, ambient, *scratch)
    for step in (2, 5):
        smooth(ambient, surfaces, step, 0.5, smoothed := np.empty_like(ambient))
        ambient = smoothed
    for step, keenness in (
        (1, 0.0),
        (2, 0.8),
        (1, 0.8),
        (4, 1.2),
    ):  # the first round makes a guess that can be compared
        smooth(glow, surfaces, step, keenness, smoothed := np.empty_like(glow))
        glow = smoothed
    return Picture(color * (glow + ambient) + extra, first)


def all_rays(camera: Camera, step: int = 8) -> Floats:
    """(H + 1, W + 1, 3) directions through the pixels' middles, interpolated between exact ones *step* px apart."""
    width, height = camera.size
    columns, rows = width // step + 2, height // step + 2
    u, v = np.meshgrid(np.arange(columns) * step, np.arange(rows) * step)
    exact = camera.rays(np.column_stack([u.ravel(), v.ravel()])).reshape(rows, columns, 3)
    x, y = np.arange(width + 1) / step, np.arange(height + 1) / step
    left, top = x.astype(int), y.astype(int)
    across, down = (x - left)[None, :, None], (y - top)[:, None, None]
    lines = exact[:, left] * (1 - across) + exact[:, left + 1] * across
    return np.asarray(lines[top] * (1 - down) + lines[top + 1] * down, np.float32)


@compiled
def look_first(
    world: World, trip: Trip, eye: Array, rays: Floats, first: Numbers, surfaces: Numbers, depth: Array
) -> None:
    """Fills *first*, and *surfaces*: a number for each plain surface, negative where one ray is not enough."""
    height, width = first.shape
    for row in range(height):
        for column in range(width):
            d = rays[row, column]
            found = follow(world, trip, eye[0], eye[1], eye[2], d[0], d[1], d[2], 1e8, False)
            stop = trip.first_t[0]
            depth[row, column] = stop
            near = stop
            who = -1
            if found and trip.first[0] == THING:
                who = trip.first[1]
            for n in range(trip.crossed[0]):
                if trip.ends[n, 0] < near:
                    near, who = trip.ends[n, 0], trip.owner[n]
            first[row, column] = who
            if not found or trip.first[0] == NOTHING:
                surfaces[row, column] = 0
            else:
                surfaces[row, column] = 1 + trip.first[2] + 10 * (trip.first[1] + 1000 * trip.first[0])
            if who >= 0 and world.kind[who] == 0:
                surfaces[row, column] = -1 - who
    for row in range(height):
        for column in range(width):
            here = surfaces[row, column]
            if here >= 0:
                for near_row in (max(0, row - 1), row, min(height - 1, row + 1)):
                    for near_column in (max(0, column - 1), column, min(width - 1, column + 1)):
                        if (
                            abs(surfaces[near_row, near_column]) != here
                            and surfaces[near_row, near_column] != -1000000000 - here
                        ):
                            surfaces[row, column] = -1000000000 - here


@compiled
def shine(
    world: World,
    trip: Trip,
    eye: Array,
    rays: Floats,
    surfaces: Numbers,
    depth: Array,
    samples: int,
    seed: int,
    color: Floats,
    glow: Floats,
    extra: Floats,
    ambient: Floats,
    out: Array,
    veil: Array,
    way: Array,
) -> None:
    """Lights every pixel: reflectance, irradiance and the rest apart where one ray serves, else all to *extra*."""
    height, width = surfaces.shape
    angle = math.sqrt(
        (rays[height // 2, width // 2 + 1, 0] - rays[height // 2, width // 2, 0]) ** 2
        + (rays[height // 2, width // 2 + 1, 1] - rays[height // 2, width // 2, 1]) ** 2
        + (rays[height // 2, width // 2 + 1, 2] - rays[height // 2, width // 2, 2]) ** 2
    )
    for row in range(height):
        for column in range(width):
            mix = np.uint64(row * 8191 + column + 1) * np.uint64(11400714819323198485)
            mix ^= np.uint64(seed) * np.uint64(14029467366897019727)
            mix ^= mix >> np.uint64(29)
            trip.seed[0] = mix * np.uint64(13787848793156543929) | np.uint64(1)
            plain = surfaces[row, column] >= 0
            count = 1 if plain else samples
            side = math.sqrt(count)
            total_r = total_g = total_b = 0.0
            even_row, even_column = row & ~1, column & ~1
            here = surfaces[row, column]
            own = (even_row == row and even_column == column) or surfaces[even_row, even_column] != here
            for k in range(count):
                bounce = own if plain else k == 0
                jx = 0.0 if plain else ((k % int(side)) + 0.5) / int(side) - 0.5
                jy = 0.0 if plain else ((k // int(side)) + 0.5) / int(side) - 0.5
                p, q, t = rays[row, column], rays[row, column + 1], rays[row + 1, column]
                dx = p[0] + jx * (q[0] - p[0]) + jy * (t[0] - p[0])
                dy = p[1] + jx * (q[1] - p[1]) + jy * (t[1] - p[1])
                dz = p[2] + jx * (q[2] - p[2]) + jy * (t[2] - p[2])
                size = 1 / math.sqrt(dx * dx + dy * dy + dz * dz)
                dx, dy, dz = dx * size, dy * size, dz * size
                if plain:  # known from the first look
                    found, stop = here > 0, depth[row, column]
                    face, who = (here - 1) % 10, ((here - 1) // 10) % 1000
                    what = (here - 1) // 10000 if found else NOTHING
                    trip.crossed[0] = 0
                else:
                    found = follow(world, trip, eye[0], eye[1], eye[2], dx, dy, dz, 1e8, False)
                    stop = trip.first_t[0]
                    what, who, face = trip.first[0], trip.first[1], trip.first[2]
                veil[0] = veil[1] = veil[2] = 1.0
                veil[3] = veil[4] = veil[5] = 0.0
                ox, oy, oz, before = eye[0], eye[1], eye[2], 0.0
                if trip.crossed[0] > 0:
                    plastic(world, trip, ox, oy, oz, dx, dy, dz, stop, veil)
                    if bent(world, trip, ox, oy, oz, dx, dy, dz, stop, way):
                        before = stop
                        ox, oy, oz, dx, dy, dz = way[0], way[1], way[2], way[3], way[4], way[5]
                        found = follow(world, trip, ox, oy, oz, dx, dy, dz, 1e8, False)
                        stop = trip.first_t[0]
                        what, who, face = trip.first[0], trip.first[1], trip.first[2]
                if not found or what == NOTHING:
                    out[3], out[4], out[5] = sky(world, dx, dy, dz, True)
                    out[0] = out[1] = out[2] = 1.0
                    out[9] = out[10] = out[11] = out[6] = out[7] = out[8] = 0.0
                else:
                    x, y, z = ox + stop * dx, oy + stop * dy, oz + stop * dz
                    nx, ny, nz = normal_of(world, what, who, face, x, y, z)
                    cos = max(0.15, abs(nx * dx + ny * dy + nz * dz))
                    blur = angle * max(before, stop) / math.sqrt(cos) / (1 if plain else side) * 0.8
                    surface(world, trip, what, who, face, x, y, z, dx, dy, dz, blur, bounce, out)
                if plain:
                    for c in range(3):
                        color[row, column, c] = out[c]
                        glow[row, column, c] = out[3 + c]
                        extra[row, column, c] = out[6 + c]
                        ambient[row, column, c] = out[9 + c] if own else ambient[even_row, even_column, c]
                else:
                    total_r += veil[0] * (out[0] * (out[3] + out[9]) + out[6]) + veil[3]
                    total_g += veil[1] * (out[1] * (out[4] + out[10]) + out[7]) + veil[4]
                    total_b += veil[2] * (out[2] * (out[5] + out[11]) + out[8]) + veil[5]
            if not plain:
                extra[row, column, 0] = total_r / count
                extra[row, column, 1] = total_g / count
                extra[row, column, 2] = total_b / count


@compiled
def smooth(glow: Floats, surfaces: Numbers, step: int, keenness: float, out: Floats) -> None:
    """One round of an edge-keeping wavelet filter over the light on plain surfaces; shadow edges stay."""
    height, width = surfaces.shape
    for row in range(height):
        for column in range(width):
            here = surfaces[row, column]
            r, g, b = glow[row, column, 0], glow[row, column, 1], glow[row, column, 2]
            if here < 0:
                out[row, column, 0], out[row, column, 1], out[row, column, 2] = r, g, b
                continue
            mine = r + g + b
            total, tr, tg, tb = 4.0, 4.0 * r, 4.0 * g, 4.0 * b
            for dv in range(-1, 2):
                for du in range(-1, 2):
                    y, x = row + dv * step, column + du * step
                    if (du == 0 and dv == 0) or y < 0 or x < 0 or y >= height or x >= width or surfaces[y, x] != here:
                        continue
                    other = glow[y, x, 0] + glow[y, x, 1] + glow[y, x, 2]
                    apart = abs(other - mine) / (0.5 * (other + mine) + 1e-4) * keenness
                    weight = (2.0 if du == 0 or dv == 0 else 1.0) / (1.0 + apart * apart * apart * apart)
                    total += weight
                    tr += weight * glow[y, x, 0]
                    tg += weight * glow[y, x, 1]
                    tb += weight * glow[y, x, 2]
            out[row, column, 0], out[row, column, 1], out[row, column, 2] = tr / total, tg / total, tb / total


def first_met(world: World, eye: Array, direction: Array) -> tuple[int, float]:
    """The thing (-1: none) that one ray meets first, and how far away in mm."""
    trip = new_trip()
    d = [float(c) for c in direction]
    e = [float(c) for c in eye]
    follow(world, trip, e[0], e[1], e[2], d[0], d[1], d[2], 1e8, False)
    near = float(trip.first_t[0])
    who = int(trip.first[1]) if trip.first[0] == THING else NOBODY
    for n in range(int(trip.crossed[0])):
        if trip.ends[n, 0] < near:
            near, who = float(trip.ends[n, 0]), int(trip.owner[n])
    return who, near


__all__ = ["PLATE", "Picture", "first_met", "trace"]
