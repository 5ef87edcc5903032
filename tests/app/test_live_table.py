"""A live table with its threads: photos and lights go in and out, and nothing that hangs stops the game."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from camera_fakes import PATIENCE_S, eventually
from session_scripts import FROM_HOMES, N, S, fast_folder, reading_of

from companion_app.cameras import Camera
from companion_app.cameras.uploads import Uploads
from companion_app.lights import number_of
from companion_app.live import Eyes, Lamps, LiveTable, looks
from companion_app.photos import Photo
from companion_app.reading_types import Game, Reading, Verdict
from companion_app.session import GameLog, GameSession, How, State
from companion_app.session.ruling import by_inference
from companion_app.turn_token import TurnToken
from firmware_bridge.states import LightState, Pattern
from rules import Seat, homeworlds
from vision.sight import ImageSide

PICTURE = np.zeros((96, 128, 3), np.uint8)


class Knowing:
    """A reader that is told what stands there; it can be made to hang."""

    def __init__(self, line: str) -> None:
        self.reading = reading_of(homeworlds.Position.parse(line))
        self.begun, self.may_go_on = threading.Event(), threading.Event()
        self.may_go_on.set()

    def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
        assert picture.shape == PICTURE.shape
        assert view
        assert lens is None
        self.begun.set()
        self.may_go_on.wait(PATIENCE_S)
        return self.reading

    def read_kept(self, picture: Photo) -> None:
        """Nothing: it knows what stands there now."""


@pytest.fixture
def session() -> Iterator[GameSession]:
    with fast_folder() as folder:
        yield GameSession.begin(GameLog(folder), FROM_HOMES, by_inference)


@pytest.fixture
def reader() -> Knowing:
    return Knowing("<1>; South(0,r2b1)g3g1-; North(1,y1b3)-g3")


def test_a_photo_and_the_end_of_a_turn_make_an_entry(session: GameSession, reader: Knowing) -> None:
    photos = Uploads()
    with LiveTable(session, Camera(photos), reader) as live:
        photos.put(PICTURE)
        eventually(lambda: live.now.look, lambda look: look is not None)
        live.end_turn(S, How.PAGE)
        view = eventually(lambda: session.view, lambda view: bool(view.entries))
        assert (view.entries[0].text, view.entries[0].how) == ("build g1 South", How.PAGE)
        assert live.seen_by.code == "camera_live"
    assert live.seen_by.code == "camera_closed"


def test_whoever_listens_hears_how_the_camera_is(session: GameSession, reader: Knowing) -> None:
    heard: list[str] = []
    photos = Uploads()
    with LiveTable(session, Camera(photos), reader) as live:
        live.conductor.listen(lambda now: heard.append(now.camera.code if now.camera else ""))
        eventually(lambda: heard[-1], lambda code: code == "camera_waiting")
        photos.put(PICTURE)
        eventually(lambda: heard[-1], lambda code: code == "camera_live")


def test_a_button_ends_the_turn_and_the_light_passes_on(session: GameSession, reader: Knowing) -> None:
    photos = Uploads()
    with TurnToken("virtual") as token, LiveTable(session, Camera(photos), reader, token) as live:
        eventually(lambda: token.view().light, lambda light: light == LightState(Pattern.TURN, number_of(S)))
        photos.put(PICTURE)
        eventually(lambda: live.now.look, lambda look: look is not None)
        token.press(S)
        view = eventually(lambda: session.view, lambda view: bool(view.entries))
        assert view.entries[0].how is How.BUTTON
        eventually(lambda: token.view().light, lambda light: light == session.view.light)


def test_an_ordinary_press_never_shows_the_others_turn_too_soon(session: GameSession, reader: Knowing) -> None:
    shown: list[tuple[LightState, int]] = []

    class Noting(TurnToken):
        def _put(self, light: LightState) -> None:
            shown.append((light, len(session.view.entries)))
            super()._put(light)

    photos = Uploads()
    with Noting("virtual") as token, LiveTable(session, Camera(photos), reader, token):
        eventually(lambda: token.view().light, lambda light: light == LightState(Pattern.TURN, number_of(S)))
        shown.clear()
        for seat in (N, S, N, S):
            token.press(seat)
        photos.put(PICTURE)
        eventually(lambda: session.view, lambda view: bool(view.entries))
        eventually(lambda: token.view().light, lambda light: light == session.view.light)
    assert {light.seat for light, count in shown if not count} <= {number_of(S)}, shown
    assert (session.view.light, 1) in shown


def test_a_button_alone_does_not_pass_the_turn_on(session: GameSession) -> None:
    pressed: list[Seat] = []
    with TurnToken("virtual") as token:
        lamps = Lamps(session, token, pressed.append)
        eventually(lambda: token.view().light, lambda light: light == session.view.light)
        token.press(S)
        eventually(lambda: pressed, bool)
        assert pressed == [S]
        eventually(lambda: token.view().light, lambda light: light == session.view.light)
        lamps.close()


def test_a_light_that_hangs_does_not_hold_the_game_up(session: GameSession) -> None:
    let_go = threading.Event()
    pressed: list[Seat] = []

    class Hanging(TurnToken):
        def show(self, light: LightState, about: object = None) -> None:
            del light, about
            let_go.wait(PATIENCE_S)

    with Hanging("virtual") as token:
        lamps = Lamps(session, token, pressed.append)
        assert session.resign(S).state is State.OVER
        lamps.close()
        let_go.set()
    assert not pressed


def test_closing_returns_while_a_reading_hangs(session: GameSession, reader: Knowing) -> None:
    photos = Uploads()
    reader.may_go_on.clear()
    live = LiveTable(session, Camera(photos), reader)
    photos.put(PICTURE)
    assert reader.begun.wait(PATIENCE_S)
    live.close()
    assert not reader.may_go_on.is_set()
    reader.may_go_on.set()


def test_a_board_that_was_found_is_kept_until_the_camera_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0))
    by_hand = ((2.0, 2.0), (30.0, 4.0), (50.0, 60.0), (7.0, 80.0))
    asked: list[Any] = []

    def read(picture: Photo, game: Game, south: object, **options: Any) -> Reading:
        assert south is ImageSide.BOTTOM
        asked.append(options["corners"])
        return Reading(game, picture.shape[1::-1], board=corners, verdict=Verdict.CERTAIN)

    monkeypatch.setattr(looks, "read_photo", read)
    eyes = Eyes(Game.SETTLERS)
    for view in (1, 1, 2, 2):
        eyes.read(PICTURE, view)
    assert asked == [None, corners, None, corners]
    eyes.calibrate(by_hand)
    for view in (2, 3):
        eyes.read(PICTURE, view)
    assert asked[4:] == [by_hand, None]
