"""Probabilities from the numbers that nets answer with, and back."""

from __future__ import annotations

import numpy as np

from vision.solids import Array

SUREST = 1e-4  # beyond it, on either side, probabilities say nothing more
FARTHEST = 30.0  # logits beyond it are all the same


def sigmoid(logits: Array) -> Array:
    """Logits -> probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -FARTHEST, FARTHEST))))


def softmax(logits: Array) -> Array:
    """Logits (N, K) -> probabilities that sum up to 1."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


def logit(chances: Array) -> Array:
    """Probabilities -> logits."""
    clipped = np.clip(chances, SUREST, 1 - SUREST)
    return np.asarray(np.log(clipped / (1 - clipped)))
