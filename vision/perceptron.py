"""Small perceptrons on named signs, as they are kept in a file and asked.

Beside a layer of hidden units that bend, every sign also counts straight: without hidden units this is a logistic
regression.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.solids import Array

FARTHEST = 5.0  # spreads from its middle; a sign that is farther off counts as that


@dataclass(frozen=True, eq=False)
class Perceptron:
    """What K signs say, as logits of M answers, by H hidden units.

    Attributes:
        names: of the signs.
        middles, spreads: (K,) by which they are made comparable.
        straight: (K, M) and constant: (M,), what each sign counts by itself.
        inner: (K, H), bias: (H,), outer: (H, M), what the hidden units make of them.
    """

    names: tuple[str, ...]
    middles: Array
    spreads: Array
    straight: Array
    constant: Array
    inner: Array
    bias: Array
    outer: Array

    def logits(self, signs: Array) -> Array:
        """(N, M) by signs (N, K)."""
        shown = self.comparable(signs)
        units = np.tanh(shown @ self.inner + self.bias)
        return np.asarray(shown @ self.straight + units @ self.outer + self.constant)

    def comparable(self, signs: Array) -> Array:
        """(N, K) signs in spreads from their middles."""
        return np.asarray(np.clip((signs - self.middles) / self.spreads, -FARTHEST, FARTHEST))

    def told(self) -> dict[str, Any]:
        """As it is kept in a file."""
        return {"signs": list(self.names)} | {name: np.round(getattr(self, name), 4).tolist() for name in _NUMBERS}


_NUMBERS = ("middles", "spreads", "straight", "constant", "inner", "bias", "outer")


def perceptron_of(told: Mapping[str, Any], names: Sequence[str]) -> Perceptron:
    """The one that a file tells; raises KeyError or ValueError where it is not on signs of these *names*."""
    signs = tuple(told["signs"])
    if signs != tuple(names):
        raise ValueError(f"A perceptron on {', '.join(signs)} is kept, not on {', '.join(names)}.")
    numbers = {name: np.array(told[name], dtype=np.float64) for name in _NUMBERS}
    hidden, answers = len(numbers["bias"]), len(numbers["constant"])
    numbers["inner"] = numbers["inner"].reshape(len(signs), hidden)  # without hidden units a file tells no shape
    numbers["outer"] = numbers["outer"].reshape(hidden, answers)
    return Perceptron(signs, **numbers)
