"""From a picture to the Settlers board with everything on it, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from vision.camera import Camera
from vision.finding.bank import fit_to_kit
from vision.finding.beside import find_beside
from vision.finding.board import FoundBoard, board_at, find_board
from vision.finding.board_camera import camera_over
from vision.finding.colors import Image
from vision.finding.fields import OFFICIAL_FIELD, ReadFields, read_fields
from vision.finding.fields_kit import Kind
from vision.finding.fields_shapes import shrunk as shrunk_camera
from vision.finding.scene import Piece
from vision.finding.telling import seen_piece
from vision.sight import ImageSide, Role, SeenBoard, SeenPiece, Sight
from vision.solids import Array, Posture
from vision.stages import Stopwatch, shrunk

BESIDE_CONFIDENCE = 0.9  # in a piece off the board, which is told without alternatives
LONGEST = 1280  # px, longer side at which the board is looked for

NO_BOARD = (
    "No board of 6 × 6 light and dark fields could be found; photograph all of it from above with most corners of "
    "its fields in sight, or mark its four outer corners by hand."
)
BAD_CORNERS = "The four marked corners do not make a board; mark its four outer corners, each once, in any order."


@dataclass(frozen=True, eq=False)
class BoardScene:
    """A board with the ships on it and the camera that saw them, all in the picture's own pixels."""

    board: SeenBoard
    pieces: tuple[SeenPiece, ...]
    camera: Camera
    seconds: Mapping[str, float]


def see_board(
    image: Image,
    *,
    south: ImageSide = ImageSide.BOTTOM,
    kit: Mapping[Kind, int],
    corners: Array | None = None,
    bank: bool = True,
) -> Sight:
    """Reads the board and the ships on it.

    Args:
        image: (H, W, 3) uint8 BGR, upright.
        south: the side of the image nearest to South.
        kit: how many of each kind of piece exist.
        corners: (4, 2) px, the board's outer corners marked by hand, in any order.
        bank: whether to look beside the board, too.

    Returns:
        What was seen; ``trouble`` says what to do when there is no board.
    """
    size = (image.shape[1], image.shape[0])
    scene = board_scene(image, south=south, kit=kit, corners=corners, bank=bank)
    if scene is None:
        return Sight(size, trouble=NO_BOARD if corners is None else BAD_CORNERS)
    return Sight(size, scene.pieces, board=scene.board, seconds=scene.seconds)


def board_scene(
    image: Image, *, south: ImageSide, kit: Mapping[Kind, int], corners: Array | None = None, bank: bool = True
) -> BoardScene | None:
    """The board, its ships and the camera; ``None`` without a board. Arguments as for :func:`see_board`."""
    watch = Stopwatch()
    size = (image.shape[1], image.shape[0])
    factor = min(1.0, LONGEST / max(size))
    small = shrunk(image, factor)
    with watch("board"):
        found = _board(small, south, None if corners is None else (np.asarray(corners) + 0.5) * factor - 0.5)
    if found is None:
        return None
    with watch("camera"):
        camera = camera_over(found.H, (small.shape[1], small.shape[0]), OFFICIAL_FIELD)
    with watch("fields"):
        read = read_fields(small, found, camera, kit)
    with watch("bank"):
        ships = [np.array(piece.outline) for piece in read.pieces]
        others = find_beside(small, read.camera, found.corners, ships) if bank else []
        beside = [_beside(piece, read.camera) for piece in others]
    everything = replace(read, pieces=fit_to_kit((*read.pieces, *beside), kit))
    return _enlarged(found, everything, factor, size, watch.seconds)


def _beside(piece: Piece, camera: Camera) -> SeenPiece:
    """A piece off the board: the bank when upright."""
    role = Role.BANK if piece.pose.posture is Posture.UPRIGHT else Role.LOOSE
    return seen_piece(piece, camera, role=role, enlarge=1.0, judged=(BESIDE_CONFIDENCE, ()))


def _board(image: Image, south: ImageSide, corners: Array | None) -> FoundBoard | None:
    return find_board(image, south) if corners is None else board_at(image, corners, south)


def _enlarged(
    found: FoundBoard, read: ReadFields, factor: float, size: tuple[int, int], seconds: Mapping[str, float]
) -> BoardScene:
    """What was read in the shrunk picture, in the pixels of the whole one."""
    pieces = tuple(_enlarged_piece(piece, factor) for piece in read.pieces)
    corners = (found.corners + 0.5) / factor - 0.5
    camera = shrunk_camera(read.camera, 1 / factor, (0.0, 0.0), size)
    return BoardScene(SeenBoard(corners, read.field_mm, found.confidence), pieces, camera, dict(seconds))


def _enlarged_piece(piece: SeenPiece, factor: float) -> SeenPiece:
    def up(point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] + 0.5) / factor - 0.5, (point[1] + 0.5) / factor - 0.5

    outline = tuple(up(point) for point in piece.outline)
    return replace(piece, center=up(piece.center), tip=up(piece.tip), outline=outline)
