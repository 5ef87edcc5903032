"""Light that a surface point sends towards the camera, and plastic that light shines through; compiled."""

from __future__ import annotations

import math

from scenes.tracer.compiled import compiled
from scenes.tracer.shade import Three, color_of, lamp_light, normal_of, plain_look, sky
from scenes.tracer.travel import PLATE, THING, Trip, random
from scenes.tracer.world import PYRAMID, World
from vision.solids import Array


@compiled
def lobe(
    world: World,
    lamp: int,
    nx: float,
    ny: float,
    nz: float,
    dx: float,
    dy: float,
    dz: float,
    x: float,
    y: float,
    z: float,
    sharpness: float,
) -> float:
    """Blinn's highlight of a whole lamp: its size widens the lobe, so that no random point of it is needed."""
    m = world.lamps
    lx, ly, lz = m[lamp, 0] - x, m[lamp, 1] - y, m[lamp, 2] - z
    size = 1 / math.sqrt(lx * lx + ly * ly + lz * lz)
    hx, hy, hz = lx * size - dx, ly * size - dy, lz * size - dz
    tilt = (nx * hx + ny * hy + nz * hz) / math.sqrt(hx * hx + hy * hy + hz * hz)
    if tilt < 0.5:
        return 0.0
    sharp = 1 / (1 / sharpness + m[lamp, 18] * m[lamp, 18] / 10)
    return float((sharp + 8) / 8 * math.exp(sharp * math.log(tilt)))


@compiled
def highlight(
    world: World,
    nx: float,
    ny: float,
    nz: float,
    dx: float,
    dy: float,
    dz: float,
    x: float,
    y: float,
    z: float,
    sharpness: float,
) -> Three:
    """Unshadowed highlights of all lamps on a surface of unit gloss."""
    r = g = b = 0.0
    m = world.lamps
    for lamp in range(m.shape[0]):
        if m[lamp, 16] > 0:
            continue
        strength = lobe(world, lamp, nx, ny, nz, dx, dy, dz, x, y, z, sharpness)
        if strength > 1e-4:
            d2 = (m[lamp, 0] - x) ** 2 + (m[lamp, 1] - y) ** 2 + (m[lamp, 2] - z) ** 2
            strength /= d2
            r, g, b = r + m[lamp, 9] * strength, g + m[lamp, 10] * strength, b + m[lamp, 11] * strength
    return r, g, b


@compiled
def surface(
    world: World,
    trip: Trip,
    what: int,
    row: int,
    side: int,
    x: float,
    y: float,
    z: float,
    dx: float,
    dy: float,
    dz: float,
    blur: float,
    bounce: bool,
    out: Array,
) -> None:
    """Writes an opaque point to *out* (12,): reflectance, lamp light, mirrored light and, if *bounce*, the light of
    the surroundings."""
    nx, ny, nz = normal_of(world, what, row, side, x, y, z)
    if nx * dx + ny * dy + nz * dz > 0:
        nx, ny, nz = -nx, -ny, -nz
    out[0], out[1], out[2] = color_of(world, what, row, side, x, y, z, blur)
    s = int(world.plates[row, 8]) if what == PLATE else world.substance[row]
    gloss, sharpness, mirror = world.substances[s, 3], world.substances[s, 4], world.substances[s, 11]
    px, py, pz = x + 0.02 * nx, y + 0.02 * ny, z + 0.02 * nz
    er = eg = eb = 0.0
    sr = sg = sb = 0.0
    for lamp in range(world.lamps.shape[0]):
        lr, lg, lb, lx, ly, lz = lamp_light(world, trip, lamp, px, py, pz, True)
        cos = nx * lx + ny * ly + nz * lz
        if cos > 0 and lr + lg + lb > 0:
            er, eg, eb = er + cos * lr, eg + cos * lg, eb + cos * lb
            if gloss > 0:
                shine = gloss * cos * lobe(world, lamp, nx, ny, nz, dx, dy, dz, x, y, z, sharpness)
                sr, sg, sb = sr + shine * lr, sg + shine * lg, sb + shine * lb
    if what == THING and side < 5 and world.kind[row] == PYRAMID:  # from above the room, from below the table
        m, up = world.room, 0.5 + 0.5 * nz
        out[9] = 0.8 * (up * 0.5 * (m[0] + m[3]) + (1 - up) * m[6])
        out[10] = 0.8 * (up * 0.5 * (m[1] + m[4]) + (1 - up) * m[7])
        out[11] = 0.8 * (up * 0.5 * (m[2] + m[5]) + (1 - up) * m[8])
    elif bounce:  # towards a direction drawn by the cosine
        turn, out2 = 2 * math.pi * random(trip), random(trip)
        flat, up = math.sqrt(out2), math.sqrt(1 - out2)
        ax, ay, az = (0.0, 0.0, 1.0) if abs(nz) < 0.9 else (1.0, 0.0, 0.0)
        ux, uy, uz = ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax
        size = math.sqrt(ux * ux + uy * uy + uz * uz)
        ux, uy, uz = ux / size, uy / size, uz / size
        vx, vy, vz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
        c, q = flat * math.cos(turn), flat * math.sin(turn)
        r, g, b = plain_look(
            world,
            trip,
            px,
            py,
            pz,
            c * ux + q * vx + up * nx,
            c * uy + q * vy + up * ny,
            c * uz + q * vz + up * nz,
            False,
        )
        out[9], out[10], out[11] = r, g, b
    out[3], out[4], out[5] = er, eg, eb
    facing = -(nx * dx + ny * dy + nz * dz)
    fresnel = gloss * (1 + 16 * (1 - facing) ** 5)
    if mirror > 0:
        rough = 1.5 / (sharpness + 2)
        jx, jy, jz = (random(trip) - 0.5) * rough, (random(trip) - 0.5) * rough, (random(trip) - 0.5) * rough
        r, g, b = plain_look(
            world,
            trip,
            px,
            py,
            pz,
            dx + 2 * facing * nx + jx,
            dy + 2 * facing * ny + jy,
            dz + 2 * facing * nz + jz,
            True,
        )
        fresnel = min(1.0, fresnel * mirror)
    else:
        r, g, b = sky(world, dx + 2 * facing * nx, dy + 2 * facing * ny, dz + 2 * facing * nz, True)
    out[6], out[7], out[8] = sr + fresnel * r, sg + fresnel * g, sb + fresnel * b


