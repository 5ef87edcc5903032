"""Which ships fly around which star, which binary stars are whose home, and which pieces are only the bank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.finding.footprints import Footprint, footprint_of
from vision.poses import Pose
from vision.sight import Role, Seat
from vision.solids import Array, Posture

TOGETHER = 22.0  # mm of bare table that may lie between neighbours in one system
SIDE_BY_SIDE = 6.0  # mm between the two stars of a binary that are not stacked
STACKED = 9.0  # mm between the axes of stacked pieces
FAR_OUT = 90.0  # mm, no ship flies farther from its star
BANK_STARS = 3  # a huddle of more stars than this with hardly a ship is the bank


@dataclass(frozen=True)
class StarSystem:
    """Indices of the stars and ships of one system, and whose home it is."""

    stars: tuple[int, ...]
    ships: tuple[int, ...]
    home: Seat | None


@dataclass(frozen=True)
class Grouping:
    """The role of every piece, the owner of every lying one, and the systems."""

    roles: tuple[Role, ...]
    owners: tuple[Seat | None, ...]
    systems: tuple[StarSystem, ...]


def group(poses: Sequence[Pose], axis_deg: float) -> Grouping:
    """Sorts poses into systems and bank; ships that point along *axis_deg*, give or take 90°, are South's."""
    owners = tuple(_owner(pose, axis_deg) for pose in poses)
    footprints = [footprint_of(pose) for pose in poses]
    units = _star_units(poses, footprints)
    huddle = _huddles(footprints)
    bank = _bank_huddles(poses, units, huddle)
    units = [unit for unit in units if huddle[unit[0]] not in bank]
    ships: dict[int, list[int]] = {index: [] for index in range(len(units))}
    roles = [Role.BANK] * len(poses)
    for index, pose in enumerate(poses):
        if pose.posture is Posture.LYING and huddle[index] not in bank:
            home = _nearest_unit(index, units, footprints, huddle)
            roles[index] = Role.LOOSE if home is None else Role.SHIP
            if home is not None:
                ships[home].append(index)
    found = [(tuple(unit), tuple(ships[index])) for index, unit in enumerate(units) if ships[index]]
    for stars, _ in found:
        for star in stars:
            roles[star] = Role.STAR
    homes = _homes(found, poses, owners, axis_deg)
    systems = tuple(StarSystem(stars, flown, home) for (stars, flown), home in zip(found, homes, strict=True))
    return Grouping(tuple(roles), owners, systems)


def players_axis(headings_deg: Sequence[float], straight_deg: float = 90.0) -> float:
    """The direction in which South's ships point on the whole, within 90° of *straight_deg*.

    Headings of both players count, as directions of one axis; two imaginary straight ones steady the mean.
    """
    doubled = np.radians(2 * np.array([*headings_deg, straight_deg, straight_deg]))
    axis = math.degrees(math.atan2(np.sin(doubled).sum(), np.cos(doubled).sum())) / 2
    return straight_deg + (axis - straight_deg + 90) % 180 - 90


def _owner(pose: Pose, axis_deg: float) -> Seat | None:
    if pose.posture is Posture.UPRIGHT:
        return None
    off = abs((pose.heading_deg - axis_deg + 180) % 360 - 180)
    return Seat.SOUTH if off < 90 else Seat.NORTH


def _star_units(poses: Sequence[Pose], footprints: Sequence[Footprint]) -> list[list[int]]:
    """Upright pieces joined to single, stacked or side-by-side stars, the lowest first."""
    upright = [index for index, pose in enumerate(poses) if pose.posture is Posture.UPRIGHT]
    stacks: list[list[int]] = []
    for index in sorted(upright, key=lambda i: poses[i].z):
        below = [
            stack
            for stack in stacks
            if poses[index].z > 0
            and math.dist((poses[index].x, poses[index].y), (poses[stack[0]].x, poses[stack[0]].y)) < STACKED
        ]
        if below:
            below[0].append(index)
        else:
            stacks.append([index])
    units: list[list[int]] = []
    lone = [stack for stack in stacks if len(stack) == 1]
    neighbours = {
        a[0]: [b[0] for b in stacks if b is not a and gap(footprints[a[0]], footprints[b[0]]) < SIDE_BY_SIDE]
        for a in lone
    }
    paired: set[int] = set()
    for (a,) in lone:
        near = neighbours[a]
        if a not in paired and len(near) == 1 and neighbours.get(near[0]) == [a]:
            units.append([a, near[0]])
            paired |= {a, near[0]}
    return units + [stack for stack in stacks if stack[0] not in paired]


