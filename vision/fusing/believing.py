"""Which of the things that the eyes report are pieces of the game: black pyramids, dice and shadows are not."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.eyes.detections import Detections
from vision.finding.footprints import Footprint, clearance, footprint_of
from vision.fusing.table_fit import TableFit
from vision.solids import Array, Color, Size

OTHER_COLOR = 0.5  # probability of a colour that is none of the four
ONE_OUTLINE = 0.8  # of two outlines in common from which on they are of one piece, if they are of one colour
SAME_OUTLINE = 0.87  # the same whatever their colours
BELIEVED = 0.55  # probability that there is a piece
LEAST_LIKELY = 1e-3  # of a colour
IMPOSSIBLE = 1e-30
ONE_BASE = 0.09  # of a piece's diameter: so far the corners of its base are off on the whole when it is told twice
ONE_PLACE = 0.5  # of the smaller piece's radius: how far two may run into each other before they are one

BASE_ORDERS = np.array([np.roll(way, turn) for way in ((0, 1, 2, 3), (0, 3, 2, 1)) for turn in range(4)])

Kit = Mapping[tuple[Color, Size], int]
Outline = NDArray[np.float32] | cv2.typing.MatLike


def of_the_four_colors(seen: Detections) -> Detections:
    """The pieces that are red, yellow, green or blue, each told once.

    Of a piece that may carry another the eyes speak twice, as of the lower and of the upper one of a stack. Two with
    one outline are one piece: the lower would not be seen, and nothing of its colour.
    """
    ours = seen.only(np.flatnonzero(seen.colors[:, len(Color) :].sum(1) < OTHER_COLOR))
    colors = ours.colors.argmax(1)
    low, high = ours.corners.min(axis=1), ours.corners.max(axis=1)
    outlines = [cv2.convexHull(corners.astype(np.float32)) for corners in ours.corners]
    kept: list[int] = []
    for index in np.argsort(-ours.score, kind="stable").tolist():
        near = [other for other in kept if (low[other] < high[index]).all() and (low[index] < high[other]).all()]
        if not any(
            _share(outlines[index], outlines[other])
            > (ONE_OUTLINE if colors[other] == colors[index] else SAME_OUTLINE)
            for other in near
        ):
            kept.append(index)
    return ours.only(kept)


def without_twins(seen: Detections, likely: Array) -> NDArray[np.intp]:
    """Indices of the pieces without those that have the base and the colour of a *likelier* one: one can stand there.

    Where another stands on a piece the eyes may tell it both as an upper one, with its tip at the other's rim, and as
    the lower one that it is.

    Args:
        likely: (N,) how likely each is there as it is told.
    """
    diameters = np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)
    colors, bases = seen.colors.argmax(1), seen.corners[:, 1:]
    kept: list[int] = []
    for index in np.argsort(-likely, kind="stable").tolist():
        orders = bases[index][BASE_ORDERS]
        if not any(
            colors[other] == colors[index]
            and np.linalg.norm(orders - bases[other], axis=2).mean(1).min() < ONE_BASE * diameters[other]
            for other in kept
        ):
            kept.append(index)
    return np.array(sorted(kept), dtype=np.intp)


def _share(one: Outline, other: Outline) -> float:
    """Intersection over union of two convex outlines."""
    common = cv2.intersectConvexConvex(one, other)[0]
    return float(common / max(cv2.contourArea(one) + cv2.contourArea(other) - common, 1e-6))


def standing_on_the_table(weighed: Detections, fit: TableFit, kit: Kit) -> NDArray[np.intp]:
    """Indices of the pieces that are there, by their chances and because the set and the table have room for them.

    Of two in one place the likelier is there. Where more are told of one colour than there are, some are not there
    or are of another colour: what is likeliest for all of them together.

    Args:
        weighed: as :func:`vision.fusing.presence.weighed` tells them.
        kit: how many pieces of each kind exist.
    """
    taken: list[Footprint] = []
    kept: list[int] = []
    for index in np.argsort(-weighed.score, kind="stable").tolist():
        pose = fit.poses[index]
        if pose is None or weighed.score[index] < BELIEVED:
            continue
        if pose.z <= 0:
            footprint = footprint_of(pose)
            if any(clearance(footprint, other) < -ONE_PLACE * min(footprint.radius, other.radius) for other in taken):
                continue
            taken.append(footprint)
        kept.append(index)
    there = np.array(sorted(kept), dtype=np.intp)
    there = there[without_twins(weighed.only(there), weighed.score[there])]
    return there[_in_the_set(weighed.only(there), kit)]


def _in_the_set(seen: Detections, kit: Kit) -> NDArray[np.intp]:
    """Which of the pieces are there, the set having so many of each colour: an assignment, the likeliest of all."""
    if not len(seen):
        return np.zeros(0, dtype=np.intp)
    places = np.repeat(np.arange(len(Color)), [sum(n for (color, _), n in kit.items() if color is c) for c in Color])
    colors = np.maximum(seen.colors[:, : len(Color)], LEAST_LIKELY)
    chances = colors / colors.max(1, keepdims=True) * seen.score[:, None]
    absent = np.where(np.eye(len(seen), dtype=bool), 1 - seen.score[:, None], IMPOSSIBLE)
    likely = np.hstack([chances[:, places], absent])
    _, columns = linear_sum_assignment(-np.log(np.clip(likely, IMPOSSIBLE, 1)))
    return np.flatnonzero(columns < len(places))
