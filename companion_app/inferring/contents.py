"""What stands in a system as one integer, whosesoever home it is and wherever it lies.

A content is a system's code of :mod:`rules.homeworlds.packed` without the owner of the home: counts of three bits,
twelve for stars, then twelve for the ships of each seat. A table's *print* is the sum of the prints of its contents:
equal for equal tables, and changed by a single system in a moment.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from companion_app.inferring.observation import Appearance
from rules import KINDS, Color, Seat
from rules.homeworlds.packed import SHIP, STAR, Packed

_HOME_BITS: Final = 3
_FIELD: Final = 3
_BITS: Final = 180  # 60 fields
_BYTES: Final = 23
STARS: Final = tuple(unit >> _HOME_BITS for unit in STAR)
"""What one star of a kind adds to a content."""
SHIPS: Final = tuple(tuple(unit >> _HOME_BITS for unit in units) for units in SHIP)
"""What one ship of a seat and kind adds to a content."""
FIRST_SHIP: Final = len(KINDS) * _FIELD
"""The bit at which the ships begin."""
_EVERY_OTHER: Final = sum(7 << place for place in range(0, _BITS, 2 * _FIELD))
"""Every other field, so that there is room between them to count."""
_GUARDS: Final = sum(8 << place for place in range(0, _BITS, 2 * _FIELD))
"""The bit above each of these."""
_SUM: Final = 63
"""Numbers of two fields each are added up by dividing by this: what is left is their sum, as 64 leaves 1."""
_ALL_STARS: Final = (1 << FIRST_SHIP) - 1
_FLEETS: Final = tuple(_ALL_STARS << FIRST_SHIP * (seat + 1) for seat in range(len(SHIPS)))
_COLORS: Final = tuple(
    sum(511 << place + 9 * color for place in range(0, _BITS, FIRST_SHIP)) for color in range(len(Color))
)


def unit_of(look: Appearance, seats: tuple[Seat, ...]) -> int:
    """What a piece that looks so adds to a content; 0 where nobody sits who could own it."""
    if look.owner is None:
        return STARS[look.piece.kind]
    return SHIPS[seats.index(look.owner)][look.piece.kind] if look.owner in seats else 0


def look_of(unit: int, seats: tuple[Seat, ...]) -> Appearance:
    """The piece that a unit stands for."""
    owner, kind = divmod((unit.bit_length() - 1) // _FIELD, len(KINDS))
    return Appearance(KINDS[kind], seats[owner - 1] if owner else None)


def content_of(system: Packed) -> int:
    """The content of a system."""
    return system.code >> _HOME_BITS


def print_of(content: int) -> int:
    """A number as if drawn by lot for each content; 0 for nothing at all."""
    return hash(content.to_bytes(_BYTES, "little")) if content else 0


def table_print(contents: Iterable[int]) -> int:
    """The print of a table of these contents."""
    return sum(map(print_of, contents))


def units(content: int) -> tuple[int, ...]:
    """The units that a content is made of, each as often as it is there."""
    found = []
    while content:
        lowest = (content & -content).bit_length() - 1
        at = lowest - lowest % _FIELD
        count = content >> at & 7
        found += [1 << at] * count
        content &= ~(7 << at)
    return tuple(found)


@lru_cache(maxsize=1 << 17)
def differences(one: int, other: int) -> tuple[int, int]:
    """How many pieces of *one* are not in the *other*, and of the other not in the one."""
    more = more_less_fewer = 0
    for start in (0, _FIELD):
        mine, theirs = one >> start & _EVERY_OTHER, other >> start & _EVERY_OTHER
        less = (mine | _GUARDS) - theirs  # a guard stays where there are no fewer
        stayed = less & _GUARDS
        more += (less & stayed - (stayed >> _FIELD)) % _SUM
        more_less_fewer += mine % _SUM - theirs % _SUM
    return more, more - more_less_fewer


def number_of(content: int) -> int:
    """How many pieces there are."""
    return (content & _EVERY_OTHER) % _SUM + (content >> _FIELD & _EVERY_OTHER) % _SUM


def stars_of(content: int) -> int:
    """The stars alone."""
    return content & _ALL_STARS


def ships_of(content: int, seat: int) -> int:
    """The ships of a seat, by its index, alone."""
    return content & _FLEETS[seat]


def without_color(content: int, color: int) -> int:
    """What is left without the pieces of a colour, by its place in :class:`rules.Color`."""
    return content & ~_COLORS[color]
