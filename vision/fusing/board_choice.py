"""Of several places where the board may lie, the one that explains best what the eyes see of it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.finding.board import ONE_BOARD, SIDE
from vision.finding.board_camera import FOCAL_SPREAD, USUAL_FOCAL, camera_over, fields_to_mm
from vision.finding.board_lattice import apply, fit_homography
from vision.fusing.plane_camera import camera_from_points
from vision.fusing.table_fit import CLEAR
from vision.solids import Array

LATTICE = np.array([[u, v] for u in range(SIDE + 1) for v in range(SIDE + 1)], dtype=np.float64)
REACH = 0.22  # of a field: how far a crossing may lie from where it is expected
REACHES = (0.45, 0.35, 0.25, REACH)  # while the camera is being sought
FEWEST = 8  # crossings by which a place is judged
AREA_WORTH = 28.0  # crossings; of an area that is all board, with none around it
SHIPS_WORTH = 16.0  # crossings; of all ships that are clearly seen lying beside it
SMALLEST = 50  # cells of the map of areas
OVER_THE_EDGE = 0.3  # of a field: so far beyond it a ship on the board may seem to lie, seen from low down
BESIDE = 1e9  # fields, where nothing of a board is
ON_A_LINE = 0.12  # of a field, by which the crossings of a cloth's lines may be off

_ALONG, _ACROSS = np.array([0.5, 0.0]), np.array([0.0, 0.5])
_RING = np.array([[-1, -1], [SIDE + 1, -1], [SIDE + 1, SIDE + 1], [-1, SIDE + 1]], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Place:
    """A place of the board.

    Attributes:
        corners: (4, 2) px around it, against the clock as seen from above.
        camera: over it, its table frame as of a board with fields of 1 mm whose a1 is the first of the corners.
        worth: how many crossings it explains, with what else speaks for it, counted in crossings.
    """

    corners: Array
    camera: Camera
    worth: float


def best_place(
    boards: Iterable[Array], detections: Detections, size_px: tuple[int, int], closely: int
) -> Place | None:
    """The best of the *boards*, (4, 2) px each, drawn to where the crossings are; ``None`` if none can be judged.

    Args:
        closely: how many of them, the likeliest at a glance, are looked at closely.
    """
    maps = [fit_homography(ONE_BOARD, _against_the_clock(corners)) for corners in boards]
    rough = [H for H in maps if H is not None and np.isfinite(H).all()]
    likely = sorted(rough, key=lambda H: -_seen_worth(H, detections))[:closely]
    places = (_place(H, detections, size_px) for H in likely)
    return max((place for place in places if place is not None), key=lambda place: place.worth, default=None)


def _against_the_clock(corners: Array) -> Array:
    """Four corners in the order a1, f1, f6, a6, whichever may be a1; with y down that is a negative area."""
    (ax, ay), (bx, by) = corners[1] - corners[0], corners[3] - corners[0]
    order = [0, 1, 2, 3] if ax * by - ay * bx < 0 else [0, 3, 2, 1]
    return np.asarray(corners[order], dtype=np.float64)


def paired(H: Array, crossings: Array, reach: float) -> Array:
    """(M, 4) lattice points that *H* brings near a crossing, with that crossing's px: each with its nearest."""
    if not len(crossings):
        return np.zeros((0, 4))
    expected = apply(H, LATTICE)
    apart = np.linalg.norm(expected[:, None] - crossings, axis=-1)
    nearest = apart.argmin(1)
    mutual = apart.argmin(0)[nearest] == np.arange(len(LATTICE))
    near = (apart[np.arange(len(LATTICE)), nearest] < reach * _widths(H)) & mutual
    return np.column_stack([LATTICE[near], crossings[nearest[near]]])


def off_the_lines(H: Array, crossings: Array) -> Array:
    """(M, 2) px of the *crossings* (N, 2) that do not belong to a cloth whose lines go on from those of *H*."""
    fields = _in_fields(H, crossings)
    return np.asarray(crossings[np.abs(fields - np.round(fields)).max(axis=1, initial=0) > ON_A_LINE])


