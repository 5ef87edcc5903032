"""Choices among several, learnt: how much each sign counts for what is chosen. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from vision.perceptron import Perceptron
from vision.solids import Array

STEADY = 3.0  # precision of every weight around 0, against chance
NEVER_CHANGES = 1e-3  # spread of a sign that is always the same


def learnt_choice(names: Sequence[str], choices: Sequence[Array], right: Sequence[int]) -> Perceptron:
    """What makes the *right* row of each of the *choices* likeliest, (M, K) signs, M differing, as one logit a row.

    A conditional logit, held back against chance: without hidden units, for there are few examples.
    """
    every = np.vstack(choices)
    middles, spreads = every.mean(axis=0), every.std(axis=0)
    spreads = np.where(spreads > NEVER_CHANGES, spreads, 1.0)
    none = np.zeros((len(names), 0))
    shape = {"inner": none, "bias": np.zeros(0), "outer": np.zeros((0, 1)), "constant": np.zeros(1)}
    kept = Perceptron(tuple(names), middles, spreads, straight=np.zeros((len(names), 1)), **shape)
    shown = [kept.comparable(signs) for signs in choices]

    def loss(weights: Array) -> tuple[float, Array]:
        total, slope = STEADY / 2 * float(weights @ weights), STEADY * weights
        for signs, chosen in zip(shown, right, strict=True):
            logits = signs @ weights
            powers = np.exp(logits - logits.max())
            total += float(np.log(powers.sum()) + logits.max() - logits[chosen])
            slope = slope + powers @ signs / powers.sum() - signs[chosen]
        return total, slope

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B")
    return Perceptron(tuple(names), middles, spreads, straight=np.asarray(found.x)[:, None], **shape)
