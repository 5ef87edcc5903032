"""What a surface point looks like: its colour, its normal, the light on it; compiled. Colours are linear RGB."""

from __future__ import annotations

import math

from scenes.tracer.compiled import compiled
from scenes.tracer.travel import NOTHING, PLATE, THING, Trip, follow, light_through, random
from scenes.tracer.world import MIP_LEVELS, PYRAMID, World

EDGE = 0.45  # mm over which the edges of the plastic are rounded
Three = tuple[float, float, float]


@compiled
def texel(world: World, row: int, x: float, y: float, blur: float) -> Three:
    """Linear colour of a texture at (x, y) mm, averaged over about *blur* mm; mirrored beyond its ends."""
    scale = world.scales[row, 0]
    level = int(max(0.0, math.log2(max(1e-9, blur * scale)) + 0.4))
    level = min(level, MIP_LEVELS - 1)
    offset, width, height = world.levels[row, level, 0], world.levels[row, level, 1], world.levels[row, level, 2]
    shrink = scale / (1 << level)
    u = (x - world.scales[row, 1]) * shrink + width / 2 - 0.5
    v = height / 2 - (y - world.scales[row, 2]) * shrink - 0.5
    u0, v0 = math.floor(u), math.floor(v)
    fu, fv = u - u0, v - v0
    r = g = b = 0.0
    for dv in range(2):
        for du in range(2):
            column, line = int(u0) + du, int(v0) + dv
            column = column % (2 * width)
            line = line % (2 * height)
            if column >= width:
                column = 2 * width - 1 - column
            if line >= height:
                line = 2 * height - 1 - line
            at = offset + 3 * (line * width + column)
            weight = (fu if du else 1 - fu) * (fv if dv else 1 - fv)
            r += weight * linear(world.texels[at])
            g += weight * linear(world.texels[at + 1])
            b += weight * linear(world.texels[at + 2])
    return r, g, b


@compiled
def linear(value: int) -> float:
    """An sRGB byte as a linear number, nearly."""
    s = value / 255.0
    return s * s * (0.3 * s + 0.7) + 0.0008


@compiled
def sky(world: World, dx: float, dy: float, dz: float, sharp: bool) -> Three:
    """Radiance of the room in a direction; the window, which is a lamp too, and the furniture only if *sharp*."""
    m = world.room
    up = max(0.0, dz)
    down = min(1.0, max(0.0, -dz * 4))
    mix = math.sqrt(up)
    r = (m[3] * (1 - mix) + m[0] * mix) * (1 - down) + m[6] * down
    g = (m[4] * (1 - mix) + m[1] * mix) * (1 - down) + m[7] * down
    b = (m[5] * (1 - mix) + m[2] * mix) * (1 - down) + m[8] * down
    if not sharp:
        return r, g, b
    turn = math.atan2(dy, dx) - m[12]
    turn -= 2 * math.pi * math.floor(turn / (2 * math.pi) + 0.5)
    wave = 1 + 0.25 * math.sin(3 * turn + 1) * (1 - up) + 0.12 * math.sin(11 * turn) * (1 - up)
    r, g, b = r * wave, g * wave, b * wave
    if abs(turn) < m[13] and m[14] < dz < m[15]:
        pane = abs(turn) / m[13]
        if abs(pane - 0.5) > 0.04:
            r, g, b = r + m[9], g + m[10], b + m[11]
    return r, g, b


@compiled
def normal_of(world: World, what: int, row: int, side: int, x: float, y: float, z: float) -> Three:
    """Unit normal at a point of a thing or plate; the edges of pyramids are a little rounded."""
    if what == PLATE:
        cos, sin = world.plates[row, 2], world.plates[row, 3]
        if side == 4:
            return 0.0, 0.0, 1.0
        if side == 5:
            return 0.0, 0.0, -1.0
        sign = 1.0 if side % 2 == 0 else -1.0
        if side < 2:
            return sign * cos, sign * sin, 0.0
        return -sign * sin, sign * cos, 0.0
    a = world.axes
    x, y, z = x - world.origin[row, 0], y - world.origin[row, 1], z - world.origin[row, 2]
    lx = a[row, 0, 0] * x + a[row, 0, 1] * y + a[row, 0, 2] * z
    ly = a[row, 1, 0] * x + a[row, 1, 1] * y + a[row, 1, 2] * z
    lz = a[row, 2, 0] * x + a[row, 2, 1] * y + a[row, 2, 2] * z
    d = world.dims
    nx, ny, nz = 0.0, 0.0, 0.0
    kind = world.kind[row]
    if kind == PYRAMID:
        half, height = d[row, 0], d[row, 1]
        slant = math.sqrt(half * half + height * height)
        c, s = height / slant, half / slant
        face = side % 5
        sign = -1.0 if side >= 5 else 1.0
        if face == 4:
            nz = -1.0
        else:
            along = 1.0 if face % 2 == 0 else -1.0
            nz = s
            slack = c * half - s * lz
            if face < 2:
                nx = c * along
                near = slack - c * abs(ly)
                if near < EDGE and side < 5:
                    ny = math.copysign(c * 0.7 * (1 - near / EDGE), ly)
            else:
                ny = c * along
                near = slack - c * abs(lx)
                if near < EDGE and side < 5:
                    nx = math.copysign(c * 0.7 * (1 - near / EDGE), lx)
            if lz < EDGE and side < 5:
                nz -= 0.8 * (1 - lz / EDGE)
        nx, ny, nz = nx * sign, ny * sign, nz * sign
    elif kind == 1:
        along = 1.0 if side % 2 == 0 else -1.0
        if side < 2:
            nx = along
        elif side < 4:
            ny = along
        else:
            nz = along
    elif kind == 2:
        nx, ny, nz = lx / d[row, 0] ** 2, ly / d[row, 1] ** 2, lz / d[row, 2] ** 2
    elif side == 3:
        nz = 1.0
    elif side == 4:
        nz = -1.0
    else:
        nx, ny = lx, ly
        if kind == 3 and side == 1:
            nz = lz
        elif kind == 3 and side == 2:
            nz = lz - d[row, 1]
    nx, ny, nz = (
        a[row, 0, 0] * nx + a[row, 1, 0] * ny + a[row, 2, 0] * nz,
        a[row, 0, 1] * nx + a[row, 1, 1] * ny + a[row, 2, 1] * nz,
        a[row, 0, 2] * nx + a[row, 1, 2] * ny + a[row, 2, 2] * nz,
    )
    size = 1 / math.sqrt(nx * nx + ny * ny + nz * nz)
    return nx * size, ny * size, nz * size


