"""What has changed between a position of Homeworlds and a table, piece by piece, systems being matched by content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from companion_app.inferring.contents import FIRST_SHIP, content_of, differences, look_of, number_of, stars_of, units
from rules import Piece, Seat
from rules.homeworlds.star_names import free_name
from rules.homeworlds.table import Table

_STAR_COUNTS: Final = 3
"""Stars tell systems apart better than ships do, since they stay."""
_OTHER_SYSTEM: Final = 99


class Placed(NamedTuple):
    """A ship of *owner*, or a star, in a *system*."""

    system: str
    piece: Piece
    owner: Seat | None


@dataclass
class Differences:
    """What has gone and what has come.

    Attributes:
        groups: the group of the table that each system is, by the system's name.
        fresh: the systems that are new, by free names.
    """

    gone: list[Placed] = field(default_factory=list)
    come: list[Placed] = field(default_factory=list)
    groups: dict[str, int] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)


def differences_of(table: Table, contents: Sequence[int]) -> Differences:
    """The least that has changed between *table* and systems of these *contents*."""
    names = list(table.systems)
    before = [content_of(system) for system in table.systems.values()]
    known = len(before)
    size = known + len(contents)
    costs = np.zeros((size, size))
    for row, one in enumerate(before):
        costs[row] = _cost(one, 0)
        for column, other in enumerate(contents):
            costs[row, column] = _cost(one, other)
    for column, other in enumerate(contents):
        costs[known:, column] = _cost(0, other)
    found = Differences()
    rows, columns = linear_sum_assignment(costs)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if row >= known and column >= len(contents):
            continue
        if row >= known:
            names.append(free_name(names))
            found.fresh.append(names[-1])
        name = names[row] if row < known else names[-1]
        one = before[row] if row < known else 0
        other = contents[column] if column < len(contents) else 0
        if column < len(contents):
            found.groups[name] = column
        _compare(name, one, other, table.seats, found)
    return found


def _cost(one: int, other: int) -> int:
    """What it takes to make one system of another; those without a star in common are not the same."""
    ships = differences(one >> FIRST_SHIP, other >> FIRST_SHIP)
    gone, come = differences(stars_of(one), stars_of(other))
    are_others = one and other and gone == number_of(stars_of(one))
    return sum(ships) + _STAR_COUNTS * (gone + come) + (_OTHER_SYSTEM if are_others else 0)


def _compare(name: str, one: int, other: int, seats: tuple[Seat, ...], found: Differences) -> None:
    left = list(units(other))
    for unit in units(one):
        if unit in left:
            left.remove(unit)
        else:
            found.gone.append(Placed(name, *look_of(unit, seats)))
    found.come += [Placed(name, *look_of(unit, seats)) for unit in left]
