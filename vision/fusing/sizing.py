"""How likely each size of a piece is: its scale on the table, looks, pips and edges, and what these are worth."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np

from vision.eyes.chances import logit, softmax
from vision.eyes.detections import Detections
from vision.fusing.table_fit import TableFit
from vision.perceptron import Perceptron, perceptron_of
from vision.solids import Array, Size

FILE = "sizing.json"
SIZE_SIGNS = (
    *(f"scale of {size.word}" for size in Size),
    *(f"looks of {size.word}" for size in Size),
    *(f"pips of {size.word}" for size in Size),
    *(f"edges of {size.word}" for size in Size),
    "visible",
    "misfit",
    "noise",
    "raised",
    "under",
    "lying",
    "pieces",
    "margin",
    "carried",
    "length",
)
DEAREST = 30.0  # of log-likelihood that a size may cost, and that a camera may lead
LEAST = 1e-3  # probability, misfit as a share of a piece's length
UNTOLD = 0.02  # probability shared among all sizes, for what no sign tells


def size_chances(fit: TableFit, seen: Detections) -> Array:
    """(N, 3) probability of each size of every piece."""
    chances = softmax(_learnt().logits(size_signs(fit, seen)))
    return np.asarray((1 - UNTOLD) * chances + UNTOLD / len(Size))


def size_signs(fit: TableFit, seen: Detections) -> Array:
    """(N, 22) what tells the size of each piece, in the order of ``SIZE_SIGNS``."""
    lengths = np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)
    count = np.ones(len(seen))
    return np.column_stack(
        [
            -np.minimum(fit.size_costs, DEAREST),
            np.log(np.maximum(seen.sizes, LEAST)),
            np.maximum(seen.pips - seen.pips.max(axis=1, keepdims=True), -DEAREST),
            seen.edges,
            logit(seen.visible),
            np.log(np.clip(fit.misfit / lengths, LEAST, 1.0)),
            np.log(fit.noise) * count,
            seen.above,
            seen.under,
            seen.lying,
            np.log(np.maximum(len(seen), 1)) * count,
            min(fit.margin, DEAREST) * count,
            np.array(fit.below) >= 0,
            np.log(lengths),
        ]
    )


def lying_chances(fit: TableFit) -> Array:
    """(N,) probability that each piece lies, by its looks and by its corners."""
    upright, lying = fit.posture_costs.T
    return np.asarray(1 / (1 + np.exp(np.clip(lying - upright, -50, 50))))


@cache
def _learnt() -> Perceptron:
    """By ``python -m training weigh``; one logit for each size."""
    return perceptron_of(json.loads((files("vision.fusing") / FILE).read_text(encoding="utf-8")), SIZE_SIGNS)
