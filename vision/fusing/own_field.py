"""Fields of a board: each has one ship at the most, so what is told on one speaks against all else that is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.finding.board import SIDE
from vision.finding.footprints import middles_on_board, on_board
from vision.fusing.rivals import NOBODY
from vision.poses import Pose
from vision.solids import Array, Posture

NOWHERE = -1


def fields_of(poses: Sequence[Pose | None], field_mm: float) -> NDArray[np.intp]:
    """(N,) on which of the 36 fields, file by file, a ship has the middle of its footprint; else ``NOWHERE``."""
    lying = np.array([pose is not None and pose.posture is Posture.LYING for pose in poses], dtype=bool)
    middles = middles_on_board(poses, field_mm)
    there = on_board(middles) & lying
    file, rank = np.where(there[:, None], middles, 0.0).astype(np.intp).T
    return np.where(there, SIDE * file + rank, NOWHERE)


def others_there(poses: Sequence[Pose | None], logits: Array, field_mm: float | None) -> Array:
    """(N,) logit of the likeliest other ship on the field of each; ``NOBODY`` where there is none, 0 off the board.

    Args:
        logits: (N,) how likely each is there by its own signs. field_mm: ``None`` where there is no board.
    """
    if field_mm is None:
        return np.zeros(len(poses))
    fields = fields_of(poses, field_mm)
    same = (fields[:, None] == fields) & ~np.eye(len(fields), dtype=bool)
    most = np.where(same, np.maximum(logits, NOBODY), NOBODY).max(axis=1, initial=NOBODY)
    return np.where(fields == NOWHERE, 0.0, most)
