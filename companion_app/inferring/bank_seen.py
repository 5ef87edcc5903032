"""How well the pieces seen in the bank fit what should be there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import repeat
from math import comb, log
from typing import Final

SEEN_AMISS: Final = log(5e-4)
"""The chance that the bank shows a piece which is not there."""
_SURELY_SEEN: Final = 0.95
_TAKEN_FOR_GRANTED: Final = 2
"""As a rule a bank is in the picture as a whole: that counts as much as so many pieces seen or not."""
MOST_OF_A_KIND: Final = 5


class BankSeen:
    """The evidence of the bank: none at all where nothing of it was in the picture.

    What share of the bank is seen the reading tells itself: so many pieces of as many as there should be.
    """

    def __init__(self, seen: Sequence[int], expected: int) -> None:
        """*seen* by kind, and how many pieces about the bank should hold in all."""
        self._seen = seen
        total = sum(seen)
        granted = total + _SURELY_SEEN * _TAKEN_FOR_GRANTED
        self._share = round(min(_SURELY_SEEN, granted / (expected + _TAKEN_FOR_GRANTED)), 2) if total else 0.0

    def weight(self, held: Sequence[int]) -> float:
        """How well a bank of so many pieces of each kind fits: a logarithm, 0 where nothing could fit better."""
        if not self._share:
            return 0.0
        return sum(map(_weight, self._seen, held, repeat(self._share)))

    def slips(self, held: Sequence[int]) -> int:
        """How many pieces were overlooked or seen amiss if the bank holds so many of each kind."""
        return sum(abs(there - seen) for seen, there in zip(self._seen, held, strict=True)) if self._share else 0


@cache
def _weight(seen: int, there: int, share: float) -> float:
    """For one kind, against what would fit best."""
    return _chance(seen, there, share) - max(_chance(seen, likelier, share) for likelier in range(MOST_OF_A_KIND + 1))


def _chance(seen: int, there: int, share: float) -> float:
    true = min(seen, there)
    return log(comb(there, true) * share**true * (1 - share) ** (there - true)) + (seen - true) * SEEN_AMISS
