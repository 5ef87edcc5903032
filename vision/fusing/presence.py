"""Whether a piece is where the eyes report one: what they say, weighed with what geometry and company say.

A weak spot of heat whose corners are those of a pyramid on this very table is a piece more often than a hot one whose
corners are not. First each piece is weighed by its own signs alone, then with what those that are believed by them,
and what is told in the same place, say of it. How much that counts was learnt on scenes by
``python -m training weigh`` and is kept in ``presence.json`` beside this module.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.eyes.chances import logit, sigmoid
from vision.eyes.detections import Detections
from vision.finding.footprints import middles_on_board, on_board
from vision.fusing.company import COMPANY, company
from vision.fusing.filled import filled
from vision.fusing.one_light import hues
from vision.fusing.own_field import others_there
from vision.fusing.rivals import RIVALS, rivals, shared
from vision.fusing.table_fit import TableFit, unlikely_by_pips
from vision.perceptron import Perceptron, perceptron_of
from vision.poses import Pose
from vision.solids import Array, Color, Posture

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
    "glance",
    "closer",
    "visible",
    "colour",
    "foreign",
    "raised",
    "suits",
    "size",
    "pips",
    "filled",
)
ALL_SIGNS = (*SIGNS, "edges", *COMPANY, *RIVALS, "one_field")
BELIEVED = 0.5  # probability from which on there is a piece
LEAST_MISFIT = 1e-3  # of a piece's length
LEAST = 1e-3  # probability, for logarithms
SURE_SIZE = 10.0  # of log-likelihood by which one size leads; more counts as that

Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What there is to weigh: N pieces that were *seen*, and how they *fit* on a table.

    Attributes:
        shares: (N, N) of outlines in common. shades: (N, 2) of the pieces, as :func:`vision.fusing.one_light.hues`.
        field_mm: width of a board's fields, if there is a board around the middle of the table.
    """

    seen: Detections
    fit: TableFit
    shares: Array
    shades: Array
    field_mm: float | None = None


def gathered(seen: Detections, fit: TableFit, image: Image, field_mm: float | None = None) -> Evidence:
    """The evidence of a (H, W, 3) BGR *image*, in whose px the pieces were *seen*."""
    outlines = [
        pose.outline(fit.camera) if pose is not None and on_table else corners
        for corners, pose, on_table in zip(seen.corners, fit.poses, fit.ground, strict=True)
    ]
    return Evidence(seen, fit, shared(seen), hues(image, outlines), field_mm)


def likely(seen: Detections, fit: TableFit) -> Array:
    """(N,) probability that each piece is there by its own signs alone; 0 where it can have no place."""
    return np.where(placed(fit), sigmoid(_alone().logits(signs(seen, fit, shared(seen)))[:, 0]), 0.0)


def weighed(evidence: Evidence) -> Detections:
    """The same pieces, each with the probability as its score that there is one; 0 where it can have no place."""
    chances = sigmoid(_together().logits(all_signs(evidence, _alone()))[:, 0])
    return replace(evidence.seen, score=np.where(placed(evidence.fit), chances, 0.0))


def all_signs(evidence: Evidence, alone: Perceptron) -> Array:
    """(N, K) signs of each piece, of its company and its rivals, as far as its signs *alone* tell what is there."""
    seen, fit = evidence.seen, evidence.fit
    own = signs(seen, fit, evidence.shares, evidence.field_mm)
    logits = alone.logits(own)[:, 0]
    believed = placed(fit) & (sigmoid(logits) >= BELIEVED)
    edges = np.take_along_axis(seen.edges, fit.size_costs.argmin(axis=1)[:, None], axis=1)
    of_others = company(seen, fit, believed, evidence.shades), rivals(seen, evidence.shares, logits)
    return np.column_stack([own, edges, *of_others, others_there(fit.poses, logits, evidence.field_mm)])


