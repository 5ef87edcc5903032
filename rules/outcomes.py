"""How a game ended, and who won."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.seats import Seat


class Termination(StrEnum):
    """Every way in which a game of either kind can end."""

    DIRECT_ASSAULT = "direct assault"
    FLEET_CATASTROPHE = "fleet catastrophe"
    STAR_DEMOLITION = "star demolition"
    SELF_ELIMINATION = "self-elimination"
    BOTH_ELIMINATED = "both eliminated"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    REPETITION = "repetition"
    NO_MOVE_LEFT = "no move left"
    TWO_PASSES = "two passes"
    QUIET_TURNS = "36 quiet turns"


@dataclass(frozen=True)
class Outcome:
    """The end of a game.

    Attributes:
        termination: how it ended.
        winners: who won: one seat, several where a side of several won together, none in a draw.
        sentence: both in one sentence.
    """

    termination: Termination
    winners: tuple[Seat, ...]
    sentence: str

    @property
    def winner(self) -> Seat | None:
        """The one who won; ``None`` in a draw, or where several won together."""
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def is_draw(self) -> bool:
        """Whether nobody won."""
        return not self.winners
