"""What the record of a game that was played elsewhere says, whatever place it is from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from rules.frozen import FrozenMap
from rules.homeworlds.options import HANDICAP, Options, SelfElimination
from rules.seats import Seat

TRANSCRIBED: Final = replace(HANDICAP, self_elimination=SelfElimination.ALLOWED)
"""Some games elsewhere begin with a smaller ship or a single star; and in none are turns confirmed by a ``*``."""


@dataclass(frozen=True, slots=True)
class TranscribedTurn:
    """One turn: its number in the transcript, whose it is, its text in our notation, and the line it begins on."""

    number: int
    seat: Seat
    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a file that is no part of the game.

    Attributes:
        kind: what it is, the same for every file, such as ``"talk"``.
        text: what it is in this file, such as ``"12 lines of talk"``.
    """

    kind: str
    text: str

    @classmethod
    def counted(cls, kind: str, number: int, one: str, many: str) -> Skipped:
        """So many of a *kind*, of which one and many are called as said."""
        return cls(kind, f"1 {one}" if number == 1 else f"{number} {many}")


@dataclass(frozen=True)
class Transcript:
    """What a transcript says; whether its turns are legal only a game can tell.

    Attributes:
        players: the seats taken; whoever has the first turn begins.
        winner: who is said to have won, by play or otherwise; ``None`` where nothing is said.
        turns: the turns in order.
        names: what the players are called, where they are.
        skipped: what it holds besides the game.
        options: how it was played.
        closing: ``resign`` or ``draw agreed``, where it ended so, as if it were a turn.
    """

    players: tuple[Seat, ...]
    winner: Seat | None
    turns: tuple[TranscribedTurn, ...]
    names: Mapping[Seat, str] = field(default_factory=lambda: FrozenMap({}))
    skipped: tuple[Skipped, ...] = ()
    options: Options = TRANSCRIBED
    closing: TranscribedTurn | None = None
