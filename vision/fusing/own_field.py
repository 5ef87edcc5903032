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
SURE = 0.999  # probability of what is told in many ways; each of them knew of the others already


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


def one_on_each(fields: NDArray[np.intp], chances: Array) -> Array:
    """(N,) *chances* of being there: of what is told on one of the *fields* (N,) the likeliest has those of all.

    A ship that is told in three ways is surely there, though each of the three by itself is unlikely.

    >>> one_on_each(np.array([7, 7, 7, 8, NOWHERE]), np.array([0.4, 0.3, 0.2, 0.3, 0.3])).round(3).tolist()
    [0.9, 0.0, 0.0, 0.3, 0.3]
    """
    together = chances.copy()
    for field in set(fields[fields != NOWHERE].tolist()):
        there = np.flatnonzero(fields == field)
        likeliest = there[chances[there].argmax()]
        together[there] = 0.0
        together[likeliest] = max(chances[likeliest], min(chances[there].sum(), SURE))
    return together
