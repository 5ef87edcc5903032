"""The camera and all sizes together, from pieces that stand on the table: explanations, the likeliest first.

First every piece has a scale of its own, for the three solids are all but similar: so nothing needs to be guessed,
and a few starts tilt the camera right. Then sizes are chosen together (:mod:`vision.fusing.heights`), and the best
few choices are fitted in full, side by side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.fusing.arrow import (
    FREEDOM,
    ONLY_PLACES_AND_SCALES,
    SIZES_GIVEN,
    SIZES_OPEN,
    Corners,
    Prior,
    Settled,
    Unknowns,
    settle,
    without_own,
)
from vision.fusing.first_places import bodies_of, first_places, righted
from vision.fusing.heights import Kinds, Quadratic
from vision.fusing.slopes import BEND, FOCAL, SCALE, Looks
from vision.fusing.viewpoint import camera_over_table
from vision.sight import ImageSide
from vision.solids import Array, Size

START_TILTS = (4.0, 25.0, 45.0, 60.0)  # degrees off straight down
START_NOISE = 0.08  # of a piece's diameter: from far off, everything is noise
USUAL_FOCAL = 0.80  # of the picture's longer side, where no board tells it
FOCAL_SPREAD = 0.25  # of its logarithm
LENS_SPREAD = 0.06  # the same where the camera has written it down
BEND_SPREAD = 0.06
USUAL_NOISE = 1.2  # px, counted as if this many corners had shown it:
USUAL_COUNT = 4.0
MOST_EXPLANATIONS = 4
BIT_OFF = 4.0  # times the noise: pieces whose middle corner is farther off are no pieces, or fitted wrongly
HARDLY = 1e-3  # precision of corners that may not pull

Lying = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Explanation:
    """One choice of sizes, with the camera and the places that suit it best.

    Attributes:
        look: the camera; ``scale``: minus the logarithm of its height in mm.
        kinds, lying, places: (N,) indices of the sizes, (N,) how they lie, (N, 4) where.
        off: (N, 5, 2) px.
        lag: difference of log-likelihood from the best explanation.
        giving: (5, 5) covariance of the camera's four unknowns and the scale.
    """

    look: Looks
    scale: float
    kinds: Kinds
    lying: Lying
    places: Array
    off: Array
    lag: float
    giving: Array


@dataclass(frozen=True, eq=False)
class Explained:
    """The likeliest explanations, the best first, and the noise of a corner of precision 1 in px."""

    explanations: tuple[Explanation, ...]
    noise: float


def explain(
    corners: Corners,
    lying: Array,
    unlikely: Array,
    size_px: tuple[int, int],
    south: ImageSide,
    *,
    least_noise: float,
    posture_doubt: float,
    lens: float | None = None,
) -> Explained:
    """Explanations of at least two pieces that show three corners each.

    Args:
        corners: of N pieces, the base corners in any order and sense.
        lying: (N,) probability that each lies.
        unlikely: (N, 3) what speaks against each size besides scale: a negative log-likelihood, 0 for the best.
        south: the image side that shall be South in the table frame, whose origin is below the camera.
        least_noise: px; more is noticed by itself.
        posture_doubt: least probability that the posture is the other one.
        lens: focal length as a share of the picture's diagonal, where it is known.
    """
    prior = _prior(size_px, lens)
    lies = lying > 0.5
    seen = replace(corners, pixels=righted(corners, lies))
    start_noise = START_NOISE * _diameter(corners)
    bodies = bodies_of(Size.MEDIUM, lies)
    looks = _starts(size_px, south, math.exp(prior.mean[FOCAL]))
    fit = settle(looks, first_places(looks, seen, bodies), bodies, seen, start_noise, SIZES_OPEN, 8, prior)
    fit = fit[int(fit.cost.argmin())]
    noise = _noise_of(fit, seen, SIZES_OPEN, least_noise)
    lies, seen, places = _better_postures(fit.looks, corners, np.clip(lying, posture_doubt, 1 - posture_doubt), noise)
    bodies = bodies_of(Size.MEDIUM, lies)
    for _ in range(2):
        fit = settle(fit.looks, places, bodies, seen, noise, SIZES_OPEN, 8, prior)
        places = fit.places
        noise = _noise_of(fit, seen, SIZES_OPEN, least_noise)
        seen = _without_strays(fit, seen, noise)
    choices = Quadratic.around(fit, seen, unlikely, noise, prior).choices(prior)[:MOST_EXPLANATIONS]
    kinds = np.array([choice.kinds for choice in choices])
    solids = np.array([bodies_of(size, lies) for size in Size])[kinds, np.arange(len(lies))]
    change = np.array([choice.change for choice in choices])
    places = np.repeat(places, len(choices), axis=0)
    places[..., 0] = np.array([choice.scale for choice in choices])[:, None]
    fits = settle(fit.looks.moved(change), places, solids, seen, noise, SIZES_GIVEN, 12, prior)
    noise = _noise_of(fits, seen, SIZES_GIVEN, least_noise)
    fits = settle(fits.looks, fits.places, solids, seen, noise, SIZES_GIVEN, 6, prior)
    costs = fits.cost + unlikely[np.arange(len(lies)), kinds].sum(axis=1)
    lags = costs - costs.min()
    return Explained(
        tuple(
            _explanation(fits[index], kinds[index], lies, seen, noise, prior, south, float(lags[index]))
            for index in np.argsort(costs, kind="stable").tolist()
        ),
        noise,
    )


def noise_of(squares: Array, free: int, least: float) -> float:
    """px, the spread of Student's t that makes corners these (K,) px² off likeliest, allowing for *free* unknowns."""
    count = max(2.0 * len(squares) - free, 0.2 * len(squares))
    noise = 2 * USUAL_NOISE
    for _ in range(12):
        weights = (FREEDOM + 2) / (FREEDOM + squares / noise**2)
        total = float((weights * squares).sum()) + USUAL_COUNT * USUAL_NOISE**2
        noise = math.sqrt(total / (count + USUAL_COUNT))
    return max(noise, least)


