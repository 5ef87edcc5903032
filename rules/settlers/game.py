"""A game from its first turn on: whose turn it is, what was played, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.errors import IllegalTurn, RulesError
from rules.outcomes import Outcome, Termination
from rules.seats import Seat
from rules.settlers.board import SEATS
from rules.settlers.lookahead import anybody_can_act
from rules.settlers.options import Options
from rules.settlers.position import Position
from rules.settlers.scoring import Score, score
from rules.settlers.steps import Land, Turn
from rules.settlers.successors import LegalTurns, legal_turns
from rules.settlers.turn_notation import read_turn
from rules.settlers.turns import PartialTurn, begin, is_pass


@dataclass(frozen=True, slots=True)
class Played:
    """One turn of a game: who took it, what was done, and the position after it."""

    seat: Seat
    turn: Turn
    position: Position


class Game:
    """A game that is being played.

    Attributes:
        options: how it is played.
        start: the position it began with.
        beginner: who had the first turn; a tie goes to the other player (S20).

    >>> game = Game()
    >>> game.push_text("^ g1 c3").line
    '6/6/6/2g13/6/6 N 1'
    >>> game.push(()).line, game.push(()).line
    ('6/6/6/2g13/6/6 S 2', '6/6/6/2g13/6/6 N 3')
    >>> game.outcome().sentence
    'Both players passed: South wins, 1 point to 0.'
    """

    def __init__(
        self, options: Options | None = None, position: Position | None = None, beginner: Seat = Seat.SOUTH
    ) -> None:
        """A game from the empty board, or from *position* on.

        A handicap (S22) counts for a player who owns no piece when the game starts. A :class:`rules.RulesError` for
        a seat that nobody holds, and when options and position do not agree on whether there are reds.
        """
        self.options = options or Options()
        if beginner not in SEATS:
            raise RulesError("seat_empty", f"Nobody sits {beginner.word}: South and North play.", seat=beginner.value)
        if position is not None and position.redless is not self.options.redless:
            raise RulesError(
                "redless_differs",
                "The position and the options disagree on whether red pieces are in the game: say the same in both.",
                rule="S21",
            )
        self.start = Position(to_move=beginner, redless=self.options.redless) if position is None else position
        self.beginner = beginner
        self._history: list[Played] = []
        self._settled: Outcome | None = None

    @property
    def position(self) -> Position:
        """The position now."""
        return self._history[-1].position if self._history else self.start

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self.position.to_move

    @property
    def history(self) -> tuple[Played, ...]:
        """Every turn so far."""
        return tuple(self._history)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was done in every turn so far."""
        return tuple(played.turn for played in self._history)

    @property
    def score(self) -> Score:
        """The score as it stands (S20)."""
        return score(self.position, self.beginner)

    def begin(self) -> PartialTurn:
        """The turn of the player to move, with nothing done."""
        return begin(self.position, self._options_now, moves_again=self._moves_again)

    def legal_turns(self) -> LegalTurns:
        """All legal turns of the player to move."""
        return legal_turns(self.position, self._options_now, moves_again=self._moves_again)

    def push(self, turn: Turn) -> Position:
        """Play *turn*; the position after it. A :class:`rules.IllegalTurn` leaves the game as it is."""
        outcome = self.outcome()
        if outcome:
            raise _game_over(outcome)
        position = self.begin().play(turn).end()
        self._history.append(Played(self.to_move, turn, position))
        return position

    def push_text(self, text: str) -> Position:
        """Play the turn that *text* says; the position after it."""
        return self.push(read_turn(text, self.position, self._options_now))

    def pop(self) -> Turn:
        """Take the last turn back, and with it a resignation or an agreement; the turn.

        A :class:`rules.RulesError` when no turn has been played.
        """
        if not self._history:
            raise RulesError("nothing_to_undo", "No turn has been played yet, so there is none to take back.")
        self._settled = None
        return self._history.pop().turn

    def resign(self, seat: Seat | None = None) -> Outcome:
        """*seat*, or the player to move, gives up: the other player wins."""
        loser = seat or self.to_move
        winner = loser.opposite
        sentence = f"{loser.word} resigned: {winner.word} wins."
        return self._settle(Outcome(Termination.RESIGNATION, (winner,), sentence))

    def agree_draw(self) -> Outcome:
        """Both players agree that nobody wins."""
        return self._settle(Outcome(Termination.AGREEMENT, (), "The players agreed on a draw."))

    def outcome(self) -> Outcome | None:
        """How the game has ended (S19); ``None`` while it goes on."""
        if self._settled:
            return self._settled
        if not anybody_can_act(self.position, self.options):
            return self._counted(Termination.NO_MOVE_LEFT, "Neither player can do anything more")
        if self._both_passed:
            return self._counted(Termination.TWO_PASSES, "Both players passed")
        if self.position.quiet_turns >= self.options.quiet_limit:
            quiet = f"{self.position.quiet_turns} turns in a row without a conquest"
            return self._counted(Termination.QUIET_TURNS, quiet)
        return None

    def _counted(self, termination: Termination, why: str) -> Outcome:
        """The end by score (S20)."""
        result = self.score
        winners = (result.winner,) if result.winner else ()
        return Outcome(termination, winners, f"{why}: {result.sentence}")

    def _settle(self, outcome: Outcome) -> Outcome:
        over = self.outcome()
        if over:
            raise _game_over(over)
        self._settled = outcome
        return outcome

    @property
    def _both_passed(self) -> bool:
        """Whether the last two turns were passes, one of each player."""
        last = self._history[-2:]
        return all(is_pass(played.turn) for played in last) and {played.seat for played in last} == set(SEATS)

    # The first turns of a handicap game (S22)

    @property
    def _options_now(self) -> Options:
        """The options, with the size of the weaker player's first landing while that is still to come."""
        seat = self.to_move
        lands_first = self._started_empty(seat) and not any(
            isinstance(step, Land) for played in self._history if played.seat is seat for step in played.turn
        )
        if lands_first and seat is self.options.handicap:
            return replace(self.options, landing_size=self.options.handicap_size)
        return self.options

    @property
    def _moves_again(self) -> bool:
        """Whether this is the stronger player's first turn, which is two turns."""
        seat = self.to_move
        is_first = self._started_empty(seat) and all(played.seat is not seat for played in self._history)
        return is_first and seat.opposite is self.options.handicap

    def _started_empty(self, seat: Seat) -> bool:
        return all(ship.owner is not seat for ship in self.start.board.values())


def _game_over(outcome: Outcome) -> IllegalTurn:
    return IllegalTurn(
        "game_over",
        f"The game is over ({outcome.sentence.rstrip('.')}): take a turn back, or begin another game.",
        rule="S19",
    )
