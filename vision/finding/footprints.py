"""Where pieces rest on the table, and how much of it lies bare between two of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.poses import Pose
from vision.solids import Array


@dataclass(frozen=True, eq=False)
class Footprint:
    """A convex patch of table: ``corners`` (M, 2) mm, unit ``normals`` (M, 2) of its sides, a circle around it."""

    corners: Array
    normals: Array
    center: tuple[float, float]
    radius: float


def footprint_of(pose: Pose) -> Footprint:
    """The footprint of a pose, as if it stood on the table itself."""
    corners = pose.footprint()
    edges = np.concatenate([corners[1:], corners[:1]]) - corners
    normals = np.column_stack([edges[:, 1], -edges[:, 0]]) / np.sqrt((edges**2).sum(1))[:, None]
    center = corners.mean(0)
    radius = math.sqrt(float(((corners - center) ** 2).sum(1).max()))
    return Footprint(corners, normals, (float(center[0]), float(center[1])), radius)


def clearance(one: Footprint, other: Footprint) -> float:
    """mm of bare table between two footprints across the line that parts them best; negative where none does."""
    widest = -math.inf
    for normals in (one.normals, other.normals):
        a, b = one.corners @ normals.T, other.corners @ normals.T
        widest = max(widest, float(np.maximum(a.min(0) - b.max(0), b.min(0) - a.max(0)).max()))
    return widest
