"""Plays transcripts of games from elsewhere through, to tell how far they are legal and how they end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.errors import IllegalTurn, RulesError
from rules.homeworlds.endings import elimination_outcome
from rules.homeworlds.options import Options
from rules.homeworlds.position import Position
from rules.homeworlds.table import Table
from rules.homeworlds.transcript import TRANSCRIBED, TranscribedTurn, Transcript
from rules.homeworlds.turn_notation import read_partial
from rules.homeworlds.turns import PartialTurn, begin_at
from rules.outcomes import Outcome

__all__ = ["TRANSCRIBED", "PlayedTurn", "Replay", "played", "replay"]


@dataclass(frozen=True)
class Replay:
    """What became of a transcript when it was played.

    Attributes:
        turns: how many of its turns were played.
        position: the position after them.
        outcome: how the game ended at the table; ``None`` where it stopped before, by resignation or otherwise.
        refused: the turn that could not be played, ``None`` when all were legal.
        refusal: why not.
        unplayed: the turns that stand after the one that ended the game.
    """

    turns: int
    position: Position
    outcome: Outcome | None
    refused: TranscribedTurn | None = None
    refusal: RulesError | None = None
    unplayed: tuple[TranscribedTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a transcript as it was played.

    Attributes:
        transcribed: what the transcript says.
        made: the turn; without a step where it passes before the set-up, which is a turn missed.
        after: the table at the start of the next turn.
        outcome: how the game ended with it, if it did.
    """

    transcribed: TranscribedTurn
    made: PartialTurn
    after: Table
    outcome: Outcome | None


def played(transcript: Transcript, options: Options | None = None) -> Iterator[PlayedTurn]:
    """Each turn of *transcript* up to its end or the end of the game; raises the refusal of a turn that is refused.

    Whose turn it is, the transcript says: it passes over players who have resigned or missed a turn, and does not
    tell the one from the other, so they stay in the game. A player who passes before the set-up has missed a turn.
    """
    options = options or transcript.options
    table = Table.of(Position((), transcript.turns[0].seat, len(transcript.players)))
    seats = standing = table.seats
    for turn in transcript.turns:
        table = Table(table.systems, table.bank, seats.index(turn.seat), table.players)
        made = begin_at(table, options)
        outcome = None
        if turn.seat not in standing:
            raise IllegalTurn(
                "seat_out",
                f"{turn.seat.word} is out of the game and has no more turns.",
                rule="23",
                seat=turn.seat.value,
            )
        if not (made.is_set_up and turn.text.lower() in ("pass", "p")):
            made = read_partial(turn.text, made)
            table, out = made.end_table()
            if out:
                gone = [seats[index] for index in out]
                standing = tuple(seat for seat in standing if seat not in gone)
                outcome = elimination_outcome(turn.seat, made.causes, standing, seats, options)
        yield PlayedTurn(turn, made, table, outcome)
        if outcome:
            return


def replay(transcript: Transcript, options: Options | None = None) -> Replay:
    """Play the turns of *transcript* as :func:`played` does, or up to the first turn that is refused."""
    count = 0
    last: PlayedTurn | None = None
    try:
        for turn in played(transcript, options):
            last, count = turn, count + 1
    except RulesError as error:
        position = last.after.position() if last else Position((), transcript.turns[0].seat, len(transcript.players))
        return Replay(count, position, None, transcript.turns[count], error)
    assert last
    return Replay(count, last.after.position(), last.outcome, unplayed=transcript.turns[count:])
