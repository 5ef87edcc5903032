"""One reading held, piece by piece, against what is known of the table: what has stayed, and what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from companion_app.derivation import with_pieces
from companion_app.reading_types import Game, Reading, ReadPiece
from companion_app.remembering.agreed import Agreed
from companion_app.remembering.bank_compared import BankCompared
from companion_app.remembering.empty_fields import still_empty
from companion_app.remembering.known_bank import KnownBank, founded
from companion_app.remembering.noticed import noticed
from companion_app.remembering.outlines import ONE, covers, nearest, share
from companion_app.remembering.same_systems import SameSystems
from companion_app.remembering.shown import Shown
from companion_app.remembering.stack_tops import OF_A_TOP, top_again
from companion_app.remembering.unseen import Unseen, surer
from vision.sight import Role

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
MOST: Final = 0.4
"""Of the known pieces hardly ever so many come and go in a turn."""
WHOLE_BANK: Final = 0.5
"""Share of the bank that is seen where all of it is in the picture."""


class Recollection:
    """A reading of the table now, with what is known of it from before.

    Of the known pieces some are ``here`` still, and some away; of those that were read some are ``fresh``.

    Attributes:
        is_elsewhere: whether most pieces look otherwise where they were known, as if all had moved a little.
    """

    def __init__(self, known: Agreed, shown: Shown, reading: Reading, *, whole: bool) -> None:
        """*whole*: nothing else stood there before than what is *known*."""
        self._known = known
        self._shown = shown
        self._read = reading
        self._whole = whole
        bank = [piece for piece in known.pieces if piece.role is Role.BANK]
        self._known_bank = KnownBank(bank)
        hiding = {place.code for place in known.hidden}
        self._bank = BankCompared(shown.before, shown.now, bank, shown.slack_px, hiding)
        changed = self._changed()
        stirred = [piece for piece in self._bank.changed if not self._is_as_high(piece.code)]
        self.is_elsewhere = len(changed) + len(self._bank.changed) > MOST * len(known.pieces)
        self._away = [*changed, *stirred]
        self._here = [piece for piece in known.pieces if piece not in self._away]
        self._stirred = {piece.code for piece in stirred}
        self._dismissed = [piece for piece in known.dismissed if shown.is_unchanged(piece)]
        self._fresh: list[ReadPiece] = []
        self._restacked: list[ReadPiece] = []  # known again in the bank, where something has come or gone
        self._come_to_light: list[ReadPiece] = []  # in the bank, where nothing has changed
        self._systems = SameSystems(known, reading)
        for piece in reading.pieces:
            self._hold_against_the_known(piece)

    def reading(self) -> Reading:
        """See :meth:`companion_app.remembering.Memory.recalled`."""
        unseen = Unseen(self._known.unplaced, self._shown, [one for one in self._away if one.role is not Role.BANK])
        fresh = unseen.come_to_light(self._systems.joined([*self._off_the_bank(), *self._in_the_bank()], self._here))
        stirred = self._stirred | {piece.code for piece in fresh if piece.role is Role.BANK}
        here = [_less_sure(one) if one.role is Role.BANK and one.code in stirred else one for one in self._here]
        seen = [one for one in (*here, *self._come_to_light) if one.role is Role.BANK and one.code not in stirred]
        table = [*fresh, *unseen.still_there(fresh, here), *unseen.perhaps_there(fresh)]
        pieces = [*here, *self._hidden(seen), *table]
        told = with_pieces(self._read, pieces, self._systems.homes, redless=self._read.redless)
        come = noticed(self._shown, pieces, self._away)
        empty = self._still_empty([*self._away, *fresh])
        return replace(told, still_empty=empty, noticed=come, gone=unseen.gone(table))

    def _hold_against_the_known(self, piece: ReadPiece) -> None:
        """Take a *piece* that was read for one that is known, or for a fresh one, or for none."""
        before = nearest(piece, [*self._here, *self._dismissed, *self._away], ONE)
        self._systems.vote(piece, before)
        one_more = before in self._restacked  # beside the one that has been known again there
        if not one_more and (before in self._here or before in self._dismissed):
            return
        if piece.role is Role.BANK and piece.code not in self._stirred and self._bank.is_as_before(piece):
            self._come_to_light.append(piece)
            return
        again = _known_again(piece, before) if before and share(piece, before) >= JUST_THERE else None
        if before and again and not one_more:
            self._away.remove(before)
            self._here.append(again)
            self._restacked += [again] if piece.role is Role.BANK else []
        elif before or not (self._is_old(piece) or _on_a_taken_field(piece, self._here) or _under(piece, self._here)):
            self._fresh.append(piece if self._shown.is_unchanged(piece) else _come(piece))

    def _changed(self) -> list[ReadPiece]:
        """The known pieces of the table that have changed; what was read tells what has come before them."""
        shown = self._shown
        table = [piece for piece in self._known.pieces if piece.role is not Role.BANK]
        changed = [piece for piece in table if not shown.is_unchanged(piece)]
        read = [piece for piece in self._read.pieces if piece.outline] if changed else []
        come = [piece for piece in read if not shown.is_unchanged(piece)]

        def is_behind(piece: ReadPiece) -> bool:
            """Whether nothing of it has changed but what others may have changed that came or went."""
            others = [other for other in come if share(piece, other) < ONE]
            others += [other for other in changed if other is not piece]
            return shown.is_unchanged(piece, [other.outline for other in others])

        return [piece for piece in changed if not is_behind(piece)]

    def _is_as_high(self, code: str) -> bool:
        """Whether a stack of the bank only seems to have changed: its top looks as before, and was read there."""
        if code in self._bank.around:
            return False
        known = [piece for piece in self._known.pieces if piece.role is Role.BANK and piece.code == code]
        read = [piece for piece in self._read.pieces if piece.outline and piece.code == code]
        top = top_again(known, read)
        return top is not None and self._bank.is_as_before(top, OF_A_TOP)

    def _off_the_bank(self) -> list[ReadPiece]:
        """The fresh pieces of the table; what was read in a bank but is far from it stands in a system."""
        strays = [piece for piece in self._fresh if self._is_astray(piece)]
        number = 1 + max((system.id for system in self._read.systems), default=0)
        return [*(piece for piece in self._fresh if piece.role is not Role.BANK), *founded(strays, number)]

    def _in_the_bank(self) -> list[ReadPiece]:
        """The fresh pieces of the bank, by its stacks."""
        fresh = [piece for piece in self._fresh if piece.role is Role.BANK and not self._is_astray(piece)]
        return self._known_bank.sorted_in(fresh, [piece for piece in self._here if piece.role is Role.BANK])

    def _is_astray(self, piece: ReadPiece) -> bool:
        is_free = self._read.game is Game.HOMEWORLDS
        return is_free and piece.role is Role.BANK and self._known_bank.is_far_from(piece)

    def _is_old(self, piece: ReadPiece) -> bool:
        """Whether something is read where nothing has changed, though all that stood there is known."""
        return self._whole and piece.role is not Role.BANK and self._shown.is_unchanged(piece)

    def _hidden(self, showing: Sequence[ReadPiece]) -> Iterator[ReadPiece]:
        """Pieces of the bank that others of their kind hide, *showing* that nothing of it has changed."""
        seen = sum(piece.role is Role.BANK for piece in self._known.pieces)
        if seen < WHOLE_BANK * (seen + len(self._known.hidden)):
            return
        over = {piece.code: piece for piece in showing}
        for code in (place.code for place in self._known.hidden):
            if code in over:
                yield replace(over[code], confidence=1.0, alternatives=(), outline=())

    def _still_empty(self, changed: Sequence[ReadPiece]) -> frozenset[str]:
        """The fields on which nothing has come, if the camera has not moved and all that lay there is known."""
        if self._read.game is not Game.SETTLERS or not self._whole or self._shown.slack_px:
            return frozenset()
        pieces = [*self._known.pieces, *self._read.pieces]
        return still_empty(self._shown.before, self._shown.now, self._read.board, pieces, changed)


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
    return surer(replace(known, confidence=chance, alternatives=read.alternatives), now)


def _under(piece: ReadPiece, here: Sequence[ReadPiece]) -> bool:
    """Whether it is read in the bank within a piece that has stayed: it was there, hidden or overlooked."""
    return piece.role is Role.BANK and any(other.role is Role.BANK and covers(other, piece) for other in here)


def _on_a_taken_field(piece: ReadPiece, here: Sequence[ReadPiece]) -> bool:
    return piece.field is not None and any(other.field == piece.field for other in here)
