"""Where the stacks of a bank are: what is read there is of their kinds, what is read far off is not of the bank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import dist
from typing import Final

import cv2
import numpy as np

from companion_app.reading_types import ReadAlternative, ReadPiece
from companion_app.remembering.outlines import OF_A_STACK, length, nearest, share
from vision.sight import Role

SORTED: Final = 0.97
"""How likely a piece that lies on a stack is of its kind."""
UNTHOUGHT: Final = 0.003
"""The chance that it is of its kind though the reader did not think of that."""
TWICE: Final = 0.7
"""Of two outlines of one kind in common from which on one piece was read twice."""
FAR: Final = 1.0
"""How far from a bank, in lengths of its largest piece, nothing is of it."""
FEWEST: Final = 3
"""So many pieces have to be known to say where a bank is."""


class KnownBank:
    """The bank as it was agreed on, in pixels of the picture that is read."""

    def __init__(self, pieces: Iterable[ReadPiece]) -> None:
        """*pieces* of the bank that were seen, and where."""
        self._pieces = [piece for piece in pieces if piece.outline]

    def sorted_in(self, read: Iterable[ReadPiece], here: Sequence[ReadPiece]) -> list[ReadPiece]:
        """The pieces *read* in the bank, of the kind of the stack they are on unless the reader is sure, each once.

        Args:
            here: those known to be in the bank still.
        """
        told: list[ReadPiece] = []
        for piece in map(self._by_its_stack, read):
            if not any(piece.code == other.code and share(piece, other) > TWICE for other in (*told, *here)):
                told.append(piece)
        return told

    def is_far_from(self, piece: ReadPiece) -> bool:
        """Whether a *piece* is nowhere near the bank, where that is known."""
        if len(self._pieces) < FEWEST:
            return False
        around = cv2.convexHull(np.concatenate([np.array(one.outline, dtype=np.float32) for one in self._pieces]))
        inside = cv2.pointPolygonTest(around, piece.middle, True)
        return -inside > FAR * max(map(length, self._pieces))

    def _by_its_stack(self, piece: ReadPiece) -> ReadPiece:
        """The *piece* as one of the stack on which it lies, with all doubts."""
        stack = nearest(piece, self._pieces, OF_A_STACK)
        if stack is None:
            return piece
        kind = stack.color, stack.size
        chance = sum(p for look, p in piece.looks if (look.color, look.size) == kind)
        others = [(look, p) for look, p in piece.looks if (look.color, look.size) != kind]
        rest = sum(p for _, p in others)
        same, other = SORTED * max(chance, UNTHOUGHT), (1 - SORTED) * rest
        if same <= other:
            return piece
        total, share_left = chance + rest, other / (same + other)
        left = tuple(
            ReadAlternative(look.color, look.size, look.posture, look.owner, p / rest * total * share_left)
            for look, p in others
        )
        sure = total * (1 - share_left)
        return replace(piece, color=stack.color, size=stack.size, confidence=sure, alternatives=left)


def founded(strays: Sequence[ReadPiece], number: int) -> list[ReadPiece]:
    """Pieces that stand about as stars: those near each other in one system, numbered from *number* on."""
    stars: list[ReadPiece] = []
    for piece in strays:
        beside = next((star for star in stars if dist(star.middle, piece.middle) < length(star)), None)
        new = number + len({star.system for star in stars})
        stars.append(replace(piece, role=Role.STAR, system=beside.system if beside else new))
    return stars
