"""A game from the set-up to its end: whose turn it is, what has happened, and how it ended."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from rules.errors import IllegalTurn, RulesError
from rules.homeworlds.endings import elimination_outcome, without_homes
from rules.homeworlds.options import Options
from rules.homeworlds.position import Position
from rules.homeworlds.steps import Turn
from rules.homeworlds.successors import LegalTurns
from rules.homeworlds.suggestion import Suggestion, suggest
from rules.homeworlds.table import Table
from rules.homeworlds.turn_notation import read_partial
from rules.homeworlds.turns import PartialTurn, begin_at
from rules.homeworlds.winning import Danger, Threat, dangers_at, threats_at
from rules.outcomes import Outcome, Termination
from rules.seats import Seat


class Special(StrEnum):
    """What can happen in a game besides turns; valued as game files write it."""

    RESIGN = "resign"
    AGREE_DRAW = "draw agreed"
    CLAIM_REPETITION = "claim repetition"
    SWAP_SEATS = "swap seats"
    ASK_ADVICE = "ask advice"


@dataclass(frozen=True, slots=True)
class Played:
    """One event of a game.

    Attributes:
        seat: whose turn or doing it was.
        turn: the steps of a turn; ``()`` where something *special* happened instead.
        special: ``None`` for a turn.
        out: who was put out of the game by it.
    """

    seat: Seat
    turn: Turn
    special: Special | None = None
    out: tuple[Seat, ...] = ()


class Game:
    """A game that is being played.

    Attributes:
        options: how it is played.

    >>> game = Game()
    >>> game.push_text("homeworld b1 r2 g3 South").line
    '<1>; South(0,r2b1)g3-'
    >>> game.push_text("h y1 b3 g3 North").line
    '<0>; South(0,r2b1)g3-; North(1,y1b3)-g3'
    >>> _ = game.push_text("build green South")
    >>> game.pop(), game.to_move.word
    ((Build(piece=Piece(color=<Color.GREEN: 'green'>, size=<Size.SMALL: 1>), system='South'),), 'South')
    >>> game.resign().sentence
    'North wins: South resigns.'
    """

    def __init__(
        self,
        options: Options | None = None,
        position: Position | None = None,
        players: int = 2,
        first: Seat | None = None,
    ) -> None:
        """A game from the empty table, on which *first* begins, or from *position* on.

        In a position whose player to move has a home, those who have none are out of the game. A
        :class:`rules.RulesError` for an impossible position or a seat that nobody holds.
        """
        self.options = options or Options()
        start = Position((), first, players) if position is None else position
        self.options.check_seats(start.seats)
        self._out_before = _without_home(start)
        self._tables = [Table.of(start)]
        self._history: list[Played] = []
        self._outcomes: list[Outcome | None] = [None]
        self._bonus_turns = [0 if start.systems else self.options.timewarp]
        self._first = start.seats.index(start.to_move)

    # What can be asked

    @property
    def position(self) -> Position:
        """The position now."""
        return self.table.position()

    @property
    def positions(self) -> tuple[Position, ...]:
        """The first position, and the one after each event."""
        return tuple(table.position() for table in self._tables)

    @property
    def table(self) -> Table:
        """The position now, in the engine's form."""
        return self._tables[-1]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All who play, in turn order."""
        return self.table.seats

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self.seats[self.table.to_move]

    @property
    def standing(self) -> tuple[Seat, ...]:
        """Those still in the game, in turn order; everybody during the set-up."""
        return tuple(seat for seat in self.seats if seat not in self.out)

    @property
    def out(self) -> tuple[Seat, ...]:
        """Those out of the game, in the order in which they went."""
        return self._out_before + tuple(seat for played in self._history for seat in played.out)

    @property
    def history(self) -> tuple[Played, ...]:
        """Everything that has happened."""
        return tuple(self._history)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns alone."""
        return tuple(played.turn for played in self._history if played.special is None)

    @property
    def seats_swapped(self) -> bool:
        """Whether the players have changed places by Brain Transference (ruling 25)."""
        return sum(played.special is Special.SWAP_SEATS for played in self._history) % 2 == 1

    @property
    def junior(self) -> Seat | None:
        """Where the player with the head start sits now."""
        seat = self.options.junior
        return self._opponent(seat) if seat and self.seats_swapped else seat

    @property
    def warned(self) -> tuple[Seat, ...]:
        """Where those sit now who are to be told when in danger: like the junior, they keep that (ruling 25)."""
        asked = tuple(seat for seat in self.options.red_alert if seat in self.seats)
        return tuple(self._opponent(seat) for seat in asked) if self.seats_swapped else asked

    @property
    def advice_left(self) -> int:
        """How many tokens of the Tactical Computer are left (ruling 25)."""
        return self.options.tactical_computer - sum(p.special is Special.ASK_ADVICE for p in self._history)

    @property
    def legal_turns(self) -> LegalTurns:
        """All legal turns of the player to move."""
        return LegalTurns(self.table, self.options)

    def outcome(self) -> Outcome | None:
        """How the game has ended; ``None`` while it goes on."""
        return self._outcomes[-1]

    def threats(self) -> tuple[Threat, ...]:
        """Who could win at once if it were their turn; see :func:`rules.homeworlds.threats`."""
        return () if self.outcome() else threats_at(self.table, self.options)

    def red_alerts(self) -> tuple[Danger, ...]:
        """Who could put somebody out with one turn who is to be told of it (ruling 25)."""
        return () if self.outcome() else dangers_at(self.table, self.warned, self.options)

    # What can be done

    def begin(self) -> PartialTurn:
        """The turn of the player to move, with nothing done; an :class:`rules.IllegalTurn` when the game is over."""
        self._check_goes_on()
        return begin_at(self.table, self.options)

    def push(self, turn: Turn | PartialTurn) -> Position:
        """Play a turn; the position after it. An :class:`rules.IllegalTurn` leaves the game as it is."""
        self.take(turn if isinstance(turn, PartialTurn) and turn.start is self.table else self._played(turn))
        return self.position

    def push_text(self, text: str) -> Position:
        """Play the turn that *text* says; raises as :func:`rules.homeworlds.read_turn` does."""
        self.take(read_partial(text, self.begin()))
        return self.position

    def take(self, turn: PartialTurn) -> None:
        """Play a turn that was made from :meth:`begin`, without looking at the position after it."""
        self._check_goes_on()
        table, out = turn.end_table()
        seats = self.seats
        gone = tuple(seats[index] for index in out)
        standing = tuple(seat for seat in self.standing if seat not in gone)
        causes = {seat: turn.causes.get(seat, Termination.DIRECT_ASSAULT) for seat in gone}
        outcome = elimination_outcome(turn.to_move, causes, standing, seats, self.options)
        if outcome is None:  # one who resigned before setting up is passed over
            table = _with_mover(table, self._next(table.to_move - 1, standing))
        self._add(Played(turn.to_move, turn.steps, None, gone), table, outcome)

    def pop(self) -> Turn:
        """Take the last event back, a turn or something special; the turn, ``()`` where it was none.

        A :class:`rules.RulesError` when nothing has happened yet.
        """
        if not self._history:
            raise RulesError("nothing_to_undo", "No turn has been played yet, so there is none to take back.")
        for entries in (self._tables, self._outcomes, self._bonus_turns):
            entries.pop()
        return self._history.pop().turn

    def resign(self, seat: Seat | None = None) -> Outcome | None:
        """*seat*, or the player to move, gives up; how the game ends by it, if it does.

        Among three and four the ships of that player stay as targets, like those of one who is out (ruling 23).
        """
        self._check_goes_on()
        seat = seat or self.to_move
        if seat not in self.standing:
            raise IllegalTurn(
                "seat_out",
                f"{seat.word} is out of the game already: only those still in it can resign.",
                rule="23",
                seat=seat.value,
            )
        standing = tuple(other for other in self.standing if other is not seat)
        outcome = elimination_outcome(seat, {seat: Termination.RESIGNATION}, standing, self.seats, self.options)
        table = self.table
        index = self.seats.index(seat)
        if outcome is None:
            if table.to_move == index:
                table = _with_mover(table, self._next(index, standing))
            table = without_homes(table, (index,))
        self._add(Played(seat, (), Special.RESIGN, (seat,)), table, outcome)
        return outcome

    def agree_draw(self) -> Outcome:
        """All players agree that the game has come to an impasse (ruling 21)."""
        self._check_goes_on()
        outcome = Outcome(Termination.AGREEMENT, (), "A draw: the players agree on it.")
        self._add(Played(self.to_move, (), Special.AGREE_DRAW), self.table, outcome)
        return outcome

    @property
    def can_claim_repetition(self) -> bool:
        """Whether this position stands for the third time, and the option to claim a draw is on (ruling 21)."""
        return self.options.repetition_claim and self.outcome() is None and self.repetitions >= 3

    @property
    def repetitions(self) -> int:
        """How often the position now has stood after a turn, whatever its ordinary systems are called."""
        tables = [self._tables[0]]
        tables += [table for table, played in zip(self._tables[1:], self._history, strict=True) if not played.special]
        return Counter((table.key, table.to_move) for table in tables)[self.table.key, self.table.to_move]

    def claim_repetition(self) -> Outcome:
        """The player to move claims a draw; an :class:`rules.IllegalTurn` where that is not possible."""
        self._check_goes_on()
        if not self.options.repetition_claim:
            raise IllegalTurn(
                "claims_off", "This game is played without draws by repetition: agree on a draw instead.", rule="21"
            )
        times = self.repetitions
        if times < 3:
            raise IllegalTurn(
                "not_repeated",
                f"A draw can be claimed when a position stands for the third time; this one stands for the "
                f"{'first' if times <= 1 else 'second'}.",
                rule="21",
                times=times,
            )
        outcome = Outcome(Termination.REPETITION, (), "A draw: the same position for the third time.")
        self._add(Played(self.to_move, (), Special.CLAIM_REPETITION), self.table, outcome)
        return outcome

    def swap_seats(self) -> None:
        """Brain Transference: the junior changes places with the opponent, once (ruling 25)."""
        self._check_goes_on()
        junior = self._head_start("brain_transference", bool(self.options.brain_transference))
        if len(self.seats) != 2:
            raise IllegalTurn(
                "two_players_only", "Places can be changed only where two play: go on as you sit.", rule="25"
            )
        if self.seats_swapped:
            raise IllegalTurn(
                "already_swapped",
                "The players have changed places already, which is allowed once: go on as you sit.",
                rule="25",
            )
        self._add(Played(junior, (), Special.SWAP_SEATS), self.table, None)

    def ask_advice(self) -> Suggestion:
        """Tactical Computer: the junior spends a token on what the opponent would do in this turn (ruling 25)."""
        junior = self._check_advice()
        suggestion = suggest(self.table, self.options)
        self._add(Played(junior, (), Special.ASK_ADVICE), self.table, None)
        return suggestion

    def spend_advice(self) -> None:
        """As :meth:`ask_advice`, where what was advised is known already."""
        self._add(Played(self._check_advice(), (), Special.ASK_ADVICE), self.table, None)

    # How it is done

    def _check_advice(self) -> Seat:
        """Who may ask for advice now; an :class:`rules.IllegalTurn` where nobody may."""
        self._check_goes_on()
        junior = self._head_start("tactical_computer", self.options.tactical_computer > 0)
        if self.advice_left <= 0:
            raise IllegalTurn(
                "no_tokens_left", "All tokens of the Tactical Computer are spent: choose a turn yourself.", rule="25"
            )
        if self.to_move is not junior:
            raise IllegalTurn(
                "not_your_turn",
                f"Only {junior.word} can ask for advice, on {junior.word}'s own turn: now it is "
                f"{self.to_move.word}'s.",
                rule="25",
            )
        if not self.legal_turns:
            raise IllegalTurn("no_legal_turn", "There is no legal turn left to advise: resign, or agree on a draw.")
        return junior

    def _played(self, turn: Turn | PartialTurn) -> PartialTurn:
        return self.begin().play(turn.steps if isinstance(turn, PartialTurn) else turn)

    def _check_goes_on(self) -> None:
        outcome = self._outcomes[-1]
        if outcome:
            raise IllegalTurn(
                "game_over",
                f"The game is over ({outcome.sentence.rstrip('.')}): take a turn back, or begin another game.",
                rule="22",
            )

    def _add(self, played: Played, table: Table, outcome: Outcome | None) -> None:
        bonus = self._bonus_turns[-1]
        if bonus and outcome is None and played.special in (None, Special.RESIGN):
            table, bonus = self._with_bonus_turn(played, table, bonus)
        self._history.append(played)
        self._tables.append(table)
        self._outcomes.append(outcome)
        self._bonus_turns.append(bonus)

    def _with_bonus_turn(self, played: Played, table: Table, bonus: int) -> tuple[Table, int]:
        """The junior's extra turns come right after the set-up, before the first player's turn (ruling 25)."""
        junior = self.options.junior
        standing = tuple(seat for seat in self.standing if seat not in played.out)
        if len(table.homes()) < len(standing):
            return table, bonus
        warping = played.special is None and len(self.table.homes()) == len(self.standing)  # this was one of them
        left = bonus - warping if junior in standing else 0
        to_move = self.seats.index(junior) if left and junior else self._next(self._first - 1, standing)
        return _with_mover(table, to_move), left

    def _next(self, index: int, standing: tuple[Seat, ...]) -> int:
        """The first of those *standing* after the seat of this index."""
        players = len(self.seats)
        following = ((index + step) % players for step in range(1, players + 1))
        return next((other for other in following if self.seats[other] in standing), index)

    def _head_start(self, option: str, is_on: bool) -> Seat:
        junior = self.junior
        if junior is None or not is_on:
            raise IllegalTurn(
                "head_start_off",
                f"This game is played without {option.replace('_', ' ').title()}: a head start is agreed on before "
                "the first turn.",
                rule="25",
                option=option,
            )
        return junior

    def _opponent(self, seat: Seat) -> Seat:
        seats = self.seats
        return seats[(seats.index(seat) + 1) % len(seats)]


def _without_home(start: Position) -> tuple[Seat, ...]:
    """Those who are out in a first position; nobody before all homes are set up, or where only one home stands."""
    with_home = tuple(seat for seat in start.seats if start.homes(seat))
    if start.to_move not in with_home or len(with_home) == 1:
        return ()
    return tuple(seat for seat in start.seats if seat not in with_home)


def _with_mover(table: Table, to_move: int) -> Table:
    return Table(table.systems, table.bank, to_move, table.players)