@compiled
def pip_at(world: World, row: int, side: int, x: float, y: float, z: float) -> float:
    """1 on a pip of a pyramid's outside, 0 beside it, between at its rim."""
    s = world.substance[row]
    size = world.substances[s, 12]
    if size <= 0 or side >= 4:
        return 0.0
    a = world.axes
    x, y, z = x - world.origin[row, 0], y - world.origin[row, 1], z - world.origin[row, 2]
    lx = a[row, 0, 0] * x + a[row, 0, 1] * y + a[row, 0, 2] * z
    ly = a[row, 1, 0] * x + a[row, 1, 1] * y + a[row, 1, 2] * z
    lz = a[row, 2, 0] * x + a[row, 2, 1] * y + a[row, 2, 2] * z
    half, height, count = world.dims[row, 0], world.dims[row, 1], world.dims[row, 3]
    along = ly if side == 0 else (-ly if side == 1 else (-lx if side == 2 else lx))
    up = lz * math.sqrt(half * half + height * height) / height
    gap = 3.1 * size
    middle = (1 - world.substances[s, 14]) * (2.2 * size + gap * (count - 1) / 2 - half + 1.2)
    best = 1e9
    for k in range(int(count)):
        best = min(best, (along - middle - gap * (k - (count - 1) / 2)) ** 2)
    off = math.sqrt(best + (up - 2.2 * size - 0.4) ** 2)
    return float(min(1.0, max(0.0, (size - off) / 0.25 + 0.5)))


@compiled
def color_of(world: World, what: int, row: int, side: int, x: float, y: float, z: float, blur: float) -> Three:
    """Reflectance of a surface point."""
    if what == PLATE:
        s = int(world.plates[row, 8])
        shade = 1.0 if side == 4 else 0.6
    else:
        s = world.substance[row]
        shade = 1.0
    r, g, b = world.substances[s, 0], world.substances[s, 1], world.substances[s, 2]
    texture = int(world.substances[s, 10])
    if texture >= 0:
        if what == PLATE and side == 4:
            cos, sin = world.plates[row, 2], world.plates[row, 3]
            u, v = x - world.plates[row, 0], y - world.plates[row, 1]
            p, q, t = texel(world, texture, cos * u + sin * v, cos * v - sin * u, blur)
            r, g, b = r * p, g * q, b * t
        elif what == THING:
            a = world.axes
            u, v, w = x - world.origin[row, 0], y - world.origin[row, 1], z - world.origin[row, 2]
            lx = a[row, 0, 0] * u + a[row, 0, 1] * v + a[row, 0, 2] * w
            ly = a[row, 1, 0] * u + a[row, 1, 1] * v + a[row, 1, 2] * w
            lz = a[row, 2, 0] * u + a[row, 2, 1] * v + a[row, 2, 2] * w
            if world.kind[row] == 1 and side < 2:
                lx, ly = ly, lz
            elif world.kind[row] == 1 and side < 4:
                ly = lz
            elif world.kind[row] == 4 and side == 0:
                lx, ly = math.atan2(ly, lx) * world.dims[row, 0], lz
            p, q, t = texel(world, texture, lx, ly, blur)
            r, g, b = r * p, g * q, b * t
        else:
            r, g, b = r * world.means[texture, 0], g * world.means[texture, 1], b * world.means[texture, 2]
    if what == THING and world.kind[row] == PYRAMID:
        pip = pip_at(world, row, side, x, y, z)
        tone = world.substances[s, 13]
        if pip > 0 and tone > 0:
            r, g, b = r + pip * (tone - r), g + pip * (tone - g), b + pip * (tone - b)
        elif pip > 0:
            keep = 1 + pip * tone
            r, g, b = r * keep, g * keep, b * keep
    return r * shade, g * shade, b * shade


