"""Ships that the eyes saw in a wrong pose: what fits the table badly is looked for as if it lay as ships do.

A ship that points away from the camera or towards it looks much like a pyramid that stands; of one that is half
hidden the corners are easily told of its neighbour. Looked at once more where such a piece would have its corners, it
is told so again. Asked about a ship that points the way the others do, the eyes know it; and it lies on the table as
a piece does, which what was told before did not.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.finding.grouping import players_axis
from vision.fusing.laying import Table, lay
from vision.fusing.presence import BELIEVED
from vision.fusing.star_pairs import Guesses, as_arrays, lengths_of, told_nearby
from vision.fusing.table_fit import TableFit, told_corners
from vision.poses import Pose, body_of
from vision.solids import Array, Posture, Size

LIKELY = 0.05  # probability of a piece that is asked about
BADLY, WELL = 0.06, 0.06  # of its length: a piece that is where it seems to be fits better
TOLERABLY = 0.12  # of it: the first answer, for it is told from where the piece was not quite
BETTER = 0.8  # of how badly it fitted before
MAY_LIE = 0.1  # or its looks say with this probability that what seems to stand lies
SURE = 0.5  # probability of a piece where one was guessed
SAME = 0.1  # of its length: what is nearer to a ship that was told is that ship
STEPS = 2  # after which a guess covers what was told

LENGTHS = {size: float(np.linalg.norm(np.ptp(body_of(size, Posture.LYING), axis=0))) for size in Size}  # mm


def other_poses(seen: Detections, fit: TableFit, likely: Array) -> Guesses:
    """Ships, pointing either way, that *likely* (N,) pieces may be which fit badly on the table."""
    believed = [
        pose for pose, chance in zip(fit.poses, likely, strict=True) if pose is not None and chance >= BELIEVED
    ]
    axis = players_axis([[pose.heading_deg] for pose in believed if pose.posture is Posture.LYING])
    stands = np.array([pose is not None and pose.posture is Posture.UPRIGHT for pose in fit.poses], dtype=bool)
    badly = (fit.misfit >= BADLY * lengths_of(seen.corners)) | (stands & (seen.lying >= MAY_LIE))
    asked = [
        index
        for index, pose in enumerate(fit.poses)
        if badly[index] and likely[index] >= LIKELY and pose is not None and pose.z <= 0
    ]
    guesses = [
        (index, guess.keypoints(fit.camera))
        for index in asked
        for heading in (axis, axis + 180)
        if (guess := _ship_there(seen.corners[index], heading, fit.camera)) is not None
    ]
    return as_arrays(guesses)


def fitting_better(
    answers: Detections, of: NDArray[np.intp], seen: Detections, fit: TableFit
) -> tuple[Detections, Array]:
    """The ship among the *answers* about each piece that fits best, if better than what was *seen* and of its colour.

    What was seen lying as it does is known.

    Args:
        of: (M,) indices of the pieces that were asked about.

    Returns:
        also (K, 5, 2) px of the corners of these, as they lie on the table.
    """
    off, corners = _on_the_table(answers, fit)
    before = fit.misfit / lengths_of(seen.corners)
    known = (told_nearby(answers, answers.corners, seen, SAME) & (seen.lying > 0.5)).any(axis=1)
    alike = answers.colors.argmax(1) == seen.colors[of].argmax(1)
    good = (answers.score >= SURE) & (answers.lying > 0.5) & alike & ~known
    good &= off <= np.minimum(TOLERABLY, BETTER * before[of])
    each = [np.flatnonzero(good & (of == piece)) for piece in np.unique(of[good])]
    chosen = np.array([those[off[those].argmin()] for those in each], dtype=np.intp)
    return answers.only(chosen), corners[chosen]


def fitting_well(answers: Detections, fit: TableFit) -> Detections:
    """The *answers* that are where the table has them."""
    off, _ = _on_the_table(answers, fit)
    return answers.only(np.flatnonzero(off <= WELL))


def _on_the_table(answers: Detections, fit: TableFit) -> tuple[Array, Array]:
    """How badly *answers* fit as ships, (M,) of their lengths, and where these have corners, (M, 5, 2) px."""
    if not len(answers):
        return np.zeros(0), np.zeros((0, 5, 2))
    told = told_corners(answers)
    laid = lay(Table.known(fit.camera), told, np.zeros((len(answers), len(Size))), fit.noise)
    each, lies = np.arange(len(answers)), list(Posture).index(Posture.LYING)
    squares = laid.squares[:, lies].sum(axis=-1)
    sizes = squares.argmin(axis=1)
    off = np.sqrt(squares[each, sizes] / told.precision.sum(axis=1)) / lengths_of(answers.corners)
    return off, laid.outlines[each, lies, sizes]


def _ship_there(corners: Array, heading_deg: float, camera: Camera) -> Pose | None:
    """A ship that points that way, of the size and in the place of what was told with (5, 2) px of *corners*."""
    usual = _covering(corners, Size.MEDIUM, heading_deg, camera)
    if usual is None:
        return None
    told, shown = (np.linalg.norm(np.ptp(points, axis=0)) for points in (corners, usual.keypoints(camera)))
    length = LENGTHS[Size.MEDIUM] * told / shown
    size = min(Size, key=lambda size: abs(math.log(LENGTHS[size] / length)))
    return _covering(corners, size, heading_deg, camera)


def _covering(corners: Array, size: Size, heading_deg: float, camera: Camera) -> Pose | None:
    """A piece around which the box has the same middle as around (5, 2) px of *corners*; ``None`` in the sky."""
    wanted = _middle(corners)
    x, y = camera.to_plane(wanted[None])[0].tolist()
    for _ in range(STEPS):
        shown = _middle(Pose(size, Posture.LYING, x, y, heading_deg).keypoints(camera))
        there, here = camera.to_plane(np.array([wanted, shown]))
        x, y = (np.array([x, y]) + there - here).tolist()
    return Pose(size, Posture.LYING, x, y, heading_deg) if math.isfinite(x + y) else None


def _middle(points: Array) -> Array:
    return np.asarray((points.min(axis=0) + points.max(axis=0)) / 2)
