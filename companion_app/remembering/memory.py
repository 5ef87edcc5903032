"""The table as it was when people last agreed about it, to read the next picture by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from companion_app.derivation import with_pieces
from companion_app.photos import Photo
from companion_app.reading_types import Game, Reading, ReadPiece, Verdict
from companion_app.remembering.agreed import Agreed
from companion_app.remembering.bank_compared import BankCompared
from companion_app.remembering.empty_fields import still_empty
from companion_app.remembering.outlines import ONE, covers, nearest, share
from companion_app.remembering.registering import bending, bent_points
from companion_app.remembering.same_systems import SameSystems
from companion_app.remembering.unchanged import Picture, is_unchanged, smoothed
from vision.sight import Role
from vision.solids import Posture

JUST_THERE: Final = 0.75
"""Of two outlines in common where the light has changed on a piece: by a shadow, or a neighbour that came or went."""
STAYED: Final = 0.97
"""How likely a piece just where one was known is that one, whatever it looks like."""
LIKELY: Final = 0.5
CERTAIN: Final = 0.998
"""Where that one is less likely than the first of these it is told as it was read; from the second on it is known."""
COME: Final = 0.995
"""How sure it is that there is a piece where the picture has changed, if the reader is nearly sure of one."""
NEARLY_SURE: Final = 0.9
"""How sure a reader is then, whatever it takes the piece for."""
DOUBT_LEFT: Final = 0.1
"""How much of a reader's doubt whether there is a piece is left if it is less sure."""
STILL_THERE: Final = 0.8
"""How sure it is that a piece which nobody saw is where it was."""
SLACK_PX: Final = 6
"""By how much pieces lie beside where a bumped camera should show them."""
WHOLE_BANK: Final = 0.5
"""Share of the bank that is seen where all of it is in the picture."""


