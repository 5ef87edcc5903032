"""Which ships fly around which star, which stars are whose home, and which pieces are only the bank."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.finding.footprints import footprint_of, gaps
from vision.poses import Pose
from vision.sight import Role, Seat
from vision.solids import Array, Posture

LINK = 40.0  # mm of bare table that may lie between a ship and the nearest piece of its system
NEAR = 22.0  # mm; what stands so near a system and is not of it is worth a doubt
ROW = 10.0  # mm between pieces that lie side by side in the bank
FEWEST_IN_ROW = 3
RANK = 20.0  # mm between pieces of a rank: so many that lie so nearly the same way that no fleet looks like it
FEWEST_IN_RANK = 8
RANK_DEG = 8.0
ACROSS = 40.0  # degrees off the players' axis from which on a piece lies as no ship does
STRANGERS = 2  # around a star in a heap of pieces
SIDE_BY_SIDE = 9.0  # mm between the two stars of a binary that are not stacked
STACKED = 14.0  # mm between the axes of stacked pieces, of which the upper ones are placed less well
GUARD = 0.5  # how much it speaks for a home that its ships are all its player's, if 1 that none lies nearer to him
CROWD = 0.3  # and that they are e times as many
AT_HOME = 1.0  # how much must speak for a system with one star to be a home

Units = Sequence[Sequence[int]]
"""Stars that stand on or beside each other, the lowest first: what one system flies around."""


@dataclass(frozen=True)
class StarSystem:
    """Indices of the stars and ships of one system, and whose home it is."""

    stars: tuple[int, ...]
    ships: tuple[int, ...]
    home: Seat | None


@dataclass(frozen=True)
class Grouping:
    """The role of every piece, the owner of every lying one, the systems, and where South's ships point."""

    roles: tuple[Role, ...]
    owners: tuple[Seat | None, ...]
    systems: tuple[StarSystem, ...]
    axis_deg: float

    def with_star(self, number: int) -> Grouping:
        """The same with one piece more, the last: another star of the system of that *number*."""
        systems = list(self.systems)
        systems[number] = replace(systems[number], stars=(*systems[number].stars, len(self.roles)))
        return replace(self, roles=(*self.roles, Role.STAR), owners=(*self.owners, None), systems=tuple(systems))


def group(poses: Sequence[Pose]) -> Grouping:
    """Sorts poses, in a table frame with South at negative y, into systems and bank.

    Whatever lies flies with what is nearest, star or ship. Stars without ships are of the bank, and so is a star in a
    heap of which some pieces lie as no ship does. What lies across in rows, or in long ranks, is of the bank too.
    """
    apart = gaps([footprint_of(pose) for pose in poses])
    units = _star_units(poses, apart)
    lying = [index for index, pose in enumerate(poses) if pose.posture is Posture.LYING]
    headings = np.array([pose.heading_deg for pose in poses])
    alike = _turned(headings[:, None], headings) < RANK_DEG
    ranks = _rows(lying, (apart < RANK) & alike, FEWEST_IN_RANK)
    likely = [index for index in lying if index not in ranks]
    axis = players_axis([[headings[ship] for ship in crew] for crew in _crews(units, likely, apart)])
    owners = tuple(_owner(pose, axis) for pose in poses)
    across = {index for index in lying if _turned(headings[index], axis) > ACROSS}
    rows = ranks | _rows(across, apart < ROW, FEWEST_IN_ROW)
    crews = _crews(units, [index for index in lying if index not in rows], apart)
    flown = [(tuple(unit), tuple(sorted(crew))) for unit, crew in zip(units, crews, strict=True) if crew]
    standing = {star for unit in units for star in unit}
    found = [system for system in flown if not _in_a_heap(*system, across - rows, standing, apart)]
    roles = [Role.LOOSE if pose.posture is Posture.LYING else Role.BANK for pose in poses]
    for stars, ships in flown:
        known = (stars, ships) in found
        for index in (*stars, *ships):
            roles[index] = Role.BANK if not known else Role.STAR if index in stars else Role.SHIP
    homes = _homes(found, poses, owners, axis)
    systems = tuple(StarSystem(stars, ships, home) for (stars, ships), home in zip(found, homes, strict=True))
    return Grouping(tuple(roles), owners, systems, axis)


def players_axis(headings_deg: Sequence[Sequence[float]], straight_deg: float = 90.0) -> float:
    """The direction in which South's ships point on the whole, within 90° of *straight_deg*.

    Every system has one vote, however many ships tell it, for what lies about in rows is of the bank. Ships of both
    players count, as directions of one axis; an imaginary straight one steadies the mean.
    """
    votes = [np.exp(2j * np.radians(told)).mean() for told in (*headings_deg, [straight_deg]) if len(told)]
    axis = math.degrees(float(np.angle(np.sum(votes)))) / 2
    return straight_deg + (axis - straight_deg + 90) % 180 - 90


def _turned(heading_deg: Array, axis_deg: Array | float) -> Array:
    """Degrees, at most 90, between two lines, whichever way along them things point."""
    return np.abs((heading_deg - axis_deg + 90) % 180 - 90)


