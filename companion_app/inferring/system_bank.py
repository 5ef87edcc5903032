"""What the bank alone tells of a turn of Homeworlds, for when too much of the table was read amiss."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import log
from typing import Final

from companion_app.inferring.corrections import Correction
from companion_app.inferring.explanations import Kind
from companion_app.inferring.habits import Habits
from companion_app.inferring.judging import OUTSIDE, Hypothesis
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.system_turns import explanation_of, gives_up_home
from rules.homeworlds.search import Node, links_from, turn_of
from rules.homeworlds.turns import begin_at

_TELLS: Final = log(1e-2)
"""The bank tells something where that nothing has left it or come there is less likely than this."""
_NOT_MISREAD: Final = Correction(0.0, ())


def told_by_the_bank(case: SystemsCase) -> Iterator[Hypothesis]:
    """The single actions of the player to move that go with the bank, whatever was read on the table."""
    unchanged = case.fit_of_bank(case.table.bank)
    if not case.ended or unchanged > _TELLS or begin_at(case.table, case.options).is_set_up:
        return
    habits, node = Habits(case.table), Node.of(case.table)
    links = list(links_from(node, case.table.to_move, case.table.players))
    for link in links:
        fit = case.fit_of_bank(node.child(link).bank)
        if fit > unchanged - _TELLS:
            weight = OUTSIDE + habits.weight([link]) - log(len(links)) + fit
            turn = turn_of([link], case.table.systems, case.seats)
            told = partial(explanation_of, case, turn, _NOT_MISREAD)
            yield Hypothesis(weight, (Kind.LEGAL, link.key), told, grave=gives_up_home(case.table, link.key))
