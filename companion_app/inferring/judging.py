"""From everything that may have happened to one judgement: how likely each is, and whether that is sure enough."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from math import exp, log
from typing import Final

from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind

SURE: Final = 0.995
"""Nothing is recorded without asking unless it is as probable as this."""
SURE_ENOUGH: Final = 0.95
"""The same for what records nothing: it is said aloud, and people can say otherwise."""
ONE_SLIP: Final = 1e-3
"""Nor while other turns are as probable as this together that need no more than one slip besides.

A slip is a piece misread, overlooked, or seen where there is none, be it on the table or in the bank. A single one
happens now and then where the reader had no doubt; two that fit together are as unlikely as their odds say.

Both limits were chosen by 36,401 turns of real games, each read with one slip (``results/turn_inference.md``): with
them 76 % were recorded without a question, with 0.999 and 1e-4 it had been 58 %, and none wrongly with either.
"""
OUTSIDE: Final = log(1e-7)
"""How likely, as a logarithm, it is that several pieces were misread in a way that nobody thought of.

Ten times as much made it the only reason to ask about many a turn of real games that was read with one slip, and the
best explanation was the right one: with this, 82 % of these are recorded without a question, none wrongly.
"""
OUTSIDE_AS_READ: Final = log(1e-8)
"""The same where nothing needs to have been misread."""
UNHEARD_OF: Final = log(1e-10)
"""What is less likely than this is not even offered as a choice."""
_CHOICES: Final = 4
_WORTH_NAMING: Final = 1e-4

PASSED: Final = log(0.1)
"""How likely a pass is in Settlers, against one turn of any other kind."""
STIRRED: Final = log(3e-4)
"""How likely it is that nothing was played although the table does not look as before."""
UNFINISHED: Final = log(3e-4)
"""How likely it is that a turn is ended before all its pieces are where they belong."""
AMID_A_TURN: Final = log(0.3)
"""The same while nobody has said that the turn is over."""
SEVERAL_TURNS: Final = log(1e-4)
TAKEN_BACK: Final = log(3e-4)
BREAKS_A_RULE: Final = log(5e-4)
"""How likely one certain mistake is, against one certain legal turn."""
ABSURD: Final = log(1e-5)
"""How likely something is that nobody does even by mistake, such as taking away the other's piece."""


@dataclass(frozen=True)
class Hypothesis:
    """Something that may have happened.

    Attributes:
        weight: how likely it is, as the logarithm of any common measure: what people do, times what readers misread.
        outcome: what would be recorded; hypotheses with the same are one.
        told: the explanation, told only when it is wanted.
        as_read: whether it explains the table just as it was read, so well that no breach needs to be thought of.
        grave: whether it loses the game for the one who plays it: such a turn is never recorded without asking.
        slips: how many things must have been read amiss, of what would be recorded as a turn.
    """

    weight: float
    outcome: Hashable
    told: Callable[[], Explanation]
    as_read: bool = False
    grave: bool = False
    slips: int | None = None


def judged(hypotheses: Iterable[Hypothesis], unexplained: Explanation, is_complete: bool = True) -> Judgement:
    """The judgement on *hypotheses*; *unexplained* where there are none worth naming.

    Nothing is certain where they are not all that there are.
    """
    together: dict[Hashable, Hypothesis] = {}
    odds: dict[Hashable, float] = {}
    for one in hypotheses:
        known = together.get(one.outcome)
        if known is None or known.weight < one.weight:
            together[one.outcome] = one
        odds[one.outcome] = odds.get(one.outcome, 0.0) + exp(one.weight)
    ranked = sorted(odds, key=odds.__getitem__, reverse=True)
    outside = exp(OUTSIDE_AS_READ if ranked and together[ranked[0]].as_read else OUTSIDE)
    total = sum(odds.values()) + outside
    if not ranked or odds[ranked[0]] < exp(UNHEARD_OF):
        return Judgement(Certainty.UNSURE, replace(unexplained, probability=outside / total))
    chosen = [outcome for outcome in ranked[:_CHOICES] if odds[outcome] / total >= _WORTH_NAMING] or ranked[:1]
    best, *rivals = (replace(together[outcome].told(), probability=odds[outcome] / total) for outcome in chosen)
    records_nothing = best.kind in (Kind.ILLEGAL, Kind.HALF_DONE)
    grave = together[chosen[0]].grave
    if records_nothing:
        sure = best.probability >= SURE_ENOUGH
    else:
        close = sum(odds[outcome] for outcome in ranked[1:] if _is_close(together[outcome], together[ranked[0]]))
        sure = best.probability >= SURE and close / total < ONE_SLIP
    certain = is_complete and not grave and sure
    return Judgement(Certainty.CERTAIN if certain else Certainty.UNSURE, best, tuple(rivals))


def _is_close(one: Hypothesis, best: Hypothesis) -> bool:
    """Whether a single slip more than the *best* needs would make a turn of this one."""
    return one.slips is not None and best.slips is not None and one.slips <= best.slips + 1
