"""Where pieces rest on the table, and how much of it lies bare between two of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.finding.board import SIDE
from vision.finding.board_camera import fields_to_mm
from vision.finding.board_lattice import apply
from vision.poses import Pose
from vision.solids import Array

MOST_CORNERS = 4


@dataclass(frozen=True, eq=False)
class Footprint:
    """A convex patch of table: ``corners`` (M, 2) mm, unit ``normals`` (M, 2) of its sides, a circle around it."""

    corners: Array
    normals: Array
    center: tuple[float, float]
    radius: float


def middles_on_board(poses: Sequence[Pose | None], field_mm: float) -> Array:
    """(N, 2) fields from a1's outer corner, of the middles of footprints on a table whose middle is a board's; nan
    without a pose.
    """
    places = [(np.nan, np.nan) if pose is None else pose.footprint().mean(0) for pose in poses]
    to_fields = np.asarray(np.linalg.inv(fields_to_mm(field_mm)), dtype=np.float64)
    return apply(to_fields, np.array(places, dtype=np.float64).reshape(-1, 2))


def on_board(middles: Array) -> NDArray[np.bool_]:
    """(N,) which of (N, 2) *middles*, in fields, are on the board; one that is nowhere (nan) is not."""
    return np.asarray(((middles >= 0) & (middles < SIDE)).all(axis=1))


def footprint_of(pose: Pose) -> Footprint:
    """The footprint of a pose, as if it stood on the table itself."""
    corners = pose.footprint()
    edges = np.concatenate([corners[1:], corners[:1]]) - corners
    normals = np.column_stack([edges[:, 1], -edges[:, 0]]) / np.sqrt((edges**2).sum(1))[:, None]
    center = corners.mean(0)
    radius = math.sqrt(float(((corners - center) ** 2).sum(1).max()))
    return Footprint(corners, normals, (float(center[0]), float(center[1])), radius)


def gaps(footprints: Sequence[Footprint]) -> Array:
    """(N, N) mm of bare table between each two footprints, from the corners of one to the sides of the other."""
    corners = np.array([np.resize(footprint.corners, (MOST_CORNERS, 2)) for footprint in footprints])
    corners = corners.reshape(-1, MOST_CORNERS, 2)
    starts = corners[None, :, None]
    sides = np.roll(corners, -1, axis=1)[None, :, None] - starts
    away = corners[:, None, :, None] - starts
    share = (away * sides).sum(-1) / np.maximum((sides**2).sum(-1), 1e-9)
    off = away - np.clip(share, 0, 1)[..., None] * sides
    apart = np.sqrt((off**2).sum(-1)).min(axis=(2, 3), initial=math.inf)
    return np.asarray(np.minimum(apart, apart.T))


def clearance(one: Footprint, other: Footprint) -> float:
    """mm of bare table between two footprints across the line that parts them best; negative where none does."""
    widest = -math.inf
    for normals in (one.normals, other.normals):
        a, b = one.corners @ normals.T, other.corners @ normals.T
        widest = max(widest, float(np.maximum(a.min(0) - b.max(0), b.min(0) - a.max(0)).max()))
    return widest
