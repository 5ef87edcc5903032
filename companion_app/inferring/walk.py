"""All turns of Homeworlds that lead to one of some tables, without going through the turns that cannot.

The walk is that of :mod:`rules.homeworlds.successors`, link by link. It leaves a node alone from which the actions
that are left cannot come near enough to what was read. Near enough is counted in misread pieces; the bounds say too
few rather than too many:

* ships: a sacrifice of yellow leaves all ships as they are, green only adds, red and blue exchange one a time, and a
  catastrophe only takes away; so ships that were read but that nobody can bring are misread;
* systems: each has some group of the reading that it is most like; an action changes two systems by a piece each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from companion_app.inferring.contents import FIRST_SHIP, content_of, differences, print_of
from rules.homeworlds.packed import BLUE, GREEN, RED, YELLOW, Packed
from rules.homeworlds.search import CATASTROPHE, SACRIFICE, Link, Node, links_from
from rules.homeworlds.status import OVERPOPULATION
from rules.homeworlds.table import Table

_BRINGS: Final = {YELLOW: 0, GREEN: 1, RED: 1, BLUE: 1}
"""How many ships that are read but not there an action of a colour can bring."""
_TAKES: Final = {YELLOW: 0, GREEN: 0, RED: 1, BLUE: 1}
"""How many ships that are there but not read an action of a colour can take away."""
_CHANGES: Final = {YELLOW: 2, GREEN: 1, RED: 1, BLUE: 1}
"""How many systems an action of a colour changes by a piece."""


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


class Nearness:
    """How near a node is to what was read.

    *most* is the number of pieces that may be misread at once.
    """

    def __init__(self, groups: Sequence[int], mover: int, most: int, apart: int) -> None:
        self._groups = groups
        self._ships = sum(groups) >> FIRST_SHIP
        self._mover = mover
        self._most = most
        self._apart = apart
        self._costs: dict[Packed, tuple[int, int]] = {}

    def is_near(self, node: Node) -> bool:
        """Whether the actions left can lead to a table that may have been meant."""
        left, most, color = node.left, self._most, node.sacrificed
        costs, slack, crowds = 0, 0, []
        total = 0
        for system in node.systems:
            if system:
                total += content_of(system)
                cost, most_alike = self._costs.get(system) or self._cost(system)
                if cost:
                    costs += cost
                    lacking = OVERPOPULATION - most_alike
                    if lacking <= 0:
                        slack += cost
                    elif lacking <= left:
                        crowds.append(cost)
        surplus, missing = differences(total >> FIRST_SHIP, self._ships)
        if missing > most + _brings(color, left):
            return False
        if crowds:
            slack += sum(sorted(crowds)[-left:])
        elif not slack and surplus > most + _takes(color, left):
            return False
        return costs - slack <= self._apart + _changes(color, left)

    def _cost(self, system: Packed) -> tuple[int, int]:
        """In how many pieces a system differs at least from any group, and how many of one colour it holds.

        A system where only the player to move has ships can go with the last of them.
        """
        content = content_of(system)
        ships = sum(map(len, system.ships))
        cost = min((max(differences(content, group)) for group in self._groups), default=99)
        cost = min(cost, len(system.stars) + ships)
        if ships == len(system.ships[self._mover]):
            cost = min(cost, ships)
        known = self._costs[system] = cost, max(map(system.count_of_color, range(4)))
        return known


def _brings(color: int, left: int) -> int:
    return left if color < 0 else left * _BRINGS[color]


def _takes(color: int, left: int) -> int:
    return left if color < 0 else left * _TAKES[color]


def _changes(color: int, left: int) -> int:
    return 2 * left if color < 0 else left * _CHANGES[color]


def ends_near(table: Table, nearness: Nearness | None) -> Iterator[End]:
    """Every distinct end of a turn that may be near; all of them where *nearness* is ``None``."""
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
    level = [(start, first)]
    while level:
        following: list[tuple[Node, int]] = []
        for node, here in level:
            systems, size = node.systems, len(node.systems)
            crowded = any(system and system.overpopulated for system in systems)
            for link in links_from(node, mover, players):
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
                if nearness is None or nearness.is_near(child):
                    following.append((child, table_print))
        level = following


def _crowded(link: Link) -> bool:
    """Whether a catastrophe could follow where the link has changed something."""
    return any(system and system.overpopulated for system in (link.at_first, link.at_second))


def _mode(node: Node, link: Link) -> tuple[int, int, int]:
    """What tells two nodes apart: the position, and the actions that may still be done."""
    if link.action == SACRIFICE:
        return link.key, link.kind // 3, link.kind % 3 + 1
    return link.key, node.sacrificed, node.left - (link.action != CATASTROPHE)
