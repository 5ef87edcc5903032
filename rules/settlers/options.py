"""What players may agree on before a game; the defaults are the rulings."""

from __future__ import annotations

from dataclasses import dataclass

from rules.errors import RulesError
from rules.pieces import Size
from rules.seats import Seat
from rules.settlers.board import SEATS
from rules.settlers.status import QUIET_TURNS


@dataclass(frozen=True, slots=True)
class Options:
    """How a game is played.

    Attributes:
        yellow_moves_any: a Yellow may also move the opponent's pieces beside it (S12).
        redless: the game is played without the red pieces (S21).
        handicap: the weaker player, if one is to have an advantage (S22): that player's first landing is larger,
            but the stronger player's first turn is two turns.
        handicap_size: the size of that first landing, medium or large (S22).
        landing_size: the size of Green that lands in place of the smallest, if the bank holds it. A position does
            not tell a first landing; :class:`rules.settlers.Game` sets this for the one that the handicap is about.
        quiet_limit: the game ends after this many turns in a row without a conquest (S19).

    A :class:`RulesError` for a seat nobody holds, a small handicap, or a limit below one turn.
    """

    yellow_moves_any: bool = False
    redless: bool = False
    handicap: Seat | None = None
    handicap_size: Size = Size.MEDIUM
    landing_size: Size | None = None
    quiet_limit: int = QUIET_TURNS

    def __post_init__(self) -> None:
        if self.handicap is not None and self.handicap not in SEATS:
            raise RulesError(
                "seat_empty",
                f"Nobody sits {self.handicap.word}: South and North play.",
                rule="S22",
                seat=self.handicap.value,
            )
        if self.handicap_size is Size.SMALL:
            raise RulesError(
                "handicap_small",
                "Everybody lands a small green first: with a handicap the weaker player lands a medium or large one.",
                rule="S22",
            )
        if self.quiet_limit < 1:
            raise RulesError(
                "quiet_limit_wrong",
                f"A game cannot end after {self.quiet_limit} turns without a conquest: choose 1 or more.",
                rule="S19",
                quiet_limit=self.quiet_limit,
            )
