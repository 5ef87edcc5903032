"""The conductor with a reader that knows what stands on the table, and a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from session_scripts import FROM_HOMES, HOMEWORLDS, N, S, fast_folder, reading_of

from companion_app.cameras import Bumped, Frame, Hand, Moving, Stale, Still
from companion_app.errors import AppError
from companion_app.inferring import Certainty, Explanation, Judgement, Kind
from companion_app.live import Conductor, Now, Scene
from companion_app.live.conductor import PATIENCE_S
from companion_app.notation import Position
from companion_app.photos import Photo
from companion_app.reading_types import Ask, Game, Question, Reading, Verdict
from companion_app.session import GameLog, GameSession, How, Judge, State, Terms, View
from companion_app.session.referee import Referee
from companion_app.session.ruling import by_inference
from companion_app.session.terms import Options
from companion_app.web.typed import turn_typed
from rules import Seat, homeworlds
from vision import sight

PICTURE = np.zeros((48, 64, 3), np.uint8)
UNREADABLE = Reading(
    Game.HOMEWORLDS,
    (64, 48),
    verdict=Verdict.UNREADABLE,
    questions=(Question(None, Ask.PHOTO, (), "The picture is too dark."),),
)


class Desk:
    """A table, its reader and its clock, in one: what is done on it is said, and time passes frame by frame."""

    def __init__(
        self, log: GameLog, terms: Terms = FROM_HOMES, *, live: bool = True, judge: Judge = by_inference
    ) -> None:
        self.time = 0.0
        self.reads: list[int] = []
        self.session = GameSession.begin(log, terms, judge)
        self.conductor = Conductor(self.session, self, live=live, clock=lambda: self.time)
        self.reading: Reading | Exception = reading_of(self.session.view.position)
        self.seen: list[State] = []
        self.session.listen(lambda view: self.seen.append(view.state))
        self._rest, self._view, self._frames = 0.0, 1, 0

    def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
        assert picture.shape == PICTURE.shape
        assert lens is None
        self.reads.append(view)
        if isinstance(self.reading, Exception):
            raise self.reading
        return self.reading

    def read_kept(self, picture: Photo) -> None:
        """Nothing: it knows what stands there now."""

    def lay(self, table: Position | Reading | Exception, token: Seat | None = None) -> None:
        """Under somebody's hand the table becomes this one, and comes to rest."""
        self.pass_by(Hand())
        reading = reading_of(table) if isinstance(table, homeworlds.Position) else table
        assert isinstance(reading, Reading | Exception)
        self.reading = (
            replace(reading, turn_token=sight.Seat(token.value))
            if isinstance(reading, Reading) and token
            else reading
        )
        self.come_to_rest()

    def play(self, text: str, token: Seat | None = None) -> homeworlds.Position:
        """Lay what the table is after the turn that *text* says."""
        after = self.after(text)
        self.lay(after, token)
        return after

    def after(self, *texts: str) -> homeworlds.Position:
        position = self.session.view.position
        assert isinstance(position, homeworlds.Position)
        game = homeworlds.Game(position=position)
        for text in texts:
            game.push_text(text)
        return game.position

    def come_to_rest(self, *, bumped: bool = False) -> None:
        self._rest = self.time = self.time + 1.0
        self._view += bumped
        self.pass_by()

    def pass_by(self, state: Hand | Moving | Bumped | Stale | None = None, seconds: float = 0.1) -> None:
        """One more frame."""
        self.time += seconds
        self._frames += 1
        frame = Frame(PICTURE, self._frames, self.time)
        self.conductor.see(state or Still((frame,), self._rest, self._view))

    def end_turn(self, seat: Seat | None = None, how: How = How.BUTTON) -> View:
        self.time += 0.01
        self.conductor.end_turn(seat, how)
        self.pass_by()
        return self.view

    @property
    def view(self) -> View:
        return self.session.view

    def state(self) -> State:
        return self.view.state

    @property
    def now(self) -> Now:
        return self.conductor.now


@pytest.fixture
def log() -> Iterator[GameLog]:
    with fast_folder() as folder:
        yield GameLog(folder)


@pytest.fixture
def desk(log: GameLog) -> Desk:
    desk = Desk(log)
    desk.come_to_rest()
    return desk


