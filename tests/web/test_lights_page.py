"""The lights on the page: what they show, the two buttons, and that every rhythm is the one of the boards."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from conftest import MakeApp, TruthfulTable, served
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from companion_app.photos import Photo
from companion_app.reading import Reading
from companion_app.reading_types import Game, Verdict
from companion_app.turn_token import TurnToken
from firmware_bridge.patterns import lights_at
from firmware_bridge.states import LightState, Pattern
from vision.sight import ImageSide

PHONE = (360, 740)


def said_to_be(verdict: Verdict, look: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Settings of a page with virtual lights whose readings have that verdict; *look* is called during a reading."""
    table = TruthfulTable()

    def read(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
        look()
        return replace(table.read(image, game, south, redless, lens), verdict=verdict)

    return {"LIGHTS": "virtual", "READER": read, "VIRTUAL_TABLE": table.picture}


def shown(client: FlaskClient) -> tuple[str, str | None]:
    lights = client.get("/lights").get_json()
    return lights["state"], lights["seat"]


def opened(client: FlaskClient) -> str:
    address = client.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"]
    assert client.get(address).status_code == 200
    return address


def token_of(app: Flask) -> TurnToken:
    token = app.extensions["token"]
    assert isinstance(token, TurnToken)
    return token


def test_without_lights_the_page_has_none(client: FlaskClient) -> None:
    assert 'id="lights"' not in client.get("/").get_data(as_text=True)
    assert client.get("/lights").get_json()["device"] == "none"
    refused = client.post("/lights/press", json={"seat": "south"})
    assert (refused.status_code, refused.get_json()["error"]) == (422, "no_virtual_lights")


def test_a_certain_reading_shows_whose_turn_it_is_and_the_button_passes_it(make_app: MakeApp) -> None:
    client = make_app(**said_to_be(Verdict.CERTAIN)).test_client()
    assert shown(client) == ("paused", None)
    address = opened(client)
    assert shown(client) == ("turn", "south")
    client.post("/lights/press", json={"seat": "north"})
    assert shown(client) == ("turn", "south")
    answer = client.post("/lights/press", json={"seat": "south"}).get_json()
    assert (answer["state"], answer["seat"], answer["last"], answer["presses"]) == ("turn", "north", "south", 2)
    client.get(address)
    assert shown(client) == ("turn", "north"), "looking at the page again takes no turn back"
    opened(client)
    assert shown(client) == ("turn", "south")


def test_what_is_to_be_checked_is_unsure_until_a_person_saves_it(make_app: MakeApp) -> None:
    client = make_app(**said_to_be(Verdict.CHECK)).test_client()
    address = opened(client)
    assert shown(client) == ("unsure", None)
    client.get(client.post(address + "/save", data={"name": "Ours"}).headers["Location"])
    assert shown(client) == ("turn", "south")


def test_a_correction_is_shown_at_once(make_app: MakeApp) -> None:
    client = make_app(LIGHTS="virtual").test_client()
    address = opened(client)
    assert shown(client) == ("turn", "south")
    client.post(address + "/edits", json={"base": 1, "do": "change", "piece": 0, "set": {"color": "red"}})
    before = shown(client)
    client.post(address + "/edits", json={"base": 2, "do": "undo"})
    assert (before[0], shown(client)) == ("unsure", ("turn", "south"))


def test_while_a_photo_is_read_the_lights_are_judging(make_app: MakeApp) -> None:
    seen: list[tuple[str, str | None]] = []
    app = make_app(**said_to_be(Verdict.UNREADABLE, lambda: seen.append(shown(app.test_client()))))
    opened(app.test_client())
    assert seen == [("judging", None)]
    assert shown(app.test_client()) == ("disagree", None)


def test_where_reading_fails_the_lights_are_as_before(make_app: MakeApp) -> None:
    client = make_app(LIGHTS="virtual").test_client()
    opened(client)
    data = {"game": "settlers", "south": "bottom", "photo": (BytesIO(b"no picture"), "table.jpg")}
    assert client.post("/readings", data=data).status_code == 415
    assert shown(client) == ("turn", "south")


@pytest.mark.parametrize("wish", [{"seat": "east"}, {"seat": None}, {}, [], "south"])
def test_only_south_and_north_have_buttons(make_app: MakeApp, wish: object) -> None:
    client = make_app(LIGHTS="virtual").test_client()
    answer = client.post("/lights/press", json=wish)
    assert (answer.status_code, answer.get_json()["error"]) == (400, "bad_form")


def test_other_sites_press_no_buttons(make_app: MakeApp) -> None:
    client = make_app(LIGHTS="virtual").test_client()
    answer = client.post("/lights/press", json={"seat": "south"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_a_board_that_is_not_there_is_told_of_in_one_sentence(make_app: MakeApp) -> None:
    app = make_app(LIGHTS="/dev/there-is-no-such-port")
    with token_of(app) as token:
        client = app.test_client()
        while token.view().device.value == "connecting":
            time.sleep(0.01)
        page = client.get("/").get_data(as_text=True)
        assert "There is no /dev/there-is-no-such-port: plug the board in" in page
        assert "data-press=" not in page
        opened(client)
        assert shown(client)[0] == "turn"


@pytest.mark.browser
@pytest.mark.parametrize("page", [(1280, 800), PHONE], indirect=True)
def test_two_people_pass_the_turn_on_the_page(page: Page, make_app: MakeApp) -> None:
    page.goto(served(make_app(**said_to_be(Verdict.CERTAIN))) + "/demo/photo")
    lights = page.get_by_role("region", name="Lights")
    expect(lights.get_by_role("status")).to_contain_text("South’s turn")
    assert glow(page) == (1, 0)
    lights.get_by_role("button", name="South: My turn is done").click()
    expect(lights.get_by_role("status")).to_contain_text("North’s turn · South: done")
    assert glow(page) == (0, 1)
    lights.get_by_role("button", name="North: My turn is done").focus()
    page.keyboard.press("Enter")
    expect(lights.get_by_role("status")).to_contain_text("South’s turn · North: done")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
def test_the_page_hears_of_what_happens_elsewhere(page: Page, make_app: MakeApp) -> None:
    app = make_app(**said_to_be(Verdict.CERTAIN))
    page.goto(served(app) + "/demo/photo")
    status = page.get_by_role("region", name="Lights").get_by_role("status")
    token_of(app).show(LightState(Pattern.ILLEGAL, 1))
    expect(status).to_contain_text("North’s turn is not legal")
    token_of(app).show(LightState(Pattern.OVER))
    expect(status).to_contain_text("A draw")


@pytest.mark.browser
def test_every_rhythm_on_the_page_is_that_of_the_boards(page: Page, make_app: MakeApp) -> None:
    app = make_app(LIGHTS="virtual")
    address = served(app)
    for pattern in Pattern:
        for seat in (1, None):
            light = LightState(pattern, seat)
            token_of(app).show(light)
            page.goto(address)
            for at_s in (0.05, 0.15, 0.25, 0.45, 0.7, 0.95, 1.05, 1.3, 1.9):
                drawn = glow(page, at_s)
                board = tuple(max(color) / 255 for color in lights_at(light, at_s))
                assert drawn == pytest.approx(board, abs=0.02), f"{light} at {at_s} s"


@pytest.mark.browser
def test_nothing_moves_for_those_who_want_it_so(browser: Browser, make_app: MakeApp) -> None:
    app = make_app(LIGHTS="virtual")
    address = served(app)
    page = browser.new_context(reduced_motion="reduce").new_page()
    for pattern in Pattern:
        token_of(app).show(LightState(pattern))
        page.goto(address)
        assert page.evaluate("document.getAnimations().length") == 0
        assert any(glow(page)) == (pattern is not Pattern.OFF)
        mark = page.evaluate("getComputedStyle(document.querySelector('.lights-mark'), '::before').content")
        assert mark not in ("none", "normal", "")
    page.context.close()


def glow(page: Page, at_s: float = 0.0) -> tuple[float, float]:
    """How bright both lamps are drawn, South's first, so many seconds after the pattern began."""
    script = """at => {
      for (const one of document.getAnimations()) { one.pause(); one.currentTime = 1000 * at; }
      return ["south", "north"].map((seat) =>
        Number(getComputedStyle(document.querySelector(`[data-lamp=${seat}] .glow`)).opacity));
    }"""
    south, north = page.evaluate(script, at_s)
    return south, north
