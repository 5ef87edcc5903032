"""The lights of games that no camera sees: they follow what is typed, photographed and said on the page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import MakeApp
from flask import Flask
from flask.testing import FlaskClient
from game_tables import BUILT, GIVEN, HOMES, Eyes, Table, a_photo
from visitors import OPEN, Device

from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind
from companion_app.reading_types import Reading
from companion_app.web.keys import Role
from rules import homeworlds as homeworlds_rules

PATIENCE_S = 10.0


@pytest.fixture
def app(make_app: MakeApp, eyes: Eyes) -> Iterator[Flask]:
    """The application with lights on the page, and a reader that sees what it is told to."""
    app = make_app(READER=eyes.read, LIGHTS="virtual")
    with app.extensions["token"]:
        yield app
        app.extensions["games"].watch(None)


def shown(client: FlaskClient) -> tuple[str, str | None]:
    lights = client.get("/lights").get_json()
    return lights["state"], lights["seat"]


def becomes(client: FlaskClient, light: tuple[str, str | None]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while shown(client) != light and time.monotonic() < end:
        time.sleep(0.01)
    return shown(client) == light


STEPS: list[tuple[Callable[[Table], object], tuple[str, str | None]]] = [
    (lambda table: table.client.get(table.path), ("turn", "south")),
    (lambda table: table.photograph(GIVEN), ("illegal", "south")),
    (lambda table: table.do("settle"), ("turn", "south")),
    (lambda table: table.type("build g1 South"), ("turn", "north")),
    (lambda table: table.do("disagree"), ("disagree", None)),
    (lambda table: table.do("pause"), ("paused", None)),
    (lambda table: table.do("resume"), ("disagree", None)),
    (lambda table: table.do("restore"), ("restoring", None)),
    (lambda table: table.do("restored"), ("turn", "north")),
    (lambda table: table.do("resign", seat="north"), ("over", "south")),
    (lambda table: table.do("undo"), ("turn", "north")),
    (lambda table: table.do("agree on a draw"), ("over", None)),
]


def test_they_follow_a_game_from_state_to_state(client: FlaskClient, homeworlds: Table) -> None:
    for number, (act, light) in enumerate(STEPS):
        act(homeworlds)
        assert becomes(client, light), f"step {number}: {light}, not {shown(client)}"


def test_setting_up_is_shown(client: FlaskClient, eyes: Eyes) -> None:
    table = Table(client, eyes, game="homeworlds", beginner="north")
    client.get(table.path)
    assert becomes(client, ("setup", None))


def test_while_a_photo_is_read_they_are_judging(
    app: Flask, client: FlaskClient, eyes: Eyes, homeworlds: Table
) -> None:
    seen: list[bool] = []

    def look(reading: Reading) -> Reading:
        seen.append(becomes(app.test_client(), ("judging", "south")))
        return reading

    eyes.change = look
    homeworlds.photograph(BUILT)
    assert seen == [True]
    assert becomes(client, ("turn", "north"))


def unsure(before: Any, options: Any, reading: Reading, earlier: object) -> Judgement:
    """A judge who cannot tell two turns apart."""
    del reading, earlier
    one, other = (
        Explanation(Kind.LEGAL, (homeworlds_rules.read_turn(text, before, options),), before, 0.5, f"{text}?")
        for text in ("build g1 South", "trade g3 South y")
    )
    return Judgement(Certainty.UNSURE, one, (other,))


def test_doubt_is_shown(make_app: MakeApp, eyes: Eyes) -> None:
    client = make_app(READER=eyes.read, JUDGE=unsure, LIGHTS="virtual").test_client()
    table = Table(client, eyes, game="homeworlds", position=HOMES)
    table.photograph(BUILT)
    assert becomes(client, ("unsure", None))
    table.do("choose", choice=1)
    assert becomes(client, ("turn", "north"))


def test_the_game_that_was_opened_last_has_them(client: FlaskClient, eyes: Eyes, homeworlds: Table) -> None:
    homeworlds.type("build g1 South")
    assert becomes(client, ("turn", "north"))
    other = Table(client, eyes, game="homeworlds", position=HOMES)
    client.get(other.path)
    assert becomes(client, ("turn", "south"))
    client.get(homeworlds.path)
    assert becomes(client, ("turn", "north"))
    other.do("resign", seat="south")
    assert becomes(client, ("over", "north"))


def test_a_reading_has_them_while_it_is_open(client: FlaskClient, homeworlds: Table) -> None:
    homeworlds.type("build g1 South")
    client.get(client.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"])
    assert shown(client) == ("unsure", None)
    client.get(homeworlds.path)
    assert becomes(client, ("turn", "north"))


UNSEEN = "Type the turn on the page: no camera sees this table."


def says(table: Table, words: str) -> bool:
    """Whether the page comes to say so."""
    end = time.monotonic() + PATIENCE_S
    while words not in table.now()["parts"]["verdict"] and time.monotonic() < end:
        time.sleep(0.01)
    return words in table.now()["parts"]["verdict"]


@pytest.mark.parametrize("seat", ["south", "north"])
def test_a_button_alone_plays_nothing_and_the_page_says_what_to_do(
    client: FlaskClient, homeworlds: Table, seat: str
) -> None:
    client.get(homeworlds.path)
    assert becomes(client, ("turn", "south"))
    client.post("/lights/press", json={"seat": seat})
    assert says(homeworlds, UNSEEN)
    assert becomes(client, ("turn", "south"))
    assert homeworlds.state == "turn"
    homeworlds.type("build g1 South")
    assert UNSEEN not in homeworlds.now()["parts"]["verdict"]


def test_when_the_game_is_deleted_they_rest(client: FlaskClient, homeworlds: Table) -> None:
    client.get(homeworlds.path)
    assert becomes(client, ("turn", "south"))
    client.post(f"{homeworlds.path}/delete")
    assert becomes(client, ("paused", None))


class Camera:
    """A camera over the table of a game."""

    sentence, picture, look, demo = "The table lies still.", None, None, None

    def __init__(self, game: str) -> None:
        self.game = game

    def end_turn(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


def test_the_table_under_the_camera_comes_first(
    app: Flask, client: FlaskClient, eyes: Eyes, homeworlds: Table
) -> None:
    client.get(homeworlds.path)
    assert becomes(client, ("turn", "south"))
    app.extensions["games"].watch(Camera(homeworlds.path.rpartition("/")[2]))
    other = Table(client, eyes, game="homeworlds", beginner="north")
    client.get(other.path)
    time.sleep(0.2)
    assert shown(client) == ("turn", "south")


def test_a_reading_that_is_opened_elsewhere_does_not_take_them_from_a_table(
    app: Flask, client: FlaskClient, eyes: Eyes, homeworlds: Table
) -> None:
    client.get(homeworlds.path)
    assert becomes(client, ("turn", "south"))
    app.extensions["games"].watch(Camera(homeworlds.path.rpartition("/")[2]))
    seen: list[tuple[str, str | None]] = []

    def look(reading: Reading) -> Reading:
        seen.append(shown(app.test_client()))
        return reading

    eyes.change = look
    client.get(client.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"])
    photo = {"game": "homeworlds", "south": "bottom", "photo": (a_photo(), "table.jpg")}
    client.get(client.post("/readings", data=photo).headers["Location"])
    assert (seen[-1], shown(client)) == (("turn", "south"), ("turn", "south"))


def test_who_only_watches_has_no_say_in_them(make_app: MakeApp, eyes: Eyes) -> None:
    app = make_app(READER=eyes.read, LIGHTS="virtual", **OPEN)
    client = app.test_client()
    table, other = (Table(client, eyes, game="homeworlds", position=HOMES) for _ in range(2))
    table.type("build g1 South")
    assert becomes(client, ("turn", "north"))
    spectator = Device(app)
    spectator.scan(Role.SPECTATOR)
    assert spectator.ask(other.path).status_code == 200
    time.sleep(0.2)
    assert shown(client) == ("turn", "north")


def test_they_are_dark_while_somebody_without_a_light_is_to_move(client: FlaskClient, eyes: Eyes) -> None:
    line = "<0>; North(0,r2b1)y3g3--; East(1,y1b3)-g1-; South(2,g1b2)--r3"
    table = Table(client, eyes, game="homeworlds", position=line)
    client.get(table.path)
    assert becomes(client, ("turn", "north"))
    table.type("pass")
    assert becomes(client, ("off", None))
    table.type("pass")
    assert becomes(client, ("turn", "south"))
