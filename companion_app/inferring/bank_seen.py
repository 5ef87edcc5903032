"""How well the pieces seen in the bank fit what should be there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb, log
from typing import Final

from companion_app.inferring.observation import Observation
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
_Evidence = tuple[tuple[float, ...], tuple[int, ...]]
"""By how many there are: how likely what was seen is, as a logarithm against the likeliest, and the slips of that."""


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
        doubts = [tuple(round(amiss, 3) for amiss in observation.unsure.get(piece, ())) for piece in KINDS]
        if observation.settled:
            settled = [piece in observation.settled and seen[piece.kind] == before[piece] for piece in KINDS]
            otherwise = sum(not same and before[piece] > 0 for same, piece in zip(settled, KINDS, strict=True))
            self.is_stirred = 0 < otherwise < sum(count > 0 for count in before.values()) / 2
            by_others = log(max(STIRRED_BY_OTHERS, (otherwise - MOST_CHANGED) / len(KINDS)))
            told = zip(seen, doubts, before.values(), settled, strict=True)
            kinds = [_compared(*kind, by_others) for kind in told]
        else:
            share = _share(sum(seen), before.total)
            kinds = [_looked_at(there, unsure, share) for there, unsure in zip(seen, doubts, strict=True)]
        self._weights = [weights for weights, _ in kinds]
        self._slips = [slips for _, slips in kinds]

    def weight(self, held: Sequence[int]) -> float:
        """How well a bank of so many pieces of each kind fits: a logarithm, 0 where nothing could fit better."""
        return sum(weights[there] for weights, there in zip(self._weights, held, strict=True))

    def slips(self, held: Sequence[int]) -> int:
        """How many pieces were overlooked or seen amiss if the bank holds so many of each kind."""
        return sum(slips[there] for slips, there in zip(self._slips, held, strict=True))


def _share(seen: int, expected: int) -> float:
    """What share of a bank is seen that should hold so many pieces in all; 0 where nothing of it is."""
    granted = seen + _SURELY_SEEN * _TAKEN_FOR_GRANTED
    return round(min(_SURELY_SEEN, granted / (expected + _TAKEN_FOR_GRANTED)), 2) if seen else 0.0


@lru_cache(_REMEMBERED)
def _looked_at(seen: int, unsure: _Doubts, share: float) -> _Evidence:
    """For a kind of which nothing is known but what is seen."""
    if not share:
        return (0.0,) * len(_COUNTS), (0,) * len(_COUNTS)
    return _against_the_best(_chance(seen, unsure, there, share) for there in _COUNTS), tuple(
        abs(n - seen) for n in _COUNTS
    )


@lru_cache(_REMEMBERED)
def _compared(seen: int, unsure: _Doubts, before: int, settled: bool, by_others: float) -> _Evidence:
    """For a kind of which there were so many before, and of which the bank looks as it did then or not.

    *by_others* is how likely, as a logarithm, it looks otherwise for no reason of its own.
    """
    if settled:
        chances = [(before - n) * LEFT_AMISS if n < before else (n - before) * COME_AMISS for n in _COUNTS]
        return _against_the_best(chances), tuple(abs(before - n) for n in _COUNTS)
    if not seen and not before:
        return _against_the_best(n * COME_UNSEEN for n in _COUNTS), tuple(_COUNTS)
    chances = [_chance(seen, unsure, n, _SEEN_OF_CHANGED) + (n == before > 0) * by_others for n in _COUNTS]
    return _against_the_best(chances), tuple(max(0, seen - n) for n in _COUNTS)


def _against_the_best(chances: Iterable[float]) -> tuple[float, ...]:
    ranked = list(chances)
    return tuple(chance - max(ranked) for chance in ranked)


def _chance(seen: int, unsure: _Doubts, there: int, share: float) -> float:
    """How likely, as a logarithm, so many of the pieces there are seen; of others the least sure are not there."""
    true = min(seen, there)
    amiss = [log(doubt) if doubt > NO_DOUBT else SEEN_AMISS for doubt in unsure[: seen - true]]
    amiss += [SEEN_AMISS] * (seen - true - len(amiss))
    return log(comb(there, true) * share**true * (1 - share) ** (there - true)) + sum(amiss)
