"""Least squares where far outliers pull no harder than near ones: Levenberg-Marquardt with weights that follow.

SciPy's solvers with the same loss were tried first: from a first camera a few degrees off they stop half way on
every third table, for their steps are judged by the loss but shaped without it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.solids import Array

MOST_STEPS = 40
MOST_TRIES = 6  # of one step, each more cautious
ENOUGH = 1e-4  # relative gain below which it has settled
CAUTION = 1e-3  # at first


def settle(residuals: Callable[[Array], Array], slopes: Callable[[Array], Array], start: Array) -> Array:
    """(V,) values from which no small step makes the *residuals* smaller, sought from *start*.

    Args:
        residuals: (V,) -> (R,), in units of what is usual; the cost of one is ``sqrt(1 + r²) - 1`` (soft L1).
        slopes: (V,) -> (R, V), their derivatives.
    """
    values, off = start, residuals(start)
    cost, caution = _cost(off), CAUTION
    for _ in range(MOST_STEPS):
        steep = slopes(values)
        weights = 1 / np.sqrt(1 + off**2)
        normal = (steep * weights[:, None]).T @ steep
        gradient = steep.T @ (weights * off)
        for _ in range(MOST_TRIES):
            damped = normal + caution * np.diag(np.diag(normal) + 1e-9)
            moved = values - np.linalg.solve(damped, gradient)
            new_off = residuals(moved)
            new_cost = _cost(new_off)
            if new_cost < cost:
                break
            caution *= 6
        else:
            return values
        gain = (cost - new_cost) / cost
        values, off, cost, caution = moved, new_off, new_cost, max(caution / 5, 1e-9)
        if gain < ENOUGH:
            break
    return values


def _cost(off: Array) -> float:
    """Infinite where a residual is none."""
    cost = float((np.sqrt(1 + off**2) - 1).sum())
    return cost if np.isfinite(cost) else np.inf
