"""Which pieces of the bank are not as they were.

They stand close together, in stacks and before each other, so that what is left of a stack looks much like all of it:
here it counts when some of a piece's pixels have changed, and what lies behind a piece that has changed counts less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Final

import cv2
import numpy as np

from companion_app.reading_types import ReadPiece
from companion_app.remembering.outlines import length, share
from companion_app.remembering.registering import drawn_onto
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
PEEPING: Final = 0.25
"""So far beside a piece, as a share of its length, those may be seen that it hides."""
ONE_HUE: Final = 0.07
"""By how much the shares of red, green and blue may differ in what is of one colour."""
NO_HUE: Final = np.full(3, np.nan, dtype=np.float32)
ROUNDS: Final = 3
"""So often pictures from two sides of a bump are drawn onto each other, each time without what has changed."""
_AROUND_PX: Final = 4


class BankCompared:
    """The pictures of a bank before and after.

    Attributes:
        changed: those of its pieces that are not as they were. With a piece its stack has changed: what seems to have
            stayed of it may be what was under it.
        around: the codes of those that may hide others, and beside which something has come or gone.
    """

    def __init__(
        self,
        before: Picture,
        after: Picture,
        pieces: Sequence[ReadPiece],
        slack_px: int = 0,
        hiding: Set[str] = frozenset(),
    ) -> None:
        """The *pieces* of a bank, with outlines in px of both ``smoothed`` pictures.

        Light that has become brighter or darker, or another colour, on all of the bank makes no difference, nor does
        it if all of it has moved by no more than the *slack*. Around those that are *hiding* others of their kind, by
        their codes, something of these may be seen.
        """
        self._pieces = pieces
        self._otherwise: Area | None = None
        self.changed = list(pieces)
        self.around: frozenset[str] = frozenset()
        if not pieces:
            return
        outlines = [np.array(piece.outline, dtype=np.float32) for piece in pieces]
        self._low, self._high = low, high = window_around(np.concatenate(outlines), before, _AROUND_PX)
        if (high - low < 3).any():
            return
        self._places = [within(outline, low, high) for outline in outlines]
        bank = np.logical_or.reduce(self._places)
        if not bank.any():
            return
        then, now = before[low[1] : high[1], low[0] : high[0]], best_match(before, after, low, high, slack_px)
        otherwise = _otherwise(then, now, bank)
        for _ in range(ROUNDS if slack_px else 0):
            otherwise = _otherwise(then, drawn_onto(then, now, otherwise), bank)
        self._otherwise = otherwise
        self.changed, self.around = self._compared(otherwise, outlines, hiding, (_hues(then), _hues(now)))

    def is_as_before(self, piece: ReadPiece, some: float = SOME) -> bool:
        """Whether any piece that is read in the bank is where nothing has changed: it was there, hidden or not.

        *some* of its pixels, as a share, may have changed.
        """
        if self._otherwise is None or length(piece) < SMALLEST_PX:
            return False
        outline = np.array(piece.outline, dtype=np.float32)
        inside = (outline >= self._low).all() and (outline < self._high).all()
        return bool(inside) and _is_as_before(self._otherwise, within(outline, self._low, self._high), some)

    def _compared(
        self, otherwise: Area, outlines: Sequence[Picture], hiding: Set[str], hues: tuple[Picture, Picture]
    ) -> tuple[list[ReadPiece], frozenset[str]]:
        """The pieces that have changed, and the codes of those beside which something has."""
        pieces, places = self._pieces, self._places
        small = {number for number, piece in enumerate(pieces) if length(piece) < SMALLEST_PX}  # too little is seen
        first = [n for n, place in enumerate(places) if n in small or not _is_as_before(otherwise, place)]
        wide = [within(outline, self._low, self._high, BESIDE_PX) for outline in outlines]
        plastic = [np.median(hues[0][place], axis=0) if place.any() else NO_HUE for place in places]

        def without_others(area: Area, others: Iterable[int], number: int) -> Area:
            """What of an *area* is not of the *others* of another kind."""
            covered = [wide[other] for other in others if pieces[other].code != pieces[number].code]
            return area & ~np.logical_or.reduce(covered) if covered else area

        def is_behind(number: int) -> bool:
            """Whether what has changed of a piece is no more than what others may have changed."""
            in_sight = without_others(places[number], first, number)
            enough = in_sight.sum() >= ENOUGH * places[number].sum()
            return number not in small and bool(enough) and _is_as_before(otherwise, in_sight)

        def has_changed_around(number: int) -> bool:
            """Whether something of its colour has come or gone beside a piece, where those are that it is hiding."""
            around = within(outlines[number], self._low, self._high, round(PEEPING * length(pieces[number])))
            beside = without_others(around, range(len(pieces)), number) & otherwise
            then, now = (shown[beside] for shown in hues)
            gone, come = _is_like(then, plastic[number]), _is_like(now, plastic[number])
            uncovered = np.logical_or.reduce([_is_like(then, other) for other in plastic])
            return bool((gone | (come & ~uncovered)).sum() > SOME * places[number].sum())

        beside = [piece for number, piece in enumerate(pieces) if piece.code in hiding and has_changed_around(number)]
        changed = [*(pieces[number] for number in first if not is_behind(number)), *beside]
        stacks = [piece for piece in pieces if any(_is_of_one_stack(piece, other) for other in changed)]
        return stacks, frozenset(piece.code for piece in beside)


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


def _hues(shown: Picture) -> Picture:
    """(h, w, 3) the share of each colour in a window, however light or dark it is there."""
    return np.asarray((shown + DARK) / (shown + DARK).sum(axis=2, keepdims=True))


def _is_like(hues: Picture, other: Picture) -> Area:
    """(n,) whether (n, 3) hues are those of what looks like the *other*, (3,)."""
    return np.asarray(np.abs(hues - other).max(axis=1) < ONE_HUE)


def _is_as_before(otherwise: Area, place: Area, some: float = SOME) -> bool:
    return bool(place.any() and otherwise[place].mean() <= some)
