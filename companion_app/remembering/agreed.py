"""A reading put right by the position that people agreed on: which piece of the picture is which of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from math import log
from operator import not_
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from companion_app.derivation import Homes
from companion_app.notation import Position
from companion_app.reading_types import Reading, ReadPiece
from companion_app.remembering.outlines import OF_A_STACK, ONE, share
from rules import Piece, Seat, homeworlds
from vision import sight
from vision.sight import Role
from vision.solids import Color, Posture, Size

Kind = tuple[Color, Size, Role, sight.Seat | None]
"""What a piece is on the table: in the bank, a star, or somebody's ship."""

DOUBTED: Final = 0.003
"""The chance of what differs from the reading in one thing that nobody thought of; of each further one the same."""
ELSEWHERE: Final = 4.0
"""What it costs, as a logarithm, that a piece belongs somewhere else than it was read."""
OVERLOOKED: Final = 6.0
"""What it costs that a piece of the table was not seen, or that one was seen which is not there."""
HIDDEN: Final = 0.7
"""What it costs that a piece of the bank was not seen, where some hide others."""
SEEN_TWICE: Final = 3.5
"""What it costs that a piece was seen which is not there, where another stands or in a stack of the bank."""
ASIDE: Final = 5.0
"""What it costs that a piece of the bank was read on the table."""
BANKED: Final = 7.0
"""What it costs that one of the table was read in the bank: more than that nobody saw it, and saw one of these."""
OFF_ITS_STACK: Final = 2.5
"""What it costs that a piece of the bank lies off where the surest of its kind was seen: most banks are sorted."""


@dataclass(frozen=True)
class Place:
    """A piece of the position: what it is, and where it belongs.

    Attributes:
        system: the number of its star system, from 1; ``field``: its field. Neither in the bank.
    """

    kind: Kind
    system: int | None = None
    field: str | None = None

    @property
    def role(self) -> Role:
        """As what it belongs here."""
        return self.kind[2]

    @property
    def code(self) -> str:
        """What belongs here, such as ``y2``."""
        color, size, *_ = self.kind
        return f"{color.value[0]}{int(size)}"

    def given_to(self, piece: ReadPiece) -> ReadPiece:
        """The *piece* of a picture as the one that stands here."""
        color, size, role, owner = self.kind
        posture = Posture.LYING if role is Role.SHIP else Posture.UPRIGHT
        return replace(
            piece,
            color=color,
            size=size,
            posture=posture,
            role=role,
            owner=owner,
            system=self.system,
            field=self.field,
            confidence=1.0,
            alternatives=(),
        )


@dataclass(frozen=True)
class Agreed:
    """What is known of a picture once its position is agreed on.

    Attributes:
        pieces: those of the table and of the bank, as they are, where they were seen.
        dismissed: what was read but is not there.
        unplaced: the pieces of the table that were not seen.
        hidden: the pieces of the bank that were not seen.
        homes: whose home each system is, by its number.
    """

    pieces: tuple[ReadPiece, ...]
    dismissed: tuple[ReadPiece, ...]
    unplaced: tuple[Place, ...]
    hidden: tuple[Place, ...]
    homes: Homes


def agreed(reading: Reading, position: Position) -> Agreed:
    """The pieces of a *reading* as the *position* has them, each taken for the one that it is likeliest to be.

    Pieces without an outline were told by somebody, or remembered, but not seen.
    """
    seen = [piece for piece in reading.pieces if piece.outline]
    places = [*_of_table(position), *_of_bank(position)]
    home_of, stacks = _systems_meant(reading, position), _stacks(seen)
    count, free = len(seen), len(places)
    costs = np.zeros((count + free, count + free))
    for row, piece in enumerate(seen):
        costs[row, :free] = [_cost(piece, place, home_of) + _off_its_stack(piece, place, stacks) for place in places]
    costs[:count, free:] = [[SEEN_TWICE if _may_be_another(piece, seen) else OVERLOOKED] for piece in seen]
    costs[count:, :free] = [HIDDEN if place.role is Role.BANK else OVERLOOKED for place in places]
    rows, columns = linear_sum_assignment(costs)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    given = {row: places[column] for row, column in pairs if column < free}
    known = {row: place for row, place in given.items() if row < count}
    unseen = [place for row, place in given.items() if row >= count]
    banked = [place.role is Role.BANK for place in unseen]
    return Agreed(
        tuple(place.given_to(seen[row]) for row, place in known.items()),
        tuple(piece for row, piece in enumerate(seen) if row not in known),
        tuple(compress(unseen, map(not_, banked))),
        tuple(compress(unseen, banked)),
        _homes(position),
    )