def _widths(H: Array) -> Array:
    """(49,) px of a field around each lattice point, the narrower way."""
    ways = [apply(H, LATTICE + half) - apply(H, LATTICE - half) for half in (_ALONG, _ACROSS)]
    return np.asarray(np.linalg.norm(ways, axis=-1).min(axis=0), dtype=np.float64)


def _place(H: Array, detections: Detections, size_px: tuple[int, int]) -> Place | None:
    camera = camera_over(H, size_px, 1.0)
    crossings = detections.crossings[:, :2]
    for reach in REACHES:
        pairs = paired(_seen_through(camera), crossings, reach)
        if len(pairs) < FEWEST:
            return None
        camera = camera_from_points(camera, apply(fields_to_mm(1.0), pairs[:, :2]), pairs[:, 2:])
    H = _seen_through(camera)
    lens = (math.log(camera.focal / max(size_px) / USUAL_FOCAL) / FOCAL_SPREAD) ** 2
    worth = _seen_worth(H, detections) - lens
    return Place(apply(H, ONE_BOARD), camera, worth) if math.isfinite(worth) else None


def _seen_through(camera: Camera) -> Array:
    """(3, 3) from fields to px under a camera over a board with fields of 1 mm, the bend of its lens aside."""
    ground = np.column_stack([apply(fields_to_mm(1.0), ONE_BOARD), np.zeros(len(ONE_BOARD))])
    pixels = camera.project(ground)
    H = cv2.getPerspectiveTransform(ONE_BOARD.astype(np.float32), pixels.astype(np.float32))
    return np.asarray(H, dtype=np.float64)


def _seen_worth(H: Array, detections: Detections) -> float:
    """What the eyes see of a board that lies there, in crossings explained."""
    area = _area(H, detections.board, detections.cell)
    return _explained(H, detections.crossings[:, :2]) + AREA_WORTH * area - SHIPS_WORTH * ships_beside(H, detections)


def _explained(H: Array, crossings: Array) -> float:
    """How many crossings are where they should be; those somewhat aside count less."""
    pairs = paired(H, crossings, REACH)
    reach = REACH * math.sqrt(abs(cv2.contourArea(apply(H, ONE_BOARD).astype(np.float32)))) / SIDE
    off = np.linalg.norm(apply(H, pairs[:, :2]) - pairs[:, 2:], axis=1) / max(reach, 1e-9)
    return float(np.clip(1 - off, 0, 1).sum())


def _area(H: Array, board: NDArray[np.float32], cell: float) -> float:
    """How much more board there is in its area than in the ring of one field around it, -1 to 1."""
    inside, wider = (_filled(apply(H, ring) / cell, board.shape) for ring in (ONE_BOARD, _RING))
    around = wider & ~inside
    if inside.sum() < SMALLEST:
        return -math.inf
    return float(board[inside].mean() - (board[around].mean() if around.any() else 0.0))


def ships_beside(H: Array, detections: Detections) -> float:
    """Which share of the ships that are clearly seen lies beside a board at *H*: on a chequered cloth, nearly all."""
    ships = np.flatnonzero((detections.score >= CLEAR) & (detections.lying > 0.5))
    fields = _in_fields(H, detections.corners[ships].mean(axis=1))
    on_board = (np.abs(fields - SIDE / 2) < SIDE / 2 + OVER_THE_EDGE).all(axis=1)
    return float(1 - on_board.mean()) if len(ships) else 0.0


def _in_fields(H: Array, pixels: Array) -> Array:
    """(N, 2) px on the board at *H*, in fields; beside it where *H* sees the board from its edge."""
    if np.linalg.det(H) == 0:
        return np.full(pixels.shape, BESIDE)
    return apply(np.asarray(np.linalg.inv(H), dtype=np.float64), pixels)


def _filled(ring: Array, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(rows, columns) where a quadrilateral is; nowhere, if it reaches beyond all measure."""
    mask = np.zeros(shape, np.uint8)
    if np.abs(ring).max() < 100 * max(shape):
        cv2.fillConvexPoly(mask, np.round(ring).astype(np.int32), 1)
    return mask > 0
