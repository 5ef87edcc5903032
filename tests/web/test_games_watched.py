"""Games on the page, watched: by those who follow them from afar, and by the camera over the table."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from conftest import MakeApp, served
from flask import Flask
from flask.testing import FlaskClient
from game_tables import BUILT, HOMES, JSON, Eyes, SureReader, Table, a_photo
from test_streams import SPECTATOR, Listener
from visitors import OPEN, Device

from companion_app.reading_types import Game
from companion_app.web.keys import Role
from companion_app.web.live import Look
from vision.sight import ImageSide

PATIENCE_S = 60.0
TURNS = ["build g1 South", "build g1 North", "trade g3 South y", "trade g3 North b", *["pass"] * 16]


@pytest.fixture
def app(make_app: MakeApp, eyes: Eyes) -> Flask:
    """The application with a reader that sees what it is told to."""
    return make_app(READER=eyes.read)


def test_who_watches_hears_of_every_turn(app: Flask, client: FlaskClient, homeworlds: Table) -> None:
    with client.get(f"{homeworlds.path}/events") as stream:
        assert stream.mimetype == "text/event-stream"
        homeworlds.type("build g1 South")
        heard = b""
        for line in stream.response:
            heard += line if isinstance(line, bytes) else line.encode()
            if b'"legal"' in heard:
                break
    assert b'"judging"' in heard
    app.extensions["streams"].close()


def test_forty_spectators_hear_of_every_turn(make_app: MakeApp, eyes: Eyes) -> None:
    app = make_app(READER=eyes.read, **OPEN)
    port = int(served(app).rpartition(":")[2])
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    heard: list[list[int]] = [[] for _ in range(40)]
    with ExitStack() as crowd:
        listeners = [crowd.enter_context(Listener(port, f"{table.path}/events", SPECTATOR)) for _ in heard]
        assert {one.answer.status for one in listeners} == {200}
        last = 1 + len(TURNS)

        def listen(number: int) -> None:
            for _, _, data in listeners[number].events():
                news = json.loads(data)
                heard[number].append(news["seq"])
                if news["seq"] == last and news["state"] == "legal":
                    return

        threads = [threading.Thread(target=listen, args=(number,)) for number in range(len(heard))]
        for thread in threads:
            thread.start()
        for turn in TURNS:
            assert table.type(turn).status_code == 200
        for thread in threads:
            thread.join(PATIENCE_S)
    assert [sorted(set(seen)) for seen in heard] == [list(range(1, last + 1))] * 40
    app.extensions["streams"].close()


def test_spectators_see_everything_and_press_nothing(make_app: MakeApp, eyes: Eyes) -> None:
    app = make_app(READER=eyes.read, **OPEN)
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    spectator = Device(app)
    spectator.scan(Role.SPECTATOR)
    page = spectator.ask(table.path).text
    assert "South’s turn." in page
    assert "<form" not in page
    assert "<form" not in spectator.ask("/games").text
    assert "<form" not in spectator.ask(f"{table.path}/parts").json["parts"]["moves"]
    assert (
        spectator.ask(f"{table.path}/do", "POST", data={"do": "resign", "seat": "south", "base": "1"}).status_code
        == 403
    )


# The camera


class Camera:
    """A camera that sees the table of a game."""

    def __init__(self, game: str, look: Look) -> None:
        self.game, self.look, self.picture = game, look, look.picture
        self.sentence = "The table lies still."
        self.ended = 0
        self.demo = None

    def end_turn(self) -> None:
        self.ended += 1

    def close(self) -> None:
        self.game = ""


def test_the_camera_s_picture_is_shown_and_the_button_is_its_cue(
    app: Flask, client: FlaskClient, eyes: Eyes, homeworlds: Table
) -> None:
    reading = eyes.read(
        np.zeros((600, 800, 3), np.uint8), Game.HOMEWORLDS, ImageSide.BOTTOM, redless=False, lens=None
    )
    camera = Camera(homeworlds.path.rpartition("/")[2], Look(a_photo().getvalue(), reading))
    assert client.get(f"{homeworlds.path}/live.jpg").status_code == 404
    app.extensions["games"].watch(camera)
    assert "The table lies still." in homeworlds.now()["parts"]["table"]
    assert client.get(f"{homeworlds.path}/live.jpg").data == camera.picture
    assert homeworlds.post("/look").status_code == 200
    assert camera.ended == 1
    client.post(f"{homeworlds.path}/camera/away")
    assert camera.game == ""
    assert "The table lies still." not in homeworlds.now()["parts"]["table"]


def test_a_turn_is_seen_by_a_real_camera(make_app: MakeApp, eyes: Eyes, tmp_path: Path) -> None:
    eyes.line = BUILT
    seen = eyes.read(np.zeros((600, 800, 3), np.uint8), Game.HOMEWORLDS, ImageSide.BOTTOM, redless=False, lens=None)
    app = make_app(TABLE_READER=lambda *_, **__: SureReader(seen))
    client = app.test_client()
    table = Table(client, eyes, game="homeworlds", position=HOMES)
    (tmp_path / "snaps").mkdir()
    (tmp_path / "snaps" / "table.jpg").write_bytes(a_photo().getvalue())
    assert client.post(f"{table.path}/camera", data={"camera": f"folder:{tmp_path / 'snaps'}"}).status_code == 303
    table.post("/look")
    for _ in range(150):
        if table.state == "legal":
            break
        time.sleep(0.1)
    assert "builds" in table.spoken, table.now()["parts"]["table"]
    assert client.get(f"{table.path}/live.jpg").mimetype == "image/jpeg"
    client.post(f"{table.path}/delete")


def test_a_game_goes_on_while_its_camera_is_gone(make_app: MakeApp, eyes: Eyes, tmp_path: Path) -> None:
    eyes.line = BUILT
    seen = eyes.read(np.zeros((600, 800, 3), np.uint8), Game.HOMEWORLDS, ImageSide.BOTTOM, redless=False, lens=None)
    app = make_app(TABLE_READER=lambda *_, **__: SureReader(seen))
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    snaps = tmp_path / "snaps"
    table.client.post(f"{table.path}/camera", data={"camera": f"folder:{snaps}"})
    eventually(lambda: "cannot be opened" in table.now()["parts"]["table"])
    assert table.type("build g1 South").json["state"] == "legal"
    assert table.do("undo").json["state"] == "turn"
    snaps.mkdir()
    (snaps / "table.jpg").write_bytes(a_photo().getvalue())
    eventually(lambda: "cannot be opened" not in table.now()["parts"]["table"])
    table.post("/look")
    eventually(lambda: table.state == "legal")
    app.extensions["games"].watch(None)


def eventually(happened: Callable[[], bool]) -> None:
    """Wait for what must come."""
    end = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_only_who_sits_here_names_a_camera(make_app: MakeApp, eyes: Eyes) -> None:
    app = make_app(READER=eyes.read, **OPEN)
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    referee = Device(app)
    referee.scan(Role.REFEREE)
    assert "Put a camera" not in referee.ask(table.path).text
    answer = referee.ask(f"{table.path}/camera", "POST", data={"camera": "usb:0"}, headers=JSON)
    assert (answer.status_code, answer.json["error"]) == (403, "only_here")


def test_what_is_no_camera(client: FlaskClient, homeworlds: Table) -> None:
    assert "Put a camera over this table" in client.get(homeworlds.path).text
    assert homeworlds.post("/camera", camera="the moon").json["error"] == "camera_address"
