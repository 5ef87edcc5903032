"""The pieces of the table that stand there though nobody sees them: behind others, or overlooked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import dist
from typing import Final

from companion_app.reading_types import Point, ReadPiece
from companion_app.remembering.agreed import Place
from companion_app.remembering.outlines import OF_A_STACK, ONE, length, share
from companion_app.remembering.shown import Shown
from vision.sight import Role
from vision.solids import Posture

STILL_THERE: Final = 0.9
"""How sure it is that a piece which nobody saw is where it was."""
PERHAPS_GONE: Final = 0.6
"""The same where others have left its system, or one like it has come to light there."""
HARDLY_CHANGED: Final = 0.97
"""The same where nothing is read there, and a neighbour or its shadow has changed a little of what is to be seen."""
READ_AT_LAST: Final = 0.97
"""How sure it is that one of them is what is read, however doubtfully, where nothing has changed."""

Outline = Sequence[Point]
_What = tuple[object, ...]


class Unseen:
    """Those of one reading, in two pictures of the table."""

    def __init__(self, unplaced: Sequence[Place], shown: Shown, away: Sequence[ReadPiece]) -> None:
        """*unplaced* were not seen when the position was agreed on; those *away* do not look as they did then."""
        self._unplaced = unplaced
        self._shown = shown
        self._away = away

    def come_to_light(self, fresh: Iterable[ReadPiece]) -> list[ReadPiece]:
        """The *fresh* pieces: of one that was agreed on unseen, and is read where nothing changed, hardly a doubt."""
        unseen = Counter(map(_belonging, self._unplaced))
        pieces = []
        for piece in fresh:
            what = _what_and_where(piece)
            if unseen[what] and piece.confidence < READ_AT_LAST and self._shown.is_unchanged(piece):
                unseen[what] -= 1
                pieces.append(surer(piece, READ_AT_LAST))
            else:
                pieces.append(piece)
        return pieces

    def still_there(self, fresh: Sequence[ReadPiece], here: Sequence[ReadPiece]) -> Iterator[ReadPiece]:
        """Those that were not seen when the position was agreed on, and have not come to light since."""
        old = [piece for piece in fresh if piece.role is Role.STAR or self._shown.is_unchanged(piece)]
        to_light = Counter(map(_what_and_where, old))  # no star ever comes to a system
        come = {_what_and_where(piece) for piece in fresh} - {*to_light}
        left = {piece.system for piece in self._away}
        for place in self._unplaced:
            looked_for = _belonging(place)
            if to_light[looked_for]:
                to_light[looked_for] -= 1
                continue
            color, size, role, owner = place.kind
            posture = Posture.LYING if role is Role.SHIP else Posture.UPRIGHT
            there = next((piece for piece in here if piece.system == place.system is not None), None)
            in_doubt = looked_for in come or (place.system is not None and place.system in left)
            yield ReadPiece(
                color, size, posture, role, owner, place.system, place.field,
                center=there.center if there else (0.0, 0.0), tip=there.tip if there else (0.0, 0.0),
                confidence=PERHAPS_GONE if in_doubt else STILL_THERE,
            )  # fmt: skip

    def gone(self, there: Iterable[ReadPiece]) -> tuple[ReadPiece, ...]:
        """Those that are not where they were, and not among what is thought to be *there* either.

        None of a system that was shoved: it was read anew, and with it what may have been overlooked.
        """
        left = _but_for(self._away, there)
        shoved = {piece.system for piece in _but_for(self._away, left)}
        return tuple(piece for piece in left if piece.system is not None and piece.system not in shoved)

    def perhaps_there(self, fresh: Sequence[ReadPiece]) -> Iterator[ReadPiece]:
        """Those that the *fresh* ones hide, all but what looks as before, and those of which little has changed."""
        come, gone = _but_for(fresh, self._away), _but_for(self._away, fresh)
        for piece in gone:
            over = [other for other in come if other.outline and share(piece, other) > 0]
            beside = [other.outline for other in (*over, *gone) if other is not piece]
            if self._has_hardly_changed(piece, over, beside):
                yield replace(piece, confidence=HARDLY_CHANGED, alternatives=())
            elif self._is_behind(piece, over, beside):
                yield replace(piece, outline=(), confidence=PERHAPS_GONE, alternatives=())

    def _has_hardly_changed(self, piece: ReadPiece, over: Sequence[ReadPiece], beside: Sequence[Outline]) -> bool:
        is_read_otherwise = any(share(piece, other) >= OF_A_STACK for other in over)
        return not is_read_otherwise and self._shown.is_hardly_changed(piece, beside)

    def _is_behind(self, piece: ReadPiece, over: Sequence[ReadPiece], beside: Sequence[Outline]) -> bool:
        is_another_there = any(_in_its_place(other, piece) for other in over)
        return bool(over) and not is_another_there and self._shown.is_hidden_or_unchanged(piece, beside)


def surer(piece: ReadPiece, now: float) -> ReadPiece:
    """The *piece* with another probability, and its alternatives with the rest."""
    less = (1 - now) / (1 - piece.confidence)
    others = tuple(replace(other, probability=other.probability * less) for other in piece.alternatives)
    return replace(piece, confidence=now, alternatives=others)


def _but_for(pieces: Iterable[ReadPiece], others: Iterable[ReadPiece]) -> list[ReadPiece]:
    """Those *pieces* that are not among the *others* as well, one for one."""
    there = Counter(map(_what_and_where, others))
    left = []
    for piece in pieces:
        what = _what_and_where(piece)
        if there[what]:
            there[what] -= 1
        else:
            left.append(piece)
    return left


def _in_its_place(piece: ReadPiece, before: ReadPiece) -> bool:
    """Whether a piece stands where the one *before* stood, and not just in front of it; no ship stands for a star."""
    near = share(piece, before) >= ONE or dist(piece.middle, before.middle) < length(before) / 2
    return near and piece.role is before.role


def _what_and_where(piece: ReadPiece) -> _What:
    """What a piece is, and where it belongs."""
    return piece.color, piece.size, piece.role, piece.owner, piece.system, piece.field


def _belonging(place: Place) -> _What:
    """The same of a *place*."""
    return (*place.kind, place.system, place.field)
