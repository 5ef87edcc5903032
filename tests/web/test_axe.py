"""What axe, which knows what makes pages accessible, finds on every one, light or dark, small or large: nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import MakeApp, served
from flask import Flask
from flask.testing import FlaskClient
from game_tables import HOMES, JUMPED, Eyes, Table
from playwright.sync_api import Browser, Page
from quick_demos import QUICK
from visitors import KEYS, OPEN, one_of_each, routes

pytestmark = pytest.mark.browser

WIDTHS = (360, 1920)
THEMES = ("light", "dark")
BOARD = "6/6/2g13/3R32/6/6 S 0"
ELSEWHERE = "elsewhere.localhost"
"""A name of this computer that is not taken for its own: whoever asks for it might come from the network."""
GUESTS = (("", "/", 401), (KEYS.spectator, "/games", 200), (KEYS.spectator, "/join", 200))
"""Keys, with what those who have them ask for and get."""
SHIP = '[data-part="diagram"] [data-spot][data-owner="south"]'


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """The page with its door open and its lights on it."""
    return make_app(LIGHTS="virtual", **OPEN)


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab in which nothing moves."""
    page = browser.new_page(reduced_motion="reduce")
    yield page
    page.close()


def wrong(page: Page) -> Iterator[str]:
    """What axe finds on a page as it is now, in both themes and at both widths."""
    for theme in THEMES:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            for found in Axe().run(page).response["violations"]:
                nodes = [node["target"] for node in found["nodes"]]
                yield f"{page.url} {theme} {width}: {found['id']}: {found['help']}: {nodes[:4]}"


def test_axe_finds_what_is_wrong(tab: Page) -> None:
    tab.set_content('<html lang="en"><title>A page</title><main><h1>A page</h1><img src="data:,"></main></html>')
    said = list(wrong(tab))
    assert len(said) == len(THEMES) * len(WIDTHS)
    assert all("image-alt" in line for line in said)


def pages(app: Flask) -> Mapping[str, str]:
    """Every page that a GET answers, by its endpoint, about one thing of each kind."""
    client, things = app.test_client(), dict(one_of_each(app))
    endpoints = app.url_map.bind("localhost")
    found: dict[str, str] = {}
    for method, path in routes(app, things):
        answer = client.get(path) if method == "GET" and not path.endswith("/events") else None
        if answer and answer.mimetype == "text/html":
            found.setdefault(endpoints.match(path)[0], path)
    return found


def test_every_page(tab: Page, app: Flask) -> None:
    found = pages(app)
    assert len(found) > 15
    address, said = served(app), list[str]()
    for path in found.values():
        tab.goto(address + path)
        said += wrong(tab)
    assert said == []


def states(app: Flask, eyes: Eyes) -> Iterator[tuple[str, Callable[[Page], object]]]:
    """Pages in which there is more than at first, and what is done there."""
    client = app.test_client()
    yield opened(client, "homeworlds"), lambda page: page.locator(SHIP).first.click()
    table = Table(client, eyes, game="homeworlds", position=HOMES)
    table.photograph(JUMPED)
    assert table.state == "illegal"
    yield table.path, open_all
    yield table.post("/correction").headers["Location"], open_all
    table.do("restore")
    yield table.path, open_all
    table.do("restored")
    table.do("resign", seat="north")
    assert table.state == "over"
    yield table.path, open_all
    eyes.line = BOARD
    yield opened(client, "settlers"), lambda page: page.keyboard.press("?")
    board = Table(client, eyes, game="settlers", south="Ann", north="Bo")
    board.post("/as-recorded")
    board.type("land g1 c3")
    yield board.path, open_all
    yield board.path + "/turns/1", open_all
    yield "/games", open_all
    yield "/nowhere", open_all


def test_what_opens_and_what_goes_wrong(tab: Page, make_app: MakeApp, eyes: Eyes) -> None:
    app, said = make_app(READER=eyes.read), list[str]()
    address = served(app)
    for path, act in states(app, eyes):
        tab.goto(address + path)
        act(tab)
        said += wrong(tab)
    assert said == []


def test_those_who_come_from_the_network(browser: Browser, make_app: MakeApp) -> None:
    app = make_app(LIGHTS="virtual", **OPEN | {"TRUSTED_HOSTS": ["127.0.0.1", ELSEWHERE]})
    address, said = served(app).replace("127.0.0.1", ELSEWHERE), list[str]()
    for key, path, status in GUESTS:
        with browser.new_context(reduced_motion="reduce") as guest:
            page = guest.new_page()
            if key:
                page.goto(f"{address}/?key={key}")
            answer = page.goto(address + path)
            assert answer
            assert answer.status == status
            said += wrong(page)
    assert said == []


def test_a_demo(tab: Page, make_app: MakeApp) -> None:
    app = make_app(DEMO=QUICK, LIGHTS="virtual")
    address, said = served(app), list[str]()
    path = app.test_client().post("/demo", data={"game": "homeworlds"}).headers["Location"]
    tab.goto(address + path)
    tab.get_by_role("button", name="Pause").click()
    open_all(tab)
    said += wrong(tab)
    app.extensions["games"].watch(None)
    assert said == []


def open_all(page: Page) -> None:
    """Open everything that can be opened."""
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")


def opened(client: FlaskClient, game: str) -> str:
    """The page of a reading."""
    return client.post("/virtual", data={"game": game, "table": "5"}).headers["Location"]
