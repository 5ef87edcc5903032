"""What stands beside a board whose camera is known: the bank, and pieces that lie about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.camera import Camera
from vision.finding.colors import ELSEWHERE, ColorMap, Image, map_colors
from vision.finding.cover import cover
from vision.finding.doubts import doubt
from vision.finding.edges import seam_map
from vision.finding.regions import Region, find_regions
from vision.finding.scene import Piece, Scene
from vision.finding.singles import first_pose
from vision.solids import Array

STRAIGHT_AHEAD = 90.0  # degrees, where South's ships point
SHRINK = 2  # px of the picture to one of the scene
STEPS = (2.0, 1.0)  # mm
GROWN = 4  # px around a ship on the board that are its own too


def find_beside(image: Image, camera: Camera, corners: Array, ships: Sequence[Array]) -> list[Piece]:
    """The pieces that stand off the board.

    Args:
        image: (H, W, 3) BGR. camera: that took it, with the board's centre as origin.
        corners: (4, 2) px of the board.
        ships: (M, 2) px outlines of what was found on it.
    """
    colors = _without(map_colors(image), ships)
    rim = np.asarray(corners, dtype=np.float64)
    regions = [region for region in find_regions(colors) if not _inside(region, rim)]
    scene = Scene(colors.labels, seam_map(image, SHRINK), camera, STRAIGHT_AHEAD, SHRINK)
    for region in regions:
        _, single = scene.settle((), [scene.paint(Piece(region.color, first_pose(camera, region.contour)))], STEPS)
        if doubt(scene, single[0], [*scene.pieces, *single]) > 0:
            single = [scene.paint(piece) for piece in cover(region, colors, camera, None)]
        scene.exchange((), single)
    return [painted.piece for painted in scene.pieces]


def _without(colors: ColorMap, outlines: Sequence[Array]) -> ColorMap:
    """The colours with the given outlines marked as explained."""
    mask = np.zeros(colors.labels.shape, np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 1)
    mask = np.asarray(cv2.dilate(mask, np.ones((2 * GROWN + 1, 2 * GROWN + 1), np.uint8)), dtype=np.uint8)
    return replace(colors, labels=np.where(mask > 0, np.uint8(ELSEWHERE), colors.labels))


def _inside(region: Region, rim: Array) -> bool:
    x, y = (region.contour.min(0) + region.contour.max(0)) / 2
    return cv2.pointPolygonTest(rim.astype(np.float32), (float(x), float(y)), False) >= 0
