"""Procedural pictures of surfaces, (N, N, 3) sRGB bytes; every one is drawn from a generator of random numbers.

``mm`` is the size of a texel, so that grain, threads and letters have their true sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from scenes.collages import collage
from scenes.newspapers import daily
from scenes.rugs import knotted
from scenes.surfaces import SIDE, Bytes, Rng, as_bytes, hsv, noise, octaves, toned


def wood(rng: Rng, mm: float) -> Bytes:
    """Boards or a veneer: rings seen lengthwise, pores, and joints between the boards."""
    hue, saturation = rng.uniform(14, 38), rng.uniform(0.18, 0.7)
    value = rng.uniform(0.3, 0.95)
    light, dark = hsv(hue, saturation, value), hsv(hue - 5, saturation * 1.15, value * rng.uniform(0.55, 0.85))
    scale = rng.uniform(1.5, 9) / mm
    bend = noise(rng, 500, 90) * scale * rng.uniform(0.2, 1.2) + noise(rng, 300, 25) * scale * 0.1
    across = np.arange(SIDE, dtype=np.float32)[:, None] + bend
    rings = np.sin(across / scale * 2 * math.pi / 2.2 + noise(rng, 200, 12) * 0.8)
    pores = noise(rng, 14 / mm, max(1.0, 0.35 / mm))
    tone = 0.55 + 0.18 * rings * rng.uniform(0.3, 1) + 0.13 * pores * rng.uniform(0.3, 1) + 0.1 * noise(rng, 220, 30)
    if rng.random() < 0.5:
        width = int(rng.uniform(40, 140) / mm)
        for top in range(int(rng.integers(0, width)), SIDE, width):
            tone[top : top + width] += rng.normal(0, 0.13)
            tone[top : top + width] = np.roll(tone[top : top + width], int(rng.integers(0, SIDE)), axis=1)
            tone[top : top + max(1, int(0.8 / mm))] -= 0.35
    picture = toned(tone, dark, light)
    return np.ascontiguousarray(picture if rng.random() < 0.5 else picture.transpose(1, 0, 2))


def bamboo(rng: Rng, mm: float) -> Bytes:
    """Narrow strips of changing tone with knots."""
    hue, value = rng.uniform(22, 36), rng.uniform(0.5, 0.92)
    light, dark = hsv(hue, rng.uniform(0.3, 0.6), value), hsv(hue - 6, 0.6, value * 0.6)
    tone = 0.65 + 0.06 * noise(rng, 60, 3)
    width = max(3, int(rng.uniform(5, 20) / mm))
    for top in range(0, SIDE, width):
        tone[top : top + width] += rng.normal(0, 0.14)
        for knot in rng.integers(0, SIDE, 3):
            tone[top : top + width, knot : knot + max(2, int(3 / mm))] -= 0.2
    return toned(tone, dark, light)


def plain(rng: Rng, mm: float) -> Bytes:
    """Painted or laminated: one tone with faint dirt."""
    color = hsv(
        rng.uniform(0, 360), rng.choice([0.02, 0.08, 0.3, 0.6]) * rng.uniform(0.5, 1), rng.uniform(0.12, 0.97)
    )
    tone = 1 + 0.02 * octaves(rng, 200) + 0.01 * noise(rng, max(1.0, 0.5 / mm), max(1.0, 0.5 / mm))
    return as_bytes(color * tone[..., None])


def cloth(rng: Rng, mm: float) -> Bytes:
    """Woven: warp and weft with uneven threads, soft folds."""
    hue, saturation, value = rng.uniform(0, 360), rng.uniform(0, 0.85), rng.uniform(0.12, 0.95)
    thread = rng.uniform(0.7, 2.2) / mm
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    over = np.sin(x / thread * math.pi) * np.sin(y / thread * math.pi)
    tone = 1 + rng.uniform(0.03, 0.16) * over + 0.05 * noise(rng, 60, 2) + 0.05 * noise(rng, 2, 60)
    tone += rng.uniform(0, 0.1) * noise(rng, 260, 180)
    return as_bytes(hsv(hue, saturation, value) * tone[..., None])


def checked(rng: Rng, mm: float) -> Bytes:
    """A checked or striped tablecloth; printed stripes mix where they cross."""
    ground = hsv(rng.uniform(0, 360), rng.uniform(0, 0.2), rng.uniform(0.75, 0.97))
    picture = np.tile(ground, (SIDE, SIDE, 1)).astype(np.float32)
    pitch = int(rng.uniform(9, 70) / mm) + 2
    for _ in range(int(rng.integers(1, 3))):
        ink = hsv(rng.uniform(0, 360), rng.uniform(0.2, 0.95), rng.uniform(0.1, 0.85)) / 255
        start, width = int(rng.integers(0, pitch)), int(pitch * rng.uniform(0.15, 0.6)) + 1
        stripe = ((np.arange(SIDE) - start) % pitch < width).astype(np.float32)[:, None]
        veil = 1 - stripe[:, :, None] * (1 - ink) * rng.uniform(0.5, 1)
        picture *= veil
        if rng.random() < 0.8:
            picture *= veil.transpose(1, 0, 2)
    return as_bytes(picture * (1 + 0.04 * noise(rng, 3, 3))[..., None])


def chessboard(rng: Rng, mm: float) -> Bytes:
    """A chequered cloth: many fields that are not a board."""
    pitch = rng.uniform(12, 45) / mm
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    odd = ((x // pitch + y // pitch) % 2).astype(np.float32)
    hue = rng.uniform(0, 360)
    return toned(
        odd + 0.03 * noise(rng, 3, 3), hsv(hue, rng.uniform(0, 0.8), rng.uniform(0.05, 0.5)), hsv(40, 0.05, 0.93)
    )


def printed(rng: Rng, mm: float) -> Bytes:
    """A printed tablecloth: flowers or tiles of a few colours, repeated."""
    tile = int(rng.uniform(35, 110) / mm)
    motif = np.tile(hsv(rng.uniform(0, 360), rng.uniform(0.05, 0.6), rng.uniform(0.3, 0.95)), (tile, tile, 1)).astype(
        np.float32
    )
    inks = [hsv(rng.uniform(0, 360), rng.uniform(0.2, 0.95), rng.uniform(0.2, 0.95)) for _ in range(3)]
    for _ in range(int(rng.integers(3, 9))):
        cx, cy = rng.integers(0, tile, 2).tolist()
        petal = int(tile * rng.uniform(0.05, 0.2)) + 1
        ink = inks[int(rng.integers(0, 3))].tolist()
        petals = int(rng.integers(0, 7))
        for k in range(petals):
            at = 2 * math.pi * k / petals
            spot = (int(cx + petal * math.cos(at)), int(cy + petal * math.sin(at)))
            cv2.ellipse(motif, spot, (petal, max(1, petal // 2)), math.degrees(at), 0, 360, ink, -1, cv2.LINE_AA)
        if not petals:
            cv2.rectangle(motif, (cx, cy), (cx + petal * 2, cy + petal), ink, -1)
        cv2.circle(motif, (cx, cy), max(1, petal // 2), inks[int(rng.integers(0, 3))].tolist(), -1, cv2.LINE_AA)
    times = SIDE // tile + 1
    return as_bytes(np.tile(motif, (times, times, 1))[:SIDE, :SIDE] * (1 + 0.05 * noise(rng, 2, 2))[..., None])


def marble(rng: Rng, mm: float) -> Bytes:
    """Veins through polished stone."""
    value = rng.uniform(0.1, 0.95)
    vein = np.exp(-np.abs(octaves(rng, 90 / mm)) * rng.uniform(3, 12)) + 0.6 * np.exp(
        -np.abs(octaves(rng, 35 / mm)) * 9
    )
    light = hsv(rng.uniform(0, 360), rng.uniform(0, 0.2), value)
    dark = hsv(rng.uniform(0, 360), rng.uniform(0, 0.4), value * 0.45 if value > 0.4 else min(1.0, value + 0.5))
    return toned(1 - 0.8 * vein + 0.06 * octaves(rng, 150), dark, light)


def granite(rng: Rng, mm: float) -> Bytes:
    """Speckles of two more tones."""
    picture = np.tile(
        hsv(rng.uniform(0, 360), rng.uniform(0, 0.25), rng.uniform(0.15, 0.85)), (SIDE, SIDE, 1)
    ).astype(np.float32)
    for _ in range(3):
        spots = octaves(rng, max(1.5, rng.uniform(1, 5) / mm), 2) > rng.uniform(0.7, 1.5)
        picture[spots] = hsv(rng.uniform(0, 60), rng.uniform(0, 0.3), rng.uniform(0.05, 0.95))
    return as_bytes(cv2.GaussianBlur(picture, (3, 3), 0.6))


def felt(rng: Rng, mm: float) -> Bytes:
    """Short fibres of one colour."""
    fibre = max(1.2, 0.8 / mm)
    color = hsv(
        rng.choice([120, 150, 220, 350, 260, 30]) + rng.normal(0, 15), rng.uniform(0.2, 0.9), rng.uniform(0.1, 0.6)
    )
    tone = 1 + 0.12 * noise(rng, fibre, fibre) + 0.1 * noise(rng, 4 * fibre, fibre) + 0.06 * octaves(rng, 120)
    return as_bytes(color * tone[..., None])


def carpet(rng: Rng, mm: float) -> Bytes:
    """Loops in two or three tones."""
    loop = max(1.5, rng.uniform(1.5, 4) / mm)
    light, dark = (
        hsv(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.3, 0.9)),
        hsv(rng.uniform(0, 360), 0.3, rng.uniform(0.1, 0.5)),
    )
    return toned(0.6 + 0.25 * noise(rng, loop, loop) + 0.15 * octaves(rng, 200), dark, light)


def newspaper(rng: Rng, mm: float) -> Bytes:
    """Columns of words, headlines and grey pictures."""
    picture = np.tile(hsv(40, rng.uniform(0.02, 0.12), rng.uniform(0.75, 0.95)), (SIDE, SIDE, 1)).astype(np.float32)
    column, line = int(45 / mm), max(3, int(3.2 / mm))
    for left in range(0, SIDE, column):
        top = int(rng.integers(0, line))
        while top < SIDE:
            kind = rng.random()
            if kind < 0.02:
                size = int(rng.uniform(20, 50) / mm)
                tone = rng.uniform(40, 200) + 30 * noise(rng, 20, 20)[: min(size, SIDE - top), : column - line]
                area = picture[top : top + size, left : left + column - line]
                area[:] = tone[: area.shape[0], : area.shape[1], None]
                top += size + line
                continue
            big = 3 if kind < 0.05 else 1
            at = left
            while at < left + column - line:
                word = int(rng.uniform(0.8, 4) * line * big * 0.7) + 1
                end = min(at + word, left + column - line)
                cv2.rectangle(picture, (at, top), (end, top + max(1, int(line * big * 0.45))), (70, 70, 75), -1)
                at = end + max(1, int(line * 0.4 * big))
            top += line * big
    return as_bytes(picture * (1 + 0.03 * octaves(rng, 200))[..., None])


def play_mat(rng: Rng, mm: float) -> Bytes:
    """A cutting or gaming mat: lines on one tone, or clouds of stars."""
    if rng.random() < 0.5:
        tone = np.clip(0.25 + 0.25 * octaves(rng, 300), 0, 1)
        picture = toned(tone, hsv(rng.uniform(180, 320), 0.8, 0.12), hsv(rng.uniform(0, 360), 0.6, 0.6))
        for x, y in rng.integers(0, SIDE, (500, 2)).tolist():
            cv2.circle(picture, (x, y), int(rng.integers(0, 2)), (235, 235, 245), -1, cv2.LINE_AA)
        return picture
    picture = np.tile(
        hsv(rng.uniform(90, 280), rng.uniform(0.2, 0.8), rng.uniform(0.15, 0.5)), (SIDE, SIDE, 1)
    ).astype(np.float32)
    pitch = rng.uniform(10, 26) / mm
    for k in range(int(SIDE / pitch) + 1):
        at = int(k * pitch)
        picture[at : at + 1] = picture[at : at + 1] * 0.6 + 70
        picture[:, at : at + 1] = picture[:, at : at + 1] * 0.6 + 70
    return as_bytes(picture)


def parquet(rng: Rng, mm: float) -> Bytes:
    """Square blocks of wood, every other one turned."""
    grain = wood(rng, mm)
    block = int(rng.uniform(50, 120) / mm)
    picture = grain.copy()
    for row, top in enumerate(range(0, SIDE, block)):
        for column, left in enumerate(range(0, SIDE, block)):
            x, y = rng.integers(0, SIDE - block, 2).tolist()
            piece = grain[y : y + block, x : x + block]
            piece = piece.transpose(1, 0, 2) if (row + column) % 2 else piece
            piece = (piece * rng.uniform(0.85, 1.0)).astype(np.uint8)
            piece[:1], piece[:, :1] = piece[:1] // 2, piece[:, :1] // 2
            area = picture[top : top + block, left : left + block]
            area[:] = piece[: area.shape[0], : area.shape[1]]
    return picture


def leather(rng: Rng, mm: float) -> Bytes:
    """Creased, in one warm tone, as of desk pads."""
    crease = np.exp(-np.abs(octaves(rng, max(2.0, 2.5 / mm), 2)) * 6)
    light = hsv(rng.uniform(0, 45), rng.uniform(0.3, 0.8), rng.uniform(0.2, 0.6))
    return toned(1 - 0.6 * crease + 0.05 * octaves(rng, 150), light * 0.5, light)


def stripes(rng: Rng, mm: float) -> Bytes:
    """Woven stripes of uneven widths, as on kitchen linen."""
    picture = np.empty((SIDE, SIDE, 3), np.float32)
    inks = [hsv(rng.uniform(0, 360), rng.uniform(0, 0.8), rng.uniform(0.15, 0.95)) for _ in range(4)]
    at = 0
    while at < SIDE:
        width = int(rng.uniform(2, 45) / mm) + 1
        picture[:, at : at + width] = inks[int(rng.integers(0, 4))]
        at += width
    return as_bytes(picture * (1 + 0.07 * noise(rng, 2, 2) + 0.04 * noise(rng, 40, 2))[..., None])


def rug(rng: Rng, mm: float) -> Bytes:
    """Knotted: figures mirrored both ways and repeated, a medallion in the middle, bands of smaller ones around."""
    knot = rng.uniform(1.2, 4.0)  # mm
    count = int(SIDE * mm / knot)
    inks = np.array([hsv(rng.uniform(0, 360), rng.uniform(0.1, 0.9), rng.uniform(0.12, 0.92)) for _ in range(5)])
    which = _repeated(rng, int(rng.integers(12, 40)), count)
    if rng.random() < 0.6:
        y, x = np.mgrid[-1 : 1 : count * 1j, -1 : 1 : count * 1j]
        reach = np.hypot(x, y) if rng.random() < 0.5 else abs(x) + abs(y)
        within = reach < rng.uniform(0.15, 0.6)
        which[within] = (_repeated(rng, count, count)[within] + int(rng.integers(1, 5))) % 5
    edge = 0
    for _ in range(int(rng.integers(0, 4))):
        width = int(rng.uniform(6, 45) / knot) + 1
        band, along = _repeated(rng, 2 * width, count), slice(edge, count - edge)
        for top in (edge, max(edge, count - edge - width)):
            which[top : top + width, along] = band[:width, along]
            which[along, top : top + width] = band.T[along, :width]
        edge += width
    picture = cv2.resize(inks[which].astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
    picture = cv2.GaussianBlur(picture, (0, 0), max(0.6, 0.25 * knot / mm))
    loop = max(1.2, knot / mm / 2)
    return as_bytes(picture * (1 + 0.1 * noise(rng, loop, loop) + 0.06 * octaves(rng, 200))[..., None])


def _repeated(rng: Rng, period: int, count: int) -> NDArray[np.intp]:
    """(count, count) from 0 to 4: one figure of *period* knots, mirrored both ways, side by side."""
    half, coarse = max(2, period // 2), int(rng.integers(3, 9))
    quarter = cv2.resize(rng.random((coarse, coarse)), (half, half), interpolation=cv2.INTER_CUBIC)
    figure = np.block([[quarter, quarter[:, ::-1]], [quarter[::-1], quarter[::-1, ::-1]]])
    ranks = figure.argsort(axis=None).argsort().reshape(figure.shape)
    inks = rng.choice(5, int(rng.integers(2, 6)), replace=False)
    times = count // len(figure) + 1
    return np.asarray(np.tile(inks[ranks * len(inks) // figure.size], (times, times))[:count, :count], dtype=np.intp)


TEXTURES: dict[str, Callable[[Rng, float], Bytes]] = {
    "wood": wood,
    "bamboo": bamboo,
    "plain": plain,
    "cloth": cloth,
    "checked": checked,
    "chessboard": chessboard,
    "printed": printed,
    "marble": marble,
    "granite": granite,
    "felt": felt,
    "carpet": carpet,
    "newspaper": newspaper,
    "play mat": play_mat,
    "parquet": parquet,
    "stripes": stripes,
    "leather": leather,
    "rug": rug,
    "knotted": knotted,
    "daily": daily,
    "collage": collage,
}