def _noise_of(fit: Settled, corners: Corners, unknowns: Unknowns, least: float) -> float:
    """The noise of the corners of the best of the fits that may pull."""
    may_pull = corners.precision > HARDLY
    own = SCALE + 4 - unknowns.own
    free = own * int(may_pull.any(axis=1).sum()) + unknowns.own
    return noise_of(fit.squares(corners)[int(fit.cost.argmin())][may_pull], free, least)


def _diameter(corners: Corners) -> float:
    """px, of the usual piece."""
    seen = np.where((corners.precision > 0)[..., None], corners.pixels, np.nan)
    return float(np.median((np.nanmax(seen, axis=1) - np.nanmin(seen, axis=1)).max(axis=1)))


def _prior(size_px: tuple[int, int], lens: float | None) -> Prior:
    mean, precision = np.zeros(8), np.zeros(8)
    mean[FOCAL] = math.log(USUAL_FOCAL * max(size_px) if lens is None else lens * math.hypot(*size_px))
    precision[FOCAL] = (FOCAL_SPREAD if lens is None else LENS_SPREAD) ** -2
    precision[BEND] = BEND_SPREAD**-2
    return Prior(mean, precision)


def _starts(size_px: tuple[int, int], south: ImageSide, focal: float) -> Looks:
    """Level cameras at several tilts, with a lens of so many px."""
    ups = [np.array([0.0, -math.sin(tilt), -math.cos(tilt)]) for tilt in np.radians(START_TILTS)]
    R = np.array([camera_over_table(up, focal, 1.0, size_px, south).R for up in ups])
    return Looks(R, np.full(len(ups), focal), np.zeros(len(ups)), (np.array(size_px) - 1.0) / 2)


def _better_postures(look: Looks, corners: Corners, lying: Array, noise: float) -> tuple[Lying, Corners, Array]:
    """How each piece lies, judged by its corners and the eyes together; its corners righted; its place."""
    count = len(lying)
    both = np.repeat([False, True], count)
    twice = np.tile(np.arange(count), 2)
    tried = corners[twice]
    tried = replace(tried, pixels=righted(tried, both))
    bodies = bodies_of(Size.MEDIUM, both)
    places = first_places(look, tried, bodies).swapaxes(0, 1)
    each = Corners(tried.pixels[:, None], tried.precision[:, None])
    fit = settle(look, places, bodies[:, None], each, noise, ONLY_PLACES_AND_SCALES, 6)
    costs = fit.cost.reshape(2, count) - np.log([1 - lying, lying])
    lies = np.asarray(costs.argmin(axis=0) == 1)
    chosen = np.arange(count) + count * lies
    return lies, tried[chosen], fit.places[chosen].swapaxes(0, 1)


def _without_strays(fit: Settled, corners: Corners, noise: float) -> Corners:
    """The corners of pieces that fit nowhere made powerless, so that they bend no camera."""
    squares = np.where(corners.precision > HARDLY, fit.squares(corners)[0], np.nan)
    known = np.isfinite(squares).any(axis=1)
    middle = np.zeros(len(squares))
    middle[known] = np.nanmedian(squares[known], axis=1)
    stray = middle > (BIT_OFF * noise) ** 2
    if len(stray) - stray.sum() < 2:
        return corners
    return replace(corners, precision=np.where(stray[:, None], corners.precision * HARDLY, corners.precision))


def _explanation(
    fit: Settled,
    kinds: Kinds,
    lying: Lying,
    corners: Corners,
    noise: float,
    prior: Prior,
    south: ImageSide,
    lag: float,
) -> Explanation:
    """What a fit says, with the table turned so that South is where it shall be."""
    shared = SIZES_GIVEN.own
    left, _ = without_own(fit.normal(corners, noise, 0)[0], shared)
    curvature = left[:, :-1, :-1].sum(0) + np.diag(prior.precision[:shared]) + 1e-9 * np.eye(shared)
    R = fit.looks.R[0]
    facing = camera_over_table(R[:, 2], 1.0, 1.0, (2, 2), south).R
    turn = facing.T @ R  # about the table's normal
    places = fit.places[0].copy()
    places[:, 1:3] = places[:, 1:3] @ turn[:2, :2].T
    places[:, 3] += math.atan2(turn[1, 0], turn[0, 0])
    look = replace(fit.looks, R=facing[None])
    return Explanation(
        look,
        float(places[0, 0]),
        kinds,
        lying,
        places,
        fit.off[0],
        lag,
        np.linalg.inv(curvature),
    )