def _may_be_another(piece: ReadPiece, seen: Sequence[ReadPiece]) -> bool:
    """Whether the reader may have seen a piece for the second time."""
    return piece.role is Role.BANK or any(share(piece, other) >= ONE for other in seen if other is not piece)


def _of_table(position: Position) -> Iterator[Place]:
    if not isinstance(position, homeworlds.Position):
        for field, (piece, owner) in position.board.items():
            yield Place(_kind(piece, Role.SHIP, owner), field=field)
        return
    for number, system in enumerate(position.systems, 1):
        for star in system.stars:
            yield Place(_kind(star, Role.STAR), number)
        for owner, ships in system.ships.items():
            for ship in ships:
                yield Place(_kind(ship, Role.SHIP, owner), number)


def _of_bank(position: Position) -> Iterator[Place]:
    for piece in position.bank.pieces:
        yield Place(_kind(piece, Role.BANK))


def _kind(piece: Piece, role: Role, owner: Seat | None = None) -> Kind:
    return Color(piece.color.value), Size(int(piece.size)), role, sight.Seat(owner.value) if owner else None


def _homes(position: Position) -> Homes:
    if not isinstance(position, homeworlds.Position):
        return {}
    homes = {number: system.home for number, system in enumerate(position.systems, 1)}
    return {number: sight.Seat(home.value) if home else None for number, home in homes.items()}


def _systems_meant(reading: Reading, position: Position) -> Mapping[int, int]:
    """The system of the position that each of the reading is most like, by their numbers; none for some."""
    if not isinstance(position, homeworlds.Position):
        return {}
    read: dict[int, Counter[Kind]] = {}
    for piece in reading.pieces:
        if piece.system is not None and piece.on_table:
            read.setdefault(piece.system, Counter())[piece.color, piece.size, piece.role, piece.owner] += 1
    true = [Counter[Kind]() for _ in position.systems]
    for place in _of_table(position):
        assert place.system
        true[place.system - 1][place.kind] += 1
    numbers, (count, free) = list(read), (len(read), len(true))
    costs = np.zeros((count + free, count + free))
    for row, number in enumerate(numbers):
        costs[row, :free] = [_difference(read[number], other) for other in true]
        costs[row, free:] = read[number].total()
    costs[count:, :free] = [other.total() for other in true]
    pairs = zip(*(side.tolist() for side in linear_sum_assignment(costs)), strict=True)
    return {numbers[row]: column + 1 for row, column in pairs if row < count and column < free}


def _difference(one: Counter[Kind], other: Counter[Kind]) -> int:
    return (one - other).total() + (other - one).total()


def _stacks(seen: Sequence[ReadPiece]) -> Mapping[tuple[Color, Size], ReadPiece]:
    """The surest piece of each kind that was seen in the bank."""
    bank = [piece for piece in seen if piece.role is Role.BANK]
    return {(piece.color, piece.size): piece for piece in sorted(bank, key=lambda piece: piece.confidence)}


def _off_its_stack(piece: ReadPiece, place: Place, stacks: Mapping[tuple[Color, Size], ReadPiece]) -> float:
    color, size, role, _ = place.kind
    surest = stacks.get((color, size))
    if role is not Role.BANK or surest is None:
        return 0.0
    return OFF_ITS_STACK * (share(piece, surest) < OF_A_STACK)


def _cost(piece: ReadPiece, place: Place, meant: Mapping[int, int]) -> float:
    """How unlikely it is, as a logarithm, that a piece of the picture is the one of this place."""
    color, size, role, owner = place.kind
    posture = Posture.LYING if role is Role.SHIP else Posture.UPRIGHT
    chance = 0.0
    for look, probability in piece.looks:
        same_owner = role is not Role.SHIP or look.owner is owner
        amiss = (look.color is not color) + (look.size is not size) + (look.posture is not posture) + (not same_owner)
        chance += probability * DOUBTED**amiss
    cost = -log(max(chance, 1e-12))
    if role is Role.BANK:
        return cost + ASIDE * (piece.role is not role)
    if piece.role is Role.BANK:
        return cost + BANKED
    if place.field is not None:
        return cost + ELSEWHERE * (piece.field != place.field)
    here = meant.get(piece.system) if piece.system is not None else None
    return cost + ELSEWHERE * (here != place.system)
