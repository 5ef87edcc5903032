"""Turns of Homeworlds that are half done: some of their pieces are where they belong, some not yet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import log

from companion_app.inferring.contents import SHIPS, STARS, content_of, print_of, units
from companion_app.inferring.corrections import Correction
from companion_app.inferring.explanations import Explanation, Kind
from companion_app.inferring.habits import Habits, weight_of_home
from companion_app.inferring.judging import AMID_A_TURN, UNFINISHED, Hypothesis
from companion_app.inferring.system_case import SystemsCase
from companion_app.inferring.walk import End, ends_near
from rules.homeworlds import Turn
from rules.homeworlds.packed import UNIT, Packed
from rules.homeworlds.prose import told
from rules.homeworlds.search import (
    BUILD,
    CAPTURE,
    CATASTROPHE,
    DISCOVER,
    MOVE,
    SACRIFICE,
    TRADE,
    Link,
    set_ups,
    turn_of,
)
from rules.homeworlds.turns import begin_at

Contents = tuple[int, ...]


def half_done(case: SystemsCase) -> Iterator[Hypothesis]:
    """The turns of the player to move of which what was read may be a part."""
    mover = case.table.to_move
    begun = begin_at(case.table, case.options)
    if begun.is_set_up:
        yield from _set_ups(case)
        return
    habits = Habits(case.table)
    for end in ends_near(case.table, case.nearness(mover, 1, 2), case.effort):
        if end.link is None:
            continue
        partials = list(_on_the_way(end, mover))
        for partial in partials:
            correction = case.corrections.get(partial)
            if correction:
                links = end.links()
                weight = habits.weight(links) - log(len(links) * len(partials)) + correction.weight
                weight += case.fit_of_bank(end.node.bank)
                yield _hypothesis(case, weight, turn_of(links, case.table.systems, case.seats), correction)


def _set_ups(case: SystemsCase) -> Iterator[Hypothesis]:
    """A home of which a piece or two are still to come."""
    mover = case.table.to_move
    here = sum(print_of(content_of(system)) for system in case.table.systems.values())
    for home in set_ups(case.table, case.options, begin_at(case.table, case.options).extra_ships):
        pieces = [(STARS[star.kind], UNIT[star.kind]) for star in home.stars]
        pieces.append((SHIPS[mover][home.ship.kind], UNIT[home.ship.kind]))
        for number in range(1, len(pieces)):
            for chosen in combinations(pieces, number):
                content, taken = map(sum, zip(*chosen, strict=True))
                correction = case.corrections.get(here + print_of(content))
                if correction:
                    weight = weight_of_home(home) - log(2 ** len(pieces) - 2) + correction.weight
                    weight += case.fit_of_bank(case.table.bank - taken)
                    yield _hypothesis(case, weight, (home,), correction)


def _hypothesis(case: SystemsCase, weight: float, turn: Turn, correction: Correction) -> Hypothesis:
    sentence = f"A turn is half done. Perhaps: {told(turn, case.before.to_move)}"

    def explained() -> Explanation:
        return Explanation(Kind.HALF_DONE, (), case.before, 0.0, sentence, None, correction.pieces)

    unfinished = UNFINISHED if case.ended else AMID_A_TURN
    return Hypothesis(unfinished + weight, (Kind.HALF_DONE,), explained, not correction.changes)


def _on_the_way(end: End, mover: int) -> Iterator[int]:
    """The prints of the tables between a node and the link from it."""
    node, link = end.node, end.link
    assert link
    here = node.systems[link.first]
    there = node.systems[link.second] if 0 <= link.second < len(node.systems) else None
    before = _contents(here, there)
    base = end.print - sum(map(print_of, _contents(link.at_first, link.at_second)))
    assert here
    for content in _between(link, before, _contents(link.at_first, link.at_second), mover):
        yield base + sum(map(print_of, content))


def _contents(*systems: Packed | None) -> Contents:
    return tuple(content_of(system) if system else 0 for system in systems)


def _between(link: Link, before: Contents, after: Contents, mover: int) -> Iterator[Contents]:
    """What may stand in the two systems of a link while it is being done."""
    origin, target = before
    own = SHIPS[mover]
    if link.action in (MOVE, DISCOVER):
        lifted = origin - own[link.kind]
        yield lifted, target  # in the hand
        if lifted != after[0]:
            yield lifted, after[1]  # arrived, the star left behind still stands
        if link.action == DISCOVER:
            star = STARS[link.other]
            yield origin, star  # the star first
            yield lifted, star
            yield after[0], star
    elif link.action == TRADE:
        yield origin - own[link.kind], 0
    elif link.action == CAPTURE:
        yield origin - SHIPS[link.other][link.kind], 0
    elif link.action == SACRIFICE and origin - own[link.kind] != after[0]:
        yield origin - own[link.kind], 0  # the star left behind still stands
    elif link.action == CATASTROPHE:
        yield from _partly_destroyed(origin, link.other, after[0])
    else:
        assert link.action in (BUILD, SACRIFICE)


def _partly_destroyed(content: int, color: int, after: int) -> Iterator[Contents]:
    """Some of the pieces of a colour gone, or all of them but not yet what goes with them."""
    doomed = [unit for unit in units(content) if ((unit.bit_length() - 1) // 3 % 12) // 3 == color]
    left = {content}
    for unit in doomed:
        left |= {other - unit for other in left if _holds(other, unit)}
    for partial in left - {content, after}:
        yield partial, 0


def _holds(content: int, unit: int) -> bool:
    return bool(content & 7 * unit)