@compiled
def lamp_light(
    world: World, trip: Trip, lamp: int, x: float, y: float, z: float, shaded: bool
) -> tuple[float, float, float, float, float, float]:
    """Light from a random point of a lamp: its colour here before the cosine, and the direction towards it."""
    m = world.lamps
    turn, out = 2 * math.pi * random(trip), math.sqrt(random(trip))
    p, q = out * math.cos(turn), out * math.sin(turn)
    dx = m[lamp, 0] + p * m[lamp, 3] + q * m[lamp, 6] - x
    dy = m[lamp, 1] + p * m[lamp, 4] + q * m[lamp, 7] - y
    dz = m[lamp, 2] + p * m[lamp, 5] + q * m[lamp, 8] - z
    d2 = dx * dx + dy * dy + dz * dz
    d = math.sqrt(d2)
    dx, dy, dz = dx / d, dy / d, dz / d
    r, g, b = m[lamp, 9] / d2, m[lamp, 10] / d2, m[lamp, 11] / d2
    if m[lamp, 16] > 0:
        u, v = x - dx * z / dz - m[lamp, 12], y - dy * z / dz - m[lamp, 13]
        u, v = m[lamp, 14] * u + m[lamp, 15] * v, m[lamp, 14] * v - m[lamp, 15] * u
        far = max(abs(u) - m[lamp, 16], abs(v) - m[lamp, 17])
        if abs(abs(u) - m[lamp, 16] / 2) < 9 or far > 0:
            return 0.0, 0.0, 0.0, dx, dy, dz
    if shaded:
        tr, tg, tb = light_through(world, trip, x, y, z, dx, dy, dz, d)
        r, g, b = r * tr, g * tg, b * tb
    return r, g, b, dx, dy, dz


@compiled
def plain_look(
    world: World, trip: Trip, x: float, y: float, z: float, dx: float, dy: float, dz: float, sharp: bool
) -> Three:
    """What a ray sees at a glance: no shadows, no second bounce. For bounces and, if *sharp*, mirror images."""
    found = follow(world, trip, x, y, z, dx, dy, dz, 1e8, False)
    stop = trip.first_t[0]
    pr = pg = pb = 1.0
    mr = mg = mb = 0.0
    m = world.room
    ar, ag, ab = 0.6 * m[3] + 0.4 * m[0], 0.6 * m[4] + 0.4 * m[1], 0.6 * m[5] + 0.4 * m[2]
    for n in range(trip.crossed[0]):
        if trip.ends[n, 0] < stop:
            row = world.substance[trip.owner[n]]
            s = world.substances
            length = min(trip.ends[n, 1], stop) - max(trip.ends[n, 0], 0.0)
            pr, pg, pb = (
                pr * math.exp(-s[row, 6] * length),
                pg * math.exp(-s[row, 7] * length),
                pb * math.exp(-s[row, 8] * length),
            )
            mr, mg, mb = (
                mr + s[row, 9] * s[row, 0] * ar,
                mg + s[row, 9] * s[row, 1] * ag,
                mb + s[row, 9] * s[row, 2] * ab,
            )
    if not found or trip.first[0] == NOTHING:
        r, g, b = sky(world, dx, dy, dz, sharp)
        return pr * r + mr, pg * g + mg, pb * b + mb
    what, row, side = trip.first[0], trip.first[1], trip.first[2]
    hx, hy, hz = x + stop * dx, y + stop * dy, z + stop * dz
    nx, ny, nz = normal_of(world, what, row, side, hx, hy, hz)
    if sharp or what == THING:
        r, g, b = color_of(world, what, row, side, hx, hy, hz, 2.0)
    else:
        plate = int(world.plates[row, 8])
        texture = int(world.substances[plate, 10])
        r, g, b = world.substances[plate, 0], world.substances[plate, 1], world.substances[plate, 2]
        if texture >= 0:
            r, g, b = r * world.means[texture, 0], g * world.means[texture, 1], b * world.means[texture, 2]
    er, eg, eb = 0.75 * ar, 0.75 * ag, 0.75 * ab
    lamps = world.lamps
    for lamp in range(world.lamps.shape[0]):
        if lamps[lamp, 16] > 0:
            continue
        lx, ly, lz = lamps[lamp, 0] - hx, lamps[lamp, 1] - hy, lamps[lamp, 2] - hz
        d2 = lx * lx + ly * ly + lz * lz
        cos = 0.8 * max(0.0, nx * lx + ny * ly + nz * lz) / (d2 * math.sqrt(d2))
        er, eg, eb = er + lamps[lamp, 9] * cos, eg + lamps[lamp, 10] * cos, eb + lamps[lamp, 11] * cos
    return pr * r * er + mr, pg * g * eg + mg, pb * b * eb + mb
