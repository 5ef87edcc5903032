"""Ships that the eyes took for stars: what seems to stand, but badly, is looked for as if it lay.

A ship that points away from the camera or towards it looks much like a pyramid that stands, and looked at once more
where that one would have its corners it still does. Asked about a ship that points the way the others do, the eyes
know it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.finding.grouping import players_axis
from vision.fusing.presence import BELIEVED
from vision.fusing.star_pairs import Guesses, as_arrays, lengths_of, likeliest_of_each, told_nearby
from vision.fusing.table_fit import TableFit
from vision.poses import Pose, body_of
from vision.solids import Array, Posture, Size

LIKELY = 0.15  # probability of a piece that is asked about
BADLY = 0.07  # of its length: a piece that stands fits worse
MAY_LIE = 0.1  # or its looks say with this probability that it lies
SURE = 0.5  # probability of a ship where one was guessed
STEPS = 2  # after which a guess covers what was told

LENGTHS = {size: float(np.linalg.norm(np.ptp(body_of(size, Posture.LYING), axis=0))) for size in Size}  # mm


def laid_down(seen: Detections, fit: TableFit, likely: Array) -> Guesses:
    """Ships that *likely* (N,) pieces may be which stand badly on the table: both ways that they may point."""
    believed = [
        pose for pose, chance in zip(fit.poses, likely, strict=True) if pose is not None and chance >= BELIEVED
    ]
    axis = players_axis([[pose.heading_deg] for pose in believed if pose.posture is Posture.LYING])
    badly = (fit.misfit >= BADLY * lengths_of(seen.corners)) | (seen.lying >= MAY_LIE)
    guesses = [
        (index, guess.keypoints(fit.camera))
        for index, pose in enumerate(fit.poses)
        if badly[index] and likely[index] >= LIKELY and _stands_on_the_table(pose)
        for heading in (axis, axis + 180)
        if (guess := _ship_there(seen.corners[index], heading, fit.camera)) is not None
    ]
    return as_arrays(guesses)


def confirmed_lying(answers: Detections, of: NDArray[np.intp], seen: Detections) -> Detections:
    """The likeliest of the *answers* about each piece, if it lies, is of its colour and was not *seen* lying before.

    Args:
        of: (M,) indices of the pieces that were asked about.
    """
    known = (told_nearby(answers, answers.corners, seen) & (seen.lying > 0.5)).any(axis=1)
    good = (answers.score >= SURE) & (answers.lying > 0.5) & ~known
    good &= answers.colors.argmax(1) == seen.colors[of].argmax(1)
    return likeliest_of_each(answers, good, of)


def _stands_on_the_table(pose: Pose | None) -> bool:
    return pose is not None and pose.posture is Posture.UPRIGHT and pose.z <= 0


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
    """A ship around which the box has the same middle as around (5, 2) px of *corners*; ``None`` in the sky."""
    wanted = _middle(corners)
    x, y = camera.to_plane(wanted[None])[0].tolist()
    for _ in range(STEPS):
        shown = _middle(Pose(size, Posture.LYING, x, y, heading_deg).keypoints(camera))
        there, here = camera.to_plane(np.array([wanted, shown]))
        x, y = (np.array([x, y]) + there - here).tolist()
    return Pose(size, Posture.LYING, x, y, heading_deg) if math.isfinite(x + y) else None


def _middle(points: Array) -> Array:
    return np.asarray((points.min(axis=0) + points.max(axis=0)) / 2)
