"""The legal turns of Homeworlds that explain what was read, of the player to move or, by mistake, of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import log
from typing import Final

from companion_app.inferring.contents import SHIPS, STARS, content_of, print_of, table_print
from companion_app.inferring.corrections import Correction
from companion_app.inferring.explanations import Explanation, Kind, Refusal
from companion_app.inferring.judging import BREAKS_A_RULE, PASSED, Hypothesis
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.walk import Nearness, ends_near
from rules import RulesError, Seat, Size
from rules.homeworlds import Sacrifice, Turn
from rules.homeworlds.packed import ALIVE, SIZE_OF
from rules.homeworlds.prose import told
from rules.homeworlds.search import CATASTROPHE, SACRIFICE, Link, set_ups, turn_of
from rules.homeworlds.table import Table
from rules.homeworlds.turns import begin_at

SACRIFICED: Final = (0.0, log(0.02), log(0.2), log(0.3))
"""How likely the sacrifice of a ship of each size is, against a turn of one action."""
NOT_USED: Final = log(0.1)
"""How likely each action of a sacrifice is to be let go."""
NONE_USED: Final = log(3e-3)
"""How likely all of them are."""
DECLARED: Final = log(0.5)
"""How likely a catastrophe is to be declared that can be."""
HANDICAP: Final = log(1e-3)
"""How likely a home is set up with one star, or with a smaller ship, even where that is allowed."""
_ALIVE_AT: Final = ALIVE[0].bit_length() - 1


def legal_turns(case: SystemsCase) -> Iterator[Hypothesis]:
    """The legal turns of the player to move, a pass and the set-up among them."""
    for weight, turn, after, correction in _explaining(case, case.table, case.nearness(case.table.to_move)):
        yield Hypothesis(weight, (Kind.LEGAL, after), partial(_legal, case, turn, correction), not correction.changes)


def turns_of_others(case: SystemsCase) -> Iterator[Hypothesis]:
    """The turns that would be legal if it were another player's turn."""
    for seat in case.table.homes():
        if seat == case.table.to_move:
            continue
        for weight, turn, _, correction in _explaining(case, case.with_to_move(seat), case.nearness(seat, 1, 1)):
            if turn:
                told_so = partial(_out_of_turn, case, case.seats[seat], turn, correction)
                yield Hypothesis(
                    BREAKS_A_RULE + weight, (Kind.ILLEGAL, "not_to_move"), told_so, not correction.changes
                )


def _explaining(case: SystemsCase, table: Table, nearness: Nearness) -> Iterator[tuple[float, Turn, int, Correction]]:
    """Each turn of the player to move that explains what was read: its weight, its steps, the position's key."""
    if begin_at(table, case.options).is_set_up:
        yield from _set_ups(case, table)
        return
    for end in ends_near(table, nearness):
        correction = case.corrections.get(end.print)
        node = end.after if correction else None
        if correction is None and (end.key ^ table.key) >> _ALIVE_AT:
            table_print, node = end.without_dead_homes()
            correction = case.corrections.get(table_print)
        if correction and node:
            links = end.links()
            weight = prior(links) + correction.weight + case.fit(node.systems, node.bank)
            yield weight, turn_of(links, table.systems, table.seats), end.key, correction


def _set_ups(case: SystemsCase, table: Table) -> Iterator[tuple[float, Turn, int, Correction]]:
    """The homes that may have been set up, and nothing yet."""
    begun = begin_at(table, case.options)
    correction = case.correction(table)
    if correction:
        yield correction.weight + case.fit_of(table), (), table.key, correction
    here = table_print(map(content_of, table.systems.values()))
    for home in set_ups(table, case.options, begun.extra_ships):
        ships = sum(SHIPS[table.to_move][ship.kind] for ship in (home.ship, *home.extra))
        correction = case.corrections.get(here + print_of(ships + sum(STARS[star.kind] for star in home.stars)))
        if correction:
            after = begun.apply(home).table
            weight = correction.weight + case.fit_of(after)
            weight += HANDICAP * ((len(home.stars) == 1) + (home.ship.size is not Size.LARGE))
            yield weight, (home,), after.key, correction


def prior(links: Sequence[Link]) -> float:
    """How likely people play a turn like this, against a turn of one action, as a logarithm."""
    if not links:
        return PASSED
    weight, bought = 0.0, 1
    for link in links:
        if link.action == CATASTROPHE:
            weight += DECLARED
        elif link.action == SACRIFICE:
            bought = SIZE_OF[link.kind]
            weight += SACRIFICED[bought]
    sacrificed = any(link.action == SACRIFICE for link in links)
    done = sum(link.action < SACRIFICE for link in links)
    if sacrificed and not done:
        return weight + NONE_USED
    return weight + (bought - done) * NOT_USED if sacrificed else weight


def _legal(case: SystemsCase, turn: Turn, correction: Correction) -> Explanation:
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
    kind = Kind.LEGAL
    if not turn:
        kind, sentence = Kind.UNCHANGED, f"Nothing has changed: {sentence}"
    elif isinstance(turn[-1], Sacrifice) and len(turn) == 1:
        kind, sentence = Kind.HALF_DONE, f"{sentence[:-1]} and has done nothing with it yet."
    return Explanation(kind, (turn,), after, 0.0, sentence, None, correction.pieces)


def _out_of_turn(case: SystemsCase, seat: Seat, turn: Turn, correction: Correction) -> Explanation:
    to_move = case.before.to_move
    reason = f"it is {to_move.word}'s turn, not {seat.word}'s."
    refusal = Refusal("not_to_move", "24", reason[0].upper() + reason[1:])
    sentence = f"{told(turn, seat)[:-1]}: {reason}"
    return Explanation(Kind.ILLEGAL, (turn,), case.before, 0.0, sentence, refusal, correction.pieces)
