"""What is told of each piece: its likeliest reading, how likely that is, and what else it may be."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from vision.sight import Alternative, Seat
from vision.solids import Array, Color, Posture, Size

KINDS: tuple[tuple[Color, Size], ...] = tuple(product(Color, Size))
"""All kinds of piece in the order in which their probabilities are told."""

WORTH_SAYING = 0.01
MOST_ALTERNATIVES = 8


@dataclass(frozen=True)
class Judged:
    """One piece, judged.

    Attributes:
        confidence: probability that colour, size, posture and owner are all right.
        alternatives: the other readings worth saying, the likeliest first.
    """

    color: Color
    size: Size
    posture: Posture
    owner: Seat | None
    confidence: float
    alternatives: tuple[Alternative, ...]


def judge(kinds: Array, chosen: int, lying: float, southern: float, there: float = 1.0) -> Judged:
    """Everything that may be said of one piece.

    Args:
        kinds: (12,) probability of each of ``KINDS``. chosen: the one it has in the likeliest reading of all pieces.
        lying: probability that it lies. southern: that it points as South's ships do, if it lies.
        there: probability that it is a piece of the set at all.
    """
    best_posture = Posture.LYING if lying > 0.5 else Posture.UPRIGHT
    best_owner = None if best_posture is Posture.UPRIGHT else Seat.SOUTH if southern > 0.5 else Seat.NORTH
    ways: tuple[tuple[Posture, Seat | None, float], ...] = (
        (Posture.UPRIGHT, None, 1 - lying),
        (Posture.LYING, Seat.SOUTH, lying * southern),
        (Posture.LYING, Seat.NORTH, lying * (1 - southern)),
    )
    itself = (*KINDS[chosen], best_posture, best_owner)
    chances = {
        (*kind, posture, owner): float(chance) * share * there
        for kind, chance in zip(KINDS, kinds, strict=True)
        for posture, owner, share in ways
    }
    confidence = chances.pop(itself)
    others = sorted(chances.items(), key=lambda item: -item[1])[:MOST_ALTERNATIVES]
    alternatives = tuple(Alternative(*reading, chance) for reading, chance in others if chance >= WORTH_SAYING)
    return Judged(*itself, confidence, alternatives)


def kind_probabilities(colors: Array, sizes: Array) -> Array:
    """(N, 12) from (N, 4) of colours and (N, 3) of sizes."""
    return np.asarray((colors[:, :, None] * sizes[:, None, :]).reshape(len(colors), len(KINDS)))
