"""What the bank alone tells of a turn of Homeworlds, for when too much of the table was read amiss."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import log
from typing import Final, NamedTuple

from companion_app.inferring.corrections import Correction
from companion_app.inferring.explanations import Kind
from companion_app.inferring.habits import Habits, weight_of_home
from companion_app.inferring.judging import OUTSIDE, Hypothesis
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.system_turns import explanation_of, gives_up_home
from rules.homeworlds import Turn
from rules.homeworlds.search import Node, links_from, set_ups, turn_of
from rules.homeworlds.turns import PartialTurn, begin_at

_TELLS: Final = log(1e-2)
"""The bank tells something where that nothing has left it or come there is less likely than this."""
_NOT_MISREAD: Final = Correction(0.0, ())


class _Played(NamedTuple):
    """How likely people play a turn, the key of the position after it, and what the bank holds then."""

    habit: float
    turn: Turn
    after: int
    bank: int


def told_by_the_bank(case: SystemsCase) -> Iterator[Hypothesis]:
    """The single actions, or set-ups, of the player to move that go with the bank, whatever was read on the table."""
    unchanged = case.fit_of_bank(case.table.bank)
    if not case.ended or unchanged > _TELLS:
        return
    begun = begin_at(case.table, case.options)
    played = list(_set_ups(case, begun) if begun.is_set_up else _actions(case))
    for habit, turn, after, bank in played:
        fit = case.fit_of_bank(bank)
        if fit > unchanged - _TELLS:
            told = partial(explanation_of, case, turn, _NOT_MISREAD)
            weight = OUTSIDE + habit - log(len(played)) + fit
            yield Hypothesis(weight, (Kind.LEGAL, after), told, grave=gives_up_home(case.table, after))


def _actions(case: SystemsCase) -> Iterator[_Played]:
    habits, node = Habits(case.table), Node.of(case.table)
    for link in links_from(node, case.table.to_move, case.table.players):
        turn = turn_of([link], case.table.systems, case.seats)
        yield _Played(habits.weight([link]), turn, link.key, node.child(link).bank)


def _set_ups(case: SystemsCase, begun: PartialTurn) -> Iterator[_Played]:
    for home in set_ups(case.table, case.options, begun.extra_ships):
        after = begun.apply(home).table
        yield _Played(weight_of_home(home), (home,), after.key, after.bank)
