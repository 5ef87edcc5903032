"""Games for tests: a judge that says what it is told, readings without pixels, and sessions in every state."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from companion_app.derivation import with_pieces
from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind, Refusal
from companion_app.notation import Position
from companion_app.reading_types import Game, Reading, ReadPiece
from companion_app.session import GameLog, GameSession, How, State, Terms
from companion_app.session.terms import Options
from rules import Piece, Seat, homeworlds, settlers
from rules.records import GameKind
from vision import sight
from vision.sight import Role
from vision.solids import Color, Posture, Size

S, N = Seat.SOUTH, Seat.NORTH
HOMES = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
FAR = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3; Vega(g2)-y1"
ASSAULT = "<0>; South(0,r2b1)g3-; North(1,y1b3)y3-g3; Vega(g2)r1-"
"""South can win by a capture: see the turn below."""
HOMEWORLDS = Terms(GameKind.HOMEWORLDS, (S, N), homeworlds.Options())
SETTLERS = Terms(GameKind.SETTLERS, (S, N), settlers.Options())
NOT_CONNECTED = Refusal("not_connected", "3", "Same-size stars are not connected.")
FROM_HOMES = Terms.of_position(homeworlds.Position.parse(HOMES), homeworlds.Options())


@contextmanager
def fast_folder() -> Iterator[Path]:
    """A folder in memory where there is such a thing: most tests are not about the disk."""
    memory = Path("/dev", "shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


class Told:
    """A judge that says what it was told last."""

    def __init__(self) -> None:
        self.judgement: Judgement | None = None
        self.heard: list[tuple[Position, Options, Reading, Sequence[Position]]] = []

    def __call__(
        self, before: Position, options: Options, reading: Reading, earlier: Sequence[Position]
    ) -> Judgement:
        self.heard.append((before, options, reading, earlier))
        assert self.judgement is not None
        return self.judgement


class Play:
    """A session with its judge: what was done on the table is said, and the turn is ended."""

    def __init__(self, terms: Terms = FROM_HOMES, folder: Path | None = None, game: str | None = None) -> None:
        self._memory = ExitStack()
        self.folder = folder or self._memory.enter_context(fast_folder())
        weakref.finalize(self, self._memory.close)
        self.judge = Told()
        self.looking: AbstractContextManager[None] | None = None
        self.log = GameLog(self.folder)
        if game is None:
            self.session = GameSession.begin(self.log, terms, self.judge)
        else:
            self.session = GameSession(self.log, game, self.judge)

    def state(self) -> State:
        """The state now."""
        return self.session.view.state

    def again(self) -> GameSession:
        """The same game, taken up from the log by another program."""
        return GameSession(GameLog(self.folder), self.session.game, self.judge)

    def turn(self, text: str, seat: Seat | None = None, photo: bytes = b"") -> None:
        """End the turn that *text* says."""
        self.end(Kind.LEGAL, (self.read(text),), seat=seat, photo=photo)

    def read(self, text: str) -> homeworlds.Turn | settlers.Turn:
        """The turn of a text, in the position now."""
        view = self.session.view
        if isinstance(view.position, homeworlds.Position):
            assert isinstance(view.terms.options, homeworlds.Options)
            return homeworlds.read_turn(text, view.position, view.terms.options)
        assert isinstance(view.terms.options, settlers.Options)
        return settlers.read_turn(text, view.position, view.terms.options)

    def end(
        self,
        kind: Kind,
        turns: tuple[homeworlds.Turn | settlers.Turn, ...] = (),
        *,
        seat: Seat | None = None,
        photo: bytes = b"",
        table: str = FAR,
        position: Position | None = None,
        rivals: tuple[Explanation, ...] = (),
        base: int | None = None,
    ) -> None:
        """End the turn with a table of which the judge says *kind*; with *rivals* it is not sure."""
        best = self.explained(kind, turns, position)
        self.judge.judgement = Judgement(Certainty.UNSURE if rivals else Certainty.CERTAIN, best, rivals)
        self.session.end_turn(seat, How.BUTTON, self.reading(table), photo=photo, base=base)

    def explained(
        self,
        kind: Kind,
        turns: tuple[homeworlds.Turn | settlers.Turn, ...] = (),
        position: Position | None = None,
    ) -> Explanation:
        refusal = NOT_CONNECTED if kind is Kind.ILLEGAL else None
        there = position or self.session.view.position
        marked = (2, 5) if kind in (Kind.ILLEGAL, Kind.UNEXPLAINED) else ()
        return Explanation(kind, turns, there, 0.5, f"This is {kind.value}.", refusal, marked)

    def reading(self, line: str) -> Reading:
        game = Game.HOMEWORLDS if "(" in line or "<" in line else Game.SETTLERS
        return Reading(game, (640, 480), position=line)


def reading_of(position: Position) -> Reading:
    """The reading of a table on which *position* stands, sure of everything."""
    if isinstance(position, settlers.Position):
        ships = [
            ReadPiece(*_look(ship.piece), Posture.LYING, Role.SHIP, sight.Seat(ship.owner.value), field=field)
            for field, ship in position.board.items()
        ]
        return with_pieces(Reading(Game.SETTLERS, (640, 480)), ships, {}, redless=position.redless)
    pieces, homes = [], {}
    for number, system in enumerate(position.systems, 1):
        homes[number] = sight.Seat(system.home.value) if system.home else None
        pieces += [
            ReadPiece(*_look(star), Posture.UPRIGHT, Role.STAR, system=number, center=(100 * number, 100))
            for star in system.stars
        ]
        pieces += [
            ReadPiece(
                *_look(ship), Posture.LYING, Role.SHIP, sight.Seat(seat.value), number, center=(100 * number, 120)
            )
            for seat, ships in system.ships.items()
            for ship in ships
        ]
    return with_pieces(Reading(Game.HOMEWORLDS, (640, 480)), pieces, homes, redless=False)


def _look(piece: Piece) -> tuple[Color, Size]:
    return Color(piece.color.value), Size(int(piece.size))


def _over(play: Play) -> None:
    play.session.resign(S)


def _looking(play: Play) -> None:
    play.looking = play.session.judging()
    play.looking.__enter__()


def _unsure(play: Play) -> None:
    build, trade = play.read("build g1 South"), play.read("trade g3 South y")
    play.end(Kind.LEGAL, (build,), rivals=(play.explained(Kind.LEGAL, (trade,)),))


INTO: Mapping[State, tuple[Terms, Callable[[Play], object]]] = {
    State.SETUP: (HOMEWORLDS, lambda play: play),
    State.TURN: (FROM_HOMES, lambda play: play),
    State.JUDGING: (FROM_HOMES, _looking),
    State.LEGAL: (FROM_HOMES, lambda play: play.turn("build g1 South")),
    State.ILLEGAL: (FROM_HOMES, lambda play: play.end(Kind.ILLEGAL)),
    State.UNSURE: (FROM_HOMES, _unsure),
    State.DISAGREE: (FROM_HOMES, lambda play: play.end(Kind.UNEXPLAINED)),
    State.PAUSED: (FROM_HOMES, lambda play: play.session.pause()),
    State.RESTORING: (FROM_HOMES, lambda play: play.session.restore()),
    State.OVER: (FROM_HOMES, _over),
}
"""For each state a game that can come there, and how."""


def in_state(state: State) -> Play:
    """A game in this state."""
    terms, lead = INTO[state]
    play = Play(terms)
    lead(play)
    assert play.state() is state
    return play
