"""What the net should answer to a crop: dense maps with the places that do not count, and words at the centres."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.crops import Crop
from training.truth import Scene, TruePiece
from vision.eyes.maps import OFFSET_UNIT, STRIDE, WORD_STRIDE, Dense, Floor, Map, cells_to_px, px_to_cells
from vision.eyes.order import both_orders
from vision.solids import Array

LEAST_VISIBLE = 0.25
"""Pieces of which less is seen are neither asked for nor forbidden."""

LEAST_UNDER = 0.1  # the same of a piece in a stack, of which hardly more than a rim is ever seen

POINT = 0.8  # cells, spread of the heat around a corner
CENTER = (0.10, 0.9, 2.5)  # spread of the heat around a centre: share of the piece's size, least and most cells
AROUND = 0.7  # word cells, how far from its centre a piece is spoken of
FINE = 2  # steps a cell in which the pieces are painted to see what hides what
WARM = 0.1  # heat from which on a place belongs to a corner
HIDDEN = 0.3  # weight of the offset to a corner that is not seen itself
IGNORED = -1  # a label that is not asked for
NOBODY = -1  # instead of a piece's index
TOKEN = 1.5  # cells, spread of the heat around the turn token
POSTURES = {"upright": 0, "lying": 1}
NINE = np.stack(np.meshgrid([-1, 0, 1], [-1, 0, 1]), axis=-1).reshape(-1, 2)  # a cell and its neighbours


@dataclass(frozen=True, eq=False)
class Words:
    """What should be said at M cells, some of them around each centre.

    Attributes:
        floor, row, column: (M,) where.
        weight: (M,) 1 at the centre, less around it.
        offsets: (M, 18) in ``OFFSET_UNIT``; offset_weight: (M, 18).
        lying: (M,) 0, 1 or ``IGNORED``. color, size: (M,) indices. visible: (M,) share.
    """

    floor: NDArray[np.int64]
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    weight: Map
    offsets: Map
    offset_weight: Map
    lying: Map
    color: NDArray[np.int64]
    size: NDArray[np.int64]
    visible: Map

    def __len__(self) -> int:
        return len(self.floor)


@dataclass(frozen=True, eq=False)
class Targets:
    """The right answer: ``dense`` (8, rows, columns), ``counts`` of the same shape 0 where it is not asked for."""

    dense: Map
    counts: Map
    words: Words


def targets(crop: Crop) -> Targets:
    """The right answer to a crop."""
    scene = crop.scene
    columns, rows = (side // STRIDE for side in scene.size)
    fine = (columns * FINE, rows * FINE)
    seen_by = painted(scene, fine)
    seen_by[cv2.resize(crop.inside, fine, interpolation=cv2.INTER_NEAREST) == 0] = NOBODY
    inside = cv2.resize(crop.inside, (columns, rows), interpolation=cv2.INTER_AREA) > 0
    dense = np.zeros((len(Dense), rows, columns), np.float32)
    counts = np.repeat(inside[None], len(Dense), axis=0).astype(np.float32)
    dense[Dense.PLASTIC] = _share(seen_by != NOBODY)
    wanted = np.array([piece.visible >= least_visible(piece) for piece in scene.pieces], dtype=bool)
    _forget(counts, np.append(~wanted, False)[seen_by])  # NOBODY is the last
    centers = _centroids(seen_by, len(scene.pieces)) / FINE + (0.5 / FINE - 0.5)
    asked = np.flatnonzero(wanted & ~np.isnan(centers).any(1))
    pieces, centers = [scene.pieces[index] for index in asked], centers[asked]
    _heat_pieces(dense, pieces, centers)
    for point in (Dense.TIP, Dense.CORNER):  # those beside a hardly visible piece are asked for all the same
        counts[point][(dense[point] > WARM) & inside] = 1
    _flat_things(dense, scene, seen_by)
    return Targets(dense, counts, _words(pieces, cells_to_px(centers), scene.size))


def least_visible(piece: TruePiece) -> float:
    """The share of a piece that must be in sight for it to be asked for."""
    return LEAST_UNDER if piece.under else LEAST_VISIBLE


def painted(scene: Scene, size: tuple[int, int]) -> NDArray[np.int32]:
    """(height, width) index of the piece that is seen there, ``NOBODY`` where none is; far ones painted first."""
    picture = np.full((size[1], size[0]), NOBODY, np.int32)
    finer = size[0] / scene.size[0]
    for index in sorted(range(len(scene.pieces)), key=lambda i: -scene.pieces[i].distance):
        _fill(picture, (scene.pieces[index].outline + 0.5) * finer - 0.5, index)
    return picture


def _centroids(seen_by: NDArray[np.int32], count: int) -> Array:
    """(count, 2) mean column and row of the cells where each piece is seen; NaN where none is."""
    rows, columns = np.nonzero(seen_by != NOBODY)
    pieces = seen_by[rows, columns]
    cells, right, down = (np.bincount(pieces, weights, count) for weights in (None, columns, rows))
    with np.errstate(invalid="ignore"):
        return np.column_stack([right / cells, down / cells])


def _fill(picture: NDArray[np.int32] | Map, polygon: Array, value: float) -> None:
    """Fills a polygon, its points known to a sixteenth of a cell."""
    cv2.fillPoly(picture, [np.round(polygon * 16).astype(np.int32)], value, shift=4)


def _share(fine: NDArray[np.bool_]) -> Map:
    """(rows * FINE, columns * FINE) -> (rows, columns) share of each cell."""
    cells = (fine.shape[1] // FINE, fine.shape[0] // FINE)
    return np.asarray(cv2.resize(fine.astype(np.float32), cells, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _forget(counts: Map, fine: NDArray[np.bool_]) -> None:
    """What is said there of pieces and their corners does not count."""
    if fine.any():
        counts[: Dense.PLASTIC, cv2.dilate(_share(fine), np.ones((3, 3), np.uint8)) > 0] = 0


def _heat_pieces(dense: Map, pieces: Sequence[TruePiece], centers: Array) -> None:
    """The centres (N, 2) of the pieces in cells, each on its floor, and those of their corners that are seen."""
    under = np.array([piece.under for piece in pieces], dtype=bool)
    areas = np.array([cv2.contourArea(piece.outline.astype(np.float32)) for piece in pieces]) / STRIDE**2
    spreads = np.clip(CENTER[0] * np.sqrt(areas), *CENTER[1:])
    for floor, there in ((Floor.TOP, ~under), (Floor.UNDER, under)):
        _heat(dense[floor], centers[there], spreads[there])
    corners = px_to_cells(np.array([piece.corners for piece in pieces]).reshape(-1, 5, 2))
    seen = np.array([piece.corners_seen for piece in pieces], dtype=bool).reshape(-1, 5)
    for channel, which in ((Dense.TIP, slice(0, 1)), (Dense.CORNER, slice(1, 5))):
        _heat(dense[channel], corners[:, which][seen[:, which]], POINT)


def _heat(heat: Map, places: Array, spread: Array | float) -> None:
    """Adds a Gaussian around each of the places (N, 2) in cells; where some meet the hottest stays."""
    spreads = np.broadcast_to(spread, len(places))
    reach = int(np.ceil(3 * spreads.max(initial=0.0))) + 1
    cells = np.round(places).astype(np.int64)[..., None] + np.arange(-reach, reach + 1)  # (N, 2, cells)
    bells = np.exp(-((cells - places[..., None]) ** 2) / (2 * spreads[:, None, None] ** 2)).astype(np.float32)
    most = np.array([[heat.shape[1] - 1], [heat.shape[0] - 1]])
    bells[(cells < 0) | (cells > most)] = 0.0
    columns, rows = np.clip(cells, 0, most).transpose(1, 0, 2)
    where = rows[:, :, None] * heat.shape[1] + columns[:, None]
    np.maximum.at(heat.reshape(-1), where.ravel(), (bells[:, 1, :, None] * bells[:, 0, None]).ravel())


def _flat_things(dense: Map, scene: Scene, seen_by: NDArray[np.int32]) -> None:
    """The board with its crossings that no piece hides, and the turn token."""
    if scene.board is not None:
        _fill(dense[Dense.BOARD], px_to_cells(scene.board), 1.0)
        cells = np.round((scene.crossings + 0.5) * FINE / STRIDE - 0.5).astype(np.int64)
        within = ((cells >= 0) & (cells < seen_by.shape[::-1])).all(1)
        columns, rows = cells[within].T
        _heat(dense[Dense.CROSSING], px_to_cells(scene.crossings[within][seen_by[rows, columns] == NOBODY]), POINT)
    if scene.token is not None:
        _heat(dense[Dense.TOKEN], px_to_cells(scene.token)[None], TOKEN)


def _words(pieces: Sequence[TruePiece], centers: Array, size: tuple[int, int]) -> Words:
    """What should be said of pieces with their centres there (N, 2) px, at the word cells around them in the picture.

    Of a cell between two pieces the nearer one is spoken.
    """
    places = px_to_cells(centers, WORD_STRIDE)
    cells = np.round(places).astype(np.int64)[:, None] + NINE  # (N, 9, 2)
    weight = np.exp(-((cells - places[:, None]) ** 2).sum(-1) / (2 * AROUND**2)).ravel()
    floor = np.repeat([Floor.UNDER if piece.under else Floor.TOP for piece in pieces], len(NINE)).astype(np.int64)
    column, row = cells.reshape(-1, 2).T
    columns, rows = (side // WORD_STRIDE for side in size)
    within = np.flatnonzero((column >= 0) & (column < columns) & (row >= 0) & (row < rows))
    nearest_first = within[np.argsort(-weight[within], kind="stable")]
    cell = (floor * rows + row) * columns + column
    kept = nearest_first[np.unique(cell[nearest_first], return_index=True)[1]]
    one = kept // len(NINE)  # the piece that is spoken of
    told = np.array([_corners_told(piece) for piece in pieces]).reshape(-1, 9, 3)
    here = cells_to_px(cells.reshape(-1, 1, 2)[kept].astype(np.float64), WORD_STRIDE)
    offsets = (told[one, :, :2] - here) / OFFSET_UNIT

    def of_each(value: Callable[[TruePiece], float], kind: type[Any]) -> NDArray[Any]:
        return np.array([value(piece) for piece in pieces], dtype=kind)[one]

    return Words(
        floor=floor[kept],
        row=row[kept],
        column=column[kept],
        weight=weight[kept].astype(np.float32),
        offsets=offsets.reshape(-1, 18).astype(np.float32),
        offset_weight=np.repeat(told[one, :, 2], 2, axis=1).astype(np.float32),
        lying=of_each(lambda piece: POSTURES.get(piece.posture, IGNORED), np.float32),
        color=of_each(lambda piece: piece.color, np.int64),
        size=of_each(lambda piece: piece.size, np.int64),
        visible=of_each(lambda piece: piece.visible, np.float32),
    )


def _corners_told(piece: TruePiece) -> Array:
    """(9, 3) px of the tip and of the base corners in both orders, each with the weight that it has."""
    weighed = np.column_stack([piece.corners, np.where(piece.corners_seen, 1.0, HIDDEN)])
    base = piece.corners[1:]
    orders = both_orders(base, piece.square).reshape(8, 1, 2)
    return weighed[[0, *(1 + np.abs(orders - base).sum(-1).argmin(1))]]
