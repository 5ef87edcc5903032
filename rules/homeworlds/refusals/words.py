"""The words that refusals share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rules.homeworlds.packed import UNIT, Packed
from rules.homeworlds.steps import (
    Build,
    Capture,
    Catastrophe,
    Discover,
    Homeworld,
    Move,
    Pass,
    Sacrifice,
    Trade,
)
from rules.pieces import KINDS, Color, Piece, Size

if TYPE_CHECKING:
    from rules.homeworlds.turns import PartialTurn


POWER: Final = {Color.RED: "capture", Color.YELLOW: "move", Color.GREEN: "build", Color.BLUE: "trade"}
VERB: Final = {
    Homeworld: "set up",
    Build: "build",
    Trade: "trade",
    Move: "move",
    Discover: "move",
    Capture: "capture",
    Sacrifice: "sacrifice",
    Catastrophe: "declare a catastrophe",
    Pass: "pass",
}
SIZE_WORD: Final = ("", "small", "medium", "large")


def held(turn: PartialTurn, piece: Piece) -> int:
    return turn.table.bank // UNIT[piece.kind] & 7


def codes(kinds: Iterable[int]) -> str:
    return both(KINDS[kind].code for kind in kinds) or "none"


def powers_of(there: Packed, seat: int) -> str:
    powers = [POWER[color] for index, color in enumerate(Color) if there.powers[seat] >> index & 1]
    return f"only the power to {either(powers)}"


def other_sizes(here: Packed) -> str:
    return either(size.word for size in Size if not here.sizes >> size & 1)


def what_the_bank_has(what: str, able: list[str]) -> str:
    return f"the bank has {what} in {both(able)}" if able else f"the bank has no other {what}"


def both(words: Iterable[str]) -> str:
    return _joined(list(words), "and")


def either(words: Iterable[str]) -> str:
    return _joined(list(words), "or")


def listed(words: Iterable[str]) -> str:
    return _joined(list(words), "and") or "none"


def _joined(words: list[str], last: str) -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
