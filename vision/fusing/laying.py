"""Laying pieces on a known table: in every size and posture, where their corners come nearest to those seen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.fusing.arrow import ONLY_PLACES, SIZES_GIVEN, Corners, looked, settle, without_own
from vision.fusing.first_places import first_places, righted
from vision.fusing.joint import Explanation
from vision.fusing.slopes import Looks, ideal, pictured
from vision.poses import Pose, body_of
from vision.solids import Array, Posture, Size

STEPS, FEW_STEPS = 8, 4  # from a first guess; from where a piece was laid before
HYPOTHESES = [(posture, size) for posture in Posture for size in Size]
BODIES = np.array([body_of(size, posture) for posture, size in HYPOTHESES])


@dataclass(frozen=True, eq=False)
class Table:
    """A table under one camera, ready to lay pieces on.

    Attributes:
        camera: over the table, in whose frame poses are told.
        look: the same over the point below it. scale: minus the logarithm of its height in mm.
        giving: (5, 5) covariance of the camera's unknowns and the scale; 0 if they are known.
        straightened: whether *look* wants pixels through :func:`vision.fusing.slopes.ideal`.
    """

    camera: Camera
    look: Looks
    scale: float
    giving: Array
    straightened: bool

    @classmethod
    def known(cls, camera: Camera) -> Table:
        """The table under a camera of which everything is known."""
        unknowns = SIZES_GIVEN.own
        height = float(camera.position[2])
        return cls(camera, Looks.of(camera), -math.log(height), np.zeros((unknowns, unknowns)), True)

    @classmethod
    def explained(cls, explanation: Explanation, size_px: tuple[int, int]) -> Table:
        """The table as its pieces tell it."""
        camera = explanation.look.camera(math.exp(-explanation.scale), size_px)
        return cls(camera, explanation.look, explanation.scale, explanation.giving, False)

    def pose(self, size: Size, posture: Posture, place: Array, lift: float) -> Pose:
        """The pose of a piece laid at (4,) *place*, *lift* mm over the table."""
        x, y = (place[1:3] / math.exp(self.scale) + self.camera.position[:2]).tolist()
        return Pose(size, posture, x, y, math.degrees(place[3]) % 360, lift)

    def seen_at(self, pixels: Array) -> Array:
        """(…, 2) px of the picture -> of *look*."""
        return ideal(self.camera, pixels) if self.straightened else pixels

    def shown_at(self, points: Array) -> Array:
        """(…, 2) of *look* -> px of the picture."""
        return pictured(self.camera, points) if self.straightened else points

    def under(self, pixels: Array) -> NDArray[np.bool_]:
        """(N,) whether there is table at (N, 2) px, and not the sky or what is all but level."""
        rays = self.look.rays(self.seen_at(pixels)[:, None])[0, :, 0]
        return np.asarray(np.abs(rays[:, 2] + 1) < 1e-6)


@dataclass(frozen=True, eq=False)
class Laid:
    """N pieces, each tried in both postures and all sizes.

    Attributes:
        costs: (N, 2, 3) negative log-likelihood of the corners, by posture (upright, lying) and size.
        places: (N, 2, 3, 4) scale, x, y and turn as :func:`vision.fusing.slopes.projected` takes them.
        squares: (N, 2, 3, 5) px² that each corner is off, times its precision.
        outlines: (N, 2, 3, 5, 2) px, the corners of the piece as laid.
    """

    costs: Array
    places: Array
    squares: Array
    outlines: Array

    def only(self, which: NDArray[np.intp]) -> Laid:
        """Some of them."""
        return Laid(*(array[which] for array in self._arrays()))

    def replaced(self, which: NDArray[np.intp], others: Laid) -> Laid:
        """With *others* in the place of those at *which*."""
        arrays = [array.copy() for array in self._arrays()]
        for old, new in zip(arrays, others._arrays(), strict=True):
            old[which] = new
        return Laid(*arrays)

    def _arrays(self) -> tuple[Array, ...]:
        return self.costs, self.places, self.squares, self.outlines

    def likelihoods(self, believed: Array) -> Array:
        """(N, 2, 3) probabilities, given how much each was *believed* before."""
        costs = self.costs - np.log(believed)
        likelihoods = np.exp(-(costs - costs.min(axis=(1, 2), keepdims=True)))
        return np.asarray(likelihoods / likelihoods.sum(axis=(1, 2), keepdims=True))


def lay(table: Table, corners: Corners, lifts: Array, noise: float, before: Array | None = None) -> Laid:
    """Lays N pieces in every size and posture.

    Args:
        corners: of N pieces, the base corners in any order and sense.
        lifts: (N, 3) mm over the table that an upright piece of each size would stand; lying ones lie on the table.
        noise: px, of a corner of precision 1.
        before: (N, 2, 3, 4) places where they were laid on the table itself, to begin with.

    A camera that is itself uncertain gives way a little for each hypothesis, as far as the other pieces let it.
    """
    count, tried = len(corners.pixels), len(HYPOTHESES)
    corners = replace(corners, pixels=table.seen_at(corners.pixels))
    each = np.repeat(np.arange(count), tried)
    turned = np.stack([righted(corners, np.full(count, lies)) for lies in (False, True)], axis=1)
    pixels = np.repeat(turned, len(Size), axis=1).reshape(-1, 5, 2)
    bodies = np.tile(BODIES, (count, 1, 1))
    bodies[..., 2] += np.concatenate([lifts, np.zeros_like(lifts)], axis=1).reshape(-1, 1)
    single = Corners(pixels, corners.precision[each])
    if before is None:
        places = first_places(table.look, single, bodies).swapaxes(0, 1)
        places[..., 0] = table.scale
    else:
        places = _raised(before, lifts * math.exp(table.scale)).reshape(-1, 1, 4)
    apart = Corners(single.pixels[:, None], single.precision[:, None])
    steps = STEPS if before is None else FEW_STEPS
    fit = settle(table.look, places, bodies[:, None], apart, noise, ONLY_PLACES, steps)
    costs = fit.costs.reshape(count, tried)
    if table.giving.any():
        fit = looked(fit.looks, fit.places, bodies[:, None], apart, noise)  # by the camera's own unknowns, too
        left, _ = without_own(fit.normal(apart, noise, 0)[:, 0], SIZES_GIVEN.own)
        pull = left[:, :-1, -1].reshape(count, tried, -1)
        pull = pull - pull[np.arange(count), costs.argmin(axis=1)][:, None]
        costs = costs - np.einsum("nki,ij,nkj->nk", pull, table.giving, pull) / 2
    shape = (count, len(Posture), len(Size))
    return Laid(
        costs.reshape(shape),
        fit.places.reshape(*shape, 4),
        fit.squares(apart).reshape(*shape, 5),
        table.shown_at(apart.pixels + fit.off).reshape(*shape, 5, 2),
    )


def _raised(places: Array, lifts: Array) -> Array:
    """(N, 2, 3, 4) places, upright pieces moved along the line of sight by (N, 3) of the camera's height."""
    moved = places.copy()
    moved[:, 0, :, 1:3] *= (1 - lifts)[..., None]
    return moved
