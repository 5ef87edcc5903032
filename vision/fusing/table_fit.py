"""One camera and one pose for every detection: single pieces first, together; stacks then, from the bottom up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.fusing.laying import lay, pose_of
from vision.poses import Pose, hull
from vision.recover import recover
from vision.sight import ImageSide
from vision.solids import Array, Posture, Size, nesting_step

ENOUGH_SEEN = 0.5  # share of a piece in sight, for its corners to speak of the camera
CORNER_SEEN = 0.25  # how clearly a corner must be seen to speak of it
INFERRED = 0.15  # weight of a corner that is only inferred
NOISE = 1.2  # px, of a corner that is seen
STACK_OVERLAP = 0.5  # share of the smaller of two outlines


@dataclass(frozen=True, eq=False)
class TableFit:
    """The table as the corners tell it.

    Attributes:
        camera: over the table, with South at the side asked for.
        poses: (N,) the best pose of each detection; ``None`` where there is none.
        size_costs: (N, 3) negative log-likelihood of each size, 0 for the best; infinite where impossible.
        misfit: (N,) px, root mean square of the corners that are seen.
        below: (N,) index of the detection that a piece stands on, or -1.
        margin: lead of the camera's height over the likeliest other, as a log-likelihood.
    """

    camera: Camera
    poses: tuple[Pose | None, ...]
    size_costs: Array
    misfit: Array
    below: tuple[int, ...]
    margin: float


def fit_table(detections: Detections, size_px: tuple[int, int], south: ImageSide) -> TableFit | None:
    """Camera and poses of all *detections*; ``None`` where too few pieces stand free to tell the camera."""
    postures = [Posture.LYING if lying > 0.5 else Posture.UPRIGHT for lying in detections.lying]
    stacks = find_stacks(detections, postures)
    stacked = {index for stack in stacks for index in stack}
    free = [index for index in range(len(detections)) if index not in stacked]
    clear = [index for index in free if detections.visible[index] >= ENOUGH_SEEN] or free
    points = detections.corners[clear].copy()
    points[detections.corner_seen[clear] < CORNER_SEEN] = np.nan
    points[np.isfinite(points).all(axis=2).sum(axis=1) < 3] = detections.corners[clear][
        np.isfinite(points).all(axis=2).sum(axis=1) < 3
    ]
    recovery = recover(points, [postures[index] for index in clear], size_px, south=south, noise=NOISE)
    if recovery is None:
        return None
    count = len(detections)
    fit = _Fitting(recovery.camera, detections, postures)
    for index in free:
        fit.put(index, -1)
    for stack in stacks:
        ordered = fit.from_the_bottom(stack)
        for place, index in enumerate(ordered):
            fit.put(index, ordered[place - 1] if place else -1)
    return TableFit(
        recovery.camera,
        tuple(fit.poses.get(index) for index in range(count)),
        np.array([fit.costs[index] for index in range(count)]).reshape(count, 3),
        np.array([fit.misfit[index] for index in range(count)]),
        tuple(fit.below[index] for index in range(count)),
        recovery.margin,
    )


def find_stacks(detections: Detections, postures: Sequence[Posture]) -> list[list[int]]:
    """Indices of upright pieces that stand over each other, a list for each stack of two or more."""
    upright = [index for index, posture in enumerate(postures) if posture is Posture.UPRIGHT]
    outlines = {index: hull(detections.corners[index]) for index in upright}
    stacks: list[list[int]] = []
    for index in upright:
        touching = [stack for stack in stacks if any(_overlap(outlines[index], outlines[other]) for other in stack)]
        merged = [index, *(member for stack in touching for member in stack)]
        stacks = [stack for stack in stacks if stack not in touching] + [merged]
    return [stack for stack in stacks if len(stack) > 1]


def _overlap(one: Array, other: Array) -> bool:
    """Whether two outlines share most of the smaller one, as those of a stack do and those of neighbours do not."""
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    smaller = min(cv2.contourArea(one.astype(np.float32)), cv2.contourArea(other.astype(np.float32)))
    return bool(area > STACK_OVERLAP * max(smaller, 1.0))


class _Fitting:
    """Poses as they are found, each on the table or on the one below it."""

    def __init__(self, camera: Camera, detections: Detections, postures: Sequence[Posture]) -> None:
        self.camera = camera
        self.detections = detections
        self.postures = postures
        self.poses: dict[int, Pose] = {}
        self.costs: dict[int, Array] = {}
        self.misfit: dict[int, float] = {}
        self.below: dict[int, int] = {}

    def put(self, index: int, below: int) -> None:
        """Lay one piece in all three sizes on the table, or on the piece *below*; the best size stays."""
        lower = self.poses.get(below)
        lifts = np.array([lower.z + nesting_step(lower.size, size) if lower else 0.0 for size in Size])
        weights = np.where(self.detections.corner_seen[index] >= CORNER_SEEN, 1.0, INFERRED)
        laid = lay(
            self.camera,
            np.repeat(self.detections.corners[index][None], len(Size), axis=0),
            np.repeat(weights[None], len(Size), axis=0),
            list(Size),
            [self.postures[index]] * len(Size),
            lifts,
        )
        costs = laid.cost / NOISE**2
        best = int(np.argmin(costs))
        self.below[index] = below
        self.costs[index] = costs - costs[best] if np.isfinite(costs[best]) else np.zeros(len(Size))
        seen = (laid.off[best] ** 2).sum(-1)
        self.misfit[index] = float(np.sqrt((seen * weights).sum() / weights.sum()))
        if np.isfinite(costs[best]):
            size = tuple(Size)[best]
            self.poses[index] = pose_of(size, self.postures[index], laid.places[best], float(lifts[best]))

    def from_the_bottom(self, stack: Sequence[int]) -> list[int]:
        """The members of a stack, lowest first: those whose tip is farther along "up" in the picture come later."""
        bases = self.detections.corners[list(stack), 1:].mean(axis=1)
        ground = self.camera.to_plane(bases.mean(axis=0)[None])[0]
        foot, head = self.camera.project(np.array([[*ground, 0.0], [*ground, 30.0]]))
        heights = bases @ (head - foot)
        order = sorted(zip(heights.tolist(), (not self.detections.under[i] for i in stack), stack, strict=True))
        return [index for *_, index in order]
