"""Boards as 36 bytes, one a field, so that very many of them can be made, compared and remembered.

A byte is 0 for an empty field, otherwise the number of a ship: 1 to 12 are South's kinds of pieces, 13 to 24
North's. Fields are numbered as in :data:`rules.settlers.board.FIELDS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rules.bank import full_set
from rules.frozen import FrozenMap
from rules.pieces import KINDS, Color, Size
from rules.seats import Seat
from rules.settlers.board import FIELDS, FILES, RANKS, SEATS, Ship
from rules.settlers.options import Options
from rules.settlers.position import Position

SHIPS: Final[tuple[Ship | None, ...]] = (None, *(Ship(piece, seat) for seat in SEATS for piece in KINDS))
OWNER: Final = tuple(ship.owner if ship else None for ship in SHIPS)
COLOR: Final = tuple(ship.piece.color if ship else None for ship in SHIPS)
PIPS: Final = tuple(int(ship.piece.size) if ship else 0 for ship in SHIPS)

KINDS_OF: Final = {color: tuple(kind for kind, piece in enumerate(KINDS) if piece.color is color) for color in Color}
"""The numbers of the three kinds of a colour in :data:`rules.KINDS`, from small to large."""

WHOLE: Final = {redless: tuple(full_set(redless=redless).values()) for redless in (False, True)}
"""How many of each kind are in a game."""

NUMBER: Final = {field: number for number, field in enumerate(FIELDS)}
_NUMBER_OF_SHIP: Final = {ship: number for number, ship in enumerate(SHIPS) if ship}
_FIRST: Final = {seat: 1 + len(KINDS) * place for place, seat in enumerate(SEATS)}


def _beside(field: str) -> Iterator[str]:
    """The fields that touch *field* with a side or a corner (S23)."""
    file, rank = FILES.index(field[0]), RANKS.index(field[1])
    for other in FIELDS:
        distance = max(abs(FILES.index(other[0]) - file), abs(RANKS.index(other[1]) - rank))
        if distance == 1:
            yield other


BORDERING: Final = FrozenMap({field: tuple(_beside(field)) for field in FIELDS})
"""The three to eight fields that border a field (S23)."""

NEIGHBORS: Final = tuple(tuple(NUMBER[other] for other in BORDERING[field]) for field in FIELDS)
"""The same by numbers."""


class Terms(NamedTuple):
    """What stays the same while a turn is taken.

    Attributes:
        seat: whose turn it is.
        whole: how many of each kind there are in the game.
        yellow_moves_any, landing_size: see :class:`rules.settlers.Options`.
    """

    seat: Seat
    whole: tuple[int, ...]
    yellow_moves_any: bool
    landing_size: Size | None

    @classmethod
    def of(cls, position: Position, options: Options) -> Terms:
        """The terms on which the side to move takes its turn."""
        return cls(position.to_move, WHOLE[position.redless], options.yellow_moves_any, options.landing_size)


class State(NamedTuple):
    """A turn so far.

    Attributes:
        board: 36 bytes.
        doing: the colour of the action piece when it was chosen; ``None`` before that.
        field: where the action piece stands now.
        pips: the action pips left.
        over: whether the turn has been ended by a landing or a pass.
    """

    board: bytes
    doing: Color | None = None
    field: int = 0
    pips: int = 0
    over: bool = False


def packed(position: Position) -> bytes:
    """The board of *position*."""
    board = bytearray(len(FIELDS))
    for field, ship in position.board.items():
        board[NUMBER[field]] = _NUMBER_OF_SHIP[ship]
    return bytes(board)


def unpacked(board: bytes) -> dict[str, Ship]:
    """The ship on each field that is not empty."""
    return {field: ship for field, number in zip(FIELDS, board, strict=True) if (ship := SHIPS[number])}


def put(board: bytes, field: int, ship: int) -> bytes:
    """*board* with *ship* on *field*, or with an empty field for 0."""
    changed = bytearray(board)
    changed[field] = ship
    return bytes(changed)


def moved(board: bytes, start: int, end: int) -> bytes:
    """*board* after the piece on *start* went to *end*."""
    changed = bytearray(board)
    changed[start], changed[end] = 0, changed[start]
    return bytes(changed)


def ship_number(kind: int, seat: Seat) -> int:
    """The number of *seat*'s ship of a kind."""
    return _FIRST[seat] + kind


def kind_of(ship: int) -> int:
    """The kind of a ship, whosesoever it is."""
    return (ship - 1) % len(KINDS)


def in_bank(board: bytes, kind: int, terms: Terms) -> int:
    """How many of *kind* the bank holds; the board of a photograph may hold too many."""
    south, north = SEATS
    return max(0, terms.whole[kind] - board.count(ship_number(kind, south)) - board.count(ship_number(kind, north)))


def smallest(board: bytes, color: Color, terms: Terms) -> int | None:
    """The smallest kind of *color* in the bank (S8); ``None`` when there is no such piece."""
    return next((kind for kind in KINDS_OF[color] if in_bank(board, kind, terms)), None)


def to_land(board: bytes, terms: Terms) -> int | None:
    """The kind of Green that may land now: the smallest in the bank (S7), or that of a handicap (S22)."""
    if terms.landing_size is not None:
        kind = KINDS_OF[Color.GREEN][terms.landing_size - 1]
        if in_bank(board, kind, terms):
            return kind
    return smallest(board, Color.GREEN, terms)


def space_beside(board: bytes, field: int) -> list[int]:
    """The empty fields that border *field*."""
    return [beside for beside in NEIGHBORS[field] if not board[beside]]


def greens_with_space(board: bytes, seat: Seat) -> list[int]:
    """Where *seat*'s Greens stand that have an empty field beside them."""
    return [
        field
        for field, ship in enumerate(board)
        if COLOR[ship] is Color.GREEN
        and OWNER[ship] is seat
        and not all(board[beside] for beside in NEIGHBORS[field])
    ]


def red_balance(board: bytes, field: int, attacker: Seat) -> tuple[int, int]:
    """The pips for and against a conquest of the piece on *field* by *attacker*, who needs more (S10)."""
    attack, defence = 0, PIPS[board[field]] if COLOR[board[field]] is Color.RED else 0
    for beside in NEIGHBORS[field]:
        ship = board[beside]
        if COLOR[ship] is Color.RED:
            if OWNER[ship] is attacker:
                attack += PIPS[ship]
            else:
                defence += PIPS[ship]
    return attack, defence
