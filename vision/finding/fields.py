"""What lies on each field of a board: nothing, or a ship of some colour, size and owner."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.camera import Camera
from vision.finding.board import SIDE, FoundBoard
from vision.finding.board_camera import rescaled
from vision.finding.colors import COLORS, Image
from vision.finding.fields_fit import fit_fields, fit_quality, rough_worth
from vision.finding.fields_kit import Kind, chances, within_kit
from vision.finding.fields_plastic import Plastic, map_plastic
from vision.finding.fields_scene import Guess, Scene
from vision.finding.fields_shapes import shrunk
from vision.poses import Pose
from vision.sight import Alternative, Role, SeenPiece
from vision.solids import Posture

OFFICIAL_FIELD = 34.29  # mm: 1.35 in
OTHER_FIELDS = (30.0, 32.0, 36.7, 39.3, 42.0, 45.0)  # mm, boards that people have at home
GOOD_FIT = 0.81  # share of the outlines that plastic fills; with fields of another size it is less
CLEARLY_BETTER = 1.05  # how many times the worth another size of fields must reach
FIELD_PX = 42.0  # side of a field at which plastic is looked at
SEEN_ALTERNATIVE = 0.01  # probability from which another reading is told


@dataclass(frozen=True, eq=False)
class ReadFields:
    """The ships on a board, the size of its fields, and the camera in the true scale."""

    pieces: tuple[SeenPiece, ...]
    field_mm: float
    camera: Camera


def read_fields(image: Image, board: FoundBoard, camera: Camera, kit: Mapping[Kind, int]) -> ReadFields:
    """Reads all 36 fields of a (H, W, 3) BGR picture.

    Args:
        camera: over the board, as if its fields had the official size.
        kit: how many of each kind of piece exist.
    """
    side = math.sqrt(cv2.contourArea(board.corners.astype(np.float32))) / SIDE
    factor = min(1.0, FIELD_PX / side)
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) if factor < 1 else image
    size = (small.shape[1], small.shape[0])
    low = shrunk(camera, factor, (0.0, 0.0), size)
    plastic = map_plastic(np.asarray(small, dtype=np.uint8), _shrunk_board(board, factor), low)
    scene = _scene(plastic, low, OFFICIAL_FIELD)
    fields = fit_fields(scene)
    if fields and fit_quality(scene, fields) < GOOD_FIT:
        other = max((_scene(plastic, low, mm) for mm in OTHER_FIELDS), key=rough_worth)
        if rough_worth(other) > CLEARLY_BETTER * rough_worth(scene):
            scene, fields = other, fit_fields(other)
    true = rescaled(camera, scene.field_mm / OFFICIAL_FIELD)
    settled = within_kit(fields, kit)
    pieces = tuple(_seen(guesses, true) for _, guesses in sorted(settled.items()))
    return ReadFields(pieces, scene.field_mm, true)


def _scene(plastic: Plastic, camera: Camera, field_mm: float) -> Scene:
    """The part of the picture with the plastic, its fields being *field_mm* wide."""
    size = (plastic.worth.shape[2], plastic.worth.shape[1])
    part = shrunk(rescaled(camera, field_mm / OFFICIAL_FIELD), 1.0, plastic.corner, size)
    return Scene(plastic, part, field_mm)


def _shrunk_board(board: FoundBoard, factor: float) -> FoundBoard:
    shift = 0.5 * factor - 0.5
    return replace(board, H=np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]]) @ board.H)


def _seen(guesses: list[Guess], camera: Camera) -> SeenPiece:
    """The chosen guess as a piece, its rivals as alternatives."""
    chosen, shares = guesses[0], chances(guesses)
    pose: Pose = chosen.pose
    pixels = pose.keypoints(camera)
    outline = pose.outline(camera)
    center = (outline.min(0) + outline.max(0)) / 2
    color, size, owner = chosen.kind
    return SeenPiece(
        color=COLORS[color],
        size=size,
        posture=Posture.LYING,
        role=Role.SHIP,
        owner=owner,
        center=(float(center[0]), float(center[1])),
        tip=(float(pixels[0, 0]), float(pixels[0, 1])),
        outline=tuple((float(x), float(y)) for x, y in outline),
        heading_deg=pose.heading_deg % 360,
        place=(pose.x, pose.y),
        cell=chosen.cell,
        confidence=shares[0],
        alternatives=tuple(
            Alternative(COLORS[guess.color], guess.pose.size, Posture.LYING, guess.kind[2], share)
            for guess, share in zip(guesses[1:], shares[1:], strict=True)
            if share >= SEEN_ALTERNATIVE
        ),
    )
