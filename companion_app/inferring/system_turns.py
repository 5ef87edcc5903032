"""The legal turns of Homeworlds that explain what was read, of the player to move or, by mistake, of another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from companion_app.inferring.contents import SHIPS, STARS, content_of, print_of, table_print
from companion_app.inferring.corrections import Correction
from companion_app.inferring.explanations import Explanation, Kind, Refusal
from companion_app.inferring.habits import DESERTED, Habits, weight_of_home
from companion_app.inferring.judging import BREAKS_A_RULE, STIRRED, Hypothesis
from companion_app.inferring.nearness import Nearness
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.walk import ends_near
from rules import RulesError, Seat
from rules.homeworlds import Catastrophe, Sacrifice, Turn
from rules.homeworlds.packed import ALIVE
from rules.homeworlds.prose import told
from rules.homeworlds.search import set_ups, turn_of
from rules.homeworlds.table import Table
from rules.homeworlds.turns import begin_at

_ALIVE_AT: Final = ALIVE[0].bit_length() - 1


def legal_turns(case: SystemsCase) -> Iterator[Hypothesis]:
    """The legal turns of the player to move, a pass and the set-up among them."""
    for weight, turn, after, bank, correction in _explaining(case, case.table, case.nearness(case.table.to_move)):
        outcome = (Kind.LEGAL, after) if case.ended or not _actions_left(turn) else (Kind.HALF_DONE,)
        perhaps_in_hand = len(turn) == 1 and isinstance(turn[0], Sacrifice)
        as_read = not correction.changes and not perhaps_in_hand
        grave = gives_up_home(case.table, after)
        slips = case.slips(bank, correction)
        yield Hypothesis(weight, outcome, partial(explanation_of, case, turn, correction), as_read, grave, slips)


def turns_of_others(case: SystemsCase) -> Iterator[Hypothesis]:
    """The turns that would be legal if it were another player's turn."""
    for seat in case.table.homes():
        if seat == case.table.to_move:
            continue
        for weight, turn, _, _, correction in _explaining(case, case.with_to_move(seat), case.nearness(seat, 1, 1)):
            if turn:
                told_so = partial(_out_of_turn, case, case.seats[seat], turn, correction)
                yield Hypothesis(
                    BREAKS_A_RULE + weight, (Kind.ILLEGAL, "not_to_move"), told_so, not correction.changes
                )


class _Explaining(NamedTuple):
    """A turn that explains what was read, with the key of the position after it and what the bank holds then."""

    weight: float
    turn: Turn
    after: int
    bank: int
    correction: Correction


def _explaining(case: SystemsCase, table: Table, nearness: Nearness) -> Iterator[_Explaining]:
    """Each turn of the player to move that explains what was read."""
    if begin_at(table, case.options).is_set_up:
        yield from _set_ups(case, table)
        return
    habits, key = Habits(table), table.key
    for end in ends_near(table, nearness, case.effort):
        correction = case.corrections.get(end.print)
        node = end.after if correction else None
        if correction is None and (end.key ^ key) >> _ALIVE_AT:
            table_print, node = end.without_dead_homes()
            correction = case.corrections.get(table_print)
        if correction and node:
            links = end.links()
            weight = correction.weight + case.fit(node.systems, node.bank, correction)
            weight += habits.weight(links) if links or case.ended else 0.0
            weight += STIRRED if not links and case.is_stirred else 0.0
            weight += DESERTED if gives_up_home(table, end.key) else 0.0
            turn = turn_of(links, table.systems, table.seats)
            yield _Explaining(weight, turn, end.key, node.bank, correction)


def _set_ups(case: SystemsCase, table: Table) -> Iterator[_Explaining]:
    """The homes that may have been set up, and nothing yet."""
    begun = begin_at(table, case.options)
    correction = case.correction(table)
    if correction:
        weight = correction.weight + case.fit_of(table, correction)
        yield _Explaining(weight, (), table.key, table.bank, correction)
    here = table_print(map(content_of, table.systems.values()))
    for home in set_ups(table, case.options, begun.extra_ships):
        ships = sum(SHIPS[table.to_move][ship.kind] for ship in (home.ship, *home.extra))
        correction = case.corrections.get(here + print_of(ships + sum(STARS[star.kind] for star in home.stars)))
        if correction:
            after = begun.apply(home).table
            weight = weight_of_home(home) + correction.weight + case.fit_of(after, correction)
            yield _Explaining(weight, (home,), after.key, after.bank, correction)


def explanation_of(case: SystemsCase, turn: Turn, correction: Correction) -> Explanation:
    """What is told of a *turn* that is legal by its steps, once it is wanted."""
    sentence = told(turn, case.before.to_move)
    begun = begin_at(case.table, case.options)
    try:
        after = begun.play(turn).end()
    except RulesError as error:  # nothing has changed before the set-up, or somebody may not give up the home
        refusal = Refusal.of(error)
        if not turn:
            sentence = f"Nothing has changed. {error.sentence}"
            return Explanation(Kind.UNCHANGED, (), case.before, 0.0, sentence, refusal, correction.pieces)
        sentence = f"{sentence[:-1]}: {error.sentence}"
        return Explanation(Kind.ILLEGAL, (turn,), case.before, 0.0, sentence, refusal, correction.pieces)
    if not turn:
        if not case.ended:
            sentence = "Nothing has changed yet."
            return Explanation(Kind.UNCHANGED, (), case.before, 0.0, sentence, None, correction.pieces)
        sentence = f"Nothing has changed: {sentence}"
        return Explanation(Kind.UNCHANGED, (turn,), after, 0.0, sentence, None, correction.pieces)
    if not case.ended and (left := _actions_left(turn)):
        waits = f"{sentence[:-1]}, with {left} of its actions still to come."
        return Explanation(Kind.HALF_DONE, (), case.before, 0.0, waits, None, correction.pieces)
    return Explanation(Kind.LEGAL, (turn,), after, 0.0, sentence, None, correction.pieces)


def gives_up_home(table: Table, after: int) -> bool:
    """Whether the home of the player to move is lost in the position with the key *after*."""
    home = ALIVE[table.to_move]
    return bool(table.key & home and not after & home)


def _actions_left(turn: Turn) -> int:
    """How many of the actions that a sacrifice has bought are not used."""
    bought = sum(int(step.piece.size) for step in turn if isinstance(step, Sacrifice))
    return bought - sum(not isinstance(step, Sacrifice | Catastrophe) for step in turn) if bought else 0


def _out_of_turn(case: SystemsCase, seat: Seat, turn: Turn, correction: Correction) -> Explanation:
    to_move = case.before.to_move
    reason = f"it is {to_move.word}'s turn, not {seat.word}'s."
    refusal = Refusal("not_to_move", "24", reason[0].upper() + reason[1:])
    sentence = f"{told(turn, seat)[:-1]}: {reason}"
    return Explanation(Kind.ILLEGAL, (turn,), case.before, 0.0, sentence, refusal, correction.pieces)
