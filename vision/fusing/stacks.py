"""Which pieces stand over each other, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.poses import hull

STACK_OVERLAP = 0.5  # share of the smaller of two outlines
USUAL_STEP = 12.0  # mm from one piece of a stack to the next
SHRINKING = 60.0  # mm of height that a piece half again as small is worth: what is small stands on top
ALONG_NOISE = 2.0  # px


def find_stacks(detections: Detections, lying: NDArray[np.bool_]) -> list[list[int]]:
    """Indices of upright pieces that stand over each other, a list for each stack of two or more."""
    upright = np.flatnonzero(~lying).tolist()
    low, high = detections.corners.min(axis=1), detections.corners.max(axis=1)
    outlines = {index: hull(detections.corners[index]).astype(np.float32) for index in upright}
    stacks: list[list[int]] = []
    for index in upright:
        near = ((low[index] < high) & (low < high[index])).all(axis=1)
        over = [
            stack
            for stack in stacks
            if any(near[other] and _overlap(outlines[index], outlines[other]) for other in stack)
        ]
        merged = [index, *(member for stack in over for member in stack)]
        stacks = [stack for stack in stacks if stack not in over] + [merged]
    return [stack for stack in stacks if len(stack) > 1]


def from_the_bottom(stack: Sequence[int], detections: Detections, camera: Camera) -> list[int]:
    """The members of a stack, lowest first.

    A base that lies farther along "up" in the picture is higher; seen from straight above nothing tells but that
    what is smaller stands on top, and what the eyes say.
    """
    bases = detections.corners[list(stack), 1:]
    middles = bases.mean(axis=1)
    ground = camera.to_plane(middles.mean(axis=0)[None])[0]
    foot, head = camera.project(np.array([[*ground, 0.0], [*ground, 1.0]]))
    up = head - foot  # px a mm
    mm = (middles - middles.mean(axis=0)) @ up / (up @ up + (ALONG_NOISE / USUAL_STEP) ** 2)
    wide = np.log(np.linalg.norm(bases - middles[:, None], axis=-1).mean(axis=1))
    top = ~detections.under[list(stack)]
    order = np.argsort(mm - SHRINKING * wide + USUAL_STEP / 2 * top, kind="stable")
    return [stack[index] for index in order.tolist()]


def _overlap(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether two outlines share most of the smaller one, as those of a stack do and those of neighbours do not."""
    area, _ = cv2.intersectConvexConvex(one, other)
    smaller = min(cv2.contourArea(one), cv2.contourArea(other))
    return bool(area > STACK_OVERLAP * max(smaller, 1.0))
