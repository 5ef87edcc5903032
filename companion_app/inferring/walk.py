"""All turns of Homeworlds that lead to one of some tables, without going through the turns that cannot.

The walk is that of :mod:`rules.homeworlds.successors`, link by link. It leaves a node alone
from which the actions that are left cannot come near enough to what was read; see
:mod:`companion_app.inferring.nearness`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from companion_app.inferring.contents import content_of, print_of
from companion_app.inferring.nearness import Nearness
from rules.homeworlds.packed import Packed
from rules.homeworlds.search import ACTIONS, CATASTROPHE, SACRIFICE, Link, Node, catastrophes, links_from
from rules.homeworlds.table import Table


class Reached(NamedTuple):
    """A node on the way, the table's print, and how many pieces will be amiss at least; the fewer, the nearer."""

    node: Node
    print: int
    amiss: int


class Effort:
    """How much may be searched.

    Attributes:
        nodes: how many nodes may still be gone on from.
        width: how many of them after as many steps of a turn, the nearest first.
        is_spent: whether something was left out.
    """

    def __init__(self, nodes: int, width: int) -> None:
        self.nodes = nodes
        self.width = width
        self.is_spent = False

    def chosen(self, level: list[Reached]) -> list[Reached]:
        """Those that are gone on from."""
        most = max(0, min(self.width, self.nodes))
        if len(level) > most:
            self.is_spent = True
            level = sorted(level, key=attrgetter("amiss"))[:most]
        self.nodes -= len(level)
        return level


class End(NamedTuple):
    """A place where a turn may end: a node, or the link that leads there from it; with the table's print."""

    node: Node
    link: Link | None
    print: int

    def links(self) -> list[Link]:
        """The links of the whole turn."""
        links = self.node.links()
        return [*links, self.link] if self.link else links

    @property
    def after(self) -> Node:
        """The table as a node."""
        return self.node.child(self.link) if self.link else self.node

    def without_dead_homes(self) -> tuple[int, Node]:
        """Print and table when homes without any ship have gone back to the bank, as at the end of the turn."""
        after = self.after
        dead = [one for one in after.systems if one and one.home >= 0 and not any(one.ships)]
        table_print = self.print - sum(print_of(content_of(system)) for system in dead)
        systems = [None if one in dead else one for one in after.systems]
        return table_print, Node(systems, after.bank + sum(one.pieces for one in dead), after.key, -1, 0)

    @property
    def key(self) -> int:
        """The position's key; see :class:`rules.homeworlds.packed.Packed`."""
        return self.link.key if self.link else self.node.key


def ends_near(table: Table, nearness: Nearness | None = None, effort: Effort | None = None) -> Iterator[End]:
    """Every distinct end of a turn that may be near, as far as the *effort* goes, the shortest turns first.

    All of them where neither is given.
    """
    mover, players = table.to_move, table.players
    prints: dict[Packed | None, int] = {None: 0}

    def printed(system: Packed | None) -> int:
        known = prints.get(system)
        if known is None:
            assert system
            known = prints[system] = print_of(content_of(system))
        return known

    start = Node.of(table)
    first = sum(map(printed, start.systems))
    yield End(start, None, first)
    ends = {start.key}
    seen: set[tuple[int, int, int]] = set()
    level = [Reached(start, first, 0)]
    while level:
        following: list[Reached] = []
        for node, here, _ in level:
            systems, size = node.systems, len(node.systems)
            crowded = any(system and system.overpopulated for system in systems)
            for link in _links(node, mover, players, nearness):
                key, slot, other = link.key, link.first, link.second
                table_print = here - printed(systems[slot]) + printed(link.at_first)
                if other >= 0:
                    table_print += printed(link.at_second) - (printed(systems[other]) if other < size else 0)
                if key not in ends:
                    ends.add(key)
                    yield End(node, link, table_print)
                if link.action < SACRIFICE and node.left == 1 and not (crowded or _crowded(link)):
                    continue
                mode = _mode(node, link)
                if mode in seen:
                    continue
                seen.add(mode)
                child = node.child(link)
                amiss = nearness.amiss(child) if nearness else 0
                if amiss is not None:
                    following.append(Reached(child, table_print, amiss))
        level = effort.chosen(following) if effort else following


def _links(node: Node, mover: int, players: int, nearness: Nearness | None) -> Iterator[Link]:
    """The steps from a node that are worth looking at."""
    if nearness is None or node.sacrificed < 0 or not node.left:
        return links_from(node, mover, players)
    systems = node.systems
    slots = [slot for slot in nearness.worth_acting(node) if (one := systems[slot]) and one.ships[mover]]
    return chain(catastrophes(node), ACTIONS[node.sacrificed](node, mover, players, slots))


def _crowded(link: Link) -> bool:
    """Whether a catastrophe could follow where the link has changed something."""
    return any(system and system.overpopulated for system in (link.at_first, link.at_second))


def _mode(node: Node, link: Link) -> tuple[int, int, int]:
    """What tells two nodes apart: the position, and the actions that may still be done."""
    if link.action == SACRIFICE:
        return link.key, link.kind // 3, link.kind % 3 + 1
    return link.key, node.sacrificed, node.left - (link.action != CATASTROPHE)
