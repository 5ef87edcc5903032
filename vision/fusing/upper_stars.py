"""Two stars that the eyes told as one: what might stand upon a star is looked for where it would be.

Of one star upon another of its colour the first glance often makes a single pyramid, with the base of the lower one
and the tip of the upper one. The second look knows the upper one as soon as somebody tells it where its corners would
be. Where no ship lies beside, as in a bank, the same question brings more doubles of pieces that are told already.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.fusing.orders import least_apart
from vision.fusing.presence import BELIEVED
from vision.fusing.table_fit import TableFit
from vision.poses import Pose
from vision.solids import Array, Posture, Size, nesting_step

BESIDE = 60.0  # mm from a star to the nearest ship of its system
SURE = 0.9  # probability of a piece where one was guessed
AS_GUESSED = 0.1  # of its diameter: so far its corners may be from where they were guessed, on the whole
ALREADY_TOLD = 0.2  # of it: what is nearer to a piece that was told is that piece


def upon_stars(fit: TableFit, likely: Array) -> tuple[NDArray[np.intp], Array]:
    """Which pieces may have another upon them, and the (M, 5, 2) px corners of those others; some more than once.

    They stand alone on the table as stars do, beside a ship, and are *likely* (N,) there.
    """
    believed = [pose if chance >= BELIEVED else None for pose, chance in zip(fit.poses, likely, strict=True)]
    ships = [pose for pose in believed if pose is not None and pose.posture is Posture.LYING]
    guesses = [
        (index, upper.keypoints(fit.camera))
        for index, star in enumerate(believed)
        if star is not None
        and star.posture is Posture.UPRIGHT
        and fit.below[index] < 0
        and index not in fit.below
        and any(math.hypot(ship.x - star.x, ship.y - star.y) < BESIDE for ship in ships)
        for upper in _upon(star)
    ]
    below = np.array([index for index, _ in guesses], dtype=np.intp)
    return below, np.array([corners for _, corners in guesses]).reshape(-1, 5, 2)


def _upon(star: Pose) -> list[Pose]:
    """All that may stand upon it; a larger one would hide it, and would itself have been told."""
    sizes = [size for size in Size if size <= star.size]
    steps = [nesting_step(star.size, size) for size in sizes]
    return [
        Pose(size, Posture.UPRIGHT, star.x, star.y, star.heading_deg, step)
        for size, step in zip(sizes, steps, strict=True)
    ]


def confirmed(answers: Detections, guessed: Array, seen: Detections) -> Detections:
    """Of *answers* to questions about *guessed* corners (M, 5, 2) px what is as guessed and was not *seen* before."""
    lengths = np.linalg.norm(np.ptp(guessed, axis=1), axis=1)
    as_guessed = least_apart(answers.corners, guessed) < AS_GUESSED * lengths
    new = (least_apart(answers.corners[:, None], seen.corners[None]) > ALREADY_TOLD * lengths[:, None]).all(axis=1)
    found = np.flatnonzero((answers.score >= SURE) & (answers.lying < 0.5) & as_guessed & new)
    return answers.only(found)
