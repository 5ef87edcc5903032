"""Which star systems of a reading are those that were agreed on, by the pieces that stand where theirs did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import dist
from typing import Final

from companion_app.reading_types import Reading, ReadPiece
from companion_app.remembering.agreed import Agreed
from companion_app.remembering.outlines import OF_A_STACK, length, share
from vision.sight import Role, Seat
from vision.solids import Posture

STARS: Final = 3
"""A star says as much of where its system is as so many ships."""
REACH: Final = 2.5
"""How far from its star a ship may lie, in lengths of the ship."""


class SameSystems:
    """The systems of one reading against those that are known.

    Attributes:
        homes: whose home each system is, by its number; new systems have new numbers.
    """

    def __init__(self, known: Agreed, reading: Reading) -> None:
        self.homes: dict[int, Seat | None] = dict(known.homes)
        self._stars = Counter(piece.system for piece in known.pieces if piece.role is Role.STAR)
        self._stars.update(place.system for place in known.unplaced if place.role is Role.STAR)
        self._read_homes = {system.id: system.home for system in reading.systems if system.home}
        self._votes: dict[int, Counter[int]] = {}

    def vote(self, read: ReadPiece, before: ReadPiece | None) -> None:
        """Where a piece was *read* another, or the same, stood *before*: their systems may be one."""
        if read.system is not None and before and before.system is not None:
            weight = STARS if before.role is Role.STAR else 1
            self._votes.setdefault(read.system, Counter())[before.system] += weight

    def joined(self, fresh: Sequence[ReadPiece], here: Sequence[ReadPiece]) -> list[ReadPiece]:
        """The *fresh* pieces in the systems of those that are still *here*, or in new ones."""
        lost = self._stars - Counter(piece.system for piece in here if piece.role is Role.STAR)
        known = {number: self._known(number) for number in {piece.system for piece in fresh}}
        founded: dict[int | None, int] = {}
        standing = [piece for piece in here if piece.role is Role.STAR]
        stars: list[ReadPiece] = []
        for piece in fresh:
            if piece.role is not Role.STAR or piece.system is None:
                continue
            system = known[piece.system]
            is_lost = system is not None and lost[system] > 0
            if is_lost or self._is_second_of_home(piece.system, system, [*stars, *standing]):
                lost[system] -= 1  # it has been seen anew, or for the first time, or has come back to its home
            elif below := next((star for star in (*stars, *standing) if share(piece, star) >= OF_A_STACK), None):
                system = below.system  # it has come back: a turn was taken back
            else:
                system = founded.setdefault(piece.system, self._next())
                self.homes.setdefault(system, self._home_left(piece.system))
            stars.append(replace(piece, system=system))
        everywhere = [*stars, *standing]
        others = [piece for piece in fresh if piece.role is not Role.STAR or piece.system is None]
        return [*stars, *(_at_a_star(self._meant(piece, known, founded), everywhere) for piece in others)]

    def _known(self, number: int | None) -> int | None:
        """The system that one of the reading is, by what stands where its pieces stood, or as a player's home."""
        if number is None:
            return None
        votes = self._votes.get(number)
        if votes:
            return max(votes, key=votes.__getitem__)
        home = self._read_homes.get(number)
        return next((system for system, owner in self.homes.items() if home and owner is home), None)

    def _is_second_of_home(self, number: int, system: int | None, stars: Sequence[ReadPiece]) -> bool:
        """Whether a system of the reading is a player's home, as is a known one that has one star left."""
        home = self._read_homes.get(number)
        is_same = home is not None and system is not None and home is self.homes.get(system)
        return is_same and sum(star.system == system for star in stars) == 1

    def _next(self) -> int:
        return max(self.homes, default=0) + 1

    def _home_left(self, number: int) -> Seat | None:
        """Whose home a system of the reading is, if that player has none."""
        home = self._read_homes.get(number)
        return home if home not in self.homes.values() else None

    def _meant(
        self, piece: ReadPiece, known: dict[int | None, int | None], founded: dict[int | None, int]
    ) -> ReadPiece:
        if piece.system is None:
            return piece
        return replace(piece, system=founded.get(piece.system, known[piece.system]))


def _at_a_star(piece: ReadPiece, stars: Sequence[ReadPiece]) -> ReadPiece:
    """A ship whose system has no star, or that never had one, at the nearest star within reach."""
    may_be_ship = piece.posture is Posture.LYING and piece.role in (Role.SHIP, Role.LOOSE) and piece.field is None
    if not may_be_ship or not stars or piece.system in {star.system for star in stars}:
        return piece
    nearest = min(stars, key=lambda star: dist(star.middle, piece.middle))
    near = dist(nearest.middle, piece.middle) <= REACH * length(piece)
    return replace(piece, role=Role.SHIP, system=nearest.system) if near else piece
