"""Logistic regressions on named signs, as they are kept in a file and asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.eyes.chances import sigmoid
from vision.solids import Array


@dataclass(frozen=True, eq=False)
class Regression:
    """A logistic regression on K signs, or on these and the products of each two of them.

    Attributes:
        names: of the signs.
        middles, spreads: (K,) by which they are made comparable.
        weights: (K,), or with products (K (K + 3) / 2,) in the order of :func:`terms`.
    """

    names: tuple[str, ...]
    middles: Array
    spreads: Array
    weights: Array
    constant: float

    def chances(self, shown: Array) -> Array:
        """(N,) probabilities by signs (N, K)."""
        comparable = (shown - self.middles) / self.spreads
        every = comparable if len(self.weights) == len(self.names) else terms(comparable)
        return sigmoid(every @ self.weights + self.constant)

    def told(self) -> dict[str, Any]:
        """As it is kept in a file."""
        signs = {
            name: {"middle": round(middle, 4), "spread": round(spread, 4)}
            for name, middle, spread in zip(self.names, self.middles.tolist(), self.spreads.tolist(), strict=True)
        }
        weights = [round(weight, 4) for weight in self.weights.tolist()]
        return {"signs": signs, "weights": weights, "constant": round(self.constant, 4)}


def regression_of(told: Mapping[str, Any], names: tuple[str, ...]) -> Regression:
    """The one that a file tells; raises KeyError or ValueError where it is not on signs of these *names*."""
    signs = told["signs"]
    if tuple(signs) != names:
        raise ValueError(f"A regression on {', '.join(signs)} is kept, not on {', '.join(names)}.")
    middles, spreads = (np.array([signs[name][part] for name in names]) for part in ("middle", "spread"))
    return Regression(names, middles, spreads, np.array(told["weights"]), float(told["constant"]))


def terms(shown: Array) -> Array:
    """(N, K) signs, then the products of each with itself and with those after it: (N, K (K + 3) / 2)."""
    first, second = np.triu_indices(shown.shape[1])
    return np.hstack([shown, shown[:, first] * shown[:, second]])
