"""Transcripts of games from elsewhere as game files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from companion_app.errors import AppError
from companion_app.game_files.alerts import homeworlds_alerts
from companion_app.game_files.records import HAPPENED, record_of
from companion_app.game_files.told import Ply, Problem, Verdict, check_recordable
from rules import InvalidTurn, RulesError, Seat, homeworlds
from rules.homeworlds import Special
from rules.homeworlds.prose import told
from rules.homeworlds.sdg_replay import PlayedTurn, Replay, played, replay
from rules.homeworlds.transcript import Skipped, TranscribedTurn, Transcript
from rules.records import Record

LONGEST_NAME = 80


class Transcribed:
    """A game from its transcript."""

    game = "homeworlds"

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of the file."""
        return tuple(seat.word for seat in self._transcript.players)

    @property
    def names(self) -> Mapping[Seat, str]:
        """What the players are called, where the transcript tells it."""
        plain = {
            seat: "".join(letter for letter in name if letter.isprintable()).strip()[:LONGEST_NAME]
            for seat, name in self._transcript.names.items()
        }
        return {seat: name for seat, name in plain.items() if name}

    @property
    def start(self) -> homeworlds.Position:
        """The empty table before the first turn."""
        return homeworlds.Position((), self._transcript.turns[0].seat, len(self._transcript.players))

    def verdict(self) -> Verdict:
        """Plays the game, and says how far it is legal and how it ended."""
        result = replay(self._transcript)
        number, closing = len(self._transcript.players), self._closing(result)
        skipped = (*self._transcript.skipped, *_after_the_end(result, self._transcript.closing))
        if result.refused is None or result.refusal is None:
            if closing is None:
                return Verdict(number, result.turns, result.outcome, skipped=skipped)
            game = homeworlds.Game(self._transcript.options, result.position)
            _close(game, closing)
            return Verdict(number, result.turns + 1, game.outcome(), skipped=skipped)
        problem = Problem.of(result.refused.number, result.refusal)
        if result.refused.line and isinstance(result.refusal, InvalidTurn):
            problem = replace(problem, sentence=f"Line {result.refused.line}: {problem.sentence}")
        refused = f"{result.refused.seat.word}: {result.refused.text}"
        return Verdict(number, result.turns, None, problem, refused, skipped)

    def plies(self) -> Iterator[Ply]:
        """Each turn up to the end or to the first that is refused."""
        last = None
        with suppress(RulesError):
            for turn in played(self._transcript):
                last = _ply(turn, self._transcript)
                yield last
            closing = self._transcript.closing
            if last and closing and not turn.outcome:
                sentence = HAPPENED[Special(closing.text)].format(closing.seat.word)
                yield Ply(closing.number, closing.seat, closing.text, sentence, last.position)

    def record(self) -> Record:
        """The game as a record of our own; a player whom the transcript passes over passes.

        An AppError where a turn is refused, or where somebody is passed over before the set-up.
        """
        check_recordable(self.verdict())
        return record_of(self._played_game())

    def _closing(self, result: Replay) -> TranscribedTurn | None:
        """What ended the game besides turns, if it went on until then."""
        return None if result.outcome or result.refused else self._transcript.closing

    def _played_game(self) -> homeworlds.Game:
        """The game as it was played, a legal one; an AppError where our own files cannot hold it."""
        turns = [turn for turn in played(self._transcript) if turn.made.steps]
        first = turns[0].transcribed.seat if turns else self._transcript.turns[0].seat
        game = homeworlds.Game(self._transcript.options, None, len(self._transcript.players), first)
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
        if self._transcript.closing and not game.outcome():
            _close(game, self._transcript.closing)
        return game


def _close(game: homeworlds.Game, closing: TranscribedTurn) -> None:
    """End *game* as its transcript says; one who is out already cannot resign."""
    if closing.text == "draw agreed":
        game.agree_draw()
    elif closing.seat in game.standing:
        game.resign(closing.seat)


def _after_the_end(result: Replay, closing: TranscribedTurn | None) -> tuple[Skipped, ...]:
    """The turns that stand after the end of the game."""
    left = [*result.unplayed, *([closing] if closing else [])]
    if not left or not result.outcome:
        return ()
    told = Skipped.counted("turns after the end", len(left), "turn", "turns")
    return (replace(told, text=f"{told.text} after the end of the game, from turn {left[0].number} on"),)


def _ply(turn: PlayedTurn, transcript: Transcript) -> Ply:
    position = turn.after.position()
    return Ply(
        turn.transcribed.number,
        turn.transcribed.seat,
        homeworlds.write_turn(turn.made.steps, homeworlds.begin(turn.made.position, transcript.options)) or "pass",
        told(turn.made.steps, turn.transcribed.seat),
        position,
        () if turn.outcome else homeworlds_alerts(position),
        homeworlds.warnings(turn.made) if turn.made.steps else (),
    )
