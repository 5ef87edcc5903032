"""Curves from raw confidence to what it is worth: isotonic regression, the best of all curves that never fall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from benchmarks.marking import Claim
from vision.solids import Array

LEAST, MOST = 1e-3, 1 - 1e-4  # no calibrated confidence is below or above
Curve = list[tuple[float, float]]
"""Points (raw, calibrated), both rising."""


def fit(claims: Sequence[Claim]) -> Curve:
    """The curve of some claims; raises ``ValueError`` where there are none.

    Every step counts one right and one wrong claim more than there were, so that few claims never promise much: of
    *n* claims that were all right it makes (n + 1) / (n + 2).
    """
    if not claims:
        raise ValueError("A curve needs claims.")
    raw, where = np.unique([claim.confidence for claim in claims], return_inverse=True)
    counts = np.bincount(where).astype(np.float64)
    right = np.bincount(where, [float(claim.right) for claim in claims])
    steps = _merged(np.column_stack([raw * counts, counts, right]), right / counts)
    while (np.diff(_worth(steps)) <= 0).any():
        steps = _merged(steps, _worth(steps))
    points = zip(steps[:, 0] / steps[:, 1], np.clip(_worth(steps), LEAST, MOST), strict=True)
    return [(round(float(x), 6), round(float(y), 6)) for x, y in points]


def _worth(steps: Array) -> Array:
    return np.asarray((steps[:, 2] + 1) / (steps[:, 1] + 2))


def _merged(steps: Array, shares: Array) -> Array:
    """(N, 3) sums of raw confidence, claims and right ones -> the same of fewer steps, whose *shares* rise."""
    _, lengths = pooled(shares, steps[:, 1])
    return np.asarray(np.add.reduceat(steps, np.cumsum([0, *lengths[:-1]]), axis=0))


def pooled(values: Array, weights: Array) -> tuple[list[float], list[int]]:
    """Pool adjacent violators: the rising steps nearest to *values*, and how many values each of them takes.

    A step is the weighted mean of its values; equal neighbours are one step.
    """
    steps: list[tuple[float, float, int]] = []
    for step in zip(values.tolist(), weights.tolist(), [1] * len(values), strict=True):
        value, weight, length = step
        while steps and steps[-1][0] >= value:
            before, heavy, long = steps.pop()
            value = (before * heavy + value * weight) / (heavy + weight)
            weight, length = heavy + weight, long + length
        steps.append((value, weight, length))
    return [value for value, _, _ in steps], [length for _, _, length in steps]


def calibrated(claims: Sequence[Claim], curves: Mapping[str, Curve]) -> list[Claim]:
    """The claims with what they are worth; those without a curve stay as they are."""
    return [
        replace(claim, confidence=worth(claim.confidence, curves[claim.what])) if claim.what in curves else claim
        for claim in claims
    ]


def worth(raw: float, curve: Curve) -> float:
    """What a raw confidence is worth by a curve."""
    points = np.array(curve)
    return float(np.interp(raw, points[:, 0], points[:, 1]))
