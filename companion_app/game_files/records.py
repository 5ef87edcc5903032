"""Our own game files, played through; and games written as such."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from companion_app.game_files.alerts import homeworlds_alerts, red_alerts, settlers_alerts
from companion_app.game_files.told import Ply, Problem, Verdict, check_recordable
from companion_app.notation import Position
from rules import IllegalTurn, RulesError, Seat, Termination, homeworlds, settlers
from rules.homeworlds import Special
from rules.homeworlds import prose as homeworlds_prose
from rules.option_values import read_options, written_options
from rules.records import GameKind, Record, RecordedTurn, Result, write_record
from rules.settlers import prose as settlers_prose

Game = homeworlds.Game | settlers.Game


class Recorded:
    """A game from its record; a RulesError where its start or an option cannot be."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.new_game()

    @property
    def game(self) -> str:
        """Which game it is."""
        return self._record.game.value

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of the file."""
        return tuple(seat.word for seat in self._record.players)

    @property
    def names(self) -> Mapping[Seat, str]:
        """Nobody's: our files call players by their seats."""
        return {}

    @property
    def start(self) -> Position:
        """The position before the first turn."""
        return self.new_game().position

    def verdict(self) -> Verdict:
        """Plays the game, and says how far it is legal and how it ended."""
        game = self.new_game()
        number = len(self._record.players)
        for count, turn in enumerate(self._record.turns):
            try:
                play(game, turn)
            except RulesError as error:
                return Verdict(number, count, None, Problem.of(count + 1, error), f"{turn.seat.word}: {turn.text}")
        outcome = game.outcome()
        turns = len(self._record.turns)
        happened = Result(outcome.termination, outcome.winners) if outcome else None
        if happened != self._record.result:
            return Verdict(number, turns, outcome, _wrong_result(replace(self._record, result=happened)))
        return Verdict(number, turns, outcome)

    def plies(self) -> Iterator[Ply]:
        """Each turn up to the end or to the first that is refused."""
        game = self.new_game()
        with suppress(RulesError):
            for number, turn in enumerate(self._record.turns, 1):
                yield _ply(number, turn, game)

    def record(self) -> Record:
        """The game as it stands in the file; an AppError where it is not legal."""
        check_recordable(self.verdict())
        return self._record

    def new_game(self) -> Game:
        """The game before its first turn."""
        record = self._record
        if record.game is GameKind.HOMEWORLDS:
            options = read_options(homeworlds.Options, record.options)
            start = homeworlds.Position.parse(record.start, len(record.players)) if record.start else None
            return homeworlds.Game(options, start, len(record.players), record.players[0])
        if len(record.players) != 2:
            raise RulesError("players_wrong", "Settlers is for two players: write South, North or North, South.")
        terms = read_options(settlers.Options, record.options)
        board = settlers.Position.parse(record.start, terms.redless) if record.start else None
        return settlers.Game(terms, board, record.players[0])


def _wrong_result(right: Record) -> Problem:
    """The problem of a file whose header tells another end than its turns; *right* is what it should say."""
    header = next(line for line in write_record(right).splitlines() if line.startswith("Result:"))
    return Problem(0, "result_differs", f"The header Result does not fit the turns, which are legal: write {header}")


def play(game: Game, turn: RecordedTurn) -> None:
    """Do in *game* what a recorded turn says; a RulesError where that cannot be."""
    if turn.text == "resign":
        game.resign(turn.seat)
        return
    if turn.text == "draw agreed":
        game.agree_draw()
        return
    if turn.is_special:
        if not isinstance(game, homeworlds.Game):
            raise IllegalTurn("not_in_settlers", f"“{turn.text}” is for Homeworlds only.")
        {"claim repetition": game.claim_repetition, "swap seats": game.swap_seats, "ask advice": game.spend_advice}[
            turn.text
        ]()
        doer = game.history[-1].seat
        if doer is not turn.seat:
            raise IllegalTurn("not_to_move", f"“{turn.text}” is up to {doer.word} here, not to {turn.seat.word}.")
        return
    if not game.outcome() and turn.seat is not game.to_move:
        raise IllegalTurn(
            "not_to_move",
            f"It is {game.to_move.word}'s turn, not {turn.seat.word}'s.",
            rule="24",
            seat=turn.seat.value,
            to_move=game.to_move.value,
        )
    game.push_text(turn.text)


