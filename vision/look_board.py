"""Reads a Settlers board with trained eyes: the board first, then every ship under the camera that it tells."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.eyes.eyes import Eyes
from vision.eyes.sharpen import sharpened
from vision.finding.board import SIDE
from vision.finding.board_camera import rescaled
from vision.finding.footprints import middles_on_board, on_board
from vision.fusing.believing import of_the_four_colors, standing_on_the_table
from vision.fusing.board_fit import BoardFit, fit_board
from vision.fusing.expecting import looked_again
from vision.fusing.field_width import OFFICIAL_FIELD, field_width
from vision.fusing.one_light import shades_of, under_one_light
from vision.fusing.own_field import NOWHERE, fields_of, one_on_each
from vision.fusing.placed import Placed, told
from vision.fusing.presence import gathered, weighed
from vision.fusing.sizing import lying_chances, size_chances
from vision.fusing.table_fit import CLEAR, TableFit, fit_table
from vision.fusing.token import side_of_token
from vision.fusing.whole_set import Kit, within_the_set
from vision.poses import Pose
from vision.sight import ImageSide, Role, SeenBoard, Sight
from vision.solids import Array, Posture
from vision.stages import Stopwatch

WITNESSES = 24  # of the clearest ships, which tell how wide the fields are
ATHWART = 0.8  # ships that lie right across, after those that lie along are taken off
SOUTH_AHEAD = 90.0  # degrees, where South's ships point in the frame of a board

NO_BOARD = (
    "No board of 6 × 6 light and dark fields could be found; photograph all of it from above with most corners of "
    "its fields in sight, or mark its four outer corners by hand."
)
BAD_CORNERS = "The four marked corners do not make a board; mark its four outer corners, each once, in any order."


def look_board(
    image: NDArray[np.uint8],
    eyes: Eyes,
    *,
    south: ImageSide,
    kit: Kit,
    corners: Array | None = None,
) -> Sight:
    """Reads the board and what lies on it and beside it in a (H, W, 3) BGR picture.

    Args:
        south: the side of the image nearest to South.
        kit: how many of each kind of piece exist.
        corners: (4, 2) px, the board's outer corners marked by hand, in any order.
    """
    watch = Stopwatch()
    size = (image.shape[1], image.shape[0])
    with watch("eyes"):
        lit = eyes.lit(image)
        seen = sharpened(of_the_four_colors(eyes.look(lit)), image)
    with watch("board"):
        board = fit_board(image, seen, south, OFFICIAL_FIELD, corners)
    if board is None:
        return Sight(size, trouble=NO_BOARD if corners is None else BAD_CORNERS, seconds=watch.seconds)
    with watch("table"):
        first, field_mm = fitted(seen, size, south, board)
        if corners is None and first is not None and _athwart(seen, first, field_mm):
            board = board.turned(south)
            first, field_mm = fitted(seen, size, south, board)
    if first is None:
        return Sight(size, board=_shown(board, field_mm), seconds=watch.seconds)
    with watch("again"):
        fitting = partial(fit_table, size_px=size, south=south, camera=first.camera, field_mm=field_mm)
        seen, fit = looked_again(seen, first, image, lit, eyes, fitting, field_mm)
        seen = weighed(gathered(seen, fit, image, field_mm))
    with watch("fields"):
        placed = _on_fields(seen, fit, field_mm, kit)
    with watch("kinds"):
        pieces = told(under_one_light(placed, shades_of(placed, image)), kit)
    return Sight(size, pieces, board=_shown(board, field_mm), token=side_of_token(placed), seconds=watch.seconds)


def _shown(board: BoardFit, field_mm: float) -> SeenBoard:
    return SeenBoard(board.found.corners, field_mm, board.found.confidence)


def fitted(
    seen: Detections, size: tuple[int, int], south: ImageSide, board: BoardFit
) -> tuple[TableFit | None, float]:
    """The pieces under the camera over the board, its fields as wide as suits the ships; and that width in mm."""
    ships = np.flatnonzero((seen.score >= CLEAR) & (seen.lying > 0.5))[:WITNESSES]
    field_mm = field_width(seen.only(ships), board.camera)
    camera = rescaled(board.camera, field_mm / OFFICIAL_FIELD)
    return fit_table(seen, size, south, camera=camera, field_mm=field_mm), field_mm


def _athwart(seen: Detections, fit: TableFit, field_mm: float) -> bool:
    """Whether most ships point across the diagonal on which the players sit: then it is the other diagonal."""
    reach = SIDE * field_mm / math.sqrt(2)
    headings = [
        pose.heading_deg
        for pose, score in zip(fit.poses, seen.score, strict=True)
        if score >= CLEAR and pose is not None and pose.posture is Posture.LYING and abs(pose.x) + abs(pose.y) < reach
    ]
    return bool(np.cos(2 * np.radians(np.array(headings) - SOUTH_AHEAD)).sum() < -ATHWART)


def _on_fields(seen: Detections, fit: TableFit, field_mm: float, kit: Kit) -> Placed:
    """The pieces on the table, those that lie on the board on their fields."""
    sizes, fields = size_chances(fit, seen), fields_of(fit.poses, field_mm)
    seen = replace(seen, score=one_on_each(fields, seen.score))
    seen, _ = within_the_set(seen, sizes, kit)
    kept = standing_on_the_table(seen, fit)
    poses = tuple(pose for index in kept if (pose := fit.poses[index]) is not None)
    cells = tuple(None if field == NOWHERE else divmod(field, SIDE) for field in fields[kept].tolist())
    on_it = on_board(middles_on_board(poses, field_mm)).tolist()
    roles = tuple(_role(pose, cell, on) for pose, cell, on in zip(poses, cells, on_it, strict=True))
    return Placed(
        detections=seen.only(kept),
        camera=fit.camera,
        poses=poses,
        sizes=sizes[kept],
        lying=lying_chances(fit)[kept],
        axis_deg=SOUTH_AHEAD,
        roles=roles,
        systems=tuple(None for _ in poses),
        cells=cells,
    )


def _role(pose: Pose, cell: tuple[int, int] | None, on_the_board: bool) -> Role:
    if cell is not None:
        return Role.SHIP
    return Role.BANK if pose.posture is Posture.UPRIGHT and not on_the_board else Role.LOOSE
