"""What a reading says of every field of a Settlers board, as the weights of what may lie there."""

from __future__ import annotations

from math import log
from typing import Final

from companion_app.inferring.bank_seen import BankSeen
from companion_app.inferring.corrections import MISSED
from companion_app.inferring.observation import Appearance, Observation, ObservedPiece
from rules.settlers import Position
from rules.settlers.board import FIELDS, SEATS
from rules.settlers.compact import NUMBER, SHIPS, WHOLE, kind_of, ship_number

_LEAST: Final = log(1e-8)
_UNREAD: Final = log(1e-6)
"""Of a ship that no piece of the reading can be."""


class BoardBeliefs:
    """The likeliest board, and how much less likely any other is.

    Attributes:
        board: the board as it was read, 36 bytes as in :mod:`rules.settlers.compact`.
        observation: what was read.
    """

    def __init__(self, before: Position, observation: Observation) -> None:
        self.observation = observation
        self._whole = WHOLE[before.redless]
        self._bank = BankSeen(observation, before.bank)
        self._fields: list[dict[int, float]] = [{} for _ in FIELDS]
        self._empty = {NUMBER[name] for name in observation.empty}
        self.pieces: dict[int, tuple[int, ...]] = {}
        board = bytearray(len(FIELDS))
        for group in observation.groups:
            field = NUMBER[group.place]
            *under, piece = sorted(group.pieces, key=lambda one: one.beliefs[one.read])
            self.pieces[field] = tuple(one.index for one in group.pieces)
            board[field] = _number(piece.read)
            self._fields[field] = _weights(piece)
            for other in under:  # only one piece can lie there
                for ship, weight in _weights(other).items():
                    self._fields[field][ship] = max(weight, self._fields[field].get(ship, weight))
        self.board = bytes(board)

    def weight(self, board: bytes) -> float | None:
        """How likely *board* is meant, 0 where it is just as it was read; ``None`` for too unlikely ones."""
        weight = 0.0
        for field in self.unlike(board):
            ship, beliefs = board[field], self._fields[field]
            weight += beliefs.get(ship, _UNREAD) if beliefs else self._overlooked(field)
            if weight < _LEAST:
                return None
        return weight + self._bank.weight(self._held(board))

    def _overlooked(self, field: int) -> float:
        """How likely a ship was not seen on a *field* on which none was read."""
        return _UNREAD if field in self._empty else MISSED

    def slips(self, board: bytes) -> int:
        """How many things went amiss if *board* is meant, on it and in the bank."""
        return len(self.unlike(board)) + self._bank.slips(self._held(board))

    def _held(self, board: bytes) -> list[int]:
        """How many pieces of each kind the bank holds beside *board*."""
        held = list(self._whole)
        for ship in board:
            if ship:
                held[kind_of(ship)] -= 1
        return [max(0, there) for there in held]

    def unlike(self, board: bytes) -> list[int]:
        """The fields on which *board* is not as it was read."""
        return [field for field, (one, other) in enumerate(zip(board, self.board, strict=True)) if one != other]

    def misread(self, board: bytes) -> tuple[int, ...]:
        """The indices of the pieces that were misread if *board* is right."""
        return tuple(index for field in self.unlike(board) for index in self.pieces.get(field, ()))


def _number(look: Appearance) -> int:
    """The number of a ship; 0 for what is none."""
    return ship_number(look.piece.kind, look.owner) if look.owner in SEATS else 0


def _weights(piece: ObservedPiece) -> dict[int, float]:
    """Every ship that a piece may be, and 0 for nothing, against what it was read as."""
    base = log(piece.beliefs[piece.read])
    weights = dict.fromkeys(range(1, len(SHIPS)), log(piece.other) - base)
    for look, probability in piece.beliefs.items():
        if _number(look) and probability > 0:
            weights[_number(look)] = log(probability) - base
    weights[0] = log(piece.nothing) - base
    return weights
