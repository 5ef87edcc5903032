"""Least squares for unknowns of which some are shared by all pieces and the others belong to one piece each.

The normal equations have the shape of an arrow: a small shared block and one small block a piece. Each piece's own
unknowns are eliminated by themselves (Schur complement), so that the work grows with the number of pieces and not
with its cube, and every step is a few operations on whole arrays. Corners are off as Student's t says, so that one
that is far off pulls no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.fusing.slopes import BEND, FOCAL, SCALE, Looks, X, projected
from vision.solids import Array

FREEDOM = 4.0  # degrees of freedom of Student's t
CAUTION = 1e-3  # damping at first
LONGEST = 0.5  # step of any unknown: all are of the order of one
ENOUGH = 1e-3  # gain of log-likelihood below which all has settled


@dataclass(frozen=True)
class Unknowns:
    """Which of the eight unknowns are sought: from ``first`` on, those from ``own`` on by each piece for itself."""

    first: int
    own: int


SIZES_OPEN = Unknowns(0, SCALE)  # the camera; each piece's scale and place
SIZES_GIVEN = Unknowns(0, X)  # the camera and one scale for all; each piece's place
ONLY_PLACES = Unknowns(X, X)
ONLY_PLACES_AND_SCALES = Unknowns(SCALE, SCALE)


@dataclass(frozen=True, eq=False)
class Prior:
    """What is known of the shared unknowns before looking: normal, with (8,) means and precisions."""

    mean: Array
    precision: Array


NO_PRIOR = Prior(np.zeros(8), np.zeros(8))


@dataclass(frozen=True, eq=False)
class Corners:
    """What was seen of N pieces: (N, 5, 2) px and (N, 5) precisions, 1 where usual, 0 where nothing was seen."""

    pixels: Array
    precision: Array

    def __getitem__(self, index: NDArray[np.intp] | NDArray[np.bool_]) -> Corners:
        return Corners(self.pixels[index], self.precision[index])


@dataclass(frozen=True, eq=False)
class Settled:
    """G cameras and the places of N pieces under each, and how the corners pull there.

    Attributes:
        looks: the G cameras.
        places: (G, N, 4) as for :func:`vision.fusing.slopes.projected`.
        off: (G, N, 5, 2) px from where the corners are seen.
        slopes: (G, N, 5, 2, 8) of ``off``, by the unknowns that were sought and those after them.
        costs: (G, N) negative log-likelihood of each piece.
        cost: (G,) of all together and the prior.
    """

    looks: Looks
    places: Array
    off: Array
    slopes: Array
    costs: Array
    cost: Array

    def __getitem__(self, index: int) -> Settled:
        return Settled(self.looks[index], *(value[[index]] for value in self._arrays()))

    def where(self, better: NDArray[np.bool_], other: Settled) -> Settled:
        """That of *other* where (G,) bool *better* says so."""
        pairs = zip(self._arrays(), other._arrays(), strict=True)
        chosen = (np.where(better.reshape(-1, *[1] * (old.ndim - 1)), new, old) for old, new in pairs)
        looks = self.looks if other.looks is self.looks else self.looks.replaced(other.looks, better)
        return Settled(looks, *chosen)

    def _arrays(self) -> tuple[Array, ...]:
        return self.places, self.off, self.slopes, self.costs, self.cost

    def shared(self) -> Array:
        """(G, 8) values of the shared unknowns that a prior may speak of: focal length, bend and the first scale."""
        values = np.zeros((len(self.places), 8))
        values[:, FOCAL], values[:, BEND], values[:, SCALE] = (
            np.log(self.looks.focal),
            self.looks.bend,
            self.places[:, 0, 0],
        )
        return values

    def squares(self, corners: Corners) -> Array:
        """(G, N, 5) px², how far each corner is off, times its precision."""
        return np.asarray(_squared(self.off) * corners.precision)

    def normal(self, corners: Corners, noise: float, first: int) -> Array:
        """(G, N, 9 - first, 9 - first) curvature over the unknowns from *first* on, bordered by the gradient."""
        weights = corners.precision * (FREEDOM + 2) / (FREEDOM * noise**2 + self.squares(corners))
        joined = np.concatenate([self.slopes[..., first:], self.off[..., None]], axis=-1)
        joined = joined * np.sqrt(weights)[..., None, None]
        joined = joined.reshape(*joined.shape[:-3], 10, joined.shape[-1])  # x and y of five corners
        return np.asarray(joined.swapaxes(-1, -2) @ joined)


def settle(
    looks: Looks,
    places: Array,
    bodies: Array,
    corners: Corners,
    noise: float,
    unknowns: Unknowns,
    steps: int,
    prior: Prior = NO_PRIOR,
) -> Settled:
    """Moves everything unknown until no step makes the corners likelier (Levenberg-Marquardt).

    Args:
        places: (G, N, 4) to begin with.
        bodies: (N, 5, 3) or (G, N, 5, 3) mm.
        corners: of N pieces, or (G, N) of them.
        noise: px, of a corner of precision 1.
    """
    first = unknowns.first
    now = looked(looks, places, bodies, corners, noise, prior, first)
    damping = np.full(len(places), CAUTION)
    for _ in range(steps):
        shared, own = _step(now, corners, noise, unknowns, damping, prior)
        moved = now.places.copy()
        moved[..., unknowns.own - SCALE :] -= own
        if unknowns == SIZES_GIVEN:
            moved[..., 0] -= shared[:, None, SCALE]
        rocked = looks if first else now.looks.moved(-shared)
        then = looked(rocked, moved, bodies, corners, noise, prior, first)
        gain = now.cost - then.cost
        now = now.where(gain > 0, then)
        damping = np.where(gain > 0, damping / 5, damping * 10)
        if (np.abs(gain) < ENOUGH).all():
            break
    return now


def _step(
    now: Settled, corners: Corners, noise: float, unknowns: Unknowns, damping: Array, prior: Prior
) -> tuple[Array, Array]:
    """(G, S) and (G, N, P): how far to move back the shared and the own unknowns."""
    count = unknowns.own - unknowns.first
    normal = now.normal(corners, noise, unknowns.first)
    diagonal = np.arange(normal.shape[-1] - 1)
    normal[..., diagonal, diagonal] *= 1 + damping[:, None, None]
    normal[..., diagonal, diagonal] += 1e-9
    if not count:  # each piece by itself
        alone = np.linalg.solve(normal[..., :-1, :-1], normal[..., :-1, -1:])[..., 0]
        return np.zeros((len(normal), 0)), _bounded(np.asarray(alone, dtype=np.float64))
    left, follow = without_own(normal, count)
    total = left.sum(axis=1)
    held = prior.precision[:count]
    total[:, np.arange(count), np.arange(count)] += held
    total[:, :count, count] += held * (now.shared()[:, :count] - prior.mean[:count])
    shared = np.linalg.solve(total[:, :count, :count], total[:, :count, count:])[..., 0]
    own = follow[..., count] - (follow[..., :count] @ shared[:, None, :, None])[..., 0]
    return _bounded(shared), _bounded(own)


def _bounded(step: Array) -> Array:
    return np.asarray(np.clip(step, -LONGEST, LONGEST))


def student(squares: Array, noise: float) -> Array:
    """Negative log-likelihood of corners (…) px² off, above that of corners that are not off at all."""
    return np.asarray((FREEDOM + 2) / 2 * np.log1p(squares / (FREEDOM * noise**2)))


def looked(
    looks: Looks,
    places: Array,
    bodies: Array,
    corners: Corners,
    noise: float,
    prior: Prior = NO_PRIOR,
    first: int = 0,
) -> Settled:
    """Everything as it is, nothing moved; how that depends on the unknowns from *first* on."""
    pixels, slopes = projected(looks, bodies, places, first)
    off = pixels - corners.pixels
    costs = student(_squared(off) * corners.precision, noise).sum(-1)
    seen = Settled(looks, places, off, slopes, costs, costs.sum(-1))
    if prior is NO_PRIOR:
        return seen
    held = (prior.precision * (seen.shared() - prior.mean) ** 2).sum(-1) / 2
    return replace(seen, cost=seen.cost + held)


def _squared(off: Array) -> Array:
    """(…, 2) px -> (…) px²; a sum over so short an axis is slow."""
    return np.asarray(off[..., 0] ** 2 + off[..., 1] ** 2)


def without_own(normal: Array, shared: int) -> tuple[Array, Array]:
    """The curvature and gradient that are left for the shared unknowns when each piece finds its own place.

    Args:
        normal: (…, S + P + 1, S + P + 1) as from :meth:`Settled.normal`, S shared unknowns first.

    Returns:
        (…, S + 1, S + 1), bordered as before, and (…, P, S + 1): how the own unknowns follow.
    """
    own = slice(shared, -1)
    rest = np.r_[0:shared, -1]
    follow = np.linalg.solve(normal[..., own, own], normal[..., own, :][..., rest])
    left = normal[..., rest, :][..., rest] - normal[..., rest, own] @ follow
    return left, np.asarray(follow, dtype=np.float64)
