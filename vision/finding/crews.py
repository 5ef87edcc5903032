"""What seems to fly where: stars that stand on or beside each other, and the ships around each."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.finding.axis import players_axis, turned
from vision.finding.strewn import Strewn
from vision.solids import Array

LINK = 40.0  # mm of bare table that may lie between a ship and the nearest piece of its system
ADRIFT_LINK = 22.0  # the same for a ship whose star turned out to be none: it is of a system nearby, or of none
SIDE_BY_SIDE = 14.0  # mm between the two stars of a binary that are not stacked, at the most
NEARER = 6.0  # mm by which they stand nearer to each other than to anything else that stands
BINARY = 2  # stars: no system has more
MOST_TOLD = BINARY + 1  # in the place of two: upon one of them something is easily told that is not there
STACKED = 14.0  # mm between the axes of stacked pieces, of which the upper ones are placed less well
ROW = 10.0  # mm between pieces that lie side by side in the bank
FEWEST_IN_ROW = 3
RANK = 20.0  # mm between pieces of a rank: so many that lie so nearly the same way that no fleet looks like it
FEWEST_IN_RANK = 8
RANK_DEG = 8.0
ACROSS = 40.0  # degrees off the players' axis from which on a piece lies as no ship does

Unit = tuple[int, ...]
"""Stars that stand on or beside each other, the lowest first: what one system flies around."""


@dataclass(frozen=True)
class Crew:
    """Indices of the stars of a unit and of the ships that seem to fly around them."""

    stars: Unit
    ships: tuple[int, ...]

    @property
    def pieces(self) -> list[int]:
        """All of them."""
        return [*self.stars, *self.ships]


@dataclass(frozen=True, eq=False)
class Seeming:
    """How a table seems to be played on.

    Attributes:
        units: what systems may fly around. ships: indices of what lies and may be one. axis_deg: where South's point.
        adrift: those of the ships around whose star nothing may fly any more.
    """

    strewn: Strewn
    units: tuple[Unit, ...]
    ships: tuple[int, ...]
    axis_deg: float
    adrift: frozenset[int] = frozenset()

    @cached_property
    def crews(self) -> list[Crew]:
        """The units that ships fly around."""
        flown = _flown(self.units, self.ships, self.strewn.apart, self.adrift)
        return [Crew(unit, crew) for unit, crew in zip(self.units, flown, strict=True) if crew]

    def without(self, stars: Unit) -> Seeming:
        """The same where ships may not fly around these; theirs are adrift."""
        left = next((crew.ships for crew in self.crews if crew.stars == stars), ())
        units = tuple(unit for unit in self.units if unit != stars)
        return replace(self, units=units, adrift=self.adrift.union(left))


def seeming(strewn: Strewn) -> Seeming:
    """Whatever lies flies with what is nearest, star or ship; but not what lies across in rows, or in long ranks."""
    units, apart, headings = _star_units(strewn), strewn.apart, strewn.headings
    alike = turned(headings[:, None], headings) < RANK_DEG
    ranks = _rows(strewn.lying, (apart < RANK) & alike, FEWEST_IN_RANK)
    likely = [index for index in strewn.lying if index not in ranks]
    axis = players_axis([[headings[ship] for ship in crew] for crew in _flown(units, likely, apart)])
    across = {index for index in strewn.lying if turned(headings[index], axis) > ACROSS}
    rows = ranks | _rows(across, apart < ROW, FEWEST_IN_ROW)
    return Seeming(strewn, units, tuple(index for index in strewn.lying if index not in rows), axis)


def _star_units(strewn: Strewn) -> tuple[Unit, ...]:
    """Upright pieces joined to single, stacked or side-by-side stars, the lowest first."""
    stacks = _stacks(strewn)
    binaries = _side_by_side(stacks, strewn.apart)
    paired = {number for binary in binaries for number in binary}
    joined = [sorted((*stacks[a], *stacks[b]), key=lambda each: strewn.heights[each]) for a, b in binaries]
    return tuple(map(tuple, (*joined, *(stack for number, stack in enumerate(stacks) if number not in paired))))


def _stacks(strewn: Strewn) -> list[list[int]]:
    """Upright pieces over each other, the lowest first."""
    stacks: list[list[int]] = []
    for index in sorted(np.flatnonzero(strewn.upright).tolist(), key=lambda each: strewn.heights[each]):
        away = [math.dist(strewn.middles[index], strewn.middles[stack[0]]) for stack in stacks]
        if strewn.heights[index] > 0 and min(away, default=STACKED) < STACKED:
            stacks[int(np.argmin(away))].append(index)
        else:
            stacks.append([index])
    return stacks


def _side_by_side(stacks: Sequence[Sequence[int]], apart: Array) -> list[tuple[int, int]]:
    """Numbers of the *stacks* that are two stars beside each other: nothing else stands nearly as near to either."""
    feet = [stack[0] for stack in stacks]
    gaps = apart[np.ix_(feet, feet)]
    np.fill_diagonal(gaps, math.inf)
    nearest = gaps.argmin(axis=1).tolist() if len(stacks) > 1 else []
    pairs = [(a, b) for a, b in enumerate(nearest) if a < b and nearest[b] == a]
    return [
        (a, b)
        for a, b in pairs
        if gaps[a, b] < SIDE_BY_SIDE
        and np.delete(gaps[[a, b]], [a, b], axis=1).min(initial=math.inf) >= gaps[a, b] + NEARER
        and len(stacks[a]) + len(stacks[b]) <= MOST_TOLD
    ]


def _flown(
    units: Sequence[Unit], lying: Sequence[int], apart: Array, adrift: Collection[int] = ()
) -> list[tuple[int, ...]]:
    """The ships of each unit: one after the other, what is nearest to a star or to a ship that flies with it."""
    reach = {ship: ADRIFT_LINK if ship in adrift else LINK for ship in lying}
    crews: list[list[int]] = [[] for _ in units]
    nearest = {
        ship: min(((float(apart[ship, list(unit)].min()), number) for number, unit in enumerate(units)), default=None)
        for ship in lying
    }
    left = {ship: there for ship, there in nearest.items() if there is not None}
    while near := [ship for ship, (away, _) in left.items() if away <= reach[ship]]:
        ship = min(near, key=lambda each: left[each])
        _, number = left.pop(ship)
        crews[number].append(ship)
        for other, there in left.items():
            left[other] = min(there, (float(apart[other, ship]), number))
    return [tuple(sorted(crew)) for crew in crews]


def _rows(lying: Collection[int], beside: NDArray[np.bool_], fewest: int) -> set[int]:
    """Those of which at least so many lie one *beside* the other: a bank laid out."""
    left, rows = set(lying), set[int]()
    while left:
        row = [left.pop()]
        for index in row:
            near = {other for other in left if beside[index, other]}
            row += near
            left -= near
        if len(row) >= fewest:
            rows |= set(row)
    return rows
