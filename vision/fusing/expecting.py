"""Pieces looked at again where the geometry expects them: on one table each says where its five corners must be.

A corner that was drawn to a neighbour's disagrees with the other four. Told where the table has it, the eyes find the
right one. And where it has nothing, something may have been overlooked: a star upon another, or beneath it; a ship on
a field that seems empty; or one was seen in a wrong pose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.eyes import Eyes
from vision.eyes.detections import Detections, together
from vision.eyes.halvings import Halvings
from vision.eyes.sharpen import sharpened
from vision.fusing.believing import of_the_four_colors
from vision.fusing.edges import with_edges
from vision.fusing.empty_fields import ships_on_empty_fields
from vision.fusing.orders import ORDERS
from vision.fusing.other_poses import fitting_better, fitting_tolerably, fitting_well, other_poses
from vision.fusing.presence import BELIEVED, likely
from vision.fusing.star_pairs import beneath_stars, confirmed_beneath, confirmed_upon, upon_stars
from vision.fusing.table_fit import SHARP, TableFit
from vision.fusing.twins import without_twins
from vision.poses import keypoints_of
from vision.solids import Array, Posture

ASTRAY = 0.2  # of the piece's length: pieces that fit worse expect nothing
AGREED = 1.0  # of a corner's blur: pieces that are off by no more are as expected

Fitting = Callable[[Detections], TableFit | None]


def looked_again(
    seen: Detections,
    first: TableFit,
    image: NDArray[np.uint8],
    lit: Halvings,
    eyes: Eyes,
    fitting: Fitting,
    field_mm: float | None = None,
) -> tuple[Detections, TableFit]:
    """The pieces looked at again where the table expects them, and how the table fits them then.

    Their scores are still the eyes' alone; :mod:`vision.fusing.presence` weighs them. Pieces of which eyes and table
    say the same are not looked at again, nor those told twice: they would lift what stands on them. What stands upon
    stars or beneath them, or lies on fields that seem empty, and was not told is looked for. Ghosts, of which a rug
    has many, say no more where the camera is. At last pips are counted and edges followed where the table then has
    them.

    Args:
        seen: in px of *image*, (H, W, 3) BGR. first: how they fit as they are.
        lit: the same picture as :meth:`Eyes.lit` shows it.
        fitting: finds camera and poses; ``None`` where it cannot.
        field_mm: width of a board's fields, if there is a board around the middle of the table.
    """
    corners = expected(seen, first)
    as_expected = _apart(seen, corners) <= AGREED
    there = likely(seen, first)
    seen = replace(seen, speaks=there >= BELIEVED)
    once = np.isin(np.arange(len(seen)), without_twins(seen, there))
    doubtful = np.flatnonzero(once & ~as_expected)
    asked = eyes.look_again(seen.only(doubtful), corners[doubtful], lit)
    kept = seen.only(np.flatnonzero(once & as_expected))
    overlooked = [*_overlooked(seen, first, there, lit, eyes)]
    if field_mm is not None:
        overlooked.append(_on_empty_fields(seen, first, there, field_mm, lit, eyes))
    both = together([asked, kept, *overlooked])
    again = sharpened(of_the_four_colors(both.only(np.argsort(-both.score, kind="stable"))), image)
    second = fitting(again) if len(again) else None
    looked_at, fit = (seen, first) if second is None else (again, second)
    counted = eyes.count_pips(looked_at, expected(looked_at, fit), _lies(looked_at, fit), lit)
    return with_edges(counted, fit, image), fit


def _lies(seen: Detections, fit: TableFit) -> NDArray[np.bool_]:
    """(N,) which pieces lie where *fit* has them, or as they were *seen* where it has none."""
    poses = zip(seen.lying, fit.poses, strict=True)
    return np.array([lying > 0.5 if pose is None else pose.posture is Posture.LYING for lying, pose in poses], bool)


def _overlooked(
    seen: Detections, fit: TableFit, there: Array, lit: Halvings, eyes: Eyes
) -> tuple[Detections, Detections, Detections]:
    """Stars that stand upon others or beneath them, and ships in other poses than they were *seen* in."""
    lower, above = upon_stars(fit, there)
    badly, posed = other_poses(seen, fit, there)
    answers = eyes.look_for(seen.only(np.concatenate([lower, badly])), np.concatenate([above, posed]), lit)
    upon, others = (answers.only(part) for part in np.split(np.arange(len(answers)), [len(lower)]))
    upper, below = beneath_stars(seen, fit, there)
    beneath = eyes.look_for(seen.only(upper), below, lit, under=True)
    better, corners = fitting_better(others, badly, seen, fit)
    return (
        confirmed_upon(upon, above, seen),
        confirmed_beneath(beneath, below, upper, seen),
        fitting_well(eyes.look_again(better, corners, lit), fit),
    )


def _on_empty_fields(
    seen: Detections, fit: TableFit, likely: Array, field_mm: float, lit: Halvings, eyes: Eyes
) -> Detections:
    """Ships on fields of a board that seem empty and are not, or on which what was told fits badly."""
    guesses = ships_on_empty_fields(seen, fit, likely, field_mm)
    answers = eyes.look_for(seen.unknown(guesses), guesses, lit)
    told, corners, _ = fitting_tolerably(answers, seen, fit)
    once = answers.only(told)  # is kept, too: the second look is sometimes drawn back to the corners of the field
    return fitting_well(together([once, eyes.look_again(once, corners, lit)]), fit)


def _apart(seen: Detections, corners: Array) -> Array:
    """(N,) by how many of their blurs the corners of each piece are off on the whole, (N, 5, 2) px being expected."""
    blurs = np.linalg.norm(corners - seen.corners, axis=2) / np.maximum(seen.corner_blur, SHARP)
    return np.asarray(np.median(blurs, axis=1))


def expected(seen: Detections, fit: TableFit) -> Array:
    """(N, 5, 2) px, the corners of the pieces where *fit* has them; of those that fit badly as they are."""
    lengths = np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)
    near = fit.misfit <= ASTRAY * lengths
    laid = {index: pose for index, pose in enumerate(fit.poses) if pose is not None and near[index]}
    corners = seen.corners.copy()
    for (index, pose), there in zip(laid.items(), keypoints_of(tuple(laid.values()), fit.camera), strict=True):
        corners[index] = there if pose.posture is Posture.LYING else _as_ordered(there, seen.corners[index])
    return corners


def _as_ordered(corners: Array, told: Array) -> Array:
    """(5, 2) px of an upright piece's *corners* in the order in which they were *told*."""
    orders = corners[ORDERS]
    return np.asarray(orders[np.abs(orders - told).sum(axis=(1, 2)).argmin()])
