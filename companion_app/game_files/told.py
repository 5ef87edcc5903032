"""What is told of a recorded game: its turns one by one, and a verdict on the whole."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion_app.errors import AppError
from companion_app.notation import Position
from rules import Outcome, RulesError, Seat, Termination, homeworlds
from rules.homeworlds.transcript import Skipped


class Ending(StrEnum):
    """How a game ended, in the words of ``pyramids check``."""

    ELIMINATION = "elim"
    SCORE = "score"
    RESIGNATION = "resigned"
    DRAW = "draw"
    UNFINISHED = "unfinished"


_SCORED = {Termination.NO_MOVE_LEFT, Termination.TWO_PASSES, Termination.QUIET_TURNS}


def ending_of(outcome: Outcome | None) -> Ending:
    """The ending of an outcome."""
    if outcome is None:
        return Ending.UNFINISHED
    if outcome.is_draw:
        return Ending.DRAW
    if outcome.termination in _SCORED:
        return Ending.SCORE
    return Ending.RESIGNATION if outcome.termination is Termination.RESIGNATION else Ending.ELIMINATION


@dataclass(frozen=True)
class Ply:
    """One turn of a recorded game as it was played.

    Attributes:
        number: counted from 1.
        seat: whose turn it was.
        text: the turn in strict notation, or what happened besides.
        sentence: the same in words.
        position: the position after it.
        alerts: who could win or conquer next, a sentence each.
        warnings: what spoke against the turn, the most urgent first.
    """

    number: int
    seat: Seat
    text: str
    sentence: str
    position: Position
    alerts: tuple[str, ...] = ()
    warnings: tuple[homeworlds.Warning, ...] = ()


@dataclass(frozen=True)
class Problem:
    """Why a game is not legal, or not readable at all: the turn (0 for the file as a whole), and the reason."""

    turn: int
    code: str
    sentence: str

    @classmethod
    def of(cls, turn: int, error: RulesError) -> Problem:
        """The problem that an error tells of."""
        return cls(turn, error.code, error.sentence)


@dataclass(frozen=True)
class Verdict:
    """The referee's word on a game.

    Attributes:
        players: how many play; ``None`` where the file cannot be read.
        turns: how many turns were played legally.
        outcome: how the game ended at the table, if it did.
        problem: what is wrong; ``None`` when all is legal.
        refused: the turn that is not, with its player, as the file has it.
        skipped: what the file holds besides the game.
    """

    players: int | None
    turns: int
    outcome: Outcome | None = None
    problem: Problem | None = None
    refused: str = ""
    skipped: tuple[Skipped, ...] = ()

    @property
    def is_ok(self) -> bool:
        """Whether every turn is legal."""
        return self.problem is None

    @property
    def ending(self) -> Ending:
        """How the game ended."""
        return ending_of(self.outcome)

    @property
    def winner(self) -> str | None:
        """Who won, several joined by "and"; ``None`` in a draw or an unfinished game."""
        return " and ".join(seat.word for seat in self.outcome.winners) or None if self.outcome else None


def skipping(skipped: tuple[Skipped, ...]) -> str:
    """What was skipped, as a sentence; empty where nothing was.

    >>> skipping((Skipped("talk", "2 lines of talk"), Skipped("comments", "1 comment")))
    'Skipped: 2 lines of talk and 1 comment.'
    """
    *others, last = (one.text for one in skipped) if skipped else ("",)
    return f"Skipped: {', '.join(others)}{' and ' if others else ''}{last}." if last else ""


def check_recordable(verdict: Verdict) -> None:
    """An AppError for a game that is not legal, and so cannot be written as a game file."""
    problem = verdict.problem
    if problem:
        where = f"turn {problem.turn} is not legal. " if problem.turn else ""
        raise AppError("not_recordable", f"This game cannot be written as a game file: {where}{problem.sentence}")