def _owner(pose: Pose, axis_deg: float) -> Seat | None:
    if pose.posture is Posture.UPRIGHT:
        return None
    off = abs((pose.heading_deg - axis_deg + 180) % 360 - 180)
    return Seat.SOUTH if off < 90 else Seat.NORTH


def _star_units(poses: Sequence[Pose], apart: Array) -> list[list[int]]:
    """Upright pieces joined to single, stacked or side-by-side stars, the lowest first."""
    upright = [index for index, pose in enumerate(poses) if pose.posture is Posture.UPRIGHT]
    stacks: list[list[int]] = []
    for index in sorted(upright, key=lambda i: poses[i].z):
        place = poses[index].x, poses[index].y
        apart_from = [math.dist(place, (poses[stack[0]].x, poses[stack[0]].y)) for stack in stacks]
        if poses[index].z > 0 and min(apart_from, default=STACKED) < STACKED:
            stacks[int(np.argmin(apart_from))].append(index)
        else:
            stacks.append([index])
    units: list[list[int]] = []
    lone = [stack[0] for stack in stacks if len(stack) == 1]
    neighbours = {a: [b for b, *_ in stacks if b != a and apart[a, b] < SIDE_BY_SIDE] for a in lone}
    paired: set[int] = set()
    for a in lone:
        near = neighbours[a]
        if a not in paired and len(near) == 1 and neighbours.get(near[0]) == [a]:
            units.append([a, near[0]])
            paired |= {a, near[0]}
    return units + [stack for stack in stacks if stack[0] not in paired]


def _crews(units: Units, lying: Sequence[int], apart: Array) -> list[list[int]]:
    """The ships of each unit: one after the other, what is nearest to a star or to a ship that flies with it."""
    crews: list[list[int]] = [[] for _ in units]
    nearest = {
        ship: min(((float(apart[ship, unit].min()), number) for number, unit in enumerate(units)), default=None)
        for ship in lying
    }
    left = {ship: there for ship, there in nearest.items() if there is not None}
    while left:
        ship = min(left, key=lambda each: left[each])
        away, number = left.pop(ship)
        if away > LINK:
            break
        crews[number].append(ship)
        for other, there in left.items():
            left[other] = min(there, (float(apart[other, ship]), number))
    return crews


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


def _in_a_heap(
    stars: Sequence[int], ships: Sequence[int], across: Collection[int], standing: Collection[int], apart: Array
) -> bool:
    """Whether strangers are all around these stars and ships, of which some lie *across*."""
    own = [*stars, *ships]
    near = set(np.flatnonzero(apart[own].min(axis=0) < NEAR).tolist())
    odd = near & set(across)
    return bool(odd) and len(odd | (near & set(standing)) - set(stars)) >= STRANGERS


def _homes(
    found: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
    poses: Sequence[Pose],
    owners: Sequence[Seat | None],
    axis_deg: float,
) -> list[Seat | None]:
    """Binary stars are homes: of the player before whom they stand and whose ships guard them.

    Who has none has lost one of its stars, or it is hidden: then the system with a ship of that player's for which
    most speaks is: where it lies, whose ships are there, and how many.
    """
    homes: list[Seat | None] = [None] * len(found)
    if not found:
        return homes
    north = np.array([math.cos(math.radians(axis_deg)), math.sin(math.radians(axis_deg))])
    along = [float(np.array([poses[index].x, poses[index].y]) @ north) for index in range(len(poses))]
    played = [along[index] for stars, ships in found for index in (*stars, *ships)]
    low, high = min(played), max(played)

    def guard(index: int) -> float:
        """1 where all ships are South's, -1 where they are North's."""
        ships = found[index][1]
        return sum(1 if owners[ship] is Seat.SOUTH else -1 for ship in ships) / len(ships)

    def place(index: int) -> float:
        """1 for what lies farthest before South, -1 before North; of a single system its ships tell."""
        if len(found) == 1:
            return guard(index)
        return ((low + high) / 2 - along[found[index][0][0]]) / max(1.0, (high - low) / 2)

    def southern(index: int) -> float:
        return place(index) + guard(index)

    def likely(index: int, sign: int) -> float:
        return sign * (place(index) + GUARD * guard(index)) + CROWD * math.log(len(found[index][1]))

    binaries = sorted((index for index, (stars, _) in enumerate(found) if len(stars) == 2), key=southern)
    if len(binaries) == 1:
        homes[binaries[0]] = Seat.SOUTH if southern(binaries[0]) > 0 else Seat.NORTH
    elif binaries:
        homes[binaries[0]], homes[binaries[-1]] = Seat.NORTH, Seat.SOUTH
    for seat, sign in ((Seat.SOUTH, 1), (Seat.NORTH, -1)):
        its = [index for index, home in enumerate(homes) if home is None and sign * guard(index) > -1]
        likeliest = max(its, key=lambda index: likely(index, sign), default=None)
        if seat not in homes and likeliest is not None and likely(likeliest, sign) > AT_HOME:
            homes[likeliest] = seat
    return homes
