"""Whole games played on the virtual table through the camera path, by their seed, with everything that goes wrong.

Every turn is laid by a hand; some of them break a rule, and are put back; turns are taken back; systems are pushed
about, the camera is bumped, people lean over the table, frames are lost. What is really played is known, and is held
against what the session makes of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from companion_app.cameras.virtual_table import VirtualTable, Weather
from companion_app.live.answering import right_choice
from companion_app.live.laying import Layer
from companion_app.live.virtual_mistakes import Mistake, content_of, mistake_in
from companion_app.live.virtual_players import take_turn
from companion_app.live.virtual_stage import Stage
from companion_app.notation import Position
from companion_app.photos import Photo
from companion_app.reading_types import Game, Reading
from companion_app.session import How, State, Terms
from rules import Seat, homeworlds, settlers
from rules.records import GameKind
from vision.virtual import View

MOST_TURNS = 40
WEATHER = Weather(noise=3, drift=0.05, flicker=0.01, dropped=0.1, repeated=0.03)


@dataclass(frozen=True)
class Trouble:
    """How much goes wrong, each as a share of the turns."""

    mistakes: float = 0.05
    taken_back: float = 0.03
    shoves: float = 0.15
    bumps: float = 0.05
    leans: float = 0.10


class Deed(StrEnum):
    """What was done on the table."""

    LEGAL = "legal turn"
    MISTAKE = "turn against the rules"
    TAKEN_BACK = "turn taken back"


class Fate(StrEnum):
    """What the session made of it."""

    RIGHT = "right, without a question"
    ASKED = "asked, the right answer among the choices"
    LOST = "asked, the right answer not among the choices"
    OTHER_RULE = "refused for another rule"
    REFUSED = "refused although legal"
    DISAGREED = "table and record disagree"
    SILENT = "silently wrong"
    NOTHING = "no verdict"


@dataclass(frozen=True)
class Played:
    """One deed and its fate.

    Attributes:
        how: what ended the turn.
        seconds: from the end of the turn to the verdict; ``None`` where none came.
        told: what was done, and what the session said of it.
    """

    deed: Deed
    fate: Fate
    how: How
    seconds: float | None
    told: str


class VirtualGame:
    """A game that plays itself: what lies on the table, and what the players do next.

    It is a reader, too, which knows what lies there: see :meth:`read`.
    """

    def __init__(
        self, game: Game, seed: int, view: View, trouble: Trouble | None = None, *, token: bool = True
    ) -> None:
        """Everything follows from the *seed*; *view* is that of the camera, South at the bottom.

        No picture shows the turn token: without *token* nobody plays with it, for readers of pictures.
        """
        self._with_token = token
        self.terms = terms_of(game)
        self._trouble = trouble or Trouble()
        self._dice = random.Random(f"virtual game {game} {seed}")
        self._game = self.terms.new_game()
        self._contents = [content_of(self._game.position)]
        self._layer = Layer(game, seed, view)
        self._laid = self._layer.lay(self._game.position, self._game.to_move if token else None)
        self.table = VirtualTable(self._laid.picture, seed=seed, weather=WEATHER)
        self._known = {id(self._laid.picture): self._laid}
        self._width = view.width

    def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
        """What lies on the table, without fault: for measuring everything but the eyes."""
        del picture, view, lens
        reading = self._known[id(self.table.picture)].reading
        return replace(reading, pieces=tuple(piece.moved(self.table.in_view) for piece in reading.pieces))

    def read_kept(self, picture: Photo) -> None:
        """Nothing: it knows no picture but the newest."""

    @property
    def reading(self) -> Reading:
        """What lies on the table."""
        return self._laid.reading

    @property
    def contents(self) -> list[Hashable]:
        """What the table was, by content, from the first on and after each turn that counts."""
        return list(self._contents)

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self._game.to_move

    def play(self, begin: Callable[[Terms], Stage], most_turns: int = MOST_TURNS) -> Iterator[Played]:
        """Play; *begin* begins a game on some terms: the first one, and another where a turn was lost for good."""
        stage = begin(self.terms)
        self._open(stage)
        for _ in range(most_turns):
            if self._game.outcome():
                return
            self._something_happens(stage)
            if self._dice.random() < self._trouble.mistakes and (wrong := mistake_in(self._game, self._dice)):
                yield self._err(stage, wrong)
                stage = self._still_agreed(stage, begin)
            yield self._turn(stage)
            stage = self._still_agreed(stage, begin)
            if self._dice.random() < self._trouble.taken_back and len(self._game.history) > 3:
                yield self._take_back(stage)
                stage = self._still_agreed(stage, begin)

    # What the players do

    def _open(self, stage: Stage) -> None:
        """The empty table is looked at; in Settlers, somebody says that the board is empty."""
        stage.play(lambda table: table.rest(1.5))
        if stage.session.view.state is State.SETUP and self.terms.game is GameKind.SETTLERS:
            seq = stage.session.view.seq
            stage.end_turn(None, How.PAGE)
            stage.verdict(seq)
            self._answered(stage, self._game.position)

    def _turn(self, stage: Stage) -> Played:
        """A legal turn."""
        mover, how, line = self._game.to_move, self._how(), self._game.position.line
        turn = take_turn(self._game, self._dice)
        after = self._game.position
        self._contents.append(content_of(after))
        before = len(stage.session.view.entries)
        seconds = self._end(stage, after, mover, how, shove=self._dice.random() < self._trouble.shoves)
        said = _said(stage)
        fate = self._fate_of_turn(stage, before, after)
        return Played(Deed.LEGAL, fate, how, seconds, f"{line}: {turn}: {said}")

    def _err(self, stage: Stage, wrong: Mistake) -> Played:
        """A turn that breaks a rule, and is put back when that is said."""
        mover, how, entries = self._game.to_move, self._how(), stage.session.view.entries
        seconds = self._end(stage, wrong.after, mover, how)
        view = stage.session.view
        if view.entries != entries:
            fate = Fate.SILENT
        elif view.state is State.ILLEGAL:
            fate = Fate.RIGHT if view.code in wrong.codes or view.rule in wrong.rules - {""} else Fate.OTHER_RULE
        else:
            fate = {State.UNSURE: Fate.ASKED, State.DISAGREE: Fate.DISAGREED}.get(view.state, Fate.NOTHING)
        told = f"{self._game.position.line}: {wrong.words} ({', '.join(sorted(wrong.codes))}): {_said(stage)}"
        self._end(stage, self._game.position, mover, How.KEY, token=mover)
        return Played(Deed.MISTAKE, fate, how, seconds, told)

    def _take_back(self, stage: Stage) -> Played:
        """The last turn is undone on the table; the session asks whether that is so."""
        self._game.pop()
        self._contents.pop()
        before = self._game.position
        seconds = self._end(stage, before, None, How.PAGE, token=before.to_move)
        view, said = stage.session.view, _said(stage)
        fate = Fate.NOTHING
        if view.state is State.UNSURE:
            fate = self._answered(stage, before)
        elif view.state in (State.ILLEGAL, State.DISAGREE):
            fate = Fate.REFUSED
        elif self._agrees(stage):
            fate = Fate.RIGHT
        return Played(Deed.TAKEN_BACK, fate, How.PAGE, seconds, f"back to {before.line}: {said}")

    def _something_happens(self, stage: Stage) -> None:
        """What is no turn: a bump of the camera, or somebody leans over the table."""
        width = self._width
        if self._dice.random() < self._trouble.bumps:
            across, down = (self._dice.uniform(-0.02, 0.02) * width for _ in range(2))
            stage.play(lambda table: table.bump(across, down, self._dice.uniform(-1, 1)))
            stage.play(lambda table: table.rest(1.5))
        if self._dice.random() < self._trouble.leans:
            at = self._dice.uniform(0.3, 0.7) * width, self._dice.uniform(0.2, 0.5) * width
            stage.play(lambda table: table.lean(at, 1.5))

    # How it is done

    def _end(
        self,
        stage: Stage,
        after: Position,
        seat: Seat | None,
        how: How,
        *,
        shove: bool = False,
        token: Seat | None = None,
    ) -> float | None:
        """A hand makes the table *after*, and the turn is over; the seconds to the verdict."""
        if shove and isinstance(after, homeworlds.Position) and isinstance(self._laid.position, homeworlds.Position):
            names = [one.name for one in self._laid.position.systems if not one.home]
            if names:
                self._layer.shove(self._dice.choice(names))
        self._lay(stage, after, token or (seat.opposite if seat and how is How.MARKER else None))
        seq = stage.session.view.seq
        if how is not How.MARKER:
            stage.end_turn(seat, how)
            if self._dice.random() < self._trouble.leans:  # a hand comes in before anything could be read
                stage.play(lambda table: table.lean((0.5 * self._width, 0.4 * self._width), 0.8))
        return stage.verdict(seq)

    def _lay(self, stage: Stage, position: Position, token: Seat | None) -> None:
        before = self._laid
        laid = self._layer.lay(position, (token or self._token) if self._with_token else None)
        self._laid = laid
        self._known = {id(one.picture): one for one in (before, laid)}
        at = before.middle_of(laid)
        stage.play(lambda table: table.turn([before.picture, laid.picture], at, seconds=self._dice.uniform(0.6, 1.5)))

    @property
    def _token(self) -> Seat | None:
        """Before whom the turn token lies."""
        seen = self._laid.reading.turn_token
        return Seat(seen.value) if seen else None

    def _how(self) -> How:
        """The token ends turns where it lies before who is to move."""
        hows = [How.BUTTON, How.KEY] + ([How.MARKER] * 2 if self._token is self._game.to_move else [])
        return self._dice.choice(hows)

    def _fate_of_turn(self, stage: Stage, before: int, after: Position) -> Fate:
        view = stage.session.view
        if len(view.entries) > before:
            return Fate.RIGHT if self._agrees(stage) else Fate.SILENT
        if view.state is State.UNSURE:
            return self._answered(stage, after)
        return {State.ILLEGAL: Fate.REFUSED, State.DISAGREE: Fate.DISAGREED}.get(view.state, Fate.NOTHING)

    def _answered(self, stage: Stage, after: Position) -> Fate:
        """Somebody chooses what really happened, where it is there to be chosen."""
        number = right_choice(stage.session.course, content_of(after), after.to_move)
        if number is None:
            return Fate.LOST
        stage.answer(number)
        return Fate.ASKED

    def _agrees(self, stage: Stage) -> bool:
        """Whether the record has the position of the table and the same player to move."""
        view, position = stage.session.view, self._game.position
        return content_of(view.position) == content_of(position) and (
            bool(view.outcome) or view.to_move is position.to_move
        )

    def _still_agreed(self, stage: Stage, begin: Callable[[Terms], Stage]) -> Stage:
        """The stage to go on with: another one, from the table as it is, where the record has gone astray."""
        if self._agrees(stage) and stage.session.view.state in (State.SETUP, State.TURN, State.LEGAL, State.OVER):
            return stage
        other = begin(Terms.of_position(self._game.position, self.terms.options))
        other.play(lambda table: table.rest(1.5))
        return other


def _said(stage: Stage) -> str:
    """What the session says, with all that may be chosen."""
    view = stage.session.view
    return " / ".join([view.sentence, *(f"{sentence} ({chance:.4f})" for sentence, chance in view.choices)])


def terms_of(game: Game) -> Terms:
    """The usual terms of a game for two."""
    seats = (Seat.SOUTH, Seat.NORTH)
    if game is Game.HOMEWORLDS:
        return Terms(GameKind.HOMEWORLDS, seats, homeworlds.Options())
    return Terms(GameKind.SETTLERS, seats, settlers.Options())