def test_nothing_is_recorded_before_somebody_ends_the_turn(desk: Desk) -> None:
    desk.play("build g1 South")
    for _ in range(20):
        desk.pass_by()
    assert (desk.state(), len(desk.view.entries)) == (State.TURN, 0)
    assert desk.now.look
    assert desk.now.look.reading is desk.reading


@pytest.mark.parametrize("how", [How.BUTTON, How.KEY, How.PAGE])
def test_a_turn_that_is_ended_is_recorded_with_how_and_its_photo(desk: Desk, how: How) -> None:
    desk.play("build g1 South")
    view = desk.end_turn(S, how)
    assert [(entry.text, entry.how) for entry in view.entries] == [("build g1 South", how)]
    assert view.entries[0].photo
    assert (view.state, view.to_move) == (State.LEGAL, N)
    assert not desk.now.waiting


def test_judging_is_shown_while_the_table_is_read(desk: Desk) -> None:
    desk.pass_by(Hand())
    desk.conductor.end_turn(S, How.BUTTON)
    desk.play("build g1 South")
    assert desk.seen[-2:] == [State.JUDGING, State.LEGAL]


def test_each_rest_is_read_once(desk: Desk) -> None:
    before = len(desk.reads)
    desk.play("build g1 South")
    for _ in range(30):
        desk.pass_by()
    desk.end_turn(S)
    assert len(desk.reads) == before + 1


def test_a_table_seen_before_the_button_was_pressed_is_not_judged(desk: Desk) -> None:
    desk.play("build g1 South")
    desk.time += 1
    desk.conductor.end_turn(S, How.BUTTON)
    desk.conductor.go_on()
    assert desk.state() is State.TURN
    assert desk.now.waiting
    desk.pass_by()
    assert desk.state() is State.LEGAL


@pytest.mark.parametrize("state", [Hand(), Moving(), Bumped((3.0, 1.0)), Bumped(None), Stale()])
def test_the_end_of_a_turn_waits_for_a_table_at_rest(desk: Desk, state: Hand | Moving | Bumped | Stale) -> None:
    desk.pass_by(state)
    desk.conductor.end_turn(S, How.BUTTON)
    reads = len(desk.reads)
    for _ in range(10):
        desk.pass_by(state)
    assert desk.now.waiting
    assert len(desk.reads) == reads
    assert desk.state() is State.TURN
    desk.play("build g1 South")
    assert desk.state() is State.LEGAL


@pytest.mark.parametrize(
    ("state", "why"),
    [(Hand(), "The table has not come to rest"), (Stale(), "The camera has shown nothing new")],
)
def test_it_does_not_wait_for_ever(desk: Desk, state: Hand | Stale, why: str) -> None:
    desk.pass_by(state)
    desk.conductor.end_turn(S, How.BUTTON)
    desk.pass_by(state, PATIENCE_S + 1)
    assert not desk.now.waiting
    assert desk.now.note.startswith(why)
    desk.play("build g1 South")
    assert desk.state() is State.TURN


def test_half_a_turn_waits_for_the_other_half(log: GameLog) -> None:
    def judge(before: Position, options: Options, reading: Reading, earlier: Sequence[Position]) -> Judgement:
        if "Far" not in (reading.position or ""):
            return by_inference(before, options, reading, earlier)
        half = Explanation(Kind.HALF_DONE, (), before, 1.0, "A turn is half done.")
        return Judgement(Certainty.CERTAIN, half)

    desk = Desk(log, judge=judge)
    desk.lay(replace(reading_of(desk.after()), position="<0>; Far(g3)-"))
    assert desk.end_turn(S).state is State.TURN
    assert (desk.now.waiting, desk.now.note) == (True, "A turn is half done.")
    desk.play("build g1 South")
    assert [entry.text for entry in desk.view.entries] == ["build g1 South"]


def test_a_home_that_is_not_set_up_yet_is_waited_for(log: GameLog) -> None:
    desk = Desk(log, HOMEWORLDS)
    desk.lay(replace(reading_of(homeworlds.Position()), questions=()))
    view = desk.end_turn(S)
    assert (view.state, len(view.entries)) == (State.SETUP, 0)
    assert desk.now.waiting
    assert "no homeworld yet" in desk.now.note
    game = homeworlds.Game()
    desk.lay(game.push_text("homeworld r2 b1 g3 South"))
    assert [entry.seat for entry in desk.view.entries] == [S]
    assert not desk.now.waiting


