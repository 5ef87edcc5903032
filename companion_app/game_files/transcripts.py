"""Transcripts of SuperDuperGames as game files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from companion_app.errors import AppError
from companion_app.game_files.alerts import homeworlds_alerts
from companion_app.game_files.records import record_of
from companion_app.game_files.told import Ply, Problem, Verdict, check_recordable
from rules import RulesError, homeworlds
from rules.homeworlds.prose import told
from rules.homeworlds.sdg import read_sdg
from rules.homeworlds.sdg_replay import TRANSCRIBED, PlayedTurn, played, replay
from rules.records import Record


class Transcribed:
    """A game from its transcript; a RulesError where *text* is none."""

    game = "homeworlds"

    def __init__(self, text: str) -> None:
        self._transcript = read_sdg(text)

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of the file."""
        return tuple(seat.word for seat in self._transcript.players)

    @property
    def start(self) -> homeworlds.Position:
        """The empty table before the first turn."""
        return homeworlds.Position((), self._transcript.turns[0].seat, len(self._transcript.players))

    def verdict(self) -> Verdict:
        """Plays the game, and says how far it is legal and how it ended."""
        result = replay(self._transcript)
        number = len(self._transcript.players)
        if result.refused is None or result.refusal is None:
            return Verdict(number, result.turns, result.outcome)
        problem = Problem.of(result.refused.number, result.refusal)
        refused = f"{result.refused.seat.word}: {result.refused.text}"
        return Verdict(number, result.turns, None, problem, refused)

    def plies(self) -> Iterator[Ply]:
        """Each turn up to the end or to the first that is refused."""
        with suppress(RulesError):
            for turn in played(self._transcript):
                yield _ply(turn)

    def record(self) -> Record:
        """The game as a record of our own; a player whom the transcript passes over passes.

        An AppError where a turn is refused, or where somebody is passed over before the set-up.
        """
        check_recordable(self.verdict())
        turns = [turn for turn in played(self._transcript) if turn.made.steps]
        first = turns[0].transcribed.seat if turns else self._transcript.turns[0].seat
        game = homeworlds.Game(TRANSCRIBED, None, len(self._transcript.players), first)
        for turn in turns:
            while game.to_move is not turn.transcribed.seat:
                if game.begin().is_set_up:
                    raise AppError(
                        "not_recordable",
                        f"This transcript cannot be written as a game file: {game.to_move.word} misses turns before "
                        "the set-up.",
                    )
                game.push((homeworlds.Pass(),))
            game.push(turn.made.steps)
        return record_of(game)


def _ply(turn: PlayedTurn) -> Ply:
    position = turn.after.position()
    return Ply(
        turn.transcribed.number,
        turn.transcribed.seat,
        homeworlds.write_turn(turn.made.steps, homeworlds.begin(turn.made.position, TRANSCRIBED)) or "pass",
        told(turn.made.steps, turn.transcribed.seat),
        position,
        () if turn.outcome else homeworlds_alerts(position),
        homeworlds.warnings(turn.made) if turn.made.steps else (),
    )
