"""Counted pieces: the bank beside the board, and the full set it is a part of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.errors import RulesError
from rules.pieces import KINDS, Color, Piece
from rules.seats import seats_for

Pieces = Iterable[Piece] | Mapping[Piece, int]
"""Some pieces: one by one, or counted by kind."""


class Bank(Mapping[Piece, int]):
    """How many there are of each of the twelve kinds; it never changes and can be hashed.

    It is a mapping of all twelve kinds, those of which there are none included.

    >>> bank = full_set() - [Piece.parse("g1"), Piece.parse("g1")]
    >>> bank[Piece.parse("g1")], bank.total, bank.pips
    (1, 34, 70)
    """

    __slots__ = ("_counts",)

    def __init__(self, pieces: Pieces = ()) -> None:
        """Count *pieces*; a :class:`RulesError` for a negative count."""
        counts = dict.fromkeys(KINDS, 0)
        for piece, count in pieces.items() if isinstance(pieces, Mapping) else ((one, 1) for one in pieces):
            counts[piece] += count
        for piece, count in counts.items():
            if count < 0:
                raise RulesError(
                    "count_negative",
                    f"There cannot be {count} {piece.words} pieces: count from 0 upwards.",
                    piece=piece.code,
                    count=count,
                )
        self._counts = counts

    def __getitem__(self, piece: Piece) -> int:
        return self._counts[piece]

    def __iter__(self) -> Iterator[Piece]:
        return iter(KINDS)

    def __len__(self) -> int:
        return len(KINDS)

    def __hash__(self) -> int:
        return hash(tuple(self._counts.values()))

    def __repr__(self) -> str:
        return f"Bank({' '.join(piece.code for piece in self.pieces)})"

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every single piece, in the order of the kinds."""
        return tuple(piece for piece, count in self.items() for _ in range(count))

    @property
    def total(self) -> int:
        """How many pieces there are."""
        return sum(self.values())

    @property
    def pips(self) -> int:
        """The sum of all their sizes."""
        return sum(piece.size * count for piece, count in self.items())

    def __add__(self, pieces: Pieces) -> Bank:
        """The bank after *pieces* were returned to it."""
        returned = Bank(pieces)
        return Bank({piece: count + returned[piece] for piece, count in self.items()})

    def __sub__(self, pieces: Pieces) -> Bank:
        """The bank after *pieces* were taken out; a :class:`RulesError` when one of them is not there."""
        remaining, lacking = self.take(pieces)
        for piece in lacking.pieces:
            raise RulesError(
                "bank_lacks",
                f"The bank does not hold enough {piece.words} pieces ({piece.code}): it has {self[piece]}, "
                f"{self[piece] + lacking[piece]} are wanted.",
                piece=piece.code,
                held=self[piece],
                wanted=self[piece] + lacking[piece],
            )
        return remaining

    def take(self, pieces: Pieces) -> tuple[Bank, Bank]:
        """What remains when *pieces* are taken out as far as they are there, and which of them were lacking.

        >>> remaining, lacking = full_set().take([Piece.parse("r1")] * 4)
        >>> remaining[Piece.parse("r1")], lacking
        (0, Bank(r1))
        """
        wanted = Bank(pieces)
        remaining = Bank({piece: max(0, count - wanted[piece]) for piece, count in self.items()})
        lacking = Bank({piece: max(0, wanted[piece] - count) for piece, count in self.items()})
        return remaining, lacking


def full_set(players: int = 2, redless: bool = False) -> Bank:
    """All pieces of a game: one more of each kind than there are players, without the reds when *redless*.

    >>> full_set().total, full_set(players=4).total, full_set(redless=True).total
    (36, 60, 27)
    """
    each = len(seats_for(players)) + 1
    return Bank({piece: 0 if redless and piece.color is Color.RED else each for piece in KINDS})
