"""Which turn of Homeworlds was played."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final

from companion_app.inferring.explanations import Explanation, Judgement, Kind
from companion_app.inferring.judging import Hypothesis, judged
from companion_app.inferring.observation import Observation
from companion_app.inferring.system_bank import told_by_the_bank
from companion_app.inferring.system_breaches import breaches
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.system_partials import half_done
from companion_app.inferring.system_series import several, taken_back
from companion_app.inferring.system_turns import legal_turns, turns_of_others
from rules.homeworlds import Options, Position

_NOTHING: Final = -99.0
_POOR: Final = log(1e-4)
"""Where nothing explains the table better than this, several turns at once are looked for, and the bank is asked."""


def explain_systems(
    before: Position,
    options: Options,
    observation: Observation,
    earlier: Sequence[Position] = (),
    *,
    ended: bool = True,
) -> Judgement:
    """What happened on the table since the position *before*; *earlier* are the positions of the game before it.

    *ended* is whether somebody said that the turn is over.
    """
    case = SystemsCase(before, options, observation, ended)
    found = [*legal_turns(case), *taken_back(case, earlier)]
    if not any(one.as_read for one in found):
        found += breaches(case)
        found += turns_of_others(case)
        found += half_done(case)
    if _best(found) < _POOR:
        found += several(case)
        found += told_by_the_bank(case)
    return judged(found, _unexplained(before), not case.effort.is_spent)


def _best(found: Sequence[Hypothesis]) -> float:
    return max((one.weight for one in found), default=_NOTHING)


def _unexplained(before: Position) -> Explanation:
    return Explanation(
        Kind.UNEXPLAINED,
        (),
        before,
        0.0,
        "No turn leads to what is on the table: show what was played, or put the pieces back.",
    )
