"""What has come beside the pieces of a system though nobody read it: a part of it shows, and its colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.reading_types import Point, ReadPiece
from companion_app.remembering.outlines import length
from companion_app.remembering.shown import Shown
from companion_app.remembering.unchanged import Area, Corner, Picture, color_gained, window_around, within
from vision.solids import Color

ANOTHER_COLOR: Final = 0.3
"""What one of the colours red, green and blue has gained on another at least, as a logarithm: no shadow does that."""
GRAIN_PX: Final = 3
"""How far around a pixel that is looked at."""
BESIDE_PX: Final = 4
"""So far around an outline its edge may lie."""
AROUND: Final = 0.6
"""How far around its pieces a system is looked at, in lengths of the longest of them."""
ENOUGH: Final = 0.03
"""The least part that is noticed, in squares of the length of the smallest piece."""
ENOUGH_OF_ANOTHER: Final = 0.2
"""The same where a piece of that colour was just read: its outline may be told too small."""
ALIKE: Final = 0.12
"""How far apart two shares of red, green and blue may be to be of one colour."""

Shares = NDArray[np.float64]
"""(3,) what share each of blue, green and red has of a colour."""


def noticed(shown: Shown, pieces: Sequence[ReadPiece], gone: Iterable[ReadPiece]) -> frozenset[tuple[int, Color]]:
    """The systems beside which something of a colour has come that was not read.

    Nothing after a bump, when rims are a little beside where they should be.

    Args:
        pieces: all that are known or read now. gone: those that do not stand there any more.
    """
    systems = _systems(pieces)
    if shown.slack_px or not systems:
        return frozenset()
    looks = _looks(shown.now, pieces)
    outlines = [piece.outline for piece in (*pieces, *gone) if piece.outline]
    found = set()
    for number, members in systems.items():
        low, high = _window(members, shown.now)
        changed = _changed(shown, low, high) & ~_covered(outlines, low, high)
        part = _largest(changed)
        enough = part.sum() / min(map(length, members)) ** 2
        if enough < ENOUGH:
            continue
        color = _color(shown.now[low[1] : high[1], low[0] : high[0]][part], looks)
        is_another = any(piece.color is color and piece.confidence < 1 for piece in members)
        if color and (not is_another or enough >= ENOUGH_OF_ANOTHER):
            found.add((number, color))
    return frozenset(found)


def _systems(pieces: Iterable[ReadPiece]) -> Mapping[int, list[ReadPiece]]:
    """The pieces of each system that are to be seen."""
    systems: dict[int, list[ReadPiece]] = {}
    for piece in pieces:
        if piece.on_table and piece.system is not None and piece.outline:
            systems.setdefault(piece.system, []).append(piece)
    return systems


def _window(members: Sequence[ReadPiece], picture: Picture) -> tuple[Corner, Corner]:
    """The upper left and the lower right corner, px, of what is around the pieces of a system."""
    points = np.array([point for piece in members for point in piece.outline], dtype=np.float32)
    return window_around(points, picture, round(AROUND * max(map(length, members))))


def _changed(shown: Shown, low: Corner, high: Corner) -> Area:
    """Where a window is of another colour than it was."""
    windows = (picture[low[1] : high[1], low[0] : high[0]] for picture in (shown.before, shown.now))
    before, now = (np.asarray(cv2.blur(window, (GRAIN_PX, GRAIN_PX)), np.float32) for window in windows)
    return np.asarray(color_gained(before, now) > ANOTHER_COLOR)


def _covered(outlines: Iterable[Sequence[Point]], low: Corner, high: Corner) -> Area:
    """What of a window lies within some outlines, or hardly beside them."""
    covered = np.zeros((high - low)[::-1], dtype=bool)
    for outline in outlines:
        points = np.array(outline, dtype=np.float32)
        if (points.max(0) >= low).all() and (points.min(0) <= high).all():
            covered |= within(points, low, high, BESIDE_PX)
    return covered


def _largest(changed: Area) -> Area:
    """The largest part of what has changed that hangs together."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=4)
    if count < 2:
        return np.zeros_like(changed)
    return np.asarray(labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax()))


def _looks(picture: Picture, pieces: Iterable[ReadPiece]) -> Mapping[Color, list[Shares]]:
    """How the pieces that are known look in this picture, by their colours."""
    looks: dict[Color, list[Shares]] = {}
    for piece in pieces:
        if piece.outline and piece.confidence == 1:
            points = np.array(piece.outline, dtype=np.float32)
            low, high = window_around(points, picture, 0)
            inside = within(points, low, high)
            if inside.any():
                looks.setdefault(piece.color, []).append(_shares(picture[low[1] : high[1], low[0] : high[0]][inside]))
    return looks


def _shares(pixels: Picture) -> Shares:
    """Of (N, 3) pixels as most are."""
    mean = np.median(pixels, axis=0).astype(np.float64) + 1
    return np.asarray(mean / mean.sum())


def _color(pixels: Picture, looks: Mapping[Color, list[Shares]]) -> Color | None:
    """Of which colour pixels are, by the nearest of the pieces that are known; ``None`` where none is near."""
    shares = _shares(pixels)
    apart = {color: min(float(np.linalg.norm(shares - one)) for one in ones) for color, ones in looks.items()}
    best = min(apart, key=apart.__getitem__, default=None)
    return best if best is not None and apart[best] < ALIKE else None
