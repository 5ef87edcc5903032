"""A camera named when the program was started: it looks by itself, and nobody in the network names another."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import MakeApp
from flask import Flask
from game_tables import BUILT, HOMES, JSON, Eyes, SureReader, Table, a_photo
from visitors import OPEN, Device

from companion_app.reading_types import Game
from companion_app.web.keys import Role
from companion_app.web.live import Games
from companion_app.web.overhead import Mounted, look_at_newest
from vision.sight import ImageSide


@pytest.fixture
def app(make_app: MakeApp, eyes: Eyes, tmp_path: Path) -> Iterator[Flask]:
    """The page with its door open and a folder for a camera, in which one green ship has been built."""
    eyes.line = BUILT
    seen = eyes.read(np.zeros((600, 800, 3), np.uint8), Game.HOMEWORLDS, ImageSide.BOTTOM, redless=False, lens=None)
    (tmp_path / "snaps").mkdir()
    (tmp_path / "snaps" / "table.jpg").write_bytes(a_photo().getvalue())
    camera = Mounted(f"folder:{tmp_path / 'snaps'}", ImageSide.RIGHT)
    app = make_app(CAMERA=camera, TABLE_READER=lambda *_, **__: SureReader(seen), **OPEN)
    yield app
    games_of(app).watch(None)


def games_of(app: Flask) -> Games:
    games: Games = app.extensions["games"]
    return games


def test_each_game_is_looked_at_from_its_beginning(app: Flask, eyes: Eyes) -> None:
    first = Table(app.test_client(), eyes, game="settlers")
    assert games_of(app).camera(first.path.rpartition("/")[2])
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    assert games_of(app).camera(first.path.rpartition("/")[2]) is None
    table.post("/look")
    for _ in range(150):
        if table.state == "legal":
            break
        time.sleep(0.1)
    assert "builds" in table.spoken


def test_a_referee_in_the_network_looks_through_it_and_names_no_other(app: Flask, eyes: Eyes) -> None:
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    table.client.post(f"{table.path}/camera/away")
    referee = Device(app)
    referee.scan(Role.REFEREE)
    page = referee.ask(table.path).text
    assert "Look through the camera" in page
    assert "Put another camera" not in page
    named = referee.ask(f"{table.path}/camera", "POST", data={"camera": "usb:0"}, headers=JSON)
    assert (named.status_code, named.json["error"]) == (403, "only_here")
    assert games_of(app).live is None
    assert referee.ask(f"{table.path}/camera", "POST").status_code == 303
    assert games_of(app).camera(table.path.rpartition("/")[2])


def test_a_newest_game_that_is_damaged_does_not_keep_the_program_from_coming_back(app: Flask, eyes: Eyes) -> None:
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    games_of(app).watch(None)
    games_of(app).log.begin("nonsense", {})
    with app.app_context():
        look_at_newest()
    assert games_of(app).camera(table.path.rpartition("/")[2])


def test_the_newest_game_goes_on_when_the_program_is_back(app: Flask, eyes: Eyes) -> None:
    over, going_on = (Table(app.test_client(), eyes, game="homeworlds", position=HOMES) for _ in range(2))
    games_of(app).watch(None)
    with app.app_context():
        look_at_newest()
        assert games_of(app).camera(going_on.path.rpartition("/")[2])
        games_of(app).watch(None)
        over.do("resign", seat="south")
        look_at_newest()
    assert games_of(app).live is None


def test_without_a_camera_nothing_is_looked_at(make_app: MakeApp, eyes: Eyes) -> None:
    app = make_app()
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    with app.app_context():
        look_at_newest()
    assert games_of(app).live is None
    assert "Look through the camera" not in table.client.get(table.path).text
