"""Draws a reading onto its photo, so that a person sees at a glance what was read and where to look.

Colour is never the only mark: every piece carries its colour letter and its pips; South's labels are black on white,
North's white on black, and an arrowhead stands at each ship's tip; what is unsure is dashed and has a “?”.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.pen import BLACK, WHITE, Pen, Points, PointXY
from companion_app.photos import Photo
from companion_app.reading_types import Reading, ReadPiece
from companion_app.star_names import names_of
from vision.sight import Role, Seat
from vision.solids import Color, Posture

LINES = {
    Color.RED: (90, 90, 255),
    Color.YELLOW: (60, 225, 255),
    Color.GREEN: (110, 235, 110),
    Color.BLUE: (255, 175, 80),
}
PLATES = {Seat.SOUTH: (BLACK, WHITE), Seat.NORTH: (WHITE, BLACK)}  # (ink, paper)


def annotate(image: Photo, reading: Reading) -> Photo:
    """A copy of *image*, (H, W, 3) BGR, with the reading drawn on it; the reading is in the image's own pixels."""
    return drawn_onto(image.copy(), reading)


def drawn_onto(image: Photo, reading: Reading) -> Photo:
    """The *image* itself, with the reading drawn on it."""
    pen = Pen(image)
    unsure = {question.piece for question in reading.questions}
    _draw_legend(pen, reading)
    _draw_grid(pen, reading)
    for index, piece in enumerate(reading.pieces):
        _draw_outline(pen, piece, dashed=index in unsure)
    for index, piece in sorted(enumerate(reading.pieces), key=lambda item: not item[1].on_table):
        _draw_label(pen, piece, unsure=index in unsure)
    _name_files_and_ranks(pen, reading)
    _draw_systems(pen, reading)
    return pen.finished()


def _draw_outline(pen: Pen, piece: ReadPiece, dashed: bool) -> None:
    if len(piece.outline) >= 3:
        thin = piece.role is Role.BANK
        pen.polygon(np.array(piece.outline), LINES[piece.color], width=0.6 if thin else 1.0, dashed=dashed)
    if piece.role is Role.SHIP and piece.posture is Posture.LYING and piece.owner:
        ink, paper = PLATES[piece.owner]
        pen.arrow_from(_middle(piece), np.array(piece.tip), paper, ink)


def _draw_label(pen: Pen, piece: ReadPiece, unsure: bool) -> None:
    text = f"{piece.color.value[0].upper()}{int(piece.size)}" + ("?" if unsure else "")
    ink, paper = PLATES[piece.owner] if piece.owner else (WHITE, None)
    pen.text(text, _middle(piece), ink, paper, scale=0.6 if piece.role is Role.BANK else 1.0)


def _middle(piece: ReadPiece) -> PointXY:
    """Where the piece's body is: a little towards the base from the middle of its outline."""
    center, tip = np.array(piece.center), np.array(piece.tip)
    return np.asarray(center + (center - tip) * (0.15 if piece.posture is Posture.LYING else 0.0))


def _draw_grid(pen: Pen, reading: Reading) -> None:
    if reading.board:
        to_image = _board_to_image(reading)
        for i in range(7):
            for ends in (((i, 0), (i, 6)), ((0, i), (6, i))):
                start, end = _through(to_image, ends)
                pen.line(start, end, WHITE, width=0.5)


def _name_files_and_ranks(pen: Pen, reading: Reading) -> None:
    """Their letters and numbers, along South's two edges of the board."""
    if reading.board:
        to_image = _board_to_image(reading)
        files = _through(to_image, [(i + 0.5, -0.3) for i in range(6)])
        ranks = _through(to_image, [(-0.3, i + 0.5) for i in range(6)])
        for i in range(6):
            pen.text("abcdef"[i], files[i], WHITE)
            pen.text(str(i + 1), ranks[i], WHITE)


def _board_to_image(reading: Reading) -> NDArray[np.float64]:
    """(3, 3) from fields (files along x, ranks along y, a1's outer corner at 0, 0) to pixels."""
    corners = np.array(reading.board, np.float32)
    fields = np.array([(0, 0), (6, 0), (6, 6), (0, 6)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(fields, corners), np.float64)


def _through(transform: NDArray[np.float64], points: Sequence[tuple[float, float]]) -> Points:
    homogeneous = np.insert(np.array(points, np.float64), 2, 1.0, axis=1) @ transform.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def _draw_systems(pen: Pen, reading: Reading) -> None:
    """A line around each star system, with its name in the position line."""
    names = names_of(reading.systems)
    members: dict[int, list[Points]] = defaultdict(list)
    for piece in reading.pieces:
        if piece.system in names and len(piece.outline) >= 3:
            members[piece.system].append(np.array(piece.outline))
    for number, outlines in members.items():
        hull = cv2.convexHull(np.concatenate(outlines).astype(np.float32))[:, 0].astype(np.float64)
        middle = hull.mean(0)
        away = hull - middle
        grown = hull + away / np.maximum(1e-6, np.linalg.norm(away, axis=1, keepdims=True)) * 9 * pen.unit
        pen.polygon(grown, WHITE, width=0.6)
        top = np.array([middle[0], grown[:, 1].min() - 12 * pen.unit])
        pen.text(names[number], top, WHITE, scale=0.8)


def _draw_legend(pen: Pen, reading: Reading) -> None:
    """Whose labels are which, with the score where the game has one."""
    for row, seat in enumerate((Seat.SOUTH, Seat.NORTH)):
        text = seat.value.title()
        if reading.score is not None:
            text += f" {reading.score[seat]}"
        ink, paper = PLATES[seat]
        pen.corner_text(text, row, ink, paper, scale=1.5 if reading.score else 1.1)