HAPPENED: Final = {
    Special.RESIGN: "{} resigns.",
    Special.AGREE_DRAW: "The players agree on a draw.",
    Special.CLAIM_REPETITION: "{} claims a draw, since the same position stands for the third time.",
    Special.SWAP_SEATS: "The players change places.",
}


def told_of(special: Special, seat: Seat, game: Game) -> str:
    """What *seat* is about to do besides turns, in words; a RulesError for advice that cannot be had in *game*."""
    if special is not Special.ASK_ADVICE:
        return HAPPENED[special].format(seat.word)
    if not isinstance(game, homeworlds.Game):
        raise IllegalTurn("not_in_settlers", "The Tactical Computer is for Homeworlds only: choose a turn yourself.")
    suggestion = game.ask_advice()
    game.pop()
    text = homeworlds.write_turn(suggestion.turn, game.begin()) or "pass"
    return f"{game.to_move.word} is advised to play: {text}. {suggestion.sentence}"


def _ply(number: int, turn: RecordedTurn, game: Game) -> Ply:
    before = game.position
    warnings: tuple[homeworlds.Warning, ...] = ()
    text = turn.text
    sentence = told_of(Special(text), turn.seat, game) if turn.is_special else ""
    play(game, turn)
    if not turn.is_special:
        if isinstance(game, homeworlds.Game):
            assert isinstance(before, homeworlds.Position)
            steps = game.turns[-1]
            begun = homeworlds.begin(before, game.options)
            text = homeworlds.write_turn(steps, begun)
            sentence = homeworlds_prose.told(steps, turn.seat)
            warnings = homeworlds.warnings(begun.play(steps))
        else:
            assert isinstance(before, settlers.Position)
            text = settlers.write_turn(game.turns[-1], before)
            sentence = settlers_prose.told(game.turns[-1], before)
    return Ply(number, turn.seat, text, sentence, game.position, _alerts(game), warnings)


def _alerts(game: Game) -> tuple[str, ...]:
    if game.outcome():
        return ()
    if isinstance(game, homeworlds.Game):
        return red_alerts(game) + homeworlds_alerts(game.position, game.options, secret=False)
    return settlers_alerts(game.position, game.options)


def game_of(record: Record) -> Game:
    """The game that a record tells, played to its end; a RulesError where a turn is refused."""
    game = Recorded(record).new_game()
    for turn in record.turns:
        play(game, turn)
    return game


def record_of(game: Game) -> Record:
    """The record of a game so far."""
    outcome = game.outcome()
    result = Result(outcome.termination, outcome.winners) if outcome else None
    options = written_options(game.options)
    if isinstance(game, homeworlds.Game):
        start = game.positions[0]
        first = start.seats.index(start.to_move)
        order = start.seats[first:] + start.seats[:first]
        line = start.line if start.systems else ""
        return Record(GameKind.HOMEWORLDS, order, tuple(_homeworlds_turns(game)), options, line, result)
    line = game.start.line if game.start.board else ""
    players = (game.beginner, game.beginner.opposite)
    return Record(GameKind.SETTLERS, players, tuple(_settlers_turns(game)), options, line, result)


def _homeworlds_turns(game: homeworlds.Game) -> Iterator[RecordedTurn]:
    for played, before in zip(game.history, game.positions, strict=False):
        text = played.special or homeworlds.write_turn(played.turn, homeworlds.begin(before, game.options))
        yield RecordedTurn(played.seat, text)


def _settlers_turns(game: settlers.Game) -> Iterator[RecordedTurn]:
    before = game.start
    for played in game.history:
        yield RecordedTurn(played.seat, settlers.write_turn(played.turn, before))
        before = played.position
    outcome = game.outcome()
    if outcome and outcome.termination is Termination.RESIGNATION:
        yield RecordedTurn(outcome.winners[0].opposite, "resign")
    elif outcome and outcome.termination is Termination.AGREEMENT:
        yield RecordedTurn(game.to_move, "draw agreed")
