"""More than one turn of Homeworlds at once, and turns taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Final

from companion_app.inferring.corrections import Correction
from companion_app.inferring.explanations import Explanation, Kind
from companion_app.inferring.habits import Habits
from companion_app.inferring.judging import SEVERAL_TURNS, TAKEN_BACK, Hypothesis
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.walk import Effort, End, ends_near
from rules import RulesError
from rules.homeworlds import Position, Turn
from rules.homeworlds.prose import told
from rules.homeworlds.search import turn_of
from rules.homeworlds.table import Table
from rules.homeworlds.turns import begin_at

_MOST_TRIED: Final = {2: 30, 3: 6}
"""First turns that are followed where so many are looked for, those first that leave the least to be explained."""
_MOST_LEFT: Final = 7
"""In how many pieces a table may differ at most from what one more turn makes of it."""
_READ_WELL: Final = log(0.01)
_ONE_MORE: Final = log(0.1)
MOST_TURNS: Final = 3
Turns = tuple[Turn, ...]
Series = tuple[float, Turns, Position, Correction]


def taken_back(case: SystemsCase, earlier: Sequence[Position]) -> Iterator[Hypothesis]:
    """The earlier positions that were read, the latest first; and the last of them with another turn played."""
    known = {case.table.key}
    for back, position in enumerate(reversed(earlier), 1):
        table = Table.of(position)
        if table.key in known:
            continue
        correction = case.correction(table)
        if correction:
            weight = TAKEN_BACK * (1 + back / 4) + correction.weight + case.fit_of(table, correction)
            yield _back(weight, table.key, position, (), position, correction)
        if len(known) == 1:
            for weight, turn, after, found in _last_turns(case, table):
                if Table.of(after).key == case.table.key:  # the same turn again is none
                    continue
                yield _back(TAKEN_BACK + weight, (table.key, after.line), position, (turn,), after, found)
        known.add(table.key)


def _back(
    weight: float, outcome: object, start: Position, turns: Turns, after: Position, correction: Correction
) -> Hypothesis:
    seat = start.to_move
    sentence = f"{seat.word}'s turn has been taken back."
    if turns:
        sentence = f"{seat.word}'s turn has been taken back, and another played: {told(turns[0], seat)}"

    def explained() -> Explanation:
        return Explanation(Kind.TAKEN_BACK, turns, after, 0.0, sentence, None, correction.pieces)

    return Hypothesis(weight, (Kind.TAKEN_BACK, outcome), explained, not correction.changes)


def several(case: SystemsCase) -> Iterator[Hypothesis]:
    """Two turns in a row that explain exactly what was read; three where two do not."""
    for number in range(2, MOST_TURNS + 1):
        found = list(_series(case, case.table, number))
        if found:
            for weight, turns, after, correction in found:
                yield _in_a_row(case, SEVERAL_TURNS + (number - 2) * _ONE_MORE + weight, turns, after, correction)
            return


def _series(case: SystemsCase, table: Table, number: int) -> Iterator[Series]:
    if number == 1:
        for weight, turn, after, correction in _last_turns(case, table):
            yield weight, (turn,), after, correction
        return
    for weight, turn, between in _first_turns(case, table, number):
        for following, turns, end, correction in _series(case, between, number - 1):
            yield weight + following, (turn, *turns), end, correction


def _last_turns(case: SystemsCase, table: Table) -> Iterator[tuple[float, Turn, Position, Correction]]:
    """The turns at *table* that lead to what was read, or very nearly."""
    begun = begin_at(table, case.options)
    if begun.is_set_up:
        return
    habits = Habits(table)
    for end in ends_near(table, case.near(table.to_move, 0, 0), case.effort):
        correction = case.corrections.get(end.print)
        if correction and correction.weight >= _READ_WELL and end.key != table.key:
            links = end.links()
            turn = turn_of(links, table.systems, table.seats)
            try:
                after = begun.play(turn).end()
            except RulesError:
                continue
            weight = habits.weight(links) + correction.weight + case.fit_of(Table.of(after), correction)
            yield weight, turn, after, correction


def _first_turns(case: SystemsCase, table: Table, number: int) -> list[tuple[float, Turn, Table]]:
    """The turns at *table*, with *number* turns to come, that come nearer to what was read, the nearest first.

    Where three are looked for, they are turns of one action.
    """
    begun = begin_at(table, case.options)
    if begun.is_set_up:
        return []
    start = case.near(table.to_move, 0, 0).distance(table.systems.values())
    most = min(_MOST_LEFT, start - 1)
    nearness = case.near(table.to_move, most, most)
    ranked: list[tuple[int, int, End]] = []
    for end in ends_near(table, nearness, case.effort if number == 2 else Effort(0, 0)):
        if end.key != table.key:
            distance = nearness.distance(end.after.systems)
            if distance < start:
                ranked.append((distance, len(ranked), end))
    ranked.sort()
    habits = Habits(table)
    turns = []
    for _, _, end in ranked[: _MOST_TRIED[number]]:
        links = end.links()
        turn = turn_of(links, table.systems, table.seats)
        try:
            turns.append((habits.weight(links), turn, begun.play(turn).end_table()[0]))
        except RulesError:
            continue
    return turns


def _in_a_row(case: SystemsCase, weight: float, turns: Turns, after: Position, correction: Correction) -> Hypothesis:
    def explained() -> Explanation:
        table, sentences = case.table, []
        for turn in turns:
            sentences.append(told(turn, table.seats[table.to_move]))
            table = begin_at(table, case.options).play(turn).end_table()[0]
        number = {2: "Two", 3: "Three"}[len(turns)]
        sentence = f"{number} turns at once: {' '.join(sentences)}"
        return Explanation(Kind.SEVERAL, turns, after, 0.0, sentence, None, correction.pieces)

    return Hypothesis(weight, (Kind.SEVERAL, after.line), explained, not correction.changes)
