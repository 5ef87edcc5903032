"""All legal turns of a position: each distinct end of turn once, shortest turns first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.errors import RulesError
from rules.homeworlds.options import Options, SelfElimination
from rules.homeworlds.packed import ALIVE, COLOR_OF, SIZE_OF, Packed
from rules.homeworlds.position import Position
from rules.homeworlds.search import SACRIFICE, Link, Node, links_from, set_ups, turn_of
from rules.homeworlds.steps import Turn
from rules.homeworlds.table import Table
from rules.homeworlds.turns import begin_at


@dataclass(frozen=True)
class Summary:
    """How many distinct ends of turn a position has.

    Attributes:
        distinct: all of them.
        not_self_eliminating: those in which the player to move is still in the game.
        wins: those of them in which no opponent is.
        draws: those in which nobody is.
    """

    distinct: int
    not_self_eliminating: int
    wins: int
    draws: int


class LegalTurns:
    """The legal turns of a position, found while one asks for them.

    Iterating gives each distinct position at the end of the turn once, as ``(turn, position)`` with a shortest turn
    that leads there. Positions are the same when they differ in the names of ordinary systems only.
    ``turn in legal_turns`` tells whether a turn is legal, whether or not a shorter one leads to the same end.

    >>> turns = legal_turns(Position.parse("<0>; South(0,b1r2)g3-; North(1,b3y1)-g3"))
    >>> turns.count()
    6
    >>> next(iter(turns))[0]
    ()
    """

    def __init__(self, table: Table, options: Options) -> None:
        self._table = table
        self._options = options
        self._begin = begin_at(table, options)

    def __iter__(self) -> Iterator[tuple[Turn, Position]]:
        for turn in self.turns():
            yield turn, self._begin.play(turn).end()

    def turns(self) -> Iterator[Turn]:
        """The turns alone, without the positions that they lead to."""
        if self._begin.is_set_up:
            yield from ((step,) for step in set_ups(self._table, self._options, self._begin.extra_ships))
            return
        names = tuple(self._table.systems)
        for node, link in self._ends():
            links = node.links()
            yield turn_of([*links, link] if link else links, names, self._table.seats)

    def __contains__(self, turn: object) -> bool:
        if not isinstance(turn, tuple):
            return False
        try:
            self._begin.play(turn).check_end()
        except (RulesError, KeyError):
            return False
        return True

    def __bool__(self) -> bool:
        return next(self.turns(), None) is not None

    def count(self) -> int:
        """How many distinct ends of turn there are."""
        return self.summary().distinct

    def summary(self) -> Summary:
        """How many ends of turn there are, and how many of them end the game."""
        mover = self._table.to_move
        if self._begin.is_set_up:
            number = sum(1 for _ in set_ups(self._table, self._options, self._begin.extra_ships))
            return Summary(number, number, 0, 0)
        homes = [system.home for system in self._table.systems.values() if system.home >= 0]
        opponents = sum(ALIVE[seat] for seat in homes if seat != mover)
        distinct = safe = wins = draws = 0
        for node, link in self._ends():
            key = link.key if link else node.key
            distinct += 1
            alive = bool(key & ALIVE[mover])
            alone = not key & opponents
            safe += alive
            wins += alive and alone
            draws += alone and not alive
        return Summary(distinct, safe, wins, draws)

    def _ends(self) -> Iterator[tuple[Node, Link | None]]:
        """Each distinct end of turn: a node, or the link that leads there from a node."""
        ends = distinct_ends(Node.of(self._table), self._table.to_move, self._table.players)
        if self._options.self_elimination is not SelfElimination.FORBIDDEN:
            return ends
        alive = ALIVE[self._table.to_move]
        return (end for end in ends if (end[1].key if end[1] else end[0].key) & alive)


def distinct_ends(start: Node, mover: int, players: int) -> Iterator[tuple[Node, Link | None]]:
    """Breadth first; a position that was reached before with as many actions left is not gone through again.

    Where a step was the last one that could be taken, no node is made of it.
    """
    ends = {start.key}
    seen: set[tuple[int, int, int]] = set()
    yield start, None
    level = [start]
    while level:
        following: list[Node] = []
        for node in level:
            crowded = any(system and system.overpopulated for system in node.systems)
            for link in links_from(node, mover, players):
                key = link.key
                if link.action < SACRIFICE and node.left == 1:
                    if key in ends:
                        continue
                    if not (crowded or _is_crowded(link.at_first) or _is_crowded(link.at_second)):
                        ends.add(key)
                        yield node, link
                        continue
                mode = _mode(node, link)
                if mode in seen:
                    continue
                seen.add(mode)
                child = node.child(link)
                following.append(child)
                if key not in ends:
                    ends.add(key)
                    yield child, None
        level = following


def _mode(node: Node, link: Link) -> tuple[int, int, int]:
    """What tells two nodes apart: the position, and the actions that may still be done."""
    if link.action < SACRIFICE:
        return link.key, node.sacrificed, node.left - 1
    if link.action == SACRIFICE:
        return link.key, COLOR_OF[link.kind], SIZE_OF[link.kind]
    return link.key, node.sacrificed, node.left


def _is_crowded(system: Packed | None) -> bool:
    return system is not None and bool(system.overpopulated)


def legal_turns(position: Position, options: Options | None = None) -> LegalTurns:
    """All legal turns of *position*, lazily; a :class:`RulesError` for an impossible position."""
    return LegalTurns(Table.of(position), options or Options())
