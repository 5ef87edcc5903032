"""How well the pieces seen in the bank fit what should be there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb, log
from typing import Final, NamedTuple

from companion_app.inferring.observation import BankDoubt, Observation
from rules import KINDS, Bank

SEEN_AMISS: Final = log(5e-4)
"""The chance that the bank shows a piece which is not there, however sure the reader is of it."""
NO_DOUBT: Final = 0.01
"""Of a piece of the bank that is as little in doubt as this the reader is sure."""
_SURELY_SEEN: Final = 0.95
_TAKEN_FOR_GRANTED: Final = 2
"""As a rule a bank is in the picture as a whole: that counts as much as so many pieces seen or not."""
_COUNTS: Final = range(8)
"""How many of a kind a bank may be thought to hold: more than there are is thought of where a turn is illegal."""

LEFT_AMISS: Final = log(1e-3)
"""The chance that a piece was taken from a part of the bank that looks as before."""
COME_AMISS: Final = log(1e-2)
"""The chance that one was put there: a stack may look the same with one more."""
COME_UNSEEN: Final = log(5e-2)
"""The chance that one was put where none of its kind were, and is not seen there."""
STIRRED_BY_OTHERS: Final = 0.01
"""The chance that a part of the bank looks otherwise though as many of the kind are there as were."""
MOST_CHANGED: Final = 3
"""Of so many kinds the number changes in one turn as a rule: where more look otherwise, the camera may have moved."""
_REMEMBERED: Final = 4096
"""So much of the evidence of single kinds is not worked out again."""
_SEEN_OF_CHANGED: Final = 0.6
"""The share of the pieces that are seen where a part of the bank has changed: some are under others."""

_Doubts = tuple[float, ...]
"""How likely each piece that was seen is not there, the least sure first."""
_Chances = tuple[float, ...]
"""By how many of a kind there are: how likely what was seen is, as a logarithm."""


class _Evidence(NamedTuple):
    """What was seen of one kind, by how many of it there are.

    Attributes:
        weights: how likely that is, as a logarithm against the likeliest.
        alone: the same where nothing of another kind can have been taken for this one.
        slips: how many pieces were overlooked or seen amiss then.
        seen: how many were seen.
        others: the numbers of the kinds that some of those may be.
    """

    weights: _Chances
    alone: _Chances
    slips: tuple[int, ...]
    seen: int
    others: tuple[int, ...]


class BankSeen:
    """The evidence of the bank: none at all where nothing of it was in the picture.

    Where its picture was compared with the one before, a kind is settled if it looks as it did: as many are there as
    there were. Of any other kind more may be there than are seen, hidden by others, but hardly as many as before.
    Where nothing was compared, what share of the bank is seen the reading tells itself: so many pieces of as many as
    there should be.

    Attributes:
        is_stirred: whether most of it is known to look as it did, but some of it does not.
    """

    def __init__(self, observation: Observation, before: Bank) -> None:
        """*before* is what the bank held before the turn."""
        seen = [0] * len(KINDS)
        for piece in observation.bank:
            seen[piece.kind] += 1
        self.is_stirred = False
        if observation.settled:
            settled = [piece in observation.settled and seen[piece.kind] == before[piece] for piece in KINDS]
            otherwise = sum(not same and before[piece] > 0 for same, piece in zip(settled, KINDS, strict=True))
            self.is_stirred = 0 < otherwise < sum(count > 0 for count in before.values()) / 2
            by_others = log(max(STIRRED_BY_OTHERS, (otherwise - MOST_CHANGED) / len(KINDS)))
            looks: list[_Look] = [
                _Compared(there, before[piece], same, by_others)
                for piece, there, same in zip(KINDS, seen, settled, strict=True)
            ]
        else:
            share = _share(sum(seen), before.total)
            looks = [_LookedAt(there, share) for there in seen]
        self._kinds = [
            _evidence(look, observation.unsure.get(piece, ())) for piece, look in zip(KINDS, looks, strict=True)
        ]

    def weight(self, held: Sequence[int]) -> float:
        """How well a bank of so many pieces of each kind fits: a logarithm, 0 where nothing could fit better."""
        return sum(
            (kind.weights if there >= kind.seen or self._may_be_others(kind, held) else kind.alone)[there]
            for kind, there in zip(self._kinds, held, strict=True)
        )

    def slips(self, held: Sequence[int]) -> int:
        """How many pieces were overlooked or seen amiss if the bank holds so many of each kind."""
        return sum(kind.slips[there] for kind, there in zip(self._kinds, held, strict=True))

    def _may_be_others(self, kind: _Evidence, held: Sequence[int]) -> bool:
        """Whether what was seen as one *kind* may be of another, of which more are held than were seen."""
        return any(held[other] > self._kinds[other].seen for other in kind.others)


def _share(seen: int, expected: int) -> float:
    """What share of a bank is seen that should hold so many pieces in all; 0 where nothing of it is."""
    granted = seen + _SURELY_SEEN * _TAKEN_FOR_GRANTED
    return round(min(_SURELY_SEEN, granted / (expected + _TAKEN_FOR_GRANTED)), 2) if seen else 0.0


class _LookedAt(NamedTuple):
    """A kind of which nothing is known but how many are seen, and what share of the bank is."""

    seen: int
    share: float

    def chances(self, unsure: _Doubts) -> _Chances:
        """By how many there are, how likely so many are seen."""
        if not self.share:
            return (0.0,) * len(_COUNTS)
        return tuple(_chance(self.seen, unsure, there, self.share) for there in _COUNTS)

    def slips(self) -> tuple[int, ...]:
        """The same for the slips."""
        return tuple(abs(there - self.seen) if self.share else 0 for there in _COUNTS)


class _Compared(NamedTuple):
    """A kind of which there were so many before, and of which the bank looks as it did then or not.

    Attributes:
        by_others: how likely, as a logarithm, it looks otherwise for no reason of its own.
    """

    seen: int
    before: int
    settled: bool
    by_others: float

    def chances(self, unsure: _Doubts) -> _Chances:
        """By how many there are, how likely so many are seen."""
        before = self.before
        if self.settled:
            return tuple((before - n) * LEFT_AMISS if n < before else (n - before) * COME_AMISS for n in _COUNTS)
        if not self.seen and not before:
            return tuple(n * COME_UNSEEN for n in _COUNTS)
        share = _SEEN_OF_CHANGED
        return tuple(_chance(self.seen, unsure, n, share) + (n == before > 0) * self.by_others for n in _COUNTS)

    def slips(self) -> tuple[int, ...]:
        """The same for the slips."""
        if self.settled:
            return tuple(abs(self.before - n) for n in _COUNTS)
        return tuple(max(0, self.seen - n) if self.seen or self.before else n for n in _COUNTS)


_Look = _LookedAt | _Compared


@lru_cache(_REMEMBERED)
def _evidence(look: _Look, unsure: tuple[BankDoubt, ...]) -> _Evidence:
    chances = look.chances(tuple(doubt.amiss for doubt in unsure))
    alone = look.chances(tuple(sorted((doubt.nothing for doubt in unsure), reverse=True)))
    others = sorted({other.kind for doubt in unsure for other in doubt.others})
    best = max(chances)
    return _Evidence(
        tuple(chance - best for chance in chances),
        tuple(chance - best for chance in alone),
        look.slips(),
        look.seen,
        tuple(others),
    )


def _chance(seen: int, unsure: _Doubts, there: int, share: float) -> float:
    """How likely, as a logarithm, so many of the pieces there are seen; of others the least sure are not there."""
    true = min(seen, there)
    amiss = [log(doubt) if doubt > NO_DOUBT else SEEN_AMISS for doubt in unsure[: seen - true]]
    amiss += [SEEN_AMISS] * (seen - true - len(amiss))
    return log(comb(there, true) * share**true * (1 - share) ** (there - true)) + sum(amiss)
