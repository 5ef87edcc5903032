"""Where the star systems go: the rule book's advice for arranging the map, as rows.

Each home lies at its player's side. Stars of the same size share a row, for they are not connected; the row of
those that only South's home reaches lies next to it, likewise for North, and all others lie between. With three
or four players, West's home lies at the left end of the middle row and East's at its right end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules import Seat
from rules.homeworlds import System

Row = tuple[System, ...]


def arranged(systems: Sequence[System]) -> tuple[Row, ...]:
    """Rows from North's side to South's, for any *systems*: missing and double homes find their place too."""
    north, south = _homes(systems, Seat.NORTH), _homes(systems, Seat.SOUTH)
    colonies = [system for system in systems if system.home is None]
    by_sizes: dict[tuple[int, ...], list[System]] = {}
    for system in colonies:
        by_sizes.setdefault(_sizes(system), []).append(system)
    between = sorted(by_sizes, key=lambda sizes: (_pull(sizes, north, south), sizes))
    middle = [_by_control(by_sizes[sizes]) for sizes in between] or [[]]
    center = len(middle) // 2
    middle[center] = [*_homes(systems, Seat.WEST), *middle[center], *_homes(systems, Seat.EAST)]
    return tuple(tuple(row) for row in (north, *middle, south) if row)


def _homes(systems: Iterable[System], seat: Seat) -> list[System]:
    return [system for system in systems if system.home is seat]


def _sizes(system: System) -> tuple[int, ...]:
    return tuple(sorted({int(star.size) for star in system.stars}))


def _pull(sizes: tuple[int, ...], north: Sequence[System], south: Sequence[System]) -> int:
    """-1 for stars that North's home alone reaches, 1 for those that South's alone does, else 0."""

    def reached(homes: Sequence[System]) -> bool:
        return any(not set(sizes) & set(_sizes(home)) for home in homes)

    return reached(south) - reached(north)


def _by_control(systems: Sequence[System]) -> list[System]:
    """Each player's systems towards that player's right-hand side, those with ships of both in the middle."""

    def side(system: System) -> int:
        seats = {seat for seat in Seat if system.ships.get(seat)}
        return (Seat.SOUTH in seats) - (Seat.NORTH in seats)

    return sorted(systems, key=side)
