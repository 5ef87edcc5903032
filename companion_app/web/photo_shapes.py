"""Where everything lies on the photo: outlines of pieces, of fields and of systems, in the photo's own pixels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.reading_types import Point, Reading, ReadPiece
from companion_app.star_names import names_of

Outline = tuple[Point, ...]
FILES = "abcdef"


@dataclass(frozen=True)
class Ring:
    """A star system on the photo: its name, the line around all its pieces, and where the name is written."""

    name: str
    outline: Outline
    label: Point


def field_outlines(reading: Reading) -> dict[str, Outline]:
    """The four corners of every field by its name; none where no board was found."""
    if not reading.board:
        return {}
    to_photo = _board_to_photo(reading)
    return {
        f"{file}{rank + 1}": _through(to_photo, [(x, rank), (x + 1, rank), (x + 1, rank + 1), (x, rank + 1)])
        for x, file in enumerate(FILES)
        for rank in range(6)
    }


def rings(reading: Reading) -> tuple[Ring, ...]:
    """A line around each star system whose pieces can be seen."""
    drawn, names = [], names_of(reading.systems)
    for system in reading.systems:
        outlines = [piece.outline for piece in reading.pieces if piece.system == system.id and len(piece.outline) > 2]
        if outlines:
            hull = cv2.convexHull(np.concatenate([np.array(one, np.float32) for one in outlines]))[:, 0]
            middle = hull.mean(0)
            away = hull - middle
            grown = hull + away / np.maximum(1e-6, np.linalg.norm(away, axis=1, keepdims=True)) * 12
            top = (round(float(middle[0]), 1), round(float(grown[:, 1].min()) - 6, 1))
            drawn.append(Ring(names[system.id], _points(grown), top))
    return tuple(drawn)


def middle_of(reading: Reading, piece: ReadPiece) -> Point:
    """Where a piece that was added by hand is on the photo, as well as can be told."""
    corners = field_outlines(reading).get(piece.field or "")
    places = corners or [one.center for one in reading.pieces if piece.system and one.system == piece.system]
    if not places:
        return reading.image[0] / 2, reading.image[1] / 2
    x, y = np.mean(np.array(places), axis=0)
    return round(float(x), 1), round(float(y), 1)


def region(reading: Reading) -> tuple[int, int, int, int]:
    """(x, y, width, height) of the part of the photo where the pieces are, with some room around."""
    width, height = reading.image
    points = [*reading.board, *(point for piece in reading.pieces for point in piece.outline)]
    if not points:
        return 0, 0, width, height
    cloud, room = np.array(points), 0.03 * width
    left, top = np.maximum(cloud.min(0) - room, 0).astype(int)
    right, bottom = np.minimum(cloud.max(0) + room, (width, height)).astype(int)
    return int(left), int(top), max(1, int(right - left)), max(1, int(bottom - top))


def _board_to_photo(reading: Reading) -> NDArray[np.float64]:
    fields = np.array([(0, 0), (6, 0), (6, 6), (0, 6)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(fields, np.array(reading.board, np.float32)), np.float64)


def _through(transform: NDArray[np.float64], points: list[tuple[int, int]]) -> Outline:
    homogeneous = np.insert(np.array(points, np.float64), 2, 1.0, axis=1) @ transform.T
    return _points(homogeneous[:, :2] / homogeneous[:, 2:])


def _points(points: NDArray[np.floating]) -> Outline:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)
