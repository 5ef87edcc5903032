"""Systems packed into whole numbers, so that the engine can compare, change and share them fast.

A *kind* is the index of a piece in :data:`rules.pieces.KINDS`, three kinds a colour from small to large. Pieces
are counted in an integer of three bits for each of the twelve kinds. A system's code has the home's owner in its
lowest three bits (0: nobody's), then the counts of its stars, then those of each seat's ships.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from rules.homeworlds.status import OVERPOPULATION
from rules.homeworlds.system import System
from rules.pieces import KINDS, Color, Piece
from rules.seats import Seat

_BITS: Final = 3
_WIDTH: Final = _BITS * len(KINDS)
_COUNTS: Final = (1 << _WIDTH) - 1
_STARS_AT: Final = 3
_SHIPS_AT: Final = _STARS_AT + _WIDTH
_MOST_SEATS: Final = 4

RED, YELLOW, GREEN, BLUE = range(4)
"""The colours by their place in :class:`rules.pieces.Color`."""
COLORS: Final = tuple(Color)
COLOR_INDEX: Final = {color: index for index, color in enumerate(Color)}
COLOR_OF: Final = tuple(kind // 3 for kind in range(12))
SIZE_OF: Final = tuple(kind % 3 + 1 for kind in range(12))
UNIT: Final = tuple(1 << _BITS * kind for kind in range(12))
"""What one piece of a kind adds to a count."""
STAR: Final = tuple(unit << _STARS_AT for unit in UNIT)
"""What one star of a kind adds to a system's code."""
SHIP: Final = tuple(tuple(unit << _SHIPS_AT + _WIDTH * seat for unit in UNIT) for seat in range(_MOST_SEATS))
"""What one ship of a seat and kind adds to a system's code: ``SHIP[seat][kind]``."""
ALIVE: Final = tuple(1 << 128 + 8 * seat for seat in range(_MOST_SEATS))
"""The part of a position's key that says that a seat has ships at its home."""

_LARGEST_MEMORY = 100_000  # systems; each takes about a kilobyte


def _kinds(counts: int) -> tuple[int, ...]:
    """The kinds of counted pieces, each as often as it is there."""
    return tuple(kind for kind in range(12) for _ in range(counts >> _BITS * kind & 7))


_SMALLEST = tuple(next((size for size in range(3) if slice_ >> _BITS * size & 7), -1) for slice_ in range(512))


def smallest(bank: int, color: int) -> int:
    """The smallest kind of a colour (0 to 3) among counted pieces, or -1 when there is none."""
    size = _SMALLEST[bank >> 3 * _BITS * color & 511]
    return size if size < 0 else 3 * color + size


def count_of(pieces: tuple[Piece, ...]) -> int:
    """These pieces counted; at most seven of a kind."""
    return sum([UNIT[piece.kind] for piece in pieces])


class Packed:
    """One system without its name. Made by :func:`packed` only, which makes each once.

    Attributes:
        code: all of it in one integer.
        home: index of the seat whose home it is, or -1.
        stars: kinds of the stars.
        ships: kinds of each seat's ships, sorted, for all four seats.
        sizes: bit set of the stars' sizes; systems that share no bit are connected.
        powers: for each seat the bit set of colours whose power it can use here.
        biggest: for each seat the size of its biggest ship, 0 without ships.
        kinds: for each seat the different kinds among its ships.
        pieces: count of all its pieces.
        overpopulated: the colours of which a catastrophe can be declared.
        key: a number drawn by lot (120 bits); the sum over all systems stands for the whole position. Above it
            stand the :data:`ALIVE` bits.
    """

    __slots__ = (
        "biggest",
        "code",
        "home",
        "key",
        "kinds",
        "overpopulated",
        "pieces",
        "powers",
        "ships",
        "sizes",
        "stars",
    )

    def __init__(self, code: int) -> None:
        self.code = code
        self.home = (code & 7) - 1
        stars = code >> _STARS_AT & _COUNTS
        fleets = tuple(code >> _SHIPS_AT + _WIDTH * seat & _COUNTS for seat in range(_MOST_SEATS))
        self.stars = _kinds(stars)
        self.ships = tuple(map(_kinds, fleets))
        self.kinds = tuple(tuple(dict.fromkeys(fleet)) for fleet in self.ships)
        self.sizes = _set(SIZE_OF[kind] for kind in self.stars)
        star_powers = _set(COLOR_OF[kind] for kind in self.stars)
        self.powers = tuple(star_powers | _set(COLOR_OF[kind] for kind in fleet) for fleet in self.ships)
        self.biggest = tuple(max((SIZE_OF[kind] for kind in fleet), default=0) for fleet in self.ships)
        self.pieces = stars + sum(fleets)
        colors = [COLOR_OF[kind] for kind in _kinds(self.pieces)]
        self.overpopulated = tuple(color for color in range(4) if colors.count(color) >= OVERPOPULATION)
        self.key = int.from_bytes(blake2b(code.to_bytes(24, "big"), digest_size=15).digest(), "big")
        if self.home >= 0 and self.ships[self.home]:
            self.key |= ALIVE[self.home]

    def count_of_color(self, color: int) -> int:
        """How many pieces of a colour are here."""
        return sum(self.pieces >> _BITS * kind & 7 for kind in range(3 * color, 3 * color + 3))

    def without(self, seat: int, kind: int) -> Packed | None:
        """The system after that ship has left; ``None`` when that frees its star (ruling 6)."""
        code = self.code - SHIP[seat][kind]
        return packed(code) if code >> _SHIPS_AT or self.home >= 0 else None

    def after_catastrophe(self, color: int) -> Packed | None:
        """What a catastrophe leaves; ``None`` when no star or, but for a home, no ship is left (rulings 5, 6)."""
        mask = 0
        for kind in range(3 * color, 3 * color + 3):
            mask |= 7 * STAR[kind]
            for units in SHIP:
                mask |= 7 * units[kind]
        code = self.code & ~mask
        if not code >> _STARS_AT & _COUNTS:
            return None
        return packed(code) if code >> _SHIPS_AT or self.home >= 0 else None

    def without_owner(self) -> Packed | None:
        """The home of a player who is out: a system like others, or nothing when no ship is here."""
        return packed(self.code - self.home - 1) if self.code >> _SHIPS_AT else None

    def system(self, name: str, seats: tuple[Seat, ...]) -> System:
        """This system as the public value."""
        fleets = {seat: [KINDS[kind] for kind in self.ships[index]] for index, seat in enumerate(seats)}
        home = None if self.home < 0 else seats[self.home]
        return System(name, home, [KINDS[kind] for kind in self.stars], fleets)


def _set(members: Iterable[int]) -> int:
    bits = 0
    for member in members:
        bits |= 1 << member
    return bits


_memory: dict[int, Packed] = {}


def packed(code: int) -> Packed:
    """The system of a code."""
    known = _memory.get(code)
    if known is None:
        if len(_memory) > _LARGEST_MEMORY:
            _memory.clear()
        known = _memory[code] = Packed(code)
    return known


def pack(system: System, seats: tuple[Seat, ...]) -> Packed:
    """A public system in its packed form; at most seven pieces of a kind in one place."""
    code = 0 if system.home is None else seats.index(system.home) + 1
    code += count_of(system.stars) << _STARS_AT
    for index, seat in enumerate(seats):
        code += count_of(system.ships[seat]) << _SHIPS_AT + _WIDTH * index
    return packed(code)
