"""What follows from the pieces of a reading: its systems, position, bank, inventory, score and verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion_app.positions import kinds, position_of
from companion_app.questions import questions_about, verdict_on
from companion_app.reading_types import Game, Inventory, Reading, ReadPiece, ReadSystem
from rules import Bank, full_set
from vision.sight import Role, Seat

Homes = Mapping[int, Seat | None]
"""Whose home a system is, by its id."""


def with_pieces(reading: Reading, pieces: Sequence[ReadPiece], homes: Homes, *, redless: bool) -> Reading:
    """*reading* — its game, image and board — with these pieces and all that follows from them."""
    whole = full_set(redless=redless)
    systems = _systems(pieces, homes) if reading.game is Game.HOMEWORLDS else ()
    inventory = _inventory(whole, pieces)
    position = position_of(reading.game, pieces, systems, redless=redless)
    questions = questions_about(reading.game, pieces, systems, inventory, position.findings)
    return replace(
        reading,
        pieces=tuple(pieces),
        systems=systems,
        position=position.line,
        bank=_bank(whole, pieces),
        inventory=inventory,
        score=position.score,
        verdict=verdict_on(pieces, inventory, questions, position.line),
        questions=questions,
    )


def _systems(pieces: Sequence[ReadPiece], homes: Homes) -> tuple[ReadSystem, ...]:
    """The star systems by id, their pieces sorted."""
    numbers = sorted({piece.system for piece in pieces if piece.system is not None and piece.on_table})
    return tuple(_system(number, homes.get(number), [p for p in pieces if p.system == number]) for number in numbers)


def _system(number: int, home: Seat | None, members: Sequence[ReadPiece]) -> ReadSystem:
    stars = Bank(kinds(piece for piece in members if piece.role is Role.STAR))
    ships = {
        seat: Bank(kinds(piece for piece in members if piece.role is Role.SHIP and piece.owner is seat))
        for seat in Seat
    }
    return ReadSystem(number, home, _codes(stars), {seat: _codes(bank) for seat, bank in ships.items()})


def _bank(whole: Bank, pieces: Sequence[ReadPiece]) -> dict[str, int]:
    remaining, _ = whole.take(kinds(piece for piece in pieces if piece.on_table))
    return {kind.code: count for kind, count in remaining.items()}


def _inventory(whole: Bank, pieces: Sequence[ReadPiece]) -> Inventory:
    unseen, surplus = whole.take(kinds(pieces))
    return Inventory(whole.total, len(pieces), _codes(unseen), _codes(surplus))


def _codes(bank: Bank) -> tuple[str, ...]:
    return tuple(kind.code for kind in bank.pieces)
