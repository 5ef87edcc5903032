"""What a piece on a field would look like: every size, owner and heading there, as masks over the plastic.

A cell is (file, rank) from 0; the picture here is the part that :class:`Plastic` covers, with a camera of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.finding.board import SIDE
from vision.finding.colors import Mask
from vision.poses import Pose, hull
from vision.sight import Seat
from vision.solids import Array, Posture, Size

Cell = tuple[int, int]
Corner = tuple[int, int]

AHEAD = {Seat.SOUTH: 90.0, Seat.NORTH: 270.0}
TURNS = (-27.0, -18.0, -9.0, 0.0, 9.0, 18.0, 27.0)  # degrees off straight ahead
CELLS: tuple[Cell, ...] = tuple(product(range(SIDE), range(SIDE)))


@dataclass(frozen=True, eq=False)
class Patch:
    """A shape in the picture: (H, W) uint8 0/1 mask and the (x, y) px of its first pixel."""

    mask: Mask
    corner: Corner


def cell_center(cell: Cell, field_mm: float) -> tuple[float, float]:
    """(x, y) mm of a field's middle, the board's middle being the origin and South at negative y."""
    across, along = (cell[0] - 2.5) * field_mm, (cell[1] - 2.5) * field_mm
    return (across - along) / math.sqrt(2), (across + along) / math.sqrt(2)


def owner_of(pose: Pose) -> Seat:
    """Whose a lying piece is: it points away from its owner."""
    return Seat.SOUTH if math.sin(math.radians(pose.heading_deg)) > 0 else Seat.NORTH


def poses_on(cell: Cell, field_mm: float) -> list[Pose]:
    """Every size, owner and heading in the middle of a field."""
    x, y = cell_center(cell, field_mm)
    return [Pose(size, Posture.LYING, x, y, AHEAD[owner] + turn) for size, owner, turn in product(Size, AHEAD, TURNS)]


def silhouettes(poses: Sequence[Pose], camera: Camera) -> list[Array]:
    """The (M, 2) px outlines of lying pieces, projected together."""
    return [hull(pixels) for pixels in camera.project(np.array([pose.vertices() for pose in poses]))]


def patch_of(outline: Array, low: Corner, high: Corner) -> Patch | None:
    """An outline filled in, cut to the part of the picture from *low* to *high*; ``None`` when outside it."""
    left, top = outline.min(0)
    right, bottom = outline.max(0)
    x0, y0 = max(math.floor(left), low[0]), max(math.floor(top), low[1])
    x1, y1 = min(math.ceil(right) + 1, high[0]), min(math.ceil(bottom) + 1, high[1])
    if x1 <= x0 or y1 <= y0:
        return None
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    fill(mask, outline - (x0, y0))
    return Patch(mask, (x0, y0))


def fill(mask: Mask | NDArray[np.float32], outline: Array) -> None:
    """Sets the pixels of a mask whose middle lies in an outline to 1."""
    middle = outline.mean(0)
    away = outline - middle
    # OpenCV fills every pixel that the outline touches: half a pixel too many on every side.
    inset = np.maximum(0.0, 1 - 0.5 / np.maximum(np.hypot(away[:, 0], away[:, 1]), 0.5))[:, None]
    cv2.fillConvexPoly(mask, np.round((middle + away * inset) * 16).astype(np.int32), 1, cv2.LINE_8, shift=4)


def shrunk(camera: Camera, factor: float, corner: tuple[float, float], size: tuple[int, int]) -> Camera:
    """The camera of a part of the picture that begins at *corner* px, with *factor* times its pixels a side."""
    K = camera.K.copy()
    K[:2, 2] = (K[:2, 2] - corner + 0.5) * factor - 0.5
    K[:2, :2] *= factor
    return replace(camera, K=K, size=size)
