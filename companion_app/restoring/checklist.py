"""Does a photo document its position? The rule book asks for the position, the bank and the turn token."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion_app.reading_types import Reading
from companion_app.restoring.steps import counted
from rules import Piece
from vision.sight import Role


@dataclass(frozen=True)
class Check:
    """One thing that a good photo shows: whether this one does, and if not, what to do about it."""

    title: str
    good: bool
    sentence: str


def checklist(reading: Reading) -> tuple[Check, ...]:
    """What *reading* documents: the position, every piece of the set, the bank, and whose turn it is."""
    return _position(reading), _pieces(reading), _bank(reading), _token(reading)


def _position(reading: Reading) -> Check:
    doubts = sum(question.piece is not None for question in reading.questions)
    if reading.position is None:
        words = "Some pieces have no place or no owner yet: correct the reading first."
    elif doubts:
        words = (
            f"{doubts} question{'' if doubts == 1 else 's'} about pieces: answer them while the table still stands."
        )
    else:
        words = "Every piece has its place and its owner."
    return Check("The position", reading.position is not None and not doubts, words)


def _pieces(reading: Reading) -> Check:
    inventory = reading.inventory
    title = f"{inventory.set - len(inventory.unseen)} of {inventory.set} pieces"
    if inventory.surplus:
        words = f"More than the set has: {_codes(inventory.surplus)}. Check the colour and size of each."
    elif inventory.unseen:
        words = f"Not seen: {_codes(inventory.unseen)}. Look for them, then photograph again."
    else:
        words = "The whole set is accounted for."
    return Check(title, not (inventory.unseen or inventory.surplus), words)


def _bank(reading: Reading) -> Check:
    seen = sum(piece.role is Role.BANK for piece in reading.pieces)
    if seen or not sum(reading.bank.values()):
        return Check("The bank", True, f"{seen} piece{'' if seen == 1 else 's'} of it in the picture.")
    return Check("The bank", False, "Not in the picture: photograph again with the bank beside the game.")


def _token(reading: Reading) -> Check:
    if reading.turn_token:
        return Check("The turn token", True, f"It is {reading.turn_token.value.title()}’s turn.")
    words = "Not in the picture: say whose turn it is, or photograph again with the token before that player."
    return Check("The turn token", False, words)


def _codes(codes: Iterable[str]) -> str:
    return counted(map(Piece.parse, codes))
