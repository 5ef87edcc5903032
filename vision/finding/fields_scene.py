"""The scene that is explained: plastic seen by a camera, the places to look at, and guesses about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.finding.fields_plastic import PLASTIC, Plastic
from vision.finding.fields_shapes import TURNS, Cell, Corner, Patch, fill, owner_of, poses_on, silhouettes
from vision.poses import Pose
from vision.sight import Seat
from vision.solids import Size

Worth = NDArray[np.float32]

SHIFTS = 3  # half pixels to each side in the first look: about ±5 mm
LEAST = 0.08  # of a small piece's outline: less plastic is no piece


@dataclass(frozen=True, eq=False)
class Guess:
    """A piece on a field: colour as an index into ``COLORS``, pose, silhouette, and what it is worth there.

    ``worth`` and the prices count outlines of a small piece on the same field.
    """

    cell: Cell
    color: int
    pose: Pose
    patch: Patch
    worth: float

    @property
    def kind(self) -> tuple[int, Size, Seat]:
        """Colour, size and owner."""
        return self.color, self.pose.size, owner_of(self.pose)


@dataclass(frozen=True, eq=False)
class Spot:
    """A field as a place to look at.

    Attributes:
        low, high: (x, y) px, the part of the picture in which its pieces can be seen.
        unit: px, outline of a small piece there.
        poses: every size, owner and heading; ``masks`` (N, H, W) their outlines at half size, for shifting.
        foreign: (4, H, W) whether something of a colour that is seen there stands beside the board.
    """

    cell: Cell
    low: Corner
    high: Corner
    unit: float
    poses: Sequence[Pose]
    masks: Worth
    foreign: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Scene:
    """What the fit looks at: plastic, the camera of its part of the picture, and the size of a field in mm."""

    plastic: Plastic
    camera: Camera
    field_mm: float

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) px."""
        return self.plastic.worth.shape[2], self.plastic.worth.shape[1]


def spot_on(scene: Scene, cell: Cell) -> Spot | None:
    """Where pieces on a field would be seen; ``None`` where there is no plastic for one."""
    poses = poses_on(cell, scene.field_mm)
    outlines = silhouettes(poses, scene.camera)
    cloud = np.concatenate(outlines)
    margin = 2 * SHIFTS + 2
    x0, y0 = (int(math.floor(v) - margin) // 2 * 2 for v in cloud.min(0))
    x1, y1 = (int(math.ceil(v) + margin + 1) // 2 * 2 for v in cloud.max(0))
    low, high = (x0, y0), (x1, y1)
    unit = max(4.0, float(cv2.contourArea(outlines[len(TURNS) // 2].astype(np.float32))))
    if (cut(scene.plastic.worth, low, high) > PLASTIC).sum() < LEAST * unit:
        return None
    masks = np.zeros((len(poses), (y1 - y0) // 2 - 2 * SHIFTS, (x1 - x0) // 2 - 2 * SHIFTS), np.float32)
    for mask, outline in zip(masks, outlines, strict=True):
        fill(mask, (outline - low + 0.5) / 2 - 0.5 - SHIFTS)
    foreign = cut(scene.plastic.foreign.astype(np.float32), low, high) > 0
    return Spot(cell, low, high, unit, poses, masks, foreign)


def cut(layers: Worth, low: Corner, high: Corner) -> Worth:
    """(N, H, W) the part of some layers from *low* to *high* px, zero outside the picture."""
    height, width = layers.shape[1:]
    part = np.zeros((len(layers), high[1] - low[1], high[0] - low[0]), np.float32)
    x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])
    if x0 < x1 and y0 < y1:
        part[:, y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]] = layers[:, y0:y1, x0:x1]
    return part
