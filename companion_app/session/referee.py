"""A course played out by the rules: whose turn it is, how the game stands, and what a turn is called.

Where both players agreed to play on from a position that no legal turn leads to, another game of the rules begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from companion_app.errors import AppError
from companion_app.game_files.alerts import red_alerts
from companion_app.game_files.records import play, told_of
from companion_app.notation import Position, parse_position
from companion_app.session.agreeing import check_playable, continued
from companion_app.session.course import Course, Entry, What, names_after
from companion_app.session.terms import Game, Options, Terms
from rules import Outcome, RulesError, Seat, homeworlds, settlers
from rules.homeworlds import Special
from rules.homeworlds import prose as homeworlds_prose
from rules.records import RecordedTurn
from rules.settlers import prose as settlers_prose

Turn = homeworlds.Turn | settlers.Turn


class Referee:
    """Follows a course, playing only what is new. Not for several threads at once."""

    def __init__(self, terms: Terms) -> None:
        """At the beginning of a game on these terms; a RulesError where there can be none."""
        self._terms = terms
        self._start_over()

    @classmethod
    def of(cls, course: Course) -> Referee:
        """Where a course leads; a RulesError or AppError for one that cannot be played."""
        referee = cls(course.terms)
        referee.follow(course.entries)
        return referee

    def follow(self, entries: tuple[Entry, ...]) -> None:
        """Stand where these entries lead; a RulesError or AppError for one that cannot be, and all is as before."""
        before = self._entries
        try:
            if entries[: len(before)] != before:
                self._start_over()
            for entry in entries[len(self._entries) :]:
                self._play(entry)
        except (RulesError, AppError):
            self._start_over()
            for entry in before:
                self._play(entry)
            raise

    # What can be asked

    @property
    def game(self) -> Game:
        """The game of the rules that is being played."""
        return self.stretches[-1]

    @property
    def stretches(self) -> tuple[Game, ...]:
        """All games of the rules: another one begins wherever both agreed to play on from a position."""
        return tuple(self._stretches)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The first position, and the one after each entry."""
        return tuple(self._positions)

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self.game.to_move

    @property
    def standing(self) -> tuple[Seat, ...]:
        """Those still in the game, in turn order."""
        game = self.game
        return game.standing if isinstance(game, homeworlds.Game) else (self._terms.beginner, self._terms.players[1])

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended by the rules; ``None`` while it goes on, or where it was stopped."""
        return self.game.outcome()

    @property
    def stopped(self) -> bool:
        """Whether the players left it unfinished."""
        return bool(self._entries) and self._entries[-1].what is What.STOPPED

    @property
    def is_setting_up(self) -> bool:
        """Whether the player to move has still to choose a homeworld."""
        game = self.game
        return isinstance(game, homeworlds.Game) and game.outcome() is None and game.begin().is_set_up

    @property
    def options(self) -> Options:
        """The options for the turn now; they tell of a larger first landing while that is to come (S22)."""
        game = self.game
        if not isinstance(game, settlers.Game) or game.options.handicap is not game.to_move:
            return game.options
        landed = any(
            isinstance(step, settlers.Land)
            for played in game.history
            if played.seat is game.to_move
            for step in played.turn
        )
        begun_with = any(ship.owner is game.to_move for ship in game.start.board.values())
        return (
            game.options if landed or begun_with else replace(game.options, landing_size=game.options.handicap_size)
        )

    def read(self, text: str) -> Turn:
        """The turn that a text says now; a RulesError where it says none."""
        game = self.game
        if isinstance(game, homeworlds.Game):
            return homeworlds.read_turn(text, game.begin())
        assert isinstance(self.options, settlers.Options)
        return settlers.read_turn(text, game.position, self.options)

    def told(self, turns: Sequence[Turn]) -> tuple[tuple[Seat, str, str], ...]:
        """Some turns in a row: whose each is, its strict notation, its sentence; a RulesError for an illegal one."""
        said: list[tuple[Seat, str, str]] = []
        try:
            for turn in turns:
                seat, (text, sentence) = self.to_move, _in_words(self.game, turn)
                self.game.push_text(text)
                said.append((seat, text, sentence))
        finally:
            for _ in said:
                self.game.pop()
        return tuple(said)

    def told_of(self, special: Special, seat: Seat) -> str:
        """What *seat* is about to do besides turns, in words, with the advice that is asked for.

        A RulesError for advice that cannot be had.
        """
        sentence = told_of(special, seat, self.game)
        names = names_after(self._terms.names, self._entries)
        if special is not Special.SWAP_SEATS or not names:
            return sentence
        seats = [seat for seat in self._terms.players if seat.opposite in names]
        now = " and ".join(f"{names[seat.opposite]} sits {seat.word}" for seat in seats)
        return f"{sentence} From now on {now}."

    @property
    def red_alerts(self) -> tuple[str, ...]:
        """What those are told who are to be warned of danger, a sentence each (ruling 25)."""
        return red_alerts(self.game) if isinstance(self.game, homeworlds.Game) else ()

    def warnings(self, number: int) -> tuple[homeworlds.Warning, ...]:
        """What spoke against the turn of the entry of this *number*, counted from 0; nothing where it is no turn.

        Replies that win are not looked for: that takes longer than all the rest, and red alerts tell of them.
        """
        played, before = self._played[number], self.positions[number]
        if played is None or not isinstance(before, homeworlds.Position):
            return ()
        options, turn = played
        return homeworlds.warnings(homeworlds.begin(before, options).play(turn), replies=False)

    def agreed(self, table: str, to_move: Seat | None = None) -> Position:
        """The position to play on from when both agree on the line *table*: systems keep the names of the record.

        *to_move* is next, or else the next player. A RulesError or AppError for a table that nobody can play on from.
        """
        if not table:
            raise AppError("no_position", "The table was not read as a position: correct the picture first.")
        read = parse_position(table, redless=self._terms.redless)
        position = continued(self.position, read, to_move or self._next())
        self._another_game(position)
        return position

    # How it is done

    def _start_over(self) -> None:
        self._entries: tuple[Entry, ...] = ()
        self._stretches: list[Game] = [self._terms.new_game()]
        self._positions: list[Position] = [self.game.position]
        self._played: list[tuple[homeworlds.Options, homeworlds.Turn] | None] = []

    def _play(self, entry: Entry) -> None:
        if self.stopped or (self.outcome and entry.what is not What.TURN):
            raise AppError("game_over", "The game is over: take the last turn back, or begin another game.")
        if entry.what is What.AGREED:
            self._stretches.append(self._another_game(self._parsed(entry.text)))
        elif entry.what is not What.STOPPED:
            play(self.game, RecordedTurn(entry.seat, entry.text))
        game = self.game
        if entry.what is What.TURN and isinstance(game, homeworlds.Game):
            self._played.append((game.options, game.turns[-1]))
        else:
            self._played.append(None)
        self._positions.append(game.position)
        self._entries = (*self._entries, entry)

    def _parsed(self, line: str) -> Position:
        if isinstance(self.position, homeworlds.Position):
            return homeworlds.Position.parse(line, self.position.players)
        return settlers.Position.parse(line, self._terms.redless)

    def _another_game(self, position: Position) -> Game:
        """The game from *position* on, under what is left of the options; raises where nobody can play on from it."""
        game = self.game
        check_playable(self.position, position, self.standing)
        if isinstance(game, homeworlds.Game) and isinstance(position, homeworlds.Position):
            left = replace(
                game.options,
                junior=game.junior,
                red_alert=game.warned,
                tactical_computer=game.advice_left,
                brain_transference=game.options.brain_transference and not game.seats_swapped,
            )
            return homeworlds.Game(left, position, position.players)
        if isinstance(game, settlers.Game) and isinstance(position, settlers.Position):
            return settlers.Game(game.options, position, game.beginner)
        raise AppError("another_game", "On the table is another game than the one that is recorded.")

    def _next(self) -> Seat:
        """The player after the one to move."""
        standing, to_move = self.standing, self.to_move
        return standing[(standing.index(to_move) + 1) % len(standing)]


def _in_words(game: Game, turn: Turn) -> tuple[str, str]:
    """A turn in strict notation, and in a sentence."""
    if isinstance(game, homeworlds.Game):
        steps = cast(homeworlds.Turn, turn)
        return homeworlds.write_turn(steps, game.begin()) or "pass", homeworlds_prose.told(steps, game.to_move)
    moves = cast(settlers.Turn, turn)
    return settlers.write_turn(moves, game.position), settlers_prose.told(moves, game.position)
