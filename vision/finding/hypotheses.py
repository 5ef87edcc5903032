"""What a patch of one colour could be: pyramids and stacks laid over it, proposed by correlation.

Every hypothesis is a group of poses that stand or fall together: one piece, or a stack of one colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.poses import Pose, hull
from vision.solids import Array, Posture, Size, nesting_step

Mask = NDArray[np.uint8]

UPRIGHT_TURNS = (0.0, 30.0, 60.0)
LYING_STEP = 15.0
PEAKS = 3  # places kept for each hypothesis
POOL = 160  # hypotheses kept for a patch
SLOPPY = 35.0  # degrees off the players' axis that people still mean


@dataclass(frozen=True)
class Group:
    """Poses that belong together, the lowest first."""

    poses: tuple[Pose, ...]

    def moved(self, dx: float, dy: float, turn_deg: float = 0.0) -> Group:
        """The group shifted by (dx, dy) mm and turned on the spot."""
        return Group(
            tuple(
                replace(p, x=p.x + dx, y=p.y + dy, heading_deg=(p.heading_deg + turn_deg) % 360) for p in self.poses
            )
        )

    def outlines(self, camera: Camera) -> list[Array]:
        """The (M, 2) px outlines of its pieces."""
        return [hull(pixels) for pixels in camera.project(np.array([pose.vertices() for pose in self.poses]))]


def stack_of(sizes: Sequence[Size], x: float, y: float, turn: float) -> Group:
    """Upright pieces over each other, the first at the bottom."""
    poses: list[Pose] = []
    z = 0.0
    for index, size in enumerate(sizes):
        if index:
            z += nesting_step(sizes[index - 1], size)
        poses.append(Pose(size, Posture.UPRIGHT, x, y, turn, z))
    return Group(tuple(poses))


STACKS: tuple[tuple[Size, ...], ...] = (
    *((size, size) for size in Size),
    *((size, size, size) for size in Size),
    (Size.LARGE, Size.MEDIUM),
    (Size.LARGE, Size.SMALL),
    (Size.MEDIUM, Size.SMALL),
)


def every_group(x: float, y: float, axis_deg: float | None) -> Iterator[Group]:
    """All hypotheses at one place; ships roughly along the players' axis, and none where that is ``None``."""
    for size in Size:
        for turn in UPRIGHT_TURNS:
            yield Group((Pose(size, Posture.UPRIGHT, x, y, turn),))
        for heading in np.arange(0.0, 360.0, LYING_STEP):
            if axis_deg is not None and off_axis(float(heading), axis_deg) <= SLOPPY + LYING_STEP / 2:
                yield Group((Pose(size, Posture.LYING, x, y, float(heading)),))
    for sizes in STACKS:
        for turn in UPRIGHT_TURNS:
            yield stack_of(sizes, x, y, turn)


def off_axis(heading_deg: float, axis_deg: float) -> float:
    """Degrees between a heading and the nearer end of an axis."""
    off = abs(heading_deg - axis_deg) % 180
    return min(off, 180 - off)


def draw_group(group: Group, camera: Camera, shape: tuple[int, int], corner: tuple[int, int], shrink: int) -> Mask:
    """(H, W) uint8 0/1 mask of a group in a window at *corner* px, one pixel for ``shrink`` of the picture."""
    mask = np.zeros(shape, np.uint8)
    for outline in group.outlines(camera):
        local = np.round((outline - corner) / shrink * 16 - (0.5 - 0.5 / shrink) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, local, 1, cv2.LINE_8, shift=4)
    return mask


def propose(
    weights: Array, camera: Camera, corner: tuple[int, int], shrink: int, axis_deg: float | None
) -> list[tuple[Group, Mask]]:
    """The groups that fit a window best, with their masks.

    Args:
        weights: (H, W) what covering a pixel is worth: positive on the patch, negative on bare table.
        corner, shrink: where the window lies in the picture, and how much smaller it is.
    """
    height, width = weights.shape
    middle = np.array([width, height]) / 2 * shrink + corner
    ground = camera.to_plane(middle[None])[0]
    if not np.isfinite(ground).all():
        return []
    anchor = camera.project(np.array([*ground, 0.0]))
    pool: list[tuple[float, float, Group]] = []
    for group in every_group(float(ground[0]), float(ground[1]), axis_deg):
        kernel, offset = _kernel(group, camera, anchor, shrink)
        area = int(kernel.sum())
        if area < 8 or area > 2.2 * height * width:
            continue
        fit = _correlate(weights, kernel)
        for row, column, value in _peaks(fit, max(3, int(math.sqrt(area) / 4))):
            if value < 0.35 * area:
                break
            place = (np.array([column, row]) - offset) * shrink + corner
            there = camera.to_plane(place[None])[0]
            if not np.isfinite(there).all():  # above the horizon
                continue
            moved = group.moved(float(there[0] - ground[0]), float(there[1] - ground[1]))
            pool.append((value, value / area, moved))
    by_value = sorted(pool, key=lambda entry: -entry[0])[: POOL // 2]
    by_share = sorted(pool, key=lambda entry: -entry[1])[: POOL // 2]
    kept = {id(entry): entry[2] for entry in by_value + by_share}
    shape = (height, width)
    return [(group, draw_group(group, camera, shape, corner, shrink)) for group in kept.values()]


def _kernel(group: Group, camera: Camera, anchor: Array, shrink: int) -> tuple[Mask, Array]:
    """The group's mask cut to its size, and the anchor's place in it."""
    cloud = np.concatenate(group.outlines(camera))
    low = np.floor(cloud.min(0) / shrink).astype(int) - 1
    high = np.ceil(cloud.max(0) / shrink).astype(int) + 2
    shape = (min(400, int(high[1] - low[1])), min(400, int(high[0] - low[0])))
    corner = (int(low[0]) * shrink, int(low[1]) * shrink)
    kernel = draw_group(group, camera, shape, corner, shrink)
    # cv2.filter2D is anchored at the kernel's middle.
    middle = np.array([shape[1] // 2, shape[0] // 2])
    return kernel, middle - (anchor - corner) / shrink


def _correlate(weights: Array, kernel: Mask) -> Array:
    return np.asarray(
        cv2.filter2D(
            weights.astype(np.float32), cv2.CV_32F, kernel.astype(np.float32), borderType=cv2.BORDER_CONSTANT
        )
    )


def _peaks(fit: Array, apart: int) -> list[tuple[int, int, float]]:
    """(row, column, value) of the best places, *apart* pixels from each other."""
    left = fit.copy()
    found: list[tuple[int, int, float]] = []
    for _ in range(PEAKS):
        row, column = np.unravel_index(int(np.argmax(left)), left.shape)
        value = float(left[row, column])
        if value <= 0:
            break
        found.append((int(row), int(column), value))
        left[max(0, row - apart) : row + apart + 1, max(0, column - apart) : column + apart + 1] = -1
    return found
