"""Which of the things that the eyes report are pieces of the game: black pyramids, dice and shadows are not."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.finding.footprints import Footprint, clearance, footprint_of
from vision.fusing.outlines import of_both
from vision.fusing.table_fit import TableFit
from vision.fusing.twins import without_twins
from vision.solids import Color

TOLD = 0.4  # probability from which on a piece is told: to ask about one too many is better than to miss one
OTHER_COLOR = 0.5  # probability of a colour that is none of the four
ONE_OUTLINE = 0.8  # of two outlines in common from which on they are of one piece, if they are of one colour
SAME_OUTLINE = 0.87  # the same whatever their colours
ONE_PLACE = 0.5  # of the smaller piece's radius: how far two may run into each other before they are one


def of_the_four_colors(seen: Detections) -> Detections:
    """The pieces that are red, yellow, green or blue, each told once.

    Of a piece that may carry another the eyes speak twice, as of the lower and of the upper one of a stack. Two with
    one outline are one piece: the lower would not be seen, and nothing of its colour.
    """
    ours = seen.only(np.flatnonzero(seen.colors[:, len(Color) :].sum(1) < OTHER_COLOR))
    colors = ours.colors.argmax(1)
    low, high = ours.corners.min(axis=1), ours.corners.max(axis=1)
    outlines = [cv2.convexHull(corners.astype(np.float32)) for corners in ours.corners]
    near = (low[:, None] < high[None]).all(-1) & (low[None] < high[:, None]).all(-1)
    kept: list[int] = []
    for index in np.argsort(-ours.score, kind="stable").tolist():
        if not any(
            of_both(outlines[index], outlines[other])
            > (ONE_OUTLINE if colors[other] == colors[index] else SAME_OUTLINE)
            for other in kept
            if near[index, other]
        ):
            kept.append(index)
    return ours.only(kept)


def standing_on_the_table(weighed: Detections, fit: TableFit) -> NDArray[np.intp]:
    """Indices of the pieces that are there, by their chances and because the table has room for them.

    Of two in one place the likelier is there.

    Args:
        weighed: their scores are the probabilities that they are there.
    """
    taken: list[Footprint] = []
    kept: list[int] = []
    for index in np.argsort(-weighed.score, kind="stable").tolist():
        pose = fit.poses[index]
        if pose is None or weighed.score[index] < TOLD:
            continue
        if pose.z <= 0:
            footprint = footprint_of(pose)
            if any(_in_one_place(footprint, other) for other in taken):
                continue
            taken.append(footprint)
        kept.append(index)
    there = np.array(sorted(kept), dtype=np.intp)
    return there[without_twins(weighed.only(there), weighed.score[there])]


def _in_one_place(one: Footprint, other: Footprint) -> bool:
    """Whether two pieces run so far into each other that they are one."""
    if math.dist(one.center, other.center) > one.radius + other.radius:
        return False  # most are far apart, and a distance is soon told
    return clearance(one, other) < -ONE_PLACE * min(one.radius, other.radius)
