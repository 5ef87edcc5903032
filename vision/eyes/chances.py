"""Probabilities from the numbers that nets answer with."""

from __future__ import annotations

import numpy as np

from vision.solids import Array


def sigmoid(logits: Array) -> Array:
    """Logits -> probabilities."""
    return np.asarray(1 / (1 + np.exp(-logits)))


def softmax(logits: Array) -> Array:
    """Logits (N, K) -> probabilities that sum up to 1."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))
