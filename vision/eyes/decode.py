"""From the net's maps to pieces: centres, what is said there, and corners moved to where they are seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.eyes import maps
from vision.eyes.chances import sigmoid, softmax
from vision.eyes.detections import Detections
from vision.eyes.maps import WORD_STRIDE, Dense, Maps, cells_to_px, px_to_cells
from vision.eyes.order import better_order
from vision.eyes.peaks import peaks
from vision.eyes.unfolding import unfolded
from vision.solids import Array, Size

SHARP_PX, HOT, COLD = 1.0, 0.5, 0.05
"""Px of the net's picture by which a corner is off that is hot; half as hot it is twice as far off, down to cold."""


@dataclass(frozen=True)
class Thresholds:
    """From what heat on a point is believed, and when two pieces are one.

    Attributes:
        piece, corner, crossing, token: least heat.
        reach: how far a corner may lie from where it is expected, as a share of the piece's diameter, plus
            ``reach_px``.
        same: two pieces are the same one if their corners lie this share of a diameter apart; ``same_stack`` if one
            is said to stand on the other, for pieces of a stack are alike.
    """

    piece: float = 0.15
    corner: float = 0.25
    crossing: float = 0.3
    token: float = 0.3
    reach: float = 0.08
    reach_px: float = 3.0
    same: float = 0.12
    same_stack: float = 0.08


def decode(answer: Maps, scale: float = 1.0, thresholds: Thresholds | None = None) -> Detections:
    """The pieces in a picture that was made *scale* times as large before the net saw it."""
    limits = thresholds or Thresholds()
    centers, score, under = _centers(answer, limits.piece)
    words, spread = _words(answer, centers, under)
    corners = np.concatenate([spread[:, :1], better_order(spread[:, 1:].reshape(-1, 2, 4, 2))], axis=1)
    kept = different(corners, under, limits)
    centers, score, words, corners = centers[kept], score[kept], words[kept], corners[kept]
    upright = words[:, maps.LYING] < 0
    corners[upright, 1:] = unfolded(corners[upright, 1:], answer.dense[Dense.CORNER])
    tips = _points(*peaks(answer.dense[Dense.TIP], limits.corner))
    base_corners = _points(*peaks(answer.dense[Dense.CORNER], limits.corner))
    corners, heat = _drawn_to(tips, base_corners, corners, limits)
    token, token_score = peaks(answer.dense[Dense.TOKEN], limits.token)
    return Detections(
        score=score,
        glance=score,
        closer=score,
        speaks=np.ones(len(score), dtype=bool),
        centers=_enlarged(centers, scale),
        corners=_enlarged(corners, scale),
        corner_blur=SHARP_PX * np.clip(HOT / np.maximum(heat, COLD), 1.0, None) / scale,
        lying=sigmoid(words[:, maps.LYING]),
        colors=softmax(words[:, maps.COLOR]),
        sizes=softmax(words[:, maps.SIZE]),
        pips=np.zeros((len(kept), len(Size))),
        edges=np.zeros((len(kept), len(Size))),
        visible=sigmoid(words[:, maps.VISIBLE]),
        under=under[kept],
        above=np.zeros(len(kept)),
        crossings=_spots(_points(*peaks(answer.dense[Dense.CROSSING], limits.crossing)), scale),
        token=_spots(_points(token, token_score), scale)[0] if len(token) else None,
        plastic=answer.dense[Dense.PLASTIC],
        board=answer.dense[Dense.BOARD],
        cell=maps.STRIDE / scale,
    )


def _centers(answer: Maps, threshold: float) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Centres in px, scores and whether each is under another, best first."""
    found = [peaks(answer.dense[dense], threshold) for dense in (Dense.TOP, Dense.UNDER)]
    centers = cells_to_px(np.concatenate([places for places, _ in found]))
    score = np.concatenate([heat for _, heat in found])
    under = np.repeat([False, True], [len(heat) for _, heat in found])
    best = np.argsort(-score, kind="stable")
    return centers[best], score[best], under[best]


def _words(answer: Maps, centers: Array, under: NDArray[np.bool_]) -> tuple[Array, Array]:
    """(N, 28) what is said of the pieces at *centers*, and (N, 9, 2) px where that puts their corners."""
    most = np.array(answer.words.shape[:1:-1]) - 1
    cells = np.clip(np.round(px_to_cells(centers, WORD_STRIDE)), 0, most).astype(np.intp)
    words = answer.words[under.astype(np.intp), :, cells[:, 1], cells[:, 0]].astype(np.float64)
    offsets = words[:, maps.OFFSETS].reshape(-1, 9, 2) * maps.OFFSET_UNIT
    return words, cells_to_px(cells.astype(np.float64), WORD_STRIDE)[:, None] + offsets


def different(corners: Array, under: NDArray[np.bool_], limits: Thresholds) -> NDArray[np.intp]:
    """Indices of the pieces, the best first, that are not the same as a better one."""
    middles = corners.mean(1)
    diameters = np.linalg.norm(corners.max(1) - corners.min(1), axis=1)
    share = np.where(under[:, None] == under, limits.same, limits.same_stack)
    apart = share * np.maximum(diameters[:, None], diameters)
    alike = np.linalg.norm(corners[:, None, 0] - corners[:, 0], axis=2) < apart
    alike &= np.linalg.norm(middles[:, None] - middles, axis=2) < apart
    kept = np.zeros(len(corners), dtype=np.bool_)
    for index, same in enumerate(alike):
        kept[index] = not (same & kept).any()
    return np.flatnonzero(kept)


def _drawn_to(tips: Array, base_corners: Array, corners: Array, limits: Thresholds) -> tuple[Array, Array]:
    """Each corner moved to the nearest hot spot of its own kind within reach, and (N, 5) the heat found there."""
    diameters = np.linalg.norm(corners.max(1) - corners.min(1), axis=1)
    reach = limits.reach * diameters + limits.reach_px
    moved, seen = corners.copy(), np.zeros(corners.shape[:2])
    for spots, which in ((tips, slice(0, 1)), (base_corners, slice(1, 5))):
        if not len(spots):
            continue
        apart = np.linalg.norm(corners[:, which, None] - spots[:, :2], axis=-1)
        nearest = apart.argmin(-1)
        near = apart.min(-1) <= reach[:, None]
        moved[:, which] = np.where(near[..., None], spots[nearest, :2], corners[:, which])
        seen[:, which] = np.where(near, spots[nearest, 2], 0.0)
    return moved, seen


def _points(cells: Array, heat: Array) -> Array:
    """(M, 3) px and heat."""
    return np.column_stack([cells_to_px(cells), heat])


def _spots(points: Array, scale: float) -> Array:
    """(M, 3) the same in px of the picture that was shown."""
    return np.column_stack([_enlarged(points[:, :2], scale), points[:, 2]])


def _enlarged(pixels: Array, scale: float) -> Array:
    """Pixels of the picture that the net saw -> of the one that was shown."""
    return np.asarray((pixels + 0.5) / scale - 0.5)
