"""Plays transcripts of SuperDuperGames through, to tell how far they are legal and how they end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from rules.errors import RulesError
from rules.homeworlds.endings import elimination_outcome
from rules.homeworlds.options import HANDICAP, Options, SelfElimination
from rules.homeworlds.position import Position
from rules.homeworlds.sdg import TranscribedTurn, Transcript
from rules.homeworlds.table import Table
from rules.homeworlds.turn_notation import read_partial
from rules.homeworlds.turns import begin_at
from rules.outcomes import Outcome

TRANSCRIBED: Final = replace(HANDICAP, self_elimination=SelfElimination.ALLOWED)
"""Some transcripts begin with a smaller ship or a single star; and in none are turns confirmed by a ``*``."""


@dataclass(frozen=True)
class Replay:
    """What became of a transcript when it was played.

    Attributes:
        turns: how many of its turns were played.
        position: the position after them.
        outcome: how the game ended at the table; ``None`` where it stopped before, by resignation or otherwise.
        refused: the turn that could not be played, ``None`` when all were legal.
        refusal: why not.
    """

    turns: int
    position: Position
    outcome: Outcome | None
    refused: TranscribedTurn | None = None
    refusal: RulesError | None = None


def replay(transcript: Transcript, options: Options = TRANSCRIBED) -> Replay:
    """Play the turns of *transcript* up to its end, the end of the game, or the first turn that is refused.

    Whose turn it is, the transcript says: it passes over players who have resigned or missed a turn, and does not
    tell the one from the other, so they stay in the game. A player who passes before the set-up has missed a turn.
    """
    first = transcript.turns[0].seat
    table = Table.of(Position((), first, len(transcript.players)))
    standing = table.seats
    for played, turn in enumerate(transcript.turns):
        table = Table(table.systems, table.bank, table.seats.index(turn.seat), table.players)
        before = begin_at(table, options)
        if before.is_set_up and turn.text.lower() in ("pass", "p"):
            continue
        try:
            after = read_partial(turn.text, before)
        except RulesError as error:
            return Replay(played, table.position(), None, turn, error)
        table, out = after.end_table()
        if out:
            gone = [table.seats[index] for index in out]
            standing = tuple(seat for seat in standing if seat not in gone)
            outcome = elimination_outcome(turn.seat, after.causes, standing, table.seats, options)
            if outcome:
                return Replay(played + 1, table.position(), outcome)
    return Replay(len(transcript.turns), table.position(), None)
