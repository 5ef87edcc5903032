"""Perceptrons learnt from signs: the likeliest weights, held back against chance. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from vision.perceptron import Perceptron
from vision.solids import Array

STEADY = 15.0  # precision of every weight of a hidden unit around 0, against chance
STEADY_STRAIGHT = 4.0  # the same of what a sign counts by itself
ROUNDS = 400  # of L-BFGS
BEGINNINGS = 12  # of which the mean is taken
NEVER_CHANGES = 1e-3  # spread of a sign that is always the same

Right = NDArray[np.intp]


@dataclass(frozen=True)
class _Shape:
    """How many signs, hidden units and logits there are, and how a vector of all weights falls apart."""

    signs: int
    hidden: int
    logits: int

    def parts(self, weights: Array) -> tuple[Array, Array, Array, Array, Array]:
        """``straight``, ``constant``, ``inner``, ``bias`` and ``outer``, each a view."""
        K, H, M = self.signs, self.hidden, self.logits
        shapes = ((K, M), (M,), (K, H), (H,), (H, M))
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
        straight, constant, inner, bias, outer = (
            part.reshape(shape) for part, shape in zip(np.split(weights, ends[:-1]), shapes, strict=True)
        )
        return straight, constant, inner, bias, outer

    def beginning(self, rng: np.random.Generator) -> Array:
        """(W,) weights of units that say different things, and little yet."""
        none = np.zeros((self.signs + 1) * self.logits)
        inner = rng.normal(0, self.signs**-0.5, self.signs * self.hidden)
        outer = rng.normal(0, 0.5 * max(self.hidden, 1) ** -0.5, self.hidden * self.logits)
        return np.concatenate([none, inner, np.zeros(self.hidden), outer])


def learnt(
    names: Sequence[str],
    signs: Array,
    right: Right,
    importance: Array,
    *,
    hidden: int,
    answers: int = 2,
    seed: int = 0,
) -> Perceptron:
    """The perceptron on signs (N, K) that makes the *right* answers (N,) likeliest, each as far as it is important.

    Hidden units end where they begin near; so it is the mean of several that began apart, which is a larger one.

    Args:
        importance: (N,). hidden: units of each. answers: how many there are; of two, one logit is that of the second.
    """
    middles, spreads = signs.mean(axis=0), signs.std(axis=0)
    spreads = np.where(spreads > NEVER_CHANGES, spreads, 1.0)
    shape = _Shape(signs.shape[1], hidden, 1 if answers == 2 else answers)
    rng = np.random.default_rng(seed)
    begun = [shape.beginning(rng) for _ in range(BEGINNINGS if hidden else 1)]
    shown = Perceptron(tuple(names), middles, spreads, *shape.parts(begun[0])).comparable(signs)
    wanted = np.eye(answers)[right]
    several = [shape.parts(_likeliest(shape, weights, shown, wanted, importance)) for weights in begun]
    straight, constant, inner, bias, outer = zip(*several, strict=True)
    return Perceptron(
        tuple(names),
        middles,
        spreads,
        straight=np.mean(straight, axis=0),
        constant=np.mean(constant, axis=0),
        inner=np.hstack(inner),
        bias=np.hstack(bias),
        outer=np.vstack(outer) / len(outer),
    )


def _likeliest(shape: _Shape, begun: Array, shown: Array, wanted: Array, importance: Array) -> Array:
    """(W,) the likeliest weights from a beginning, by signs (N, K) in spreads and answers *wanted* (N, A)."""

    def loss(weights: Array) -> tuple[float, Array]:
        straight, constant, inner, bias, outer = shape.parts(weights)
        units = np.tanh(shown @ inner + bias)
        logits = shown @ straight + units @ outer + constant
        every = np.hstack([np.zeros_like(logits), logits]) if shape.logits == 1 else logits
        every = every - every.max(axis=1, keepdims=True)
        total = np.log(np.exp(every).sum(axis=1))
        off = (importance[:, None] * (np.exp(every - total[:, None]) - wanted))[:, -shape.logits :]
        behind = off @ outer.T * (1 - units**2)
        held = STEADY_STRAIGHT * (straight**2).sum() + STEADY * ((inner**2).sum() + (outer**2).sum())
        slopes = (
            shown.T @ off + STEADY_STRAIGHT * straight,
            off.sum(axis=0),
            shown.T @ behind + STEADY * inner,
            behind.sum(axis=0),
            units.T @ off + STEADY * outer,
        )
        costs = importance * (total - (every * wanted).sum(axis=1))
        return float(costs.sum() + held / 2), np.concatenate([slope.ravel() for slope in slopes])

    found = minimize(loss, begun, jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS, "maxcor": 20})
    return np.asarray(found.x)
