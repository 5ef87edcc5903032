"""Which ships fly around which star, which stars are whose home, and which pieces are only the bank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.finding.crews import BINARY, Crew, seeming
from vision.finding.heaps import systems_among
from vision.finding.strewn import Strewn
from vision.poses import Pose
from vision.sight import Role, Seat
from vision.solids import Array, Posture

GUARD = 0.5  # how much it speaks for a home that its ships are all its player's, if 1 that none lies nearer to him
CROWD = 0.3  # and that they are e times as many
AT_HOME = 1.0  # how much must speak for a system with one star to be a home
SURE = 0.95  # probability from which on a star too many is none that may be left out


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

    def beyond_two(self, likely: Array) -> list[int]:
        """Indices of the stars that no system has room for: of more than two the least *likely*, (N,).

        What is sure is none of them: three stars that are, are asked about.
        """
        ordered = [sorted(system.stars, key=lambda star: likely[star]) for system in self.systems]
        surplus = [star for stars in ordered for star in stars[: max(0, len(stars) - BINARY)]]
        return [star for star in surplus if likely[star] < SURE]

    def with_star(self, number: int) -> Grouping:
        """The same with one piece more, the last: another star of the system of that *number*."""
        systems = list(self.systems)
        systems[number] = replace(systems[number], stars=(*systems[number].stars, len(self.roles)))
        return replace(self, roles=(*self.roles, Role.STAR), owners=(*self.owners, None), systems=tuple(systems))


def group(poses: Sequence[Pose]) -> Grouping:
    """Sorts poses, in a table frame with South at negative y, into systems and bank.

    Whatever lies flies with what is nearest, star or ship. Stars without ships are of the bank, and so are those of a
    heap. What lies across in rows, or in long ranks, is of the bank too.
    """
    table = seeming(Strewn.of(poses))
    found, axis = systems_among(table), table.axis_deg
    roles = [Role.LOOSE if pose.posture is Posture.LYING else Role.BANK for pose in poses]
    for index in (index for crew in table.crews for index in crew.pieces):
        roles[index] = Role.BANK
    for crew in found:
        for index in crew.pieces:
            roles[index] = Role.STAR if index in crew.stars else Role.SHIP
    owners = tuple(_owner(pose, axis) for pose in poses)
    homes = _homes(found, poses, owners, axis)
    systems = tuple(StarSystem(crew.stars, crew.ships, home) for crew, home in zip(found, homes, strict=True))
    return Grouping(tuple(roles), owners, systems, axis)


def _owner(pose: Pose, axis_deg: float) -> Seat | None:
    if pose.posture is Posture.UPRIGHT:
        return None
    off = abs((pose.heading_deg - axis_deg + 180) % 360 - 180)
    return Seat.SOUTH if off < 90 else Seat.NORTH


def _homes(
    found: Sequence[Crew],
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
    played = [along[index] for crew in found for index in crew.pieces]
    low, high = min(played), max(played)

    def guard(index: int) -> float:
        """1 where all ships are South's, -1 where they are North's."""
        ships = found[index].ships
        return sum(1 if owners[ship] is Seat.SOUTH else -1 for ship in ships) / len(ships)

    def place(index: int) -> float:
        """1 for what lies farthest before South, -1 before North; of a single system its ships tell."""
        if len(found) == 1:
            return guard(index)
        return ((low + high) / 2 - along[found[index].stars[0]]) / max(1.0, (high - low) / 2)

    def southern(index: int) -> float:
        return place(index) + guard(index)

    def likely(index: int, sign: int) -> float:
        return sign * (place(index) + GUARD * guard(index)) + CROWD * math.log(len(found[index].ships))

    binaries = sorted((index for index, crew in enumerate(found) if len(crew.stars) == BINARY), key=southern)
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
