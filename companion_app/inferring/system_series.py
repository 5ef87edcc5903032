"""More than one turn of Homeworlds at once, and turns taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import log
from typing import Final

from companion_app.inferring.contents import content_of, differences
from companion_app.inferring.corrections import Correction
from companion_app.inferring.explanations import Explanation, Kind
from companion_app.inferring.judging import SEVERAL_TURNS, TAKEN_BACK, Hypothesis
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.system_turns import prior
from companion_app.inferring.walk import End, Nearness, ends_near
from rules import RulesError
from rules.homeworlds import Position, Turn
from rules.homeworlds.packed import Packed
from rules.homeworlds.prose import told
from rules.homeworlds.search import turn_of
from rules.homeworlds.table import Table
from rules.homeworlds.turns import begin_at

_MOST_TRIED: Final = 40
"""First turns that are followed, those first that leave the least to be explained."""
_MOST_LOOKED_AT: Final = 3000
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
            weight = TAKEN_BACK * (1 + back / 4) + correction.weight + case.fit_of(table)
            yield _back(weight, table.key, position, (), position, correction)
        if len(known) == 1:
            for weight, turn, after, found in _last_turns(case, table):
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
    for weight, turn, between in _first_turns(case, table, _MOST_TRIED if number == 2 else _MOST_TRIED // 4):
        for following, turns, end, correction in _series(case, between, number - 1):
            yield weight + following, (turn, *turns), end, correction


def _last_turns(case: SystemsCase, table: Table) -> Iterator[tuple[float, Turn, Position, Correction]]:
    """The turns at *table* that lead to what was read, or very nearly."""
    begun = begin_at(table, case.options)
    if begun.is_set_up:
        return
    for end in ends_near(table, Nearness(case.corrections.contents, table.to_move, 0, 0)):
        correction = case.corrections.get(end.print)
        if correction and correction.weight >= _READ_WELL and end.key != table.key:
            links = end.links()
            turn = turn_of(links, table.systems, table.seats)
            try:
                after = begun.play(turn).end()
            except RulesError:
                continue
            yield prior(links) + correction.weight + case.fit_of(Table.of(after)), turn, after, correction


def _first_turns(case: SystemsCase, table: Table, most: int) -> list[tuple[float, Turn, Table]]:
    """The turns at *table* that come nearer to what was read, the nearest first."""
    begun = begin_at(table, case.options)
    if begun.is_set_up:
        return []
    start = _distance(case, table.systems.values())
    nearness = Nearness(case.corrections.contents, table.to_move, start - 1, start - 1)
    ranked: list[tuple[int, int, End]] = []
    for end in islice(ends_near(table, nearness), _MOST_LOOKED_AT):
        if end.key != table.key:
            distance = _distance(case, [one for one in end.after.systems if one])
            if distance < start:
                ranked.append((distance, len(ranked), end))
    ranked.sort()
    turns = []
    for _, _, end in ranked[:most]:
        links = end.links()
        turn = turn_of(links, table.systems, table.seats)
        try:
            turns.append((prior(links), turn, begun.play(turn).end_table()[0]))
        except RulesError:
            continue
    return turns


def _distance(case: SystemsCase, systems: Iterable[Packed]) -> int:
    """In how many pieces systems differ from the groups that were read, each from the one it is most like."""
    groups = case.corrections.contents
    contents = [content_of(system) for system in systems]
    there = sum(min((max(differences(one, group)) for group in groups), default=99) for one in contents)
    back = sum(min((max(differences(one, group)) for one in contents), default=99) for group in groups)
    return there + back


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