def test_the_turn_token_ends_turns_when_it_is_passed_on(desk: Desk) -> None:
    desk.lay(desk.after(), token=S)
    desk.play("build g1 South", token=S)
    assert not desk.view.entries
    desk.lay(desk.after("build g1 South"), token=N)
    assert [entry.how for entry in desk.view.entries] == [How.MARKER]
    desk.play("build g1 North", token=S)
    assert [entry.seat for entry in desk.view.entries] == [S, N]


def test_a_token_that_stays_ends_nothing(desk: Desk) -> None:
    desk.lay(desk.after(), token=N)
    desk.play("build g1 South", token=N)
    assert not desk.view.entries
    desk.end_turn(S)
    assert len(desk.view.entries) == 1


def test_a_refused_turn_is_put_back_and_another_one_played(desk: Desk) -> None:
    before = desk.after()
    wrong = homeworlds.Position.parse("<0>; South(0,r2b1)-; North(1,y1b3)g3-g3")  # moved without yellow
    desk.lay(wrong)
    view = desk.end_turn(S)
    assert (view.state, len(view.entries)) == (State.ILLEGAL, 0)
    desk.lay(before)
    assert desk.end_turn(S).state is State.TURN
    desk.play("build g1 South")
    assert desk.end_turn(S).state is State.LEGAL


def test_who_is_not_to_move_ends_nothing(desk: Desk) -> None:
    desk.play("build g1 South")
    view = desk.end_turn(N)
    assert not view.entries
    assert "South’s turn" in desk.now.note
    assert not desk.now.waiting


def test_a_bump_is_a_new_view_and_no_turn(desk: Desk) -> None:
    desk.come_to_rest(bumped=True)
    assert desk.reads[-2:] == [1, 2]
    assert not desk.view.entries


def test_a_game_that_rests_is_not_looked_at(desk: Desk) -> None:
    desk.session.pause()
    reads = len(desk.reads)
    desk.come_to_rest()
    view = desk.end_turn(S)
    assert view.state is State.PAUSED
    assert len(desk.reads) == reads
    assert "paused" in desk.now.note


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (AppError("no_board", "No board is in the picture."), "No board is in the picture."),
        (RuntimeError("a bug"), "This picture could not be read"),
    ],
)
def test_a_picture_that_cannot_be_read_stops_nothing(desk: Desk, trouble: Exception, sentence: str) -> None:
    desk.pass_by(Hand())
    desk.conductor.end_turn(S, How.BUTTON)
    desk.lay(trouble)
    assert desk.now.note.startswith(sentence)
    assert desk.state() is State.TURN
    desk.play("build g1 South")
    assert desk.end_turn(S).state is State.LEGAL


def test_an_unreadable_picture_is_no_evidence(desk: Desk) -> None:
    desk.lay(UNREADABLE)
    assert desk.end_turn(S).state is State.TURN
    assert (desk.now.waiting, desk.now.note) == (True, "The picture is too dark.")
    desk.play("build g1 South")
    assert desk.state() is State.LEGAL


def test_a_photo_taken_on_purpose_may_come_before_the_end_of_the_turn_is_told(log: GameLog) -> None:
    desk = Desk(log, live=False)
    desk.play("build g1 South")
    desk.time += 100
    desk.conductor.end_turn(S, How.PAGE)
    desk.conductor.go_on()
    assert len(desk.view.entries) == 1
    desk.conductor.end_turn(N, How.PAGE)
    desk.conductor.go_on()
    assert len(desk.view.entries) == 1, "the photo of the last turn is not that of the next"
    desk.play("build g1 North")
    assert len(desk.view.entries) == 2


def test_for_a_photo_it_waits_until_one_is_taken(log: GameLog) -> None:
    desk = Desk(log, live=False)
    desk.conductor.end_turn(S, How.PAGE)
    desk.time += 10 * PATIENCE_S
    desk.conductor.go_on()
    assert desk.now.waiting
    desk.play("build g1 South")
    assert len(desk.view.entries) == 1


