"""What the net should answer to a crop: dense maps with the places that do not count, and words at the centres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

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

POINT = 0.8  # cells, spread of the heat around a corner
CENTER = (0.10, 0.9, 2.5)  # spread of the heat around a centre: share of the piece's size, least and most cells
AROUND = 0.7  # word cells, how far from its centre a piece is spoken of
FINE = 2  # steps a cell in which the pieces are painted to see what hides what
HIDDEN = 0.3  # weight of the offset to a corner that is not seen itself
IGNORED = -1  # a label that is not asked for


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
    inside = cv2.resize(crop.inside, (columns, rows), interpolation=cv2.INTER_AREA) > 0
    dense = np.zeros((len(Dense), rows, columns), np.float32)
    counts = np.repeat(inside[None], len(Dense), axis=0).astype(np.float32)
    seen_by = painted(scene, (columns * FINE, rows * FINE))
    dense[Dense.PLASTIC] = _share(seen_by >= 0)
    centers = _centroids(seen_by, len(scene.pieces)) / FINE + (0.5 / FINE - 0.5)
    words = []
    for index, (piece, center) in enumerate(zip(scene.pieces, centers, strict=True)):
        if np.isnan(center).any():
            continue
        if piece.visible < LEAST_VISIBLE:
            _forget(counts, _share(seen_by == index) > 0)
            continue
        area = float(cv2.contourArea(piece.outline.astype(np.float32))) / STRIDE**2
        spread = float(np.clip(CENTER[0] * np.sqrt(area), *CENTER[1:]))
        _heat(dense[Floor.UNDER if piece.under else Floor.TOP], center, spread)
        for number, corner in enumerate(piece.corners):
            if piece.corners_seen[number]:
                _heat(dense[Dense.TIP if number == 0 else Dense.CORNER], px_to_cells(corner), POINT)
        words.append(_words(piece, cells_to_px(center), scene.size))
    _flat_things(dense, scene, seen_by)
    return Targets(dense, counts, _joined(words))


def painted(scene: Scene, size: tuple[int, int]) -> NDArray[np.int32]:
    """(height, width) index of the piece that is seen there, -1 where none is; far ones painted first."""
    picture = np.full((size[1], size[0]), -1, np.int32)
    finer = size[0] / scene.size[0]
    for index in sorted(range(len(scene.pieces)), key=lambda i: -scene.pieces[i].distance):
        _fill(picture, (scene.pieces[index].outline + 0.5) * finer - 0.5, index)
    return picture


def _centroids(seen_by: NDArray[np.int32], count: int) -> Array:
    """(count, 2) mean column and row of the cells where each piece is seen; NaN where none is."""
    rows, columns = np.nonzero(seen_by >= 0)
    pieces = seen_by[rows, columns]
    cells, right, down = (np.bincount(pieces, weights, count) for weights in (None, columns, rows))
    with np.errstate(invalid="ignore"):
        return np.column_stack([right / cells, down / cells])


def _fill(picture: NDArray[np.int32] | Map, polygon: Array, value: float) -> None:
    """Fills a polygon, its points known to a sixteenth of a cell."""
    cv2.fillPoly(picture, [np.round(polygon * 16).astype(np.int32)], value, shift=4)


def _share(fine: NDArray[np.bool_]) -> Map:
    """(rows * FINE, columns * FINE) -> (rows, columns) share of each cell."""
    rows, columns = fine.shape[0] // FINE, fine.shape[1] // FINE
    return np.asarray(fine.reshape(rows, FINE, columns, FINE).mean((1, 3)), dtype=np.float32)


def _forget(counts: Map, where: NDArray[np.bool_]) -> None:
    """What is said there of pieces and their corners does not count."""
    counts[: Dense.PLASTIC, cv2.dilate(where.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0] = 0


def _heat(heat: Map, place: Array, spread: float) -> None:
    """Adds a Gaussian around a place in cells; where two meet the hotter one stays."""
    reach = int(np.ceil(3 * spread)) + 1
    column, row = (int(value) for value in np.round(place))
    rows = slice(max(0, row - reach), max(0, row + reach + 1))
    columns = slice(max(0, column - reach), max(0, column + reach + 1))
    part = heat[rows, columns]
    y, x = np.ogrid[rows.start : rows.start + part.shape[0], columns.start : columns.start + part.shape[1]]
    bell = np.exp(-((x - place[0]) ** 2 + (y - place[1]) ** 2) / (2 * spread**2))
    np.maximum(part, bell.astype(np.float32), out=part)


def _flat_things(dense: Map, scene: Scene, seen_by: NDArray[np.int32]) -> None:
    """The board with its crossings that no piece hides, and the turn token."""
    if scene.board is not None:
        _fill(dense[Dense.BOARD], px_to_cells(scene.board), 1.0)
        for crossing in scene.crossings:
            column, row = np.round((crossing + 0.5) * FINE / STRIDE - 0.5).astype(int)
            within = 0 <= row < seen_by.shape[0] and 0 <= column < seen_by.shape[1]
            if within and seen_by[row, column] < 0:
                _heat(dense[Dense.CROSSING], px_to_cells(crossing), POINT)
    if scene.token is not None:
        _heat(dense[Dense.TOKEN], px_to_cells(scene.token), 1.5)


def _words(piece: TruePiece, center: Array, size: tuple[int, int]) -> Words:
    """What should be said of a piece with its centre there (px), at the word cells around it in the picture."""
    place = px_to_cells(center, WORD_STRIDE)
    nine = np.stack(np.meshgrid([-1, 0, 1], [-1, 0, 1]), axis=-1).reshape(-1, 2)
    around = nine + np.round(place).astype(np.int64)
    around = around[((around >= 0) & (around < np.array(size) // WORD_STRIDE)).all(1)]
    told = np.concatenate([piece.corners[:1], *both_orders(piece.corners[1:], piece.square)])
    seen = np.where(piece.corners_seen, 1.0, HIDDEN)
    seen = np.concatenate([seen[:1], *both_orders_of(seen[1:], piece)])
    count = len(around)
    offsets = (told - cells_to_px(around.astype(np.float64), WORD_STRIDE)[:, None]) / OFFSET_UNIT
    apart = ((around - place) ** 2).sum(1)
    return Words(
        floor=np.full(count, Floor.UNDER if piece.under else Floor.TOP, np.int64),
        row=around[:, 1],
        column=around[:, 0],
        weight=np.exp(-apart / (2 * AROUND**2)).astype(np.float32),
        offsets=offsets.reshape(count, 18).astype(np.float32),
        offset_weight=np.tile(np.repeat(seen, 2), (count, 1)).astype(np.float32),
        lying=np.full(count, {"upright": 0, "lying": 1}.get(piece.posture, IGNORED), np.float32),
        color=np.full(count, piece.color, np.int64),
        size=np.full(count, piece.size, np.int64),
        visible=np.full(count, piece.visible, np.float32),
    )


def both_orders_of(values: Array, piece: TruePiece) -> Iterator[Array]:
    """(4,) values of the base corners, put into both orders in which the corners are told."""
    base = piece.corners[1:]
    for order in both_orders(base, piece.square):
        yield values[np.linalg.norm(order[:, None] - base, axis=-1).argmin(1)]


def _joined(words: list[Words]) -> Words:
    """All in one list; of a cell between two pieces the nearer one is spoken."""
    integer, real = np.zeros(0, np.int64), np.zeros(0, np.float32)
    offsets = np.zeros((0, 18), np.float32)
    none = Words(integer, integer, integer, real, offsets, offsets, real, integer, integer, real)
    every = {name: np.concatenate([getattr(part, name) for part in (none, *words)]) for name in NAMES}
    nearest_last = np.argsort(every["weight"], kind="stable")
    cells = np.stack([every["floor"], every["row"], every["column"]], axis=1)[nearest_last][::-1]
    kept = nearest_last[::-1][np.unique(cells, axis=0, return_index=True)[1]]
    return Words(**{name: values[kept] for name, values in every.items()})


NAMES = tuple(field.name for field in fields(Words))
