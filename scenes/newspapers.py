"""Newspapers: columns of words, headlines in large letters, photographs."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from scenes.surfaces import SIDE, Bytes, Floats, Rng, as_bytes, hsv, noise, octaves

LETTERS: Final = "etaoinshrdlcumwfgypbvkETAOINSHRDLC"
FONTS: Final = (cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_DUPLEX)
LETTER_PX: Final = 21.0  # height of a capital letter of these fonts at scale 1


def daily(rng: Rng, mm: float) -> Bytes:
    """A page of several columns under a headline each, with photographs across one or two of them."""
    paper = hsv(rng.uniform(30, 55), rng.uniform(0.02, 0.18), rng.uniform(0.72, 0.95))
    page = np.tile(paper, (SIDE, SIDE, 1))
    ink = rng.uniform(20, 70)
    column, gap, line = int(rng.uniform(38, 60) / mm), int(4 / mm), float(rng.uniform(2.6, 4.0)) / mm
    top = [0] * (SIDE // column + 1)
    while min(top) < SIDE:
        k = top.index(min(top))
        at, width, what = (k * column, top[k]), column - gap, rng.random()
        if what < 0.2:
            top[k] += _headline(page, at, width, ink, mm, rng)
        elif what < 0.3:
            top[k] += _photograph(page, at, width, mm, rng) + gap
        elif what < 0.36 and k + 1 < len(top) and top[k + 1] - top[k] < 5 * line:
            under = (at[0], top[k + 1])
            top[k] = top[k + 1] = top[k + 1] + _photograph(page, under, width + column, mm, rng) + gap
        else:
            top[k] += _column(page, at, width, line, ink, rng) + gap
    folded = 1 + 0.04 * octaves(rng, 250) + 0.04 * noise(rng, SIDE, 180)
    return as_bytes(page * folded[..., None])


def _column(page: Floats, at: tuple[int, int], width: int, line: float, ink: float, rng: Rng) -> int:
    """Lines of words; how tall they are, px. Letters are strokes, darker and lighter as print is from afar."""
    lines = int(rng.integers(6, 40))
    height = round(lines * line)
    rows = page[at[1] : at[1] + height, at[0] : at[0] + width]
    if not rows.size:
        return height
    y = np.arange(rows.shape[0], dtype=np.float32) % line / line
    on_line = ((y > 0.2) & (y < 0.75))[:, None]
    cell = max(1.0, line * 0.45)  # of a letter
    across = np.floor(np.arange(rows.shape[1]) / cell).astype(int)
    which = np.floor(np.arange(rows.shape[0]) / line).astype(int)
    letters = rng.random((which[-1] + 1, across[-1] + 1)) > 0.17  # the others are spaces
    letters[np.arange(len(letters)) % int(rng.integers(5, 16)) == 0, across[-1] // 2 :] = False  # a paragraph ends
    dark = on_line & letters[which[:, None], across[None]]
    stroke = rng.uniform(0.35, 1.0, rows.shape[:2]).astype(np.float32) * dark
    rows[:] = rows + (ink - rows) * (0.85 * stroke)[..., None]
    return height


def _headline(page: Floats, at: tuple[int, int], width: int, ink: float, mm: float, rng: Rng) -> int:
    """One to three lines of large letters; how tall they are, px."""
    tall = float(rng.uniform(4, 13)) / mm  # px of a capital letter
    font, scale = int(rng.choice(FONTS)), tall / LETTER_PX
    lines = int(rng.integers(1, 4))
    height = int(tall * (1.5 * lines + 0.8))
    letters = np.zeros((height, width), np.uint8)
    for k in range(lines):
        words = " ".join(_word(rng) for _ in range(6))
        foot = (0, int(tall * (1.3 + 1.5 * k)))
        cv2.putText(letters, words, foot, font, scale, 255, max(1, round(0.16 * tall)), cv2.LINE_AA)
    rows = page[at[1] : at[1] + height, at[0] : at[0] + width]
    shown = letters[: rows.shape[0], : rows.shape[1], None] / np.float32(255)
    rows[:] = rows + (ink - rows) * shown
    return height


def _word(rng: Rng) -> str:
    return "".join(rng.choice(list(LETTERS), int(rng.integers(2, 10))))


def _photograph(page: Floats, at: tuple[int, int], width: int, mm: float, rng: Rng) -> int:
    """A picture of things before a ground, mostly grey; how tall it is, px."""
    height = int(width * rng.uniform(0.5, 1.1))
    shown = page[at[1] : at[1] + height, at[0] : at[0] + width]
    tones = rng.uniform(15, 235) + rng.uniform(10, 50) * octaves(rng, float(rng.uniform(0.15, 0.6)) * width)
    picture = np.repeat(tones[:height, :width, None], 3, axis=2)
    for _ in range(int(rng.integers(2, 14))):
        tone = float(rng.uniform(5, 245))
        middle = rng.uniform((0, 0), (width, height))
        reach = width * float(np.exp(rng.uniform(np.log(0.04), np.log(0.4))))
        if rng.random() < 0.5:
            axes = (int(reach) + 1, int(reach * rng.uniform(0.2, 1)) + 1)
            spot = (int(middle[0]), int(middle[1]))
            cv2.ellipse(picture, spot, axes, float(rng.uniform(0, 180)), 0, 360, (tone,) * 3, -1, cv2.LINE_AA)
        else:
            corners = middle + rng.uniform(-reach, reach, (int(rng.integers(3, 7)), 2))
            cv2.fillConvexPoly(picture, cv2.convexHull(corners.astype(np.int32)), (tone,) * 3, cv2.LINE_AA)
    if rng.random() < 0.35:  # in colour
        picture *= np.exp(0.2 * np.stack([noise(rng, width / 3, width / 3) for _ in range(3)], -1))[:height, :width]
    picture += 12 * noise(rng, max(1.0, 0.6 / mm), max(1.0, 0.6 / mm))[:height, :width, None]
    shown[:] = np.clip(picture, 5, 245)[: shown.shape[0], : shown.shape[1]]
    return height
