"""Which sizes the pieces have together: the heights of the camera that turn their scales into official sizes.

Once every piece has been fitted with a scale of its own, the picture has said all it can; what is left is small. Near
that fit the likelihood is a quadratic in the camera and the scales, so that any choice of sizes, with the camera
giving way as it likes best, costs one small linear system.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.fusing.arrow import SIZES_GIVEN, Corners, Prior, Settled, without_own
from vision.fusing.slopes import SCALE
from vision.solids import Array, Size

RATIOS = np.log([size.base / Size.MEDIUM.base for size in Size])
LOWEST, HIGHEST = 80.0, 3000.0  # mm, believable heights of the camera
STEP = 0.01  # of the logarithm of the height
MODEL_ERROR = 0.01  # of the logarithm of a scale, for the solids are not quite similar
MOST_MISFIT = 12.0  # of log-likelihood that one piece may count against a height
MOST_TRIED = 8  # heights at which sizes are looked for
ROUNDS = 3

Kinds = NDArray[np.intp]  # indices into the three sizes


@dataclass(frozen=True, eq=False)
class Choice:
    """Sizes that all pieces may have: (N,) indices, the camera's change (4,) and the common scale, and the cost."""

    kinds: Kinds
    change: Array
    scale: float
    cost: float


@dataclass(frozen=True, eq=False)
class Quadratic:
    """The likelihood around a fit in which each piece, of N, had a scale of its own as if it were medium.

    Attributes:
        curvature: (N, 5, 5) over the camera's four unknowns and the piece's scale, its place following.
        gradient: (N, 5). scales: (N,) as fitted.
        unlikely: (N, 3) what speaks against each size otherwise, as a negative log-likelihood, 0 for the best.
        prior: of the camera, as far as it still pulls: (5, 5) and (5,).
    """

    curvature: Array
    gradient: Array
    scales: Array
    unlikely: Array
    held: Array
    pull: Array

    @classmethod
    def around(cls, fit: Settled, corners: Corners, unlikely: Array, noise: float, prior: Prior) -> Quadratic:
        """Around the only camera of a *fit*."""
        left, _ = without_own(fit.normal(corners, noise, 0)[0], SIZES_GIVEN.own)
        held = prior.precision[: SCALE + 1]
        pull = held * (fit.shared()[0, : SCALE + 1] - prior.mean[: SCALE + 1])
        pull[SCALE] = 0.0
        return cls(left[:, :-1, :-1], left[:, :-1, -1], fit.places[0, :, 0], unlikely, np.diag(held), pull)

    @cached_property
    def spread(self) -> Array:
        """(N,) variance of each scale, the camera being as uncertain as it is."""
        own = self.curvature[:, SCALE, SCALE] + 1e-9
        cross = self.curvature[:, :SCALE, SCALE] / own[:, None]
        camera = (self.curvature[:, :SCALE, :SCALE] - cross[:, :, None] * cross[:, None] * own[:, None, None]).sum(0)
        camera += self.held[:SCALE, :SCALE] + 1e-9 * np.eye(SCALE)
        return np.asarray(1 / own + np.einsum("ni,ij,nj->n", cross, np.linalg.inv(camera), cross) + MODEL_ERROR**2)

    def choices(self, prior: Prior) -> list[Choice]:
        """Sizes that the pieces may have together, the likeliest first; each only once."""
        found: dict[bytes, Choice] = {}
        for scale in self._likely_scales(prior):
            choice = self._solved(self._kinds(np.zeros(SCALE), scale), prior)
            for _ in range(ROUNDS):
                kinds = self._kinds(choice.change, choice.scale)
                if (kinds == choice.kinds).all():
                    break
                choice = self._solved(kinds, prior)
            found.setdefault(choice.kinds.tobytes(), choice)
        return sorted(found.values(), key=lambda choice: choice.cost)

    def _likely_scales(self, prior: Prior) -> list[float]:
        """Common scales at which most pieces come near an official size: minima, the deepest first."""
        scales = -np.arange(np.log(LOWEST), np.log(HIGHEST), STEP)
        off = (scales[:, None, None] + RATIOS - self.scales[:, None]) ** 2 / (2 * self.spread[:, None])
        cost = np.minimum((off + self.unlikely).min(axis=2), MOST_MISFIT).sum(axis=1)
        cost += prior.precision[SCALE] * (scales - prior.mean[SCALE]) ** 2 / 2
        around = np.lib.stride_tricks.sliding_window_view(np.pad(cost, 3, constant_values=np.inf), 7)
        minima = np.flatnonzero(cost <= around.min(axis=1))
        return [float(scales[index]) for index in minima[np.argsort(cost[minima], kind="stable")][:MOST_TRIED]]

    def _kinds(self, change: Array, scale: float) -> Kinds:
        """(N,) the size that suits each piece best under a changed camera."""
        off = scale + RATIOS - self.scales[:, None]
        wanted = (self.curvature[:, :SCALE, SCALE] @ change + self.gradient[:, SCALE])[:, None]
        costs = wanted * off + self.curvature[:, SCALE, SCALE, None] * off**2 / 2 + self.unlikely
        return np.asarray(costs.argmin(axis=1))

    def _solved(self, kinds: Kinds, prior: Prior) -> Choice:
        """The camera's change and the scale that suit these sizes best."""
        wanted = self.scales - RATIOS[kinds]
        column = self.curvature[:, :, SCALE]
        total = self.curvature.sum(0) + self.held + 1e-9 * np.eye(SCALE + 1)
        gradient = (self.gradient - column * wanted[:, None]).sum(0) + self.pull
        gradient[SCALE] -= prior.precision[SCALE] * prior.mean[SCALE]
        change = -np.linalg.solve(total, gradient)
        moved = np.repeat(change[None], len(kinds), axis=0)
        moved[:, SCALE] -= wanted
        costs = (self.gradient * moved).sum(1) + np.einsum("ni,nij,nj->n", moved, self.curvature, moved) / 2
        held = self.pull[:SCALE] @ change[:SCALE] + change[:SCALE] ** 2 @ np.diag(self.held)[:SCALE] / 2
        held += prior.precision[SCALE] * (change[SCALE] - prior.mean[SCALE]) ** 2 / 2
        unlikely = self.unlikely[np.arange(len(kinds)), kinds].sum()
        return Choice(kinds, change[:SCALE], float(change[SCALE]), float(costs.sum() + held + unlikely))