@compiled
def plastic(
    world: World,
    trip: Trip,
    ox: float,
    oy: float,
    oz: float,
    dx: float,
    dy: float,
    dz: float,
    stop: float,
    out: Array,
) -> None:
    """What the translucent plastic before *stop* lets through, to out[0:3], and what it adds itself, to out[3:6].

    Light goes straight through the thin walls; each surface mirrors a little, and the plastic is slightly milky.
    """
    n = trip.crossed[0]
    for i in range(1, n):  # sort the stretches from near to far
        j = i
        while j > 0 and trip.ends[j - 1, 0] > trip.ends[j, 0]:
            for k in range(2):
                trip.ends[j - 1, k], trip.ends[j, k] = trip.ends[j, k], trip.ends[j - 1, k]
                trip.sides[j - 1, k], trip.sides[j, k] = trip.sides[j, k], trip.sides[j - 1, k]
            trip.owner[j - 1], trip.owner[j] = trip.owner[j], trip.owner[j - 1]
            j -= 1
    pr = pg = pb = 1.0
    ar = ag = ab = 0.0
    m = world.room
    wr, wg, wb = 0.5 * (m[3] + m[0]), 0.5 * (m[4] + m[1]), 0.5 * (m[5] + m[2])
    for i in range(n):
        if trip.ends[i, 0] >= stop:
            break
        thing = trip.owner[i]
        s = world.substances
        row = world.substance[thing]
        milk = s[row, 9]
        for end in range(2):
            t = trip.ends[i, end]
            x, y, z = ox + t * dx, oy + t * dy, oz + t * dz
            nx, ny, nz = normal_of(world, 1, thing, trip.sides[i, end], x, y, z)
            facing = -(nx * dx + ny * dy + nz * dz)
            if facing < 0:
                nx, ny, nz, facing = -nx, -ny, -nz, -facing
            bend = 5.0 if end == 0 else 3.0
            fresnel = 0.04 + 0.6 * math.exp(bend * math.log(max(1e-6, 1 - facing)))
            hr, hg, hb = highlight(world, nx, ny, nz, dx, dy, dz, x, y, z, s[row, 4])
            rr, rg, rb = sky(world, dx + 2 * facing * nx, dy + 2 * facing * ny, dz + 2 * facing * nz, True)
            shine = s[row, 3] * (0.6 if i == 0 and end == 0 else 0.15)
            ar += pr * (fresnel * rr + shine * min(hr, 14.0))
            ag += pg * (fresnel * rg + shine * min(hg, 14.0))
            ab += pb * (fresnel * rb + shine * min(hb, 14.0))
            pr, pg, pb = pr * (1 - fresnel), pg * (1 - fresnel), pb * (1 - fresnel)
            if end == 0:
                er, eg, eb = wr, wg, wb
                for lamp in range(world.lamps.shape[0]):
                    lr, lg, lb, lx, ly, lz = lamp_light(world, trip, lamp, x, y, z, False)
                    cos = 0.25 + 0.5 * abs(nx * lx + ny * ly + nz * lz)
                    er, eg, eb = er + cos * lr, eg + cos * lg, eb + cos * lb
                cr, cg, cb = color_of(world, 1, thing, trip.sides[i, 0], x, y, z, 0.3)
                ar, ag, ab = ar + pr * milk * cr * er, ag + pg * milk * cg * eg, ab + pb * milk * cb * eb
                length = min(trip.ends[i, 1], stop) - t
                clear = 1 - milk
                pr *= clear * math.exp(-s[row, 6] * length)
                pg *= clear * math.exp(-s[row, 7] * length)
                pb *= clear * math.exp(-s[row, 8] * length)
                pip = cr / max(1e-6, s[row, 0])  # sunken dots show as darker or brighter spots
                if trip.sides[i, 0] < 4 and abs(pip - 1) > 1e-3:
                    dim = 0.75 if pip < 1 else 0.9
                    pr, pg, pb = pr * dim, pg * dim, pb * dim
    out[0], out[1], out[2], out[3], out[4], out[5] = pr, pg, pb, ar, ag, ab
