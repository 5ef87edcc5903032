"""Which pieces stand over each other, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.fusing.outlines import of_smaller
from vision.poses import hull
from vision.solids import Array

USUAL_STEP = 12.0  # mm from one piece of a stack to the next
SHRINKING = 60.0  # mm of height for the logarithm of how much smaller a piece looks: what is small stands on top
PLACE_NOISE = 2.0  # mm


def find_stacks(outlines: Array, upright: NDArray[np.bool_], share: float) -> list[list[int]]:
    """Indices of upright pieces that overlap in the picture, a list for each stack of two or more.

    Args:
        outlines: (N, 5, 2) px, corners of each piece.
        share: of the smaller of two outlines that is enough.
    """
    standing = np.flatnonzero(upright).tolist()
    low, high = outlines.min(axis=1), outlines.max(axis=1)
    hulls = {index: hull(outlines[index]).astype(np.float32) for index in standing}
    stacks: list[list[int]] = []
    for index in standing:
        near = ((low[index] < high) & (low < high[index])).all(axis=1)
        over = [
            stack
            for stack in stacks
            if any(near[other] and of_smaller(hulls[index], hulls[other]) > share for other in stack)
        ]
        merged = [index, *(member for stack in over for member in stack)]
        stacks = [stack for stack in stacks if stack not in over] + [merged]
    return [stack for stack in stacks if len(stack) > 1]


def from_the_bottom(
    stack: Sequence[int], places: Array, widths: Array, under: NDArray[np.bool_], height: float
) -> list[int]:
    """The members of a stack, lowest first.

    A base that is higher than the table seems to lie farther away on it; seen from straight above nothing tells but
    that what is smaller stands on top, and what the eyes say.

    Args:
        places: (N, 2) mm from the point below the camera to where each piece would stand if it stood on the table.
        widths: (N,) px of each base. under: (N,) whether the eyes see another piece on it.
        height: mm of the camera.
    """
    members = list(stack)
    away = np.linalg.norm(places[members], axis=1)
    slant = away.mean() / height  # mm farther for every mm higher
    mm = (away - away.mean()) * slant / (slant**2 + (PLACE_NOISE / USUAL_STEP) ** 2)
    order = np.argsort(mm - SHRINKING * np.log(widths[members]) + USUAL_STEP / 2 * ~under[members], kind="stable")
    return [members[index] for index in order.tolist()]
