"""A turn so far in the words of the table: what is where, and what there is to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

from rules.errors import IllegalTurn
from rules.seats import Seat
from rules.settlers.board import FIELDS, Ship
from rules.settlers.compact import BORDERING, State, Terms, greens_with_space


@dataclass(frozen=True, slots=True)
class Table:
    """A state of a turn with its board by the names of the fields."""

    state: State
    terms: Terms
    board: dict[str, Ship]

    @property
    def here(self) -> str:
        """Where the action piece stands now."""
        return FIELDS[self.state.field]

    @property
    def action_piece(self) -> str:
        """The action piece in words, as it lies there now."""
        return f"{self.board[self.here].piece.words} on {self.here}"

    @property
    def greens_with_space(self) -> list[str]:
        """Where one's Greens stand that can build."""
        return [FIELDS[number] for number in greens_with_space(self.state.board, self.terms.seat)]

    def owner(self, field: str) -> Seat | None:
        """Whose the piece on *field* is."""
        return self.board[field].owner if field in self.board else None

    def mine(self) -> list[str]:
        """Where one's own pieces stand."""
        return [field for field in self.board if self.owner(field) is self.terms.seat]

    def beside_action(self, anybody: bool = False) -> list[str]:
        """Where one's own pieces, or *anybody*'s, border the action piece."""
        return [
            field
            for field in BORDERING[self.here]
            if field in self.board and (anybody or self.owner(field) is self.terms.seat)
        ]

    def spaces(self, field: str) -> list[str]:
        """The empty fields that border *field*."""
        return [beside for beside in BORDERING[field] if beside not in self.board]

    def on(self, field: str) -> str:
        """The piece on *field*, to begin a sentence with."""
        return f"The {self.board[field].piece.words} on {field}"


def refuse(code: str, sentence: str, rule: str = "", **parameters: object) -> NoReturn:
    """Raise it."""
    raise IllegalTurn(code, sentence, rule=rule, **parameters)


def either(choices: Iterable[str]) -> str:
    """``"a1, a2 or b1"``."""
    *most, last = choices
    return f"{', '.join(most)} or {last}" if most else last


def choice(may: str, choices: list[str], otherwise: str) -> str:
    """``"you may move to a1 or a2"``, or what to say *otherwise*, when there is no choice."""
    return f"{may} {either(choices)}" if choices else otherwise


def listed(start: str, choices: list[str]) -> str:
    """*choices* after *start*; nothing when there are none."""
    return f"{start}{either(choices)}" if choices else ""


def pips(count: int) -> str:
    """``"1 pip"``, ``"2 pips"``."""
    return counted(count, "pip")


def counted(count: int, noun: str) -> str:
    """``"1 field"``, ``"2 fields"``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