def gap(one: Footprint, other: Footprint) -> float:
    """mm of table between two convex footprints, 0 where they overlap."""
    apart = math.hypot(one.center[0] - other.center[0], one.center[1] - other.center[1])
    if apart - one.radius - other.radius > 2 * FAR_OUT:
        return apart - one.radius - other.radius
    a, b = _rim(one.corners), _rim(other.corners)
    nearest = float(np.sqrt(((a[:, None] - b[None, :]) ** 2).sum(-1)).min())
    return 0.0 if apart < 0.5 * min(one.radius, other.radius) else nearest


def _rim(corners: Array) -> Array:
    """Points a few mm apart around a polygon."""
    ends = np.concatenate([corners[1:], corners[:1]])
    return np.asarray(np.concatenate([corners + (ends - corners) * t for t in np.arange(0, 1, 0.125)]))


def _huddles(footprints: Sequence[Footprint]) -> list[int]:
    """The number of its huddle for every piece: pieces joined by small gaps."""
    huddle = list(range(len(footprints)))
    for i, one in enumerate(footprints):
        for j in range(i):
            if huddle[i] != huddle[j] and gap(one, footprints[j]) < TOGETHER:
                old, new = huddle[i], huddle[j]
                huddle = [new if number == old else number for number in huddle]
    return huddle


def _bank_huddles(poses: Sequence[Pose], units: Sequence[Sequence[int]], huddle: Sequence[int]) -> set[int]:
    """Huddles without ships, or of more than ``BANK_STARS`` stars with few."""
    bank: set[int] = set()
    for number in set(huddle):
        stars = sum(huddle[unit[0]] == number for unit in units)
        ships = sum(h == number and pose.posture is Posture.LYING for h, pose in zip(huddle, poses, strict=True))
        if (ships == 0 and stars > 0) or (stars > BANK_STARS and ships * 2 < stars):
            bank.add(number)
    lonely = {n for n in set(huddle) - bank if not any(huddle[unit[0]] == n for unit in units)}
    return bank - lonely


def _nearest_unit(
    ship: int, units: Sequence[Sequence[int]], footprints: Sequence[Footprint], huddle: Sequence[int]
) -> int | None:
    """The star unit a ship flies around: the nearest of its huddle, else the nearest at all."""
    distances = [min(gap(footprints[ship], footprints[star]) for star in unit) for unit in units]
    own = [index for index, unit in enumerate(units) if huddle[unit[0]] == huddle[ship]]
    reach = own or [index for index in range(len(units)) if distances[index] < FAR_OUT]
    return min(reach, key=lambda index: distances[index], default=None)


def _homes(
    found: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
    poses: Sequence[Pose],
    owners: Sequence[Seat | None],
    axis_deg: float,
) -> list[Seat | None]:
    """Binary stars are homes: of the player before whom they stand and whose ships guard them."""
    homes: list[Seat | None] = [None] * len(found)
    binaries = [index for index, (stars, _) in enumerate(found) if len(stars) == 2]
    if not binaries or not poses:
        return homes
    north = np.array([math.cos(math.radians(axis_deg)), math.sin(math.radians(axis_deg))])
    played = [index for stars, ships in found for index in (*stars, *ships)]
    along = {index: float(np.array([poses[index].x, poses[index].y]) @ north) for index in played}
    low, high = min(along.values()), max(along.values())

    def southern(index: int) -> float:
        """Positive for South's home, negative for North's."""
        stars, ships = found[index]
        place = ((low + high) / 2 - along[stars[0]]) / max(1.0, (high - low) / 2) if len(found) > 1 else 0.0
        guard = sum(1 if owners[ship] is Seat.SOUTH else -1 for ship in ships) / len(ships)
        return place + guard

    ordered = sorted(binaries, key=southern, reverse=True)
    if len(ordered) == 1:
        homes[ordered[0]] = Seat.SOUTH if southern(ordered[0]) > 0 else Seat.NORTH
    else:
        homes[ordered[0]], homes[ordered[-1]] = Seat.SOUTH, Seat.NORTH
    return homes
