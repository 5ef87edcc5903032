"""Plastic that no piece explains yet: what could stand there is proposed and tried."""

from __future__ import annotations

import cv2
import numpy as np

from vision.finding.colors import COLORS, Mask
from vision.finding.doubts import MIN_GAIN, promising
from vision.finding.exchanges import Exchange
from vision.finding.hypotheses import propose
from vision.finding.scene import Box, Piece, Scene
from vision.solids import Color

MISSING = 25  # pixels of the shrunk picture, a patch worth explaining
MOST = 5  # patches of a colour that are tried
REACH = 12  # pixels around it where the piece may lie


def add_missing(scene: Scene) -> bool:
    """Puts pieces where plastic is seen that nothing explains."""
    changed = False
    unexplained = scene.unexplained()
    for label, color in enumerate(COLORS, start=1):
        mask = np.where(unexplained == label, np.uint8(1), np.uint8(0))
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), dtype=np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        for x, y, width, height, area in sorted(stats[1:count].tolist(), key=lambda patch: -patch[4])[:MOST]:
            if area >= MISSING:
                changed |= _add_piece(scene, unexplained, color, (x, y, x + width, y + height))
    return changed


def _add_piece(scene: Scene, unexplained: Mask, color: Color, box: Box) -> bool:
    """The piece or stack that explains most of one unexplained patch, if any pays."""
    rows, columns = slice(max(0, box[1] - REACH), box[3] + REACH), slice(max(0, box[0] - REACH), box[2] + REACH)
    part = unexplained[rows, columns]
    worth = np.where(part == COLORS.index(color) + 1, 1.0, np.where(part == 0, -1.0, -0.22))
    corner = (columns.start * scene.shrink, rows.start * scene.shrink)
    pool = propose(worth, scene.camera, corner, scene.shrink, scene.axis_deg)
    choices: list[Exchange] = [((), [scene.paint(Piece(color, pose)) for pose in group.poses]) for group, _ in pool]
    settled = [scene.settle(out, into, (2.0, 1.0)) for out, into in promising(scene, choices)]
    gain, into = max(settled, key=lambda one: one[0], default=(0.0, []))
    pays = gain > MIN_GAIN / scene.shrink**2
    if pays:
        scene.exchange((), into)
    return pays
