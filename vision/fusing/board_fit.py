"""The board from what the eyes see of it: the crossings of its lines tell where it lies, and the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.finding.board import SIDE, FoundBoard, board_at, find_board
from vision.finding.board_camera import camera_over, fields_to_mm
from vision.finding.board_lattice import apply, fit_homography
from vision.fusing.crossing_lattice import board_corners, find_lattice
from vision.fusing.plane_camera import camera_from_points
from vision.sight import ImageSide
from vision.solids import Array

REACH = 0.22  # of a field: how far a crossing may lie from where it is expected
ENOUGH = 10  # crossings of the 49 that tell the camera

_LATTICE = np.array([[u, v] for u in range(SIDE + 1) for v in range(SIDE + 1)], dtype=np.float64)
_ALONG, _ACROSS = np.array([0.5, 0.0]), np.array([0.0, 0.5])
_CORNERS = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class BoardFit:
    """The board and the camera over it, as if its fields had the size asked for."""

    found: FoundBoard
    camera: Camera

    def turned(self, south: ImageSide) -> BoardFit:
        """The same board with its other two corners before the players."""
        left, right = (self._around(quarters) for quarters in (1, 3))
        ahead = np.array(south.direction)
        return max((left, right), key=lambda fit: float((fit.found.corners[0] - fit.found.corners[2]) @ ahead))

    def _around(self, quarters: int) -> BoardFit:
        """The same with the corner *quarters* places on, counted a1, f1, f6, a6, as a1."""
        turn = fit_homography(_CORNERS, np.roll(_CORNERS, -quarters, axis=0))
        assert turn is not None
        angle = np.radians(90.0 * quarters)
        about = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
        camera = replace(self.camera, R=self.camera.R @ about)
        return BoardFit(replace(self.found, H=np.asarray(self.found.H @ turn)), camera)


def fit_board(
    image: NDArray[np.uint8], detections: Detections, south: ImageSide, field_mm: float, corners: Array | None = None
) -> BoardFit | None:
    """The board in a (H, W, 3) picture and the camera; ``None`` without one.

    Args:
        detections: in the picture's own px.
        corners: (4, 2) px marked by hand, in any order, to be believed instead of what is seen.
    """
    size = (image.shape[1], image.shape[0])
    if corners is not None:
        found = board_at(image, corners, south)
    else:
        found = _by_crossings(image, detections, south) or find_board(image, south)
    if found is None:
        return None
    camera = camera_over(found.H, size, field_mm)
    pairs = _paired(found.H, detections.crossings[:, :2], REACH)
    if len(pairs) >= ENOUGH:
        lattice, pixels = pairs[:, :2], pairs[:, 2:]
        camera = camera_from_points(camera, apply(fields_to_mm(field_mm), lattice), pixels)
    return BoardFit(found, camera)


def _by_crossings(image: NDArray[np.uint8], detections: Detections, south: ImageSide) -> FoundBoard | None:
    """The board where the eyes see its lines cross."""
    lattice = find_lattice(detections.crossings[:, :2])
    if lattice is None:
        return None
    return board_at(image, board_corners(lattice, detections.board, detections.cell), south)


def _paired(H: Array, crossings: Array, reach: float) -> Array:
    """(M, 4) lattice points that *H* brings near a crossing, with that crossing's px: each with its nearest."""
    if not len(crossings):
        return np.zeros((0, 4))
    expected = apply(H, _LATTICE)
    field = np.minimum(
        np.linalg.norm(apply(H, _LATTICE + _ALONG) - apply(H, _LATTICE - _ALONG), axis=1),
        np.linalg.norm(apply(H, _LATTICE + _ACROSS) - apply(H, _LATTICE - _ACROSS), axis=1),
    )
    apart = np.linalg.norm(expected[:, None] - crossings, axis=-1)
    nearest = apart.argmin(1)
    mutual = apart.argmin(0)[nearest] == np.arange(len(_LATTICE))
    near = (apart[np.arange(len(_LATTICE)), nearest] < reach * field) & mutual
    return np.column_stack([_LATTICE[near], crossings[nearest[near]]])