class Memory:
    """What is known of a table in one picture of it.

    Attributes:
        known: what was agreed on.
        whole: whether nothing else stood there for certain.
    """

    def __init__(self, photo: Photo, known: Agreed, *, whole: bool = True, slack_px: int = 0) -> None:
        """*slack_px* is by how much pieces may seem to have moved, though only the camera has."""
        self.known = known
        self._slack = slack_px
        self.whole = whole and not known.unplaced
        self._photo = photo
        self._picture = smoothed(photo)

    def recalled(self, photo: Photo, reading: Reading) -> Reading:
        """The *reading* of a new *photo* from the same place, with what has not changed as it was agreed on.

        Pieces where nothing has changed are those that stood there, whether or not the reader saw them again, and
        nothing else is there. All the others are as they were read. In the bank a kind is as sure as can be where
        nothing of it has changed: as many are there as there were.
        """
        comparable = self.known.pieces and photo.shape == self._picture.shape
        if not comparable or reading.verdict is Verdict.UNREADABLE:
            return reading
        now = smoothed(photo)
        bank = self._bank_compared(now)
        away = [*self._changed(now, reading.pieces), *bank.changed]
        here = [piece for piece in self.known.pieces if piece not in away]
        stirred = {piece.code for piece in away if piece.role is Role.BANK}
        nothing = [piece for piece in self.known.dismissed if self._is_unchanged(piece, now)]
        systems = SameSystems(self.known, reading)
        fresh: list[ReadPiece] = []
        restacked: list[ReadPiece] = []  # known again in the bank, where something has come or gone
        for piece in reading.pieces:
            before = nearest(piece, [*here, *nothing, *away], ONE)
            systems.vote(piece, before)
            one_more = before in restacked  # beside the one that has been known again there
            if not one_more and (before in here or before in nothing):
                continue
            if piece.role is Role.BANK and piece.code not in stirred and bank.is_as_before(piece):
                continue
            again = _known_again(piece, before) if before and share(piece, before) >= JUST_THERE else None
            if before and again and not one_more:
                away.remove(before)
                here.append(again)
                restacked += [again] if piece.role is Role.BANK else []
            elif before or not (self._is_old(piece, now) or _on_a_taken_field(piece, here) or _under(piece, here)):
                fresh.append(piece if self._is_unchanged(piece, now) else _come(piece))
        fresh = systems.joined(fresh, here)
        stirred |= {piece.code for piece in fresh if piece.role is Role.BANK}
        here = [_less_sure(piece) if piece.role is Role.BANK and piece.code in stirred else piece for piece in here]
        hidden = list(self._hidden(here, stirred))
        overlooked = self._overlooked([piece for piece in fresh if self._is_unchanged(piece, now)], here)
        pieces = [*here, *hidden, *fresh, *overlooked]
        told = with_pieces(reading, pieces, systems.homes, redless=reading.redless)
        return replace(told, still_empty=self._still_empty(now, reading, [*away, *fresh]))

    def moved_to(self, photo: Photo) -> Memory | None:
        """The same table in a *photo* taken after the camera was bumped; ``None`` where the two do not match."""
        homography = bending(self._photo, photo)
        if homography is None:
            return None

        def moved(piece: ReadPiece) -> ReadPiece:
            return piece.moved(lambda points: bent_points(points, homography))

        known = replace(
            self.known,
            pieces=tuple(map(moved, self.known.pieces)),
            dismissed=tuple(map(moved, self.known.dismissed)),
        )
        height, width = photo.shape[:2]
        shown = cv2.warpPerspective(self._photo, homography, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return Memory(np.asarray(shown, dtype=np.uint8), known, whole=self.whole, slack_px=SLACK_PX)

    def _changed(self, now: Picture, read: Sequence[ReadPiece]) -> list[ReadPiece]:
        """The known pieces of the table that have changed; what was *read* tells what has come before them."""
        table = [piece for piece in self.known.pieces if piece.role is not Role.BANK]
        changed = [piece for piece in table if not self._is_unchanged(piece, now)]
        come = [piece for piece in read if piece.outline and not self._is_unchanged(piece, now)] if changed else []

        def is_behind(piece: ReadPiece) -> bool:
            """Whether nothing of it has changed but what others may have changed that came or went."""
            others = [other for other in come if share(piece, other) < ONE]
            others += [other for other in changed if other is not piece]
            beside = [other.outline for other in others]
            return is_unchanged(self._picture, now, piece.outline, self._slack, beside)

        return [piece for piece in changed if not is_behind(piece)]

    def _bank_compared(self, now: Picture) -> BankCompared:
        bank = [piece for piece in self.known.pieces if piece.role is Role.BANK]
        hiding = {f"{color.value[0]}{int(size)}" for color, size, *_ in (place.kind for place in self.known.hidden)}
        return BankCompared(self._picture, now, bank, self._slack, hiding)

    def _still_empty(self, now: Picture, reading: Reading, changed: Sequence[ReadPiece]) -> frozenset[str]:
        """The fields on which nothing has come, if the camera has not moved and all that lay there is known."""
        if reading.game is not Game.SETTLERS or not self.whole or self._slack:
            return frozenset()
        return still_empty(self._picture, now, reading.board, [*self.known.pieces, *reading.pieces], changed)

    def _is_unchanged(self, piece: ReadPiece, now: Picture) -> bool:
        return is_unchanged(self._picture, now, piece.outline, self._slack)

    def _is_old(self, piece: ReadPiece, now: Picture) -> bool:
        """Whether something is read where nothing has changed, though all that stood there is known."""
        return self.whole and piece.role is not Role.BANK and self._is_unchanged(piece, now)

    def _overlooked(self, old: Sequence[ReadPiece], here: Sequence[ReadPiece]) -> Iterator[ReadPiece]:
        """Pieces of the table that were not seen when it was agreed on, and are not among the *old* ones seen now."""
        seen = Counter((piece.color, piece.size, piece.role, piece.owner, piece.system, piece.field) for piece in old)
        for place in self.known.unplaced:
            looked_for = (*place.kind, place.system, place.field)
            if seen[looked_for]:
                seen[looked_for] -= 1
                continue
            color, size, role, owner = place.kind
            posture = Posture.LYING if role is Role.SHIP else Posture.UPRIGHT
            there = next((piece for piece in here if piece.system == place.system is not None), None)
            yield ReadPiece(
                color, size, posture, role, owner, place.system, place.field,
                center=there.center if there else (0.0, 0.0), tip=there.tip if there else (0.0, 0.0),
                confidence=STILL_THERE,
            )  # fmt: skip

    def _hidden(self, here: Sequence[ReadPiece], stirred: Set[str]) -> Iterator[ReadPiece]:
        """Pieces of the bank that others of their kind hide: they are there unless something of it has changed."""
        seen = [piece for piece in self.known.pieces if piece.role is Role.BANK]
        if len(seen) < WHOLE_BANK * (len(seen) + len(self.known.hidden)):
            return
        showing = {piece.code: piece for piece in here if piece.role is Role.BANK and piece.code not in stirred}
        for place in self.known.hidden:
            color, size, *_ = place.kind
            over = showing.get(f"{color.value[0]}{int(size)}")
            if over:
                yield replace(over, outline=())


def _less_sure(piece: ReadPiece) -> ReadPiece:
    """A piece of the bank that has stayed where others of its kind have not: how many are left cannot be known."""
    return replace(piece, confidence=min(piece.confidence, COME))


def _come(piece: ReadPiece) -> ReadPiece:
    """A piece read where the picture has changed: that there is one is hardly in doubt, only what it is."""
    total = sum(chance for _, chance in piece.looks)
    if not 0 < total < COME:
        return piece
    more = (COME if total >= NEARLY_SURE else 1 - (1 - total) * DOUBT_LEFT) / total
    others = tuple(replace(other, probability=other.probability * more) for other in piece.alternatives)
    return replace(piece, confidence=piece.confidence * more, alternatives=others)


def _known_again(read: ReadPiece, known: ReadPiece) -> ReadPiece | None:
    """The *known* piece, as sure as it can be when something was *read* just there; ``None`` where it is another."""
    chance = sum(
        probability
        for look, probability in read.looks
        if (look.color, look.size, look.posture) == (known.color, known.size, known.posture)
        and (known.role is not Role.SHIP or look.owner is known.owner)
    )
    same, other = STAYED * chance, (1 - STAYED) * (1 - chance)
    now = same / (same + other)
    if now < LIKELY:
        return None
    if now >= CERTAIN:
        return known
    others = tuple(
        replace(other, probability=other.probability * (1 - now) / (1 - chance)) for other in read.alternatives
    )
    return replace(known, confidence=now, alternatives=others)


def _under(piece: ReadPiece, here: Sequence[ReadPiece]) -> bool:
    """Whether it is read in the bank within a piece that has stayed: it was there, hidden or overlooked."""
    return piece.role is Role.BANK and any(other.role is Role.BANK and covers(other, piece) for other in here)


def _on_a_taken_field(piece: ReadPiece, here: Sequence[ReadPiece]) -> bool:
    return piece.field is not None and any(other.field == piece.field for other in here)
