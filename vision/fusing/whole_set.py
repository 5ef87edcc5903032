"""Which pieces are there, by all that is: a set has so many of each kind, and most of them are in the picture.

What is told of a kind of which all have been seen is most likely told of another, or of nothing; of a kind of which
one is missing it is the likelier there. Of which kind the others are is in doubt as well. So pieces tell kinds how
many there seem to be, and kinds tell pieces how much room is left, by turns until they agree: belief propagation
(J. Pearl, "Probabilistic Reasoning in Intelligent Systems", 1988), with a factor for the number of each kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.fusing.judging import KINDS, kind_probabilities
from vision.solids import Array, Color, Size

ROUNDS = 4  # after which hardly anything changes
INERTIA = 0.2  # power of what was told the round before, so that no two say the same by turns
LEAST_UNSEEN = 0.2  # share of a set that may be hidden or overlooked, however much of it is seen
MOST_UNSEEN = 0.5  # where half of it is elsewhere, nothing is said of any piece
LEAST_LIKELY = 1e-4  # of a kind, or of a piece's being there
MOST = 1e5  # odds that are told

Kit = Mapping[tuple[Color, Size], int]


@dataclass(frozen=True, eq=False)
class WholeSet:
    """What the set says of N pieces.

    Attributes:
        there: (N,) probability that each is there.
        room: (12,) how much likelier than by itself one more piece of each of ``KINDS`` is; 0 where all are seen.
        missing: (12,) probability that not all of each kind are seen.
        unseen: how many pieces of the set are not, on the whole.
    """

    there: Array
    room: Array
    missing: Array
    unseen: float


def within_the_set(seen: Detections, sizes: Array, kit: Kit) -> tuple[Detections, WholeSet]:
    """The same pieces, each as likely there as the whole set has it, and what else the set says.

    Args:
        seen: their scores are the probabilities that they are there, each by itself; 0 stays 0.
        sizes: (N, 3) probability of each size. kit: how many pieces of each kind exist.
    """
    kinds = kind_probabilities(seen.our_colors, sizes)
    told = held_against(seen.score, kinds, np.array([kit.get(kind, 0) for kind in KINDS]))
    return replace(seen, score=np.where(seen.score > 0, told.there, 0.0)), told


def held_against(there: Array, kinds: Array, limits: NDArray[np.int_]) -> WholeSet:
    """What a set with so many of each kind, (K,) *limits*, says of pieces.

    Args:
        there: (N,) probability that each is there, by itself. kinds: (N, K) of each kind, if it is.

    >>> one_kind = np.array([[1.0]] * 4)
    >>> told = held_against(np.array([0.99, 0.99, 0.99, 0.5]), one_kind, np.array([3]))
    >>> bool(told.there[3] < 0.1)  # one more than there are
    True
    >>> bool(held_against(np.array([0.99, 0.99, 0.5]), one_kind, np.array([3])).there[2] > 0.7)  # the missing one
    True
    """
    sure = np.clip(there, LEAST_LIKELY, 1 - LEAST_LIKELY)
    chances = sure[:, None] * np.maximum(kinds, LEAST_LIKELY)
    absent = 1 - sure[:, None]
    factors = np.ones_like(chances)
    believed, room, missing = chances, np.ones(len(limits)), np.ones(len(limits))
    for _ in range(ROUNDS):
        weights = _weights(float(believed.sum()), limits)
        weighed = chances * factors
        odds = chances / (absent + weighed.sum(1, keepdims=True) - weighed)
        numbers, without = _numbers(np.minimum(odds, MOST), int(limits.max(initial=0)))
        factors = _room(without, weights) ** (1 - INERTIA) * factors**INERTIA
        room, missing = _room(numbers, weights), _missing(numbers * weights, limits)
        believed = chances * factors / (absent + (chances * factors).sum(1, keepdims=True))
    return WholeSet(believed.sum(1), room, missing, max(0.0, float(limits.sum() - believed.sum())))


def _weights(seen: float, limits: NDArray[np.int_]) -> Array:
    """(K, L + 1) how likely so many of each kind are seen, up to a factor, if so many pieces of the whole set are."""
    whole = max(1, int(limits.sum()))
    unseen = float(np.clip(1 - seen / whole, LEAST_UNSEEN, MOST_UNSEEN))
    number = np.arange(int(limits.max(initial=0)) + 1)
    missing = limits[:, None] - number
    return np.where(missing >= 0, (unseen / (1 - unseen)) ** np.maximum(missing, 0), 0.0)


def _room(numbers: Array, weights: Array) -> Array:
    """(...,) how much likelier one more is, for (..., L + 1) chances of the *numbers* of the others."""
    more = np.concatenate([weights[:, 1:], np.zeros((len(weights), 1))], axis=1)
    return np.asarray(np.maximum((numbers * more).sum(-1) / (numbers * weights).sum(-1), LEAST_LIKELY**2))


def _missing(numbers: Array, limits: NDArray[np.int_]) -> Array:
    """(K,) probability that not all of each kind are seen, for (K, L + 1) chances of the *numbers* that are."""
    return np.asarray(1 - numbers[np.arange(len(limits)), limits] / numbers.sum(axis=1))


def _numbers(odds: Array, most: int) -> tuple[Array, Array]:
    """(K, L + 1) chances, up to a factor, that so many of each kind are there, and (N, K, L + 1) without each piece.

    Args:
        odds: (N, K) of each piece's being there and of each kind.
    """
    before, after = (_one_by_one(several, most) for several in (odds, odds[::-1]))
    without = np.zeros((*odds.shape, most + 1))
    for number in range(most + 1):
        for some in range(number + 1):
            without[..., number] += before[:-1, :, some] * after[-2::-1, :, number - some]
    return before[-1], without


def _one_by_one(odds: Array, most: int) -> Array:
    """(N + 1, K, L + 1) elementary symmetric sums of the odds of the first 0, 1 … N pieces."""
    sums = np.zeros((len(odds) + 1, odds.shape[1], most + 1))
    sums[0, :, 0] = 1.0
    for index, own in enumerate(odds):
        sums[index + 1] = sums[index]
        sums[index + 1, :, 1:] += own[:, None] * sums[index, :, :-1]
    return sums