def signs(seen: Detections, fit: TableFit, shares: Array, field_mm: float | None = None) -> Array:
    """(N, 22) what speaks for and against each piece by itself, in the order of ``SIGNS``.

    Args:
        shares, field_mm: as in :class:`Evidence`.
    """
    lengths = np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)
    misfit = np.clip(np.where(placed(fit), fit.misfit, lengths) / lengths, LEAST_MISFIT, 1.0)
    sizes, each = fit.size_costs.argmin(axis=1), np.arange(len(seen))
    return np.column_stack(
        [
            logit(seen.score),
            np.log(misfit),
            np.log(lengths),
            np.log(np.median(seen.corner_blur, axis=1) / lengths),
            np.abs(logit(seen.lying)),
            [_lies(pose) for pose in fit.poses],
            _overlaps(seen, shares),
            logit(_plastic(seen)),
            seen.under,
            *_on_fields(fit, field_mm),
            logit(seen.glance),
            logit(seen.closer),
            logit(seen.visible),
            logit(seen.colors[:, : len(Color)].max(axis=1)),
            logit(seen.colors[:, len(Color) :].sum(axis=1)),
            logit(seen.above),
            np.log(np.maximum(seen.sizes[each, sizes], LEAST)),
            np.minimum(np.partition(fit.size_costs, 1, axis=1)[:, 1], SURE_SIZE),
            np.minimum(np.partition(unlikely_by_pips(seen), 1, axis=1)[:, 1], SURE_SIZE),
            filled(_outlines(seen, fit), seen),
        ]
    )


def _outlines(seen: Detections, fit: TableFit) -> Array:
    """(N, 5, 2) px, the corners of each piece as the table has it, or as it was *seen* where it has no place."""
    sizes = fit.size_costs.argmin(axis=1)
    return np.where(placed(fit)[:, None, None], fit.outlines[np.arange(len(seen)), sizes], seen.corners)


def placed(fit: TableFit) -> NDArray[np.bool_]:
    """(N,) which pieces have a place on the table."""
    return np.array([pose is not None for pose in fit.poses], dtype=bool) & fit.ground


def _lies(pose: Pose | None) -> bool:
    return pose is not None and pose.posture is Posture.LYING


def _on_fields(fit: TableFit, field_mm: float | None) -> tuple[Array, Array, Array]:
    """(N,) each: whether a piece lies on a field, how many fields beside its middle, and whether it stands on one."""
    if field_mm is None:
        none = np.zeros(len(fit.poses))
        return none, none, none
    middles = middles_on_board(fit.poses, field_mm)
    there = on_board(middles)
    lying = np.array([_lies(pose) for pose in fit.poses], dtype=bool)
    aside = np.where(there & lying, np.linalg.norm(middles % 1 - 0.5, axis=1), 0.0)
    return (there & lying).astype(np.float64), aside, (there & ~lying).astype(np.float64)


def _overlaps(seen: Detections, shares: Array) -> Array:
    """(N,) the largest share of each outline, or of the other if that is smaller, that a hotter one covers.

    Pieces of which one is under another and one is not may be of one stack, and are not compared.
    """
    ranks = np.empty(len(seen), dtype=np.intp)
    ranks[np.argsort(-seen.score, kind="stable")] = np.arange(len(seen))
    hotter = (ranks < ranks[:, None]) & (seen.under == seen.under[:, None])
    return np.asarray(np.where(hotter, shares, 0.0).max(axis=1, initial=0.0))


def _plastic(seen: Detections) -> Array:
    """(N,) probability of plastic at the centres."""
    cells = (seen.centers / seen.cell).astype(np.intp)
    columns, rows = np.clip(cells, 0, np.array(seen.plastic.shape[::-1]) - 1).T
    return np.asarray(seen.plastic[rows, columns], dtype=np.float64)


@cache
def _alone() -> Perceptron:
    """By the signs of a piece alone."""
    return perceptron_of(_kept()["alone"], SIGNS)


@cache
def _together() -> Perceptron:
    """By these, its company and its rivals."""
    return perceptron_of(_kept()["together"], ALL_SIGNS)


def _kept() -> dict[str, Any]:
    told: dict[str, Any] = json.loads((files("vision.fusing") / FILE).read_text(encoding="utf-8"))
    return told
