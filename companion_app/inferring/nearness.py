"""How near a position within a turn is to what was read: what the walk through the turns leaves out, and why it may.

Near enough is counted in pieces read amiss. Every bound says too few of them rather than too many:

* ships: a sacrifice of yellow leaves all ships as they are, green only adds, red and blue exchange one a time, and a
  catastrophe only takes away; so ships that were read but that nobody can bring are misread;
* systems: each has some group of the reading that it becomes, unless it goes; and each group some system that becomes
  it, unless it is discovered. An action changes two systems by a piece each, and a catastrophe is free once four
  pieces are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from companion_app.inferring.contents import (
    FIRST_SHIP,
    content_of,
    differences,
    number_of,
    ships_of,
    stars_of,
    without_color,
)
from rules.homeworlds.packed import BLUE, GREEN, RED, YELLOW, Packed
from rules.homeworlds.search import Node
from rules.homeworlds.status import OVERPOPULATION

_BRINGS: Final = {YELLOW: 0, GREEN: 1, RED: 1, BLUE: 1, -1: 1}
"""How many ships that are read but not there an action of a colour can bring; -1 is any colour."""
_TAKES: Final = {YELLOW: 0, GREEN: 0, RED: 1, BLUE: 1, -1: 1}
"""How many ships that are there but not read an action of a colour can take away."""
_CHANGES: Final = {YELLOW: 2, GREEN: 1, RED: 1, BLUE: 1, -1: 2}
"""How many systems an action of a colour changes by a piece."""
_NEVER: Final = 99
_MOST_ACTIONS: Final = 3


class _Row(NamedTuple):
    """What a system may become with so many actions left.

    Attributes:
        costs: the pieces by which it differs at least from each group.
        least: the fewest of these; or of those that make it go, where that takes fewer.
        ships: its content less the stars.
        crowded: whether some of its pieces may go in a catastrophe.
    """

    costs: tuple[int, ...]
    least: int
    ships: int
    crowded: bool


class Nearness:
    """How near nodes of *mover*'s turn are to *groups* that were read.

    *most* is the number of pieces that may be misread at once, *apart* in how many systems one may be amiss.
    """

    def __init__(self, groups: Sequence[int], mover: int, most: int, apart: int) -> None:
        self._groups = groups
        self._ships = sum(groups) >> FIRST_SHIP
        self._fresh = tuple(max(1, number_of(group) - 1) for group in groups)
        self._mover = mover
        self._most = most
        self._apart = apart
        self._rows: tuple[dict[Packed, _Row], ...] = tuple({} for _ in range(_MOST_ACTIONS + 1))

    def distance(self, systems: Iterable[Packed | None]) -> int:
        """In how many pieces systems differ at least from what was read, catastrophes being free."""
        rows = [self._rows[0].get(system) or self._row(system, 0) for system in systems if system]
        forth = sum(row.least for row in rows)
        return max(forth, self._back(rows))

    def amiss(self, node: Node) -> int | None:
        """In how many systems a piece will be amiss at least, whatever the actions left are.

        ``None`` where that is more than may be. Less than nothing where there are actions to spare.
        """
        left, color = node.left, node.sacrificed
        known = self._rows[left]
        rows = [known.get(system) or self._row(system, left) for system in node.systems if system]
        changed = left * _CHANGES[color]
        forth = sum([row.least for row in rows])
        if forth > self._apart + changed:
            return None
        surplus, missing = differences(sum([row.ships for row in rows]), self._ships)
        in_place = missing - left * _BRINGS[color]
        if not any(row.crowded for row in rows):
            in_place = max(in_place, surplus - left * _TAKES[color])
        if in_place > self._most:
            return None
        elsewhere = self._most - max(0, in_place)  # only these may be amiss in two systems each
        apart = min(self._apart, self._most + elsewhere)
        amiss = max(forth, self._back(rows)) - changed
        return amiss if amiss <= apart else None

    def worth_acting(self, node: Node) -> Sequence[int]:
        """The slots in which the next action of a sacrifice may begin if those after it are to come near enough.

        Where it has to bring every system nearer that it changes, those that are right already are left alone.
        """
        color, left = node.sacrificed, node.left
        known = self._rows[left]
        least = [(known.get(one) or self._row(one, left)).least if one else 0 for one in node.systems]
        too_far = sum(least) - self._apart - (left - 1) * _CHANGES[color]
        if too_far < _CHANGES[color]:
            return range(len(least))
        return [slot for slot, cost in enumerate(least) if cost] if too_far == _CHANGES[color] else ()

    def _back(self, rows: Iterable[_Row]) -> int:
        """The same from the groups to the systems: what each group differs by from the system it is most like."""
        costs: Iterator[int] = map(min, self._fresh, *[row.costs for row in rows])
        return sum(costs)

    def _row(self, system: Packed, left: int) -> _Row:
        content = content_of(system)
        costs = [_NEVER] * len(self._groups)
        goes = _NEVER
        crowded = False
        for lacking, rest in _after_catastrophes(system, content, left):
            crowded |= rest != content
            if not stars_of(rest) or not rest >> FIRST_SHIP:
                goes = min(goes, lacking)
                if system.home < 0 or not stars_of(rest):
                    continue
            own = number_of(ships_of(rest, self._mover))
            if own == number_of(rest >> FIRST_SHIP):
                goes = min(goes, max(lacking, own))
            for number, group in enumerate(self._groups):
                cost = max(lacking, *differences(rest, group))
                if cost < costs[number]:
                    costs[number] = cost
        row = _Row(tuple(costs), min(goes, *costs) if costs else goes, content >> FIRST_SHIP, crowded)
        self._rows[left][system] = row
        return row


def _after_catastrophes(system: Packed, content: int, left: int) -> Iterator[tuple[int, int]]:
    """What no, some or all catastrophes would leave, with the pieces that are lacking for them."""
    yield 0, content
    lacking = {color: max(0, OVERPOPULATION - system.count_of_color(color)) for color in range(4)}
    able = [color for color, number in lacking.items() if number <= left]
    for many in range(1, len(able) + 1):
        for colors in combinations(able, many):
            number = sum(lacking[color] for color in colors)
            if number <= left:
                rest = content
                for color in colors:
                    rest = without_color(rest, color)
                yield number, rest
