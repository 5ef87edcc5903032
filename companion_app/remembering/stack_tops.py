"""How high the stacks of a bank are: the top of one tells whether a piece has come or gone, whatever shadows do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from companion_app.reading_types import ReadPiece
from companion_app.remembering.outlines import length, share

LEANING: Final = 0.15
"""Seen from the side a piece's tip is off its middle by more than this share of its length."""
OF_A_TOP: Final = 0.12
"""Share of its pixels that a neighbour or its shadow changes at most; where the top has gone it is 0.15 or more."""
AS_HIGH: Final = 0.75
"""Of two outlines in common where a stack is as high as before: one piece less moves its top by more than that."""


def top_again(known: Sequence[ReadPiece], read: Sequence[ReadPiece]) -> ReadPiece | None:
    """The top of one stack, of which these pieces were *known*, if it was *read* again just where it was."""
    if any(not share(one, other) for one, other in pairwise(known)):
        return None
    top, its = _topmost(known), _topmost([piece for piece in read if any(share(piece, other) for other in known)])
    return top if top and its and share(top, its) >= AS_HIGH else None


def _topmost(stack: Sequence[ReadPiece]) -> ReadPiece | None:
    """The top of what is seen of a stack; ``None`` where it is seen from above, which hardly tells."""
    if not stack:
        return None
    tips = np.array([piece.tip for piece in stack])
    up = (tips - np.array([piece.middle for piece in stack])).mean(axis=0)
    if np.linalg.norm(up) < LEANING * max(map(length, stack)):
        return None
    return stack[int((tips @ up).argmax())]
