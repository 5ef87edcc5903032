"""The bank held against the kit: its sizes are seen worst, and every colour has only so many of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vision.sight import Role, SeenPiece
from vision.solids import Color, Size

Kind = tuple[Color, Size]
EXCHANGED = 0.5  # confidence in a size that only the count tells


def fit_to_kit(pieces: Sequence[SeenPiece], kit: Mapping[Kind, int]) -> tuple[SeenPiece, ...]:
    """The pieces, with sizes in the bank exchanged where too many of one and too few of another were seen.

    Only pieces in the bank change, only within their colour, and to the nearest size that has room.
    """
    settled = list(pieces)
    counts = Counter((piece.color, piece.size) for piece in settled)
    for index, piece in enumerate(settled):
        kind = (piece.color, piece.size)
        if piece.role is not Role.BANK or counts[kind] <= kit.get(kind, 0):
            continue
        room = [size for size in Size if counts[(piece.color, size)] < kit.get((piece.color, size), 0)]
        if room:
            size = min(room, key=lambda other: abs(other - piece.size))
            counts[kind] -= 1
            counts[(piece.color, size)] += 1
            settled[index] = replace(piece, size=size, confidence=EXCHANGED)
    return tuple(settled)
