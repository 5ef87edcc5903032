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
from rules import KINDS, Seat
from rules.homeworlds.packed import SHIP, STAR, Packed

_HOME_BITS: Final = 3
_FIELD: Final = 3
_BYTES: Final = 23  # 60 fields
STARS: Final = tuple(unit >> _HOME_BITS for unit in STAR)
"""What one star of a kind adds to a content."""
SHIPS: Final = tuple(tuple(unit >> _HOME_BITS for unit in units) for units in SHIP)
"""What one ship of a seat and kind adds to a content."""
FIRST_SHIP: Final = len(KINDS) * _FIELD
"""The bit at which the ships begin."""


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
    more = fewer = 0
    unlike = one ^ other
    while unlike:
        lowest = (unlike & -unlike).bit_length() - 1
        at = lowest - lowest % _FIELD
        difference = (one >> at & 7) - (other >> at & 7)
        if difference > 0:
            more += difference
        else:
            fewer -= difference
        unlike &= ~(7 << at)
    return more, fewer
