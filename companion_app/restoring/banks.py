"""The bank compared: what it should hold, what the photo of the position shows, and what the table shows now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion_app.notation import Position
from companion_app.positions import kinds
from companion_app.reading_types import Reading
from rules import Bank, Piece, settlers
from vision.sight import Role


@dataclass(frozen=True)
class BankRow:
    """One kind of piece.

    Attributes:
        wanted: how many the bank holds when the whole set is there.
        photo, table: how many were seen in the photo of the position, and on the table now; ``None`` where no bank
            is in that picture.
    """

    piece: Piece
    wanted: int
    photo: int | None = None
    table: int | None = None

    @property
    def photo_differs(self) -> bool:
        """Whether the photo shows another number than the bank should hold."""
        return self.photo is not None and self.photo != self.wanted

    @property
    def table_differs(self) -> bool:
        """Whether the table does."""
        return self.table is not None and self.table != self.wanted

    @property
    def photo_hides(self) -> bool:
        """Whether the photo shows fewer: those in the middle of a stack may be hidden, which is not wrong."""
        return self.photo is not None and self.photo < self.wanted

    @property
    def table_hides(self) -> bool:
        """Whether the table does."""
        return self.table is not None and self.table < self.wanted


def bank_rows(
    position: Position, photo: Mapping[str, int] | None = None, table: Mapping[str, int] | None = None
) -> tuple[BankRow, ...]:
    """A row for each kind of the set: red, yellow, green, blue, each from small to large; counts are by code."""
    redless = isinstance(position, settlers.Position) and position.redless
    return tuple(
        BankRow(piece, count, _of(piece, photo), _of(piece, table))
        for piece, count in position.bank.items()
        if not (redless and piece.code.startswith("r"))
    )


def _of(piece: Piece, counts: Mapping[str, int] | None) -> int | None:
    return None if counts is None else counts.get(piece.code, 0)


def bank_seen(reading: Reading) -> dict[str, int] | None:
    """How many pieces of each kind a reading shows in the bank, by code; ``None`` where it shows no bank."""
    seen = Bank(kinds(piece for piece in reading.pieces if piece.role is Role.BANK))
    return {piece.code: count for piece, count in seen.items()} if seen.total else None
