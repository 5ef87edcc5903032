"""From the corners of several pieces back to the camera and the table: the inverse of projection.

One piece's shape cannot tell its size, for the three solids are all but similar. What tells is that all pieces
stand on one table under one camera: in units of the camera's height their bases have at most three lengths, and
only some heights turn those into official sizes. The likeliest heights are fitted in full, and when a rival explains
the picture about as well, the answer says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.fusing.arrow import Corners
from vision.fusing.heights import Kinds
from vision.fusing.joint import Explanation, explain
from vision.fusing.laying import Table, lay
from vision.poses import Pose
from vision.sight import ImageSide
from vision.solids import Array, Posture, Size

ENOUGH_CORNERS = 3  # of one piece: two fix its place and heading, the third speaks of its size and the camera
CLEAR_LEAD = 9.0  # of log-likelihood over the best rival; less is undecided
NO_DOUBT = 1e-12  # probability that a posture is not as it was said

Sizes = tuple[Size, ...]


@dataclass(frozen=True, eq=False)
class Recovery:
    """The camera over the table and every piece on it.

    Attributes:
        camera: in a table frame whose origin lies below it and whose South is at the image side asked for; with its
            optical axis through the middle of the picture.
        poses: (N,) in the order asked; ``None`` for pieces of which fewer than three corners were seen.
        rms: (N,) px, root mean square of each piece's corners; NaN without a pose.
        margin: by how much these sizes lead over the likeliest others, as a difference of log-likelihoods.
        rivals: other sizes of the posed pieces that the corners allow about as well, the likeliest first.
    """

    camera: Camera
    poses: tuple[Pose | None, ...]
    rms: Array
    margin: float
    rivals: tuple[Sizes, ...]

    @property
    def ambiguous(self) -> bool:
        """Whether the corners leave the sizes undecided, as when all pieces are of one size."""
        return bool(self.rivals)

    @property
    def sizes(self) -> Sizes:
        """The sizes of the posed pieces, in order."""
        return tuple(pose.size for pose in self.poses if pose is not None)


def recover(
    keypoints: Array,
    postures: Sequence[Posture],
    size_px: tuple[int, int],
    *,
    south: ImageSide = ImageSide.BOTTOM,
    noise: float = 1.0,
) -> Recovery | None:
    """Camera, poses and sizes of pieces that all rest on the table, from nothing but their corners.

    Args:
        keypoints: (N, 5, 2) px, in the order of :mod:`vision.solids`; NaN where a corner is not seen.
        postures: (N,) of the pieces.
        size_px: (width, height) of the picture.
        south: the image side nearest to South's seat.
        noise: px, by how much a corner may be off at the least; more is noticed by itself.

    Returns:
        ``None`` unless two pieces show three corners each.
    """
    keypoints = np.asarray(keypoints, dtype=np.float64)
    seen = np.where(np.isfinite(keypoints).all(axis=2), 1.0, 0.0)
    chosen = np.flatnonzero(seen.sum(axis=1) >= ENOUGH_CORNERS).tolist()
    if len(chosen) < 2:
        return None
    corners = Corners(np.nan_to_num(keypoints[chosen]), seen[chosen])
    lying = np.array([float(postures[index] is Posture.LYING) for index in chosen])
    explained = explain(corners, lying, size_px, south, least_noise=noise, posture_doubt=NO_DOUBT)
    best, *others = explained.explanations
    table = Table.explained(best, size_px)
    poses: list[Pose | None] = [None] * len(keypoints)
    rms = np.full(len(keypoints), np.nan)
    squares = (best.off**2).sum(-1) * corners.precision
    for index, kind, place, square in zip(chosen, best.kinds, best.places, squares, strict=True):
        poses[index] = table.pose(tuple(Size)[kind], postures[index], place, 0.0)
        rms[index] = math.sqrt(square.sum() / seen[index].sum() / 2)
    doubted, doubt = _most_doubtful(table, corners, lying, best, explained.noise)
    rivals = sorted([*((other.lag, _sizes(other.kinds)) for other in others), (doubt, doubted)])
    close = tuple(sizes for lag, sizes in rivals if lag < CLEAR_LEAD)
    return Recovery(table.camera, tuple(poses), rms, rivals[0][0], close)


def _most_doubtful(
    table: Table, corners: Corners, lying: Array, best: Explanation, noise: float
) -> tuple[Sizes, float]:
    """The sizes with the most doubtful piece of the size that suits it next, and by how much they are less likely."""
    count = len(lying)
    laid = lay(table, corners, np.zeros((count, len(Size))), noise)
    costs = laid.costs[np.arange(count), lying.astype(int)]
    lead = costs - costs[np.arange(count), best.kinds][:, None]
    lead[np.arange(count), best.kinds] = np.inf
    piece, kind = np.unravel_index(int(lead.argmin()), lead.shape)
    kinds = best.kinds.copy()
    kinds[piece] = kind
    return _sizes(kinds), float(lead[piece, kind])


def _sizes(kinds: Kinds) -> Sizes:
    return tuple(Size(kind + 1) for kind in kinds.tolist())
