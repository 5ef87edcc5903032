"""Pieces as they lie about on a table: what stands, where, how it is turned, and how far apart it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.finding.footprints import footprint_of, gaps
from vision.poses import Pose
from vision.solids import Array, Posture


@dataclass(frozen=True, eq=False)
class Strewn:
    """N pieces.

    Attributes:
        upright: (N,) whether each stands. middles: (N, 2) mm, of the footprints. heights: (N,) mm over the table.
        headings: (N,) degrees. apart: (N, N) mm of bare table between each two.
    """

    upright: NDArray[np.bool_]
    middles: Array
    heights: Array
    headings: Array
    apart: Array

    @classmethod
    def of(cls, poses: Sequence[Pose]) -> Strewn:
        """These poses."""
        footprints = [footprint_of(pose) for pose in poses]
        return cls(
            upright=np.array([pose.posture is Posture.UPRIGHT for pose in poses], dtype=bool),
            middles=np.array([footprint.center for footprint in footprints]).reshape(-1, 2),
            heights=np.array([pose.z for pose in poses], dtype=np.float64),
            headings=np.array([pose.heading_deg for pose in poses], dtype=np.float64),
            apart=gaps(footprints),
        )

    def __len__(self) -> int:
        return len(self.upright)

    @property
    def lying(self) -> list[int]:
        """Indices of the pieces that lie."""
        return np.flatnonzero(~self.upright).tolist()
