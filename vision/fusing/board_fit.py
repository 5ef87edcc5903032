"""The board from what the eyes see of it: where it lies, and the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.finding.board import ONE_BOARD, FoundBoard, board_at, board_marked, find_board
from vision.finding.board_camera import camera_over, fields_to_mm, rescaled
from vision.finding.board_lattice import apply, fit_homography
from vision.fusing.board_choice import REACH, Place, best_place, off_the_lines, paired, ships_beside
from vision.fusing.crossing_lattice import boards_of_crossings
from vision.fusing.piece_lattice import boards_under_ships
from vision.fusing.plane_camera import camera_from_points
from vision.sight import ImageSide
from vision.solids import Array

ENOUGH = 10  # crossings of the 49 that tell the camera
ELSEWHERE = 1 / 3  # of the ships: with so many beside it, it may be no board
LEAST, FAIR, SURE = 15.0, 30.0, 40.0  # crossings that a place is worth: a board at all; a likely one; no doubt


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
        turn = fit_homography(ONE_BOARD, np.roll(ONE_BOARD, -quarters, axis=0))
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
        found = board_marked(image, corners, south)
        return None if found is None else _under_a_camera(found, detections, size, field_mm)
    place = _seen_place(detections, size, south)
    if place is not None and place.worth >= FAIR:
        return _as_played(image, place, south, field_mm)
    found = find_board(image, south)
    if found is not None:
        place = _better(place, best_place([found.corners], detections, size, closely=1))
    if place is not None and place.worth >= LEAST:
        return _as_played(image, place, south, field_mm)
    return None if found is None else _under_a_camera(found, detections, size, field_mm)


def _seen_place(detections: Detections, size: tuple[int, int], south: ImageSide) -> Place | None:
    """Where the eyes see its lines cross; if that leaves a doubt, also where ships tell that it lies.

    If most of them lie elsewhere, those lines may be a chequered cloth's: then also where others cross.
    """
    crossings = detections.crossings[:, :2]
    place = best_place(boards_of_crossings(crossings), detections, size, closely=2)
    if place is not None and place.worth >= SURE:
        return place
    place = _better(place, best_place(boards_under_ships(detections, size, south), detections, size, closely=4))
    H = None if place is None else fit_homography(ONE_BOARD, place.corners)
    if H is None or ships_beside(H, detections) < ELSEWHERE:
        return place
    others = boards_of_crossings(off_the_lines(H, crossings))
    return _better(place, best_place(others, detections, size, closely=2))


def _better(one: Place | None, other: Place | None) -> Place | None:
    return max((place for place in (one, other) if place), key=lambda place: place.worth, default=None)


def _as_played(image: NDArray[np.uint8], place: Place, south: ImageSide, field_mm: float) -> BoardFit | None:
    """The board in that place, its dark corner before South."""
    found = board_at(image, place.corners, south)
    if found is None:
        return None
    first = int(np.linalg.norm(place.corners - found.corners[0], axis=1).argmin())
    H = fit_homography(ONE_BOARD, place.corners)
    assert H is not None
    return BoardFit(replace(found, H=H), rescaled(place.camera, field_mm))._around(first)


def _under_a_camera(found: FoundBoard, detections: Detections, size: tuple[int, int], field_mm: float) -> BoardFit:
    camera = camera_over(found.H, size, field_mm)
    pairs = paired(found.H, detections.crossings[:, :2], REACH)
    if len(pairs) >= ENOUGH:
        camera = camera_from_points(camera, apply(fields_to_mm(field_mm), pairs[:, :2]), pairs[:, 2:])
    return BoardFit(found, camera)
