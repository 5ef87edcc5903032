"""The strips of pieces whose corners are told a little wrongly, as they always are, and the sizes. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from training.truth import TruePiece
from vision.eyes.halvings import Halvings
from vision.eyes.maps import COLORS
from vision.eyes.strips import Image, Strips
from vision.solids import Array

LEAST_VISIBLE = 0.3
SHIFT, EACH = 0.012, 0.015  # usual errors of all corners together and of each, as shares of a piece's diagonal
CAREFUL, CARELESS = 0.4, 2.0  # times those

Strip = tuple[Image, float, int]
"""What it shows, (20, 48, 3); how many px wide it was in the picture; the index of the size."""


def strips_of(image: Image, pieces: Sequence[TruePiece], rng: np.random.Generator) -> list[Strip]:
    """The strips of those *pieces* of the four colours that are seen well enough, told with errors."""
    shown = [
        piece
        for piece in pieces
        if piece.visible >= LEAST_VISIBLE and piece.posture != "tilted" and COLORS[piece.color] is not None
    ]
    if not shown:
        return []
    corners = told_nearly(np.array([piece.corners for piece in shown]), rng)
    strips = Strips.along(corners, np.array([piece.posture == "lying" for piece in shown]))
    sizes = [shown[index].size for index in strips.piece]
    return list(zip(strips.drawn(Halvings(image)), strips.width.tolist(), sizes, strict=True))


def told_nearly(corners: Array, rng: np.random.Generator) -> Array:
    """(N, 5, 2) corners with errors, larger for some pieces than for others."""
    lengths = np.linalg.norm(np.ptp(corners, axis=1), axis=1)
    much = lengths * np.exp(rng.uniform(np.log(CAREFUL), np.log(CARELESS), len(corners)))
    errors = SHIFT * rng.normal(size=(len(corners), 1, 2)) + EACH * rng.normal(size=corners.shape)
    return np.asarray(corners + much[:, None, None] * errors)
