"""The fields of a board on which nothing lay and nothing has come since: no piece can have been overlooked there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import product
from typing import Final

import cv2
import numpy as np

from companion_app.reading_types import Point, ReadPiece
from companion_app.remembering.unchanged import Picture, is_bare_still

FILES: Final = "abcdef"
RANKS: Final = "123456"
INSET: Final = 0.08
"""Of a field: its edge, which is left out, for boards are found to within less."""


def still_empty(
    before: Picture, now: Picture, board: Sequence[Point], pieces: Collection[ReadPiece], changed: Iterable[ReadPiece]
) -> frozenset[str]:
    """The names of the fields that look as empty *now* as they did *before*.

    Args:
        board: corners of the playing area in px: a1, f1, f6, a6.
        pieces: those on the board, then or now. changed: those that have come or gone; they may cover other fields.
    """
    if len(board) != len(_CORNERS):
        return frozenset()
    to_px = cv2.getPerspectiveTransform(_CORNERS, np.array(board, dtype=np.float32))
    taken = {piece.field for piece in pieces}
    beside = [piece.outline for piece in changed if piece.outline]
    return frozenset(
        name
        for name, outline in _outlines(np.asarray(to_px, dtype=np.float64)).items()
        if name not in taken and is_bare_still(before, now, outline, beside)
    )


_CORNERS: Final = np.array([[0, 0], [6, 0], [6, 6], [0, 6]], dtype=np.float32)


def _outlines(to_px: Picture) -> dict[str, list[Point]]:
    """Every field with its corners in px."""
    inner = np.array([(INSET, INSET), (1 - INSET, INSET), (1 - INSET, 1 - INSET), (INSET, 1 - INSET)])
    outlines = {}
    for file, rank in product(range(6), range(6)):
        points = cv2.perspectiveTransform((inner + np.array([file, rank]))[None], to_px)[0]
        outlines[FILES[file] + RANKS[rank]] = [(float(x), float(y)) for x, y in points]
    return outlines
