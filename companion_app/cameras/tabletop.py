"""A virtual table on which pieces stay where they lie while others are moved, under one camera that stays too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion_app.photos import Photo
from vision.camera import Camera
from vision.solids import Color
from vision.virtual import FIELD, BoardLayout, Layout, View
from vision.virtual.arrange import PlacedPiece, arrange_board, arrange_systems, board_corners
from vision.virtual.draw import (
    SHARP,
    Plastic,
    cast_shadows,
    far_to_near,
    paint_board,
    paint_piece,
    paint_table,
)
from vision.virtual.photograph import AZIMUTH, BOARD_MARGIN, finer, light_of
from vision.virtual.tables import board_top, table_top, texture_to_mm

ROOM = 0.80  # of the picture is filled by what lies there at first: systems are founded further out
COLORS = {
    Color.RED: (0.15, 0.14, 0.80),
    Color.YELLOW: (0.11, 0.78, 0.95),
    Color.GREEN: (0.16, 0.55, 0.10),
    Color.BLUE: (0.66, 0.29, 0.10),
}
"""Blue, green, red from 0 to 1."""


@dataclass(frozen=True)
class Tabletop:
    """Everything that a camera over a table sees.

    Attributes:
        pieces: where they lie, in the table frame; change them with :func:`dataclasses.replace`.
        board: whether the board of Settlers lies under them.
        camera: the same for the whole game.
        view: table top, board, light and plastic; its camera and noise do not count here.
        seed: of the table's grain.
    """

    pieces: tuple[PlacedPiece, ...]
    board: bool
    camera: Camera
    view: View
    seed: int = 0

    @classmethod
    def of(cls, layout: Layout, *, seed: int = 0, view: View | None = None) -> Tabletop:
        """*layout* set out as people would, under a camera that sees all of it with room around."""
        view = view or View.random(seed)
        rng = np.random.default_rng([seed, 0x7AB1])
        if isinstance(layout, BoardLayout):
            pieces, board = arrange_board(layout, rng, view.sloppiness), True
        else:
            pieces, board = arrange_systems(layout, rng, view.sloppiness), False
        return cls(tuple(pieces), board, _over(pieces, view, board), view, seed)

    def shoved(self, system: int, across: float, along: float) -> Tabletop:
        """The table with all pieces of a system pushed *across* mm to the right and *along* mm away from South."""
        pieces = tuple(
            replace(piece, pose=replace(piece.pose, x=piece.pose.x + across, y=piece.pose.y + along))
            if piece.system == system
            else piece
            for piece in self.pieces
        )
        return replace(self, pieces=pieces)

    def picture(self) -> Photo:
        """(H, W, 3) BGR, without noise; always the same for the same table. Takes a good part of a second."""
        rng = np.random.default_rng([self.seed, 0x70F])
        light = light_of(self.view)
        plastic = Plastic({color: np.array(bgr) for color, bgr in COLORS.items()}, self.view.opacity)
        fine = finer(self.camera, SHARP)
        canvas = paint_table(table_top(self.view.table, rng), texture_to_mm(), fine)
        if self.board:
            corners = board_corners() * (1 + BOARD_MARGIN / (3 * FIELD))
            paint_board(canvas, board_top(self.view.board, FIELD, BOARD_MARGIN, rng), corners, fine)
        canvas = cast_shadows(canvas, self.pieces, fine, light, plastic)
        for index in far_to_near(self.pieces, fine):
            paint_piece(canvas, self.pieces[index], fine, light, plastic)
        lit = cv2.resize(canvas, self.camera.size, interpolation=cv2.INTER_AREA) * light.tint
        return np.asarray(np.clip(lit, 0, 255), np.uint8)


def _over(pieces: Sequence[PlacedPiece], view: View, board: bool) -> Camera:
    """A camera over the middle of everything, as near as it can be with ``ROOM``."""
    points = [piece.pose.vertices() for piece in pieces] + ([board_corners()] if board else [])
    cloud = np.concatenate(points or [board_corners()])
    half = np.array([view.width, view.height]) / 2
    target, distance = (cloud[:, :2].min(0) + cloud[:, :2].max(0)) / 2, 1000.0
    for _ in range(20):
        camera = Camera.looking_at(
            (float(target[0]), float(target[1])),
            azimuth_deg=AZIMUTH[view.south] + view.swing_deg,
            elevation_deg=view.elevation_deg,
            distance=distance,
            focal=float(half[0]) / math.tan(math.radians(view.hfov_deg) / 2),
            size=(view.width, view.height),
            roll_deg=view.roll_deg,
        )
        seen = camera.project(cloud)
        low, high = seen.min(0), seen.max(0)
        target = camera.to_plane(((low + high) / 2)[None])[0]
        distance *= float(np.max((high - low) / 2 / half)) / ROOM
    return camera
