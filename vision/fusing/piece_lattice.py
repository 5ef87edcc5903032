"""Where a board may lie, told by the ships on it: one on each field, its middle near the field's middle.

On a full board seen from low down hardly a field shows its four corners; the pieces then tell how the table lies, and
on the table the crossings that are to be seen and the middles of the ships belong to one lattice of squares.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.finding.board import ONE_BOARD
from vision.fusing.crossing_lattice import first_corners
from vision.fusing.field_width import WIDTHS
from vision.fusing.table_fit import CLEAR, fit_table
from vision.sight import ImageSide
from vision.solids import Array, Posture

WITNESSES = 40  # of the clearest pieces, that tell how the table lies
FEWEST = 3  # ships that may tell where the fields are
FIELDS = np.exp(np.arange(np.log(WIDTHS[0]), np.log(WIDTHS[-1]), 0.02))  # mm, widths that are tried
TURNS = np.radians(np.arange(0.0, 90.0, 1.5))  # of the lines
STRETCHES = (0.75, 0.87, 1.0, 1.15, 1.32)  # of the table, away from the camera
SLOPPY = 0.5  # what a ship counts beside a crossing: people do not lay them in the middle
REACH = 9.0  # fields of the widest kind from the ships' middle, beyond which no crossing is the board's
OUTSIDE = (10, 90)  # per cent of the ships, between which the board must begin and end: some lie beside it


def boards_under_ships(detections: Detections, size_px: tuple[int, int], south: ImageSide) -> Iterator[Array]:
    """(4, 2) px of the corners of every board on which the ships that are clearly seen may lie, around it.

    Args:
        size_px: (width, height) of the picture.
        south: the image side nearest to South's seat.
    """
    clear = np.flatnonzero(detections.score >= CLEAR)[:WITNESSES]
    fit = fit_table(detections.only(clear), size_px, south) if len(clear) >= FEWEST else None
    if fit is None:
        return
    ships = np.array(
        [pose.footprint().mean(0) for pose in fit.poses if pose is not None and pose.posture is Posture.LYING]
    ).reshape(-1, 2)
    if len(ships) < FEWEST:
        return
    middle = np.median(ships, axis=0)
    crossings = _near(fit.camera, detections.crossings[:, :2], middle)
    to_mm, began = _lattice(ships - middle, crossings - middle, _away(fit.camera, middle))
    low, high = np.percentile((ships - middle) @ np.linalg.inv(to_mm) - began, OUTSIDE, axis=0)
    for corner in first_corners(np.floor(low), np.ceil(high)):
        ground = (ONE_BOARD + corner + began) @ to_mm + middle
        yield fit.camera.project(np.column_stack([ground, np.zeros(len(ground))]))


def _near(camera: Camera, pixels: Array, middle: Array) -> Array:
    """(M, 2) mm of the crossings that may lie on the table near its *middle*."""
    places = camera.to_plane(pixels) if len(pixels) else np.zeros((0, 2))
    far = REACH * FIELDS[-1]
    with np.errstate(invalid="ignore"):
        return np.asarray(places[(np.abs(places - middle) < far).all(1)])


def _away(camera: Camera, middle: Array) -> Array:
    """(2,) the direction on the table in which the camera looks; none from straight above."""
    ahead = middle - camera.position[:2]
    return np.asarray(ahead / max(float(np.linalg.norm(ahead)), 1.0))


def _lattice(ships: Array, crossings: Array, away: Array) -> tuple[Array, Array]:
    """The lattice on which most crossings and, half a field further, most ships are: (2, 2) from fields to mm, and
    (2,) fields where it begins.

    Pieces tell the camera's elevation worst, and so what lies *away* from it may be farther off or nearer.
    """
    found = [_squares(ships @ stretch, crossings @ stretch, stretch) for stretch in _stretches(away)]
    _, to_mm, began = max(found, key=lambda each: each[0])
    return to_mm, began


def _stretches(away: Array) -> list[Array]:
    """(2, 2) each: the table longer or shorter in one direction."""
    return [np.eye(2) + (stretch - 1) * np.outer(away, away) for stretch in STRETCHES]


def _squares(ships: Array, crossings: Array, stretch: Array) -> tuple[float, Array, Array]:
    """How well points agree with the best lattice of squares, its map before the *stretch*, and where it begins."""
    points = np.concatenate([crossings, ships])
    further = np.repeat([0.0, 0.5], [len(crossings), len(ships)])
    counts = np.repeat([1.0, SLOPPY], [len(crossings), len(ships)])
    cosine, sine = np.cos(TURNS), np.sin(TURNS)
    axes = np.stack([np.stack([cosine, sine], -1), np.stack([-sine, cosine], -1)], axis=1)  # (turns, 2, 2)
    along = np.einsum("nk,tik->tin", points, axes)
    agreement = np.array(
        [(counts * np.exp(2j * np.pi * (along / field - further))).sum(-1) for field in FIELDS]
    )  # (fields, turns, 2)
    sums = np.abs(agreement).sum(-1)
    best, turn = np.unravel_index(sums.argmax(), sums.shape)
    to_mm = FIELDS[best] * axes[turn] @ np.linalg.inv(stretch)
    return float(sums[best, turn]), to_mm, np.angle(agreement[best, turn]) / (2 * np.pi)
