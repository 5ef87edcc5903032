"""Whether a piece is where the eyes report one: what the net says, weighed with what geometry and company say.

A weak spot of heat whose corners are those of a pyramid on this very table is a piece more often than a hot one whose
corners are not. First each piece is weighed by itself, then with what those that are believed say of it. How much
each sign counts, and in the end each two together, was learnt on scenes by ``python -m training presence`` and is
kept in ``presence.json`` beside this module: two logistic regressions.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes.chances import logit
from vision.eyes.detections import Detections
from vision.finding.board import SIDE
from vision.finding.footprints import middles_on_board
from vision.fusing.company import COMPANY, company
from vision.fusing.regression import Regression, regression_of
from vision.fusing.table_fit import TableFit
from vision.solids import Array, Posture

FILE = "presence.json"
SIGNS = (
    "heat",
    "misfit",
    "length",
    "corners",
    "posture",
    "lying",
    "overlap",
    "plastic",
    "under",
    "aboard",
    "aside",
    "upright",
)
BELIEVED = 0.5  # probability from which on there is a piece
LEAST_MISFIT = 1e-3  # of a piece's length


def weighed(seen: Detections, fit: TableFit, field_mm: float | None = None) -> Detections:
    """The same pieces, each with the probability as its score that there is one; 0 where it can have no place.

    Args:
        field_mm: width of a board's fields, if there is a board around the middle of the table.
    """
    alone, together = _learnt()
    by_itself, on_table = signs(seen, fit, field_mm), placed(fit)
    believed = on_table & (alone.chances(by_itself) >= BELIEVED)
    chances = together.chances(np.hstack([by_itself, company(seen, fit, believed)]))
    return replace(seen, score=np.where(on_table, chances, 0.0))


def signs(seen: Detections, fit: TableFit, field_mm: float | None = None) -> Array:
    """(N, 12) what speaks for and against each piece, in the order of ``SIGNS``."""
    lengths = np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)
    misfit = np.clip(np.where(placed(fit), fit.misfit, lengths) / lengths, LEAST_MISFIT, 1.0)
    lying = [pose is not None and pose.posture is Posture.LYING for pose in fit.poses]
    return np.column_stack(
        [
            logit(seen.score),
            np.log(misfit),
            np.log(lengths),
            np.log(np.median(seen.corner_blur, axis=1) / lengths),
            np.abs(logit(seen.lying)),
            np.array(lying, dtype=np.float64),
            _overlaps(seen),
            logit(_plastic(seen)),
            seen.under.astype(np.float64),
            *_on_fields(fit, field_mm),
        ]
    )


def placed(fit: TableFit) -> NDArray[np.bool_]:
    """(N,) which pieces have a place on the table."""
    return np.array([pose is not None for pose in fit.poses], dtype=bool) & fit.ground


def _on_fields(fit: TableFit, field_mm: float | None) -> tuple[Array, Array, Array]:
    """(N,) each: whether a piece lies on a field, how many fields beside its middle, and whether it stands on one."""
    if field_mm is None:
        none = np.zeros(len(fit.poses))
        return none, none, none
    middles = middles_on_board(fit.poses, field_mm)
    on_board = ((middles >= 0) & (middles < SIDE)).all(1)
    lying = np.array([pose is not None and pose.posture is Posture.LYING for pose in fit.poses], dtype=bool)
    aside = np.where(on_board & lying, np.linalg.norm(middles % 1 - 0.5, axis=1), 0.0)
    return (on_board & lying).astype(np.float64), aside, (on_board & ~lying).astype(np.float64)


def _overlaps(seen: Detections) -> Array:
    """(N,) the largest share of each outline, or of the other if that is smaller, that a hotter one covers.

    Pieces of which one is under another and one is not may be of one stack, and are not compared.
    """
    hulls = [cv2.convexHull(corners.astype(np.float32)) for corners in seen.corners]
    areas = [max(cv2.contourArea(outline), 1.0) for outline in hulls]
    low, high = seen.corners.min(axis=1), seen.corners.max(axis=1)
    overlaps = np.zeros(len(seen))
    order = np.argsort(-seen.score, kind="stable")
    for rank, index in enumerate(order.tolist()):
        hotter = order[:rank]
        hotter = hotter[seen.under[hotter] == seen.under[index]]
        near = hotter[((low[hotter] < high[index]) & (high[hotter] > low[index])).all(axis=1)]
        shares = [
            cv2.intersectConvexConvex(hulls[index], hulls[other])[0] / min(areas[index], areas[other])
            for other in near.tolist()
        ]
        overlaps[index] = min(1.0, max(shares, default=0.0))
    return overlaps


def _plastic(seen: Detections) -> Array:
    """(N,) probability of plastic at the centres."""
    cells = (seen.centers / seen.cell).astype(np.intp)
    columns, rows = np.clip(cells, 0, np.array(seen.plastic.shape[::-1]) - 1).T
    return np.asarray(seen.plastic[rows, columns], dtype=np.float64)


@cache
def _learnt() -> tuple[Regression, Regression]:
    """By the signs of a piece alone; by these and its company, and their products."""
    told = json.loads((files("vision.fusing") / FILE).read_text(encoding="utf-8"))
    return regression_of(told["alone"], SIGNS), regression_of(told["together"], SIGNS + COMPANY)
