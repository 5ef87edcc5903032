"""Two stars that the eyes told as one: what might stand upon a star, or beneath it, is looked for where it would be.

Of one star upon another of its colour the first glance often makes a single pyramid, with the base of the lower one
and the tip of the upper one; of one upon another of another colour it may overlook the rim that shows of the lower.
The second look knows the other one as soon as somebody tells it where its corners would be. Where no ship lies
beside, as in a bank, the same questions bring more doubles of pieces that are told already.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.fusing.orders import least_apart
from vision.fusing.presence import BELIEVED
from vision.fusing.table_fit import TableFit
from vision.poses import Pose
from vision.solids import Array, Color, Posture, Size, nesting_step

BESIDE = 60.0  # mm from a star to the nearest ship of its system
SURE = 0.9  # probability of a piece where one was guessed upon another
LIKELY = 0.8  # the same beneath one that seems to stand on something, and of another colour
SEEMS_RAISED = 0.3  # probability that a piece stands on another, from which on that other is looked for
AS_GUESSED = 0.1  # of its diameter: so far its corners may be from where they were guessed, on the whole
ALREADY_TOLD = 0.2  # of it: what is nearer to a piece that was told is that piece

Guesses = tuple[NDArray[np.intp], Array]
"""(M,) of which pieces, some more than once, and the (M, 5, 2) px corners of what may stand upon them, or beneath."""


def upon_stars(fit: TableFit, likely: Array) -> Guesses:
    """What may stand upon pieces that stand alone on the table as stars do, beside a ship, and are *likely* (N,)."""
    guesses = [
        (index, upper.keypoints(fit.camera)) for index, star in _lone_stars(fit, likely) for upper in upon(star)
    ]
    return as_arrays(guesses)


def beneath_stars(seen: Detections, fit: TableFit, likely: Array) -> Guesses:
    """What may be beneath pieces that stand alone as stars do, by their looks on something that nobody told."""
    guesses = [
        (index, lower.keypoints(fit.camera))
        for index, star in _lone_stars(fit, likely)
        if seen.above[index] >= SEEMS_RAISED
        for lower in beneath(star, fit.camera)
    ]
    return as_arrays(guesses)


def as_arrays(guesses: list[tuple[int, Array]]) -> Guesses:
    """Guesses that were made one by one: which piece, and the (5, 2) px corners of what may be there."""
    of = np.array([index for index, _ in guesses], dtype=np.intp)
    return of, np.array([corners for _, corners in guesses]).reshape(-1, 5, 2)


def _lone_stars(fit: TableFit, likely: Array) -> list[tuple[int, Pose]]:
    """Pieces that stand by themselves on the table, beside a ship."""
    believed = [pose if chance >= BELIEVED else None for pose, chance in zip(fit.poses, likely, strict=True)]
    ships = [pose for pose in believed if pose is not None and pose.posture is Posture.LYING]
    return [
        (index, star)
        for index, star in enumerate(believed)
        if star is not None
        and star.posture is Posture.UPRIGHT
        and fit.below[index] < 0
        and index not in fit.below
        and any(math.hypot(ship.x - star.x, ship.y - star.y) < BESIDE for ship in ships)
    ]


def upon(star: Pose) -> list[Pose]:
    """All that may stand upon it; a larger one would hide it, and would itself have been told."""
    sizes = [size for size in Size if size <= star.size]
    return [
        Pose(size, Posture.UPRIGHT, star.x, star.y, star.heading_deg, nesting_step(star.size, size)) for size in sizes
    ]


def beneath(star: Pose, camera: Camera) -> list[Pose]:
    """All that it may stand upon: then it is higher, and so nearer to the camera's foot, than if it stood alone."""
    lowers = []
    for size in (size for size in Size if size >= star.size):
        nearer = nesting_step(size, star.size) / camera.position[2]
        x, y = (np.array([star.x, star.y]) * (1 - nearer) + camera.position[:2] * nearer).tolist()
        lowers.append(Pose(size, Posture.UPRIGHT, x, y, star.heading_deg))
    return lowers


def confirmed_upon(answers: Detections, guessed: Array, seen: Detections) -> Detections:
    """Of *answers* to questions about *guessed* corners (M, 5, 2) px what is as guessed and was not *seen* before."""
    lengths = lengths_of(guessed)
    as_guessed = least_apart(answers.corners, guessed) < AS_GUESSED * lengths
    new = ~told_nearby(answers, guessed, seen).any(axis=1)
    found = np.flatnonzero((answers.score >= SURE) & (answers.lying < 0.5) & as_guessed & new)
    return answers.only(found)


def confirmed_beneath(answers: Detections, guessed: Array, upper: NDArray[np.intp], seen: Detections) -> Detections:
    """The likeliest beneath each piece, if it is likely, of another colour than that, and was not *seen* before.

    Of one colour the eyes cannot tell a piece from what they were asked to see beneath it.

    Args:
        guessed: (M, 5, 2) px. upper: (M,) indices of the pieces beneath which was asked.
    """
    colors, above = answers.colors.argmax(1), seen.colors[upper].argmax(1)
    told = seen.colors.argmax(1)[None] == colors[:, None]
    near = told_nearby(answers, guessed, seen)
    good = (answers.score >= LIKELY) & (answers.lying < 0.5) & (colors < len(Color)) & (colors != above)
    good &= ~(told & near).any(axis=1)
    return likeliest_of_each(answers, good, upper)


def told_nearby(
    answers: Detections, guessed: Array, seen: Detections, near: float = ALREADY_TOLD
) -> NDArray[np.bool_]:
    """(M, N) which pieces that were *seen* are so *near* to which answers that these are the same, for their size.

    Args:
        guessed: (M, 5, 2) px, which tell how large each is.
    """
    apart = least_apart(answers.corners[:, None], seen.corners[None])
    return np.asarray(apart < near * lengths_of(guessed)[:, None])


def likeliest_of_each(answers: Detections, good: NDArray[np.bool_], of: NDArray[np.intp]) -> Detections:
    """The likeliest of the *good* (M,) answers about each piece; *of* (M,) which pieces these are."""
    each = [np.flatnonzero(good & (of == piece)) for piece in np.unique(of[good])]
    return answers.only([int(those[answers.score[those].argmax()]) for those in each])


def lengths_of(corners: Array) -> Array:
    """(N,) px, diagonals of the boxes around (N, 5, 2) corners."""
    return np.asarray(np.linalg.norm(np.ptp(corners, axis=1), axis=1))