def test_what_waits_is_forgotten_when_somebody_does_something_else(desk: Desk) -> None:
    desk.lay(UNREADABLE)
    desk.end_turn(S)
    assert desk.now.waiting
    desk.session.resign(N)
    desk.session.undo()
    desk.play("build g1 South")
    assert not desk.view.entries
    assert not desk.now.waiting


def test_what_is_put_back_is_ticked_off_and_ends_the_restoring(desk: Desk) -> None:
    position = desk.after()
    desk.session.restore()
    desk.lay(homeworlds.Position(position.systems[:1]))
    layout = desk.view.layout
    assert layout
    assert [layout.steps[step].place for step in sorted(layout.ticked)] == ["South"] * 3
    desk.lay(position)
    assert desk.state() is State.RESTORING
    assert desk.end_turn().state is State.TURN


def test_listeners_hear_every_scene(desk: Desk) -> None:
    heard: list[Scene] = []
    stop = desk.conductor.listen(lambda now: heard.append(now.scene))
    desk.pass_by(Moving())
    desk.pass_by(Hand())
    desk.come_to_rest()
    stop()
    desk.pass_by(Stale())
    assert heard[:4] == [Scene.STILL, Scene.MOVING, Scene.HAND, Scene.STILL]
    assert Scene.READING in heard
    assert heard[-1] is Scene.STILL


def test_the_wrong_players_button_is_answered_and_forgotten(log: GameLog) -> None:
    desk = Desk(log, live=False)
    desk.play("build g1 South")
    desk.end_turn(S)
    assert desk.state() is State.LEGAL
    desk.seen.clear()
    desk.conductor.end_turn(S, How.BUTTON)
    assert (desk.now.waiting, desk.now.note) == (False, "It is North’s turn: North ends it.")
    desk.play("build g1 North")
    assert (desk.seen, len(desk.view.entries)) == ([], 1), "the next photo belongs to whoever ends the turn"
    desk.end_turn(N)
    assert len(desk.view.entries) == 2
    desk.pass_by()
    assert desk.now.note == "", "what was said of an earlier turn is old"


@pytest.mark.parametrize("live", [True, False])
def test_a_button_that_is_pressed_twice_ends_one_turn(log: GameLog, live: bool) -> None:
    desk = Desk(log, live=live)
    desk.play("build g1 South")
    read = desk.read

    def press(picture: Photo, view: int, lens: float | None = None) -> Reading:
        desk.conductor.end_turn(S, How.BUTTON)
        return read(picture, view, lens)

    desk.read = press  # type: ignore[method-assign]
    desk.pass_by(Hand())
    desk.conductor.end_turn(S, How.BUTTON)
    desk.come_to_rest()
    desk.read = read  # type: ignore[method-assign]
    assert len(desk.view.entries) == 1
    desk.seen.clear()
    desk.play("build g1 North")
    assert (desk.seen, desk.now.waiting) == ([], False)


def test_a_button_is_forgotten_once_the_turn_is_ended_in_another_way(log: GameLog) -> None:
    desk = Desk(log, live=False)
    desk.play("build g1 South")
    desk.end_turn(S)
    desk.conductor.end_turn(N, How.BUTTON)
    assert desk.now.waiting
    reading = turn_typed(Referee.of(desk.session.course), "build g1 North")
    typed = replace(reading, pieces=reading_of(reading.explanation.position).pieces if reading.explanation else ())
    desk.session.end_turn(None, How.PAGE, typed)
    desk.conductor.go_on()
    assert (len(desk.view.entries), desk.now.waiting) == (2, False)
    desk.seen.clear()
    desk.play("trade g3 South y")
    assert desk.seen == []


def test_both_may_have_played_before_the_second_presses(desk: Desk) -> None:
    desk.lay(desk.after("build g1 South", "build g1 North"))
    view = desk.end_turn(N)
    assert [entry.seat for entry in view.entries] == [S, N]


def test_what_only_the_other_player_did_is_not_asked_about(desk: Desk) -> None:
    wrong = homeworlds.Position.parse("<0>; South(0,r2b1)-; North(1,y1b3)g3-g3")
    desk.lay(wrong)
    assert desk.end_turn(N).state is State.TURN
    assert "South’s turn" in desk.now.note
    assert desk.end_turn(S).state is State.ILLEGAL
