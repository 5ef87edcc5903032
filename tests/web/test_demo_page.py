"""The demo in a real browser: a whole game by the camera alone, the real reader, the pace, and who only looks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from conftest import MakeApp, served
from flask import Flask
from playwright.sync_api import Browser, Page, expect
from quick_demos import QUICK, SEEDS, TURNS
from visitors import KEYS, OPEN, open_to_all, own_address

from companion_app.live.demo import Demo
from companion_app.live.looks import Eyes
from companion_app.live.staging import VIEW, Staging
from companion_app.live.virtual_games import Trouble
from companion_app.live.virtual_mistakes import content_of
from companion_app.session import GameSession, State
from companion_app.session.referee import Referee
from companion_app.web.live import Games

SEEN = Staging(VIEW, Trouble(0, 0, 0, 0, 0), rest_s=0.5, frames_per_second=15.0, seeds=SEEDS)
"""The pictures of the demo, read as those of real cameras are."""

A_GAME_MS = 240_000
"""Most of this is patience with a busy machine."""
PHONE = (360, 740)


@pytest.fixture
def apps() -> Iterator[list[Flask]]:
    """Whoever is put in here plays no longer when the test is over."""
    found: list[Flask] = []
    yield found
    for app in found:
        of(app).watch(None)


def of(app: Flask) -> Games:
    games: Games = app.extensions["games"]
    return games


def session_of(app: Flask, page: Page) -> GameSession:
    return of(app).session(page.url.rpartition("/")[2])


def demo_of(app: Flask) -> Demo:
    live = of(app).live
    assert live
    assert live.demo
    return live.demo


def no_sideways(page: Page) -> bool:
    page.wait_for_load_state()  # before its styles have come, a page may be any width
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.browser
def test_a_game_is_played_to_its_end_by_the_camera_alone(apps: list[Flask], page: Page, make_app: MakeApp) -> None:
    app = make_app(DEMO=QUICK, LIGHTS="virtual")
    apps.append(app)
    page.goto(served(app))
    page.get_by_role("link", name="plays a whole game by itself").click()
    page.get_by_role("button", name="Homeworlds").click()
    expect(page.locator(".demo-says")).to_contain_text("Demo: nothing is plugged in.")
    expect(page.get_by_alt_text("The table as the camera sees it")).to_be_visible()
    verdict = page.locator(".verdict")
    expect(verdict).to_have_class(re.compile("state-over"), timeout=A_GAME_MS)
    expect(verdict).to_contain_text("South wins")
    expect(page.locator(".told li")).to_have_count(TURNS)
    expect(page.locator(".demo-says")).to_contain_text(f"{TURNS} turns; asked about none.")
    expect(page.locator(".camera-says")).to_have_text("The table at the end.")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    game = session_of(app, page).game
    kinds = [event.kind for event in of(app).log.events(game)]
    assert kinds == ["begun", *["played"] * TURNS]
    page.get_by_role("link", name="Watch it again, turn by turn").click()
    expect(page.locator("#shown")).to_have_text(f"1 / {TURNS}")
    expect(page.locator(".moment-told")).to_contain_text("1. South")
    page.get_by_text("The photo of this turn").click()
    expect(page.get_by_alt_text("The table after this turn")).to_be_visible()
    page.locator("#number").fill(str(TURNS))
    expect(page.locator(".moment-told")).to_contain_text(f"{TURNS}. South")
    page.get_by_role("link", name="Games", exact=True).click()
    page.get_by_role("link", name=re.compile("Virtual Ada – Virtual Ben.*South wins")).click()
    page.locator(".moves").get_by_role("button", name="Settlers").click()
    expect(page.locator(".verdict")).to_contain_text("South’s turn", timeout=A_GAME_MS)
    assert session_of(app, page).game != game


@pytest.mark.browser
@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_the_real_reader_records_or_asks_and_is_never_wrong(apps: list[Flask], page: Page, make_app: MakeApp) -> None:
    app = make_app(DEMO=SEEN, TABLE_READER=Eyes)
    apps.append(app)
    page.goto(served(app) + "/demo")
    page.get_by_role("button", name="Settlers").click()
    expect(page.locator(".told li")).to_have_count(3, timeout=A_GAME_MS)
    assert no_sideways(page)
    page.get_by_role("button", name="Pause").tap()
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    session, demo = session_of(app, page), demo_of(app)
    recorded = [content_of(position) for position in Referee.of(session.course).positions]
    assert recorded == demo.game.contents[: len(recorded)]
    kinds = [event.kind for event in of(app).log.events(session.game)]
    assert not {"taken back", "refused"} & set(kinds)
    asked = sum(entry.asked for entry in session.view.entries)
    expect(page.locator(".told-mark")).to_have_count(asked)


@pytest.mark.browser
def test_the_pace_is_for_whoever_watches(apps: list[Flask], page: Page, make_app: MakeApp) -> None:
    app = make_app(DEMO=QUICK)
    apps.append(app)
    page.goto(served(app) + "/demo")
    page.get_by_role("button", name="Settlers").click()
    watching = page.context.new_page()
    watching.goto(page.url)
    page.get_by_role("button", name="Pause").click()
    expect(watching.get_by_role("button", name="Go on")).to_be_visible()
    assert demo_of(app).pace.paused
    for word in ("fast", "very fast"):
        page.get_by_role("button", name="Faster").click()
        expect(watching.locator(".demo-speed")).to_have_text(word)
    expect(watching.get_by_role("button", name="Faster")).to_be_disabled()
    page.get_by_role("button", name="Slower").click()
    expect(watching.locator(".demo-speed")).to_have_text("fast")
    watching.get_by_role("button", name="Go on").click()
    expect(page.locator(".told li")).not_to_have_count(0, timeout=20_000)
    watching.close()
    page.goto(page.url.partition("/games")[0] + "/demo")
    assert page.url.endswith(session_of(app, page).game)


@pytest.mark.browser
def test_in_a_browser_a_spectator_of_the_demo_changes_nothing(
    browser: Browser, make_app: MakeApp, apps: list[Flask]
) -> None:
    address = own_address()
    app = make_app(DEMO=QUICK, **OPEN | {"TRUSTED_HOSTS": ["localhost", address]})
    apps.append(app)
    path = app.test_client().post("/demo", data={"game": "settlers"}).headers["Location"]
    home = open_to_all(app, address)
    page = browser.new_page()
    page.goto(f"{home}/demo?key={KEYS.spectator}")
    assert page.url == home + path
    expect(page.locator(".demo-says")).to_contain_text("nothing is plugged in")
    expect(page.locator(".told li")).not_to_have_count(0, timeout=20_000)
    expect(page.locator("main form")).to_have_count(0)
    post = (
        "([path, said]) => fetch(path, {method: 'POST', body: new URLSearchParams(said)}).then((one) => one.status)"
    )
    for where, said in [
        ("/demo/pace", {"pace": "pause"}),
        ("/demo", {"game": "settlers"}),
        (f"{path}/do", {"do": "stop"}),
    ]:
        assert page.evaluate(post, [where, said]) == 403
    assert not demo_of(app).pace.paused
    assert of(app).session(path.rpartition("/")[2]).view.state is not State.OVER
    app.extensions["streams"].close()
    page.close()


def test_the_camera_of_a_real_table_is_not_taken_away(make_app: MakeApp, apps: list[Flask]) -> None:
    app = make_app(DEMO=QUICK)
    apps.append(app)
    client = app.test_client()
    path = client.post("/games", data={"game": "settlers"}).headers["Location"]
    folder = of(app).log.photos
    client.post(f"{path}/camera", data={"camera": f"folder:{folder}"})
    refused = client.post("/demo", data={"game": "settlers"}, headers={"Accept": "application/json"})
    assert (refused.status_code, refused.json and refused.json["error"]) == (409, "camera_in_use")
    client.post(f"{path}/camera/away")
    assert client.post("/demo", data={"game": "settlers"}).status_code == 303


@pytest.mark.parametrize(("said", "code"), [({"pace": "pause"}, "no_demo"), ({}, "no_demo")])
def test_without_a_demo_there_is_no_pace(make_app: MakeApp, said: dict[str, str], code: str) -> None:
    answer = make_app().test_client().post("/demo/pace", data=said, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json and answer.json["error"]) == (409, code)


def test_what_is_no_pace_and_no_game_is_refused(make_app: MakeApp, apps: list[Flask]) -> None:
    app = make_app(DEMO=QUICK)
    apps.append(app)
    client = app.test_client()
    assert "plays by itself" in client.get("/demo").text
    assert client.post("/demo", data={"game": "chess"}).status_code == 400
    client.post("/demo", data={"game": "settlers"})
    assert client.post("/demo/pace", data={"pace": "backwards"}).status_code == 400
    assert client.get("/demo").status_code == 302
