"""What `status()` answers with: reasons to doubt that a photographed position was read right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from rules.bank import Bank
from rules.frozen import FrozenMap


class Severity(StrEnum):
    """Whether a position cannot be, or can be but seldom is."""

    IMPOSSIBLE = "impossible"
    WORTH_A_LOOK = "worth a look"


@dataclass(frozen=True)
class Finding:
    """One reason: a stable code, one sentence for people, and the values that the sentence speaks of."""

    code: str
    severity: Severity
    sentence: str
    parameters: FrozenMap[str, str | int] = field(default_factory=lambda: FrozenMap({}))


def impossible(code: str, sentence: str, **parameters: str | int) -> Finding:
    """A finding that the rules of the game rule out."""
    return Finding(code, Severity.IMPOSSIBLE, sentence, FrozenMap(parameters))


def worth_a_look(code: str, sentence: str, **parameters: str | int) -> Finding:
    """A finding that can happen in a game, but often means that something was read wrong."""
    return Finding(code, Severity.WORTH_A_LOOK, sentence, FrozenMap(parameters))


def too_many_of_a_kind(whole: Bank, on_table: Bank) -> Iterator[Finding]:
    """One finding for each kind of which more pieces are on the table than the *whole* set holds."""
    for piece, count in on_table.items():
        if count > whole[piece] > 0:
            yield impossible(
                "too_many_of_a_kind",
                f"{count} {piece.words} pieces ({piece.code}) are on the table, but the set has only "
                f"{whole[piece]}: check their sizes and colours.",
                piece=piece.code,
                count=count,
                set=whole[piece],
            )
