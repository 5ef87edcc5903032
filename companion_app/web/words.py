"""Pieces in words, for labels, announcements and questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion_app.reading_types import Reading, ReadPiece
from rules import Piece
from vision.sight import Role


def piece_in_words(piece: ReadPiece, names: Mapping[int, str]) -> str:
    """Such as ``"large red ship of South on c4"`` or ``"small blue star at Vega"``."""
    return kind_in_words(piece) + place_in_words(piece, names)


def kind_in_words(piece: ReadPiece) -> str:
    """Such as ``"large red ship of South"``."""
    noun = {Role.BANK: "piece", Role.LOOSE: "piece"}.get(piece.role, piece.role.value)
    owner = f" of {piece.owner.value.title()}" if piece.owner and piece.role is Role.SHIP else ""
    return f"{piece.size.word} {piece.color.value} {noun}{owner}"


def place_in_words(piece: ReadPiece, names: Mapping[int, str]) -> str:
    """Such as ``" on c4"``, ``" at Vega"`` or ``" in the bank"``."""
    if piece.role is Role.BANK:
        return " in the bank"
    if piece.field:
        return f" on {piece.field}"
    name = names.get(piece.system) if piece.system is not None else None
    return f" at {name}" if name else " beside the game"


def codes_in_words(codes: Iterable[str]) -> str:
    """Such as ``"medium green, 2 small red"``."""
    counts: dict[str, int] = {}
    for code in codes:
        counts[code] = counts.get(code, 0) + 1
    return ", ".join(
        f"{count if count > 1 else ''} {Piece.parse(code).words}".strip() for code, count in counts.items()
    )


def title_of(reading: Reading) -> str:
    """What a reading is called before a person names it."""
    count = sum(piece.on_table for piece in reading.pieces)
    return f"{reading.game.value.title()}, {count} piece{'' if count == 1 else 's'}"
