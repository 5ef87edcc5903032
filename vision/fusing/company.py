"""What the others say of each piece: ships point one way, beside stars; ghosts swarm; one light falls on all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.eyes.chances import logit
from vision.eyes.detections import Detections
from vision.fusing.table_fit import TableFit
from vision.solids import Array, Posture

COMPANY = ("noise", "ghosts", "swarm", "across", "star", "ship", "carries", "carried", "shade", "like")
FEWEST = 3  # ships that tell which way ships point
SWARM = 80.0  # mm around a piece in which others that are not believed speak against it
NEAREST, FARTHEST = 5.0, 400.0  # mm; what is nearer or farther counts as that
FEWEST_ALIKE = 2  # others of one colour, from which on they tell how that looks in this light
SAME_SHADE = 0.05  # of the logarithms of one_light.hues: what is nearer counts as that

Which = NDArray[np.bool_]


def company(seen: Detections, fit: TableFit, believed: Which, shades: Array) -> Array:
    """(N, 10) what speaks for and against each piece, in the order of ``COMPANY``.

    How badly the whole table fits, how many are not *believed* (N,), how many of these are near; how far a ship
    points across the others; how far it is to the nearest star and ship; whether something stands on it, by the
    looks of that, and whether it stands on something; how far its shade, of *shades* (N, 2), is off from the usual
    and from the nearest one of its colour.
    """
    lying = np.array([pose is not None and pose.posture is Posture.LYING for pose in fit.poses], dtype=bool)
    apart = _apart(fit)
    ghosts = (~believed).sum() / max(believed.sum(), 1)
    return np.column_stack(
        [
            np.full(len(seen), np.log(fit.noise)),
            np.full(len(seen), np.log1p(ghosts)),
            np.log1p((apart[:, ~believed] < SWARM).sum(axis=1)),
            _across(fit, lying, lying & believed),
            _nearest(apart[:, believed & ~lying]),
            _nearest(apart[:, believed & lying]),
            _carries(fit, logit(seen.above)),
            np.array(fit.below) >= 0,
            *_off_shade(shades, seen.colors.argmax(axis=1), believed),
        ]
    )


def _apart(fit: TableFit) -> Array:
    """(N, N) mm between the middles of pieces; infinite from each to itself, and where one has no place."""
    places = np.array([[pose.x, pose.y] if pose else [np.nan, np.nan] for pose in fit.poses]).reshape(-1, 2)
    apart = np.linalg.norm(places[:, None] - places, axis=2)
    np.fill_diagonal(apart, np.inf)
    return np.where(np.isnan(apart), np.inf, apart)


def _nearest(apart: Array) -> Array:
    """(N,) logarithm of the least of distances (N, K) in mm."""
    return np.asarray(np.log(np.clip(apart.min(axis=1, initial=np.inf), NEAREST, FARTHEST)))


def _across(fit: TableFit, lying: Which, ships: Which) -> Array:
    """(N,) sine between where each *lying* piece points and where *ships* do, whichever end is the tip; else 0."""
    headings = np.radians([pose.heading_deg if pose else 0.0 for pose in fit.poses])
    if ships.sum() < FEWEST:
        return np.zeros(len(headings))
    usual = np.angle(np.exp(2j * headings[ships]).sum()) / 2
    return np.asarray(np.abs(np.sin(headings - usual)) * lying)


def _carries(fit: TableFit, raised: Array) -> Array:
    """(N,) the highest logit (N,) to be *raised* of all that stand on each; 0 where nothing does."""
    most = np.full(len(raised), -np.inf)
    for piece, below in enumerate(fit.below):
        if below >= 0:
            most[below] = max(most[below], raised[piece])
    return np.where(np.isfinite(most), most, 0.0)


def _off_shade(shades: Array, colors: NDArray[np.intp], believed: Which) -> tuple[Array, Array]:
    """(N,) each: logarithms of how far shades are from the middle and from the nearest of others of their colour."""
    told = ~np.isnan(shades[:, 0])
    others = (colors[:, None] == colors) & (believed & told) & ~np.eye(len(shades), dtype=bool)
    usual, nearest = np.zeros(len(shades)), np.zeros(len(shades))
    for piece in np.flatnonzero(told & (others.sum(axis=1) >= FEWEST_ALIKE)).tolist():
        alike = shades[others[piece]]
        usual[piece] = np.log(SAME_SHADE + np.linalg.norm(shades[piece] - np.median(alike, axis=0)))
        nearest[piece] = np.log(SAME_SHADE + np.linalg.norm(shades[piece] - alike, axis=1).min())
    return usual, nearest
