"""Which pieces of the bank are not as they were.

They stand close together, in stacks and before each other, so that what is left of a stack looks much like all of it:
here it counts when some of a piece's pixels have changed, and what lies behind a piece that has changed counts less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from companion_app.reading_types import ReadPiece
from companion_app.remembering.outlines import length, share
from companion_app.remembering.unchanged import (
    BESIDE_PX,
    DARK,
    SMALLEST_PX,
    Area,
    Picture,
    best_match,
    is_light,
    window_around,
    within,
)

OTHERWISE: Final = 0.25
"""A pixel has changed that differs by so much of the contrast of the bank."""
SOME: Final = 0.06
"""Share of a piece's pixels that have changed from which on the piece has."""
ENOUGH: Final = 0.35
"""Share of a piece that has to be in sight, not behind what has changed, to tell that it has not."""
_AROUND_PX: Final = 4


def changed_pieces(
    before: Picture, after: Picture, pieces: Sequence[ReadPiece], slack_px: int = 0
) -> list[ReadPiece]:
    """Those of the *pieces* of a bank, with outlines in px of both ``smoothed`` pictures, that are not as they were.

    With a piece its stack has changed: what seems to have stayed of it may be what was under it.
    Light that has become brighter or darker, or another colour, on all of the bank makes no difference, nor does it
    if all of it has moved by no more than the *slack*.
    """
    if not pieces:
        return []
    outlines = [np.array(piece.outline, dtype=np.float32) for piece in pieces]
    low, high = window_around(np.concatenate(outlines), before, _AROUND_PX)
    if (high - low < 3).any():
        return list(pieces)
    places = [within(outline, low, high) for outline in outlines]
    bank = np.logical_or.reduce(places)
    if not bank.any():
        return list(pieces)
    then, now = before[low[1] : high[1], low[0] : high[0]], best_match(before, after, low, high, slack_px)
    otherwise = _otherwise(then, now, bank)
    small = {number for number, piece in enumerate(pieces) if length(piece) < SMALLEST_PX}  # too little to be seen
    first = [number for number, place in enumerate(places) if number in small or not _is_as_before(otherwise, place)]
    wide = {number: within(outlines[number], low, high, BESIDE_PX) for number in first}

    def is_behind(number: int) -> bool:
        """Whether what has changed of a piece is no more than what others may have changed."""
        if number in small:
            return False
        in_sight = places[number].copy()
        for other, area in wide.items():
            if pieces[other].code != pieces[number].code:
                in_sight &= ~area
        return bool(in_sight.sum() >= ENOUGH * places[number].sum()) and _is_as_before(otherwise, in_sight)

    changed = [pieces[number] for number in first if not is_behind(number)]
    return [piece for piece in pieces if any(_is_of_one_stack(piece, other) for other in changed)]


def _is_of_one_stack(piece: ReadPiece, other: ReadPiece) -> bool:
    return piece is other or (piece.code == other.code and share(piece, other) > 0)


def _otherwise(before: Picture, after: Picture, bank: Area) -> Area:
    """Where two windows, (h, w, 3) each, do not show the same once the light on all of the *bank* is."""
    light = np.median((after[bank] + DARK) / (before[bank] + DARK), axis=0)
    if not is_light(light):
        return bank
    apart = cv2.blur(np.abs(after + DARK - (before + DARK) * light).max(axis=2), (3, 3))
    contrast = float(before[bank].std(axis=0).mean())
    return np.asarray(apart > OTHERWISE * contrast)


def _is_as_before(otherwise: Area, place: Area) -> bool:
    return bool(place.any() and otherwise[place].mean() <= SOME)
