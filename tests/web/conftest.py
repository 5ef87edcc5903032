"""The page as tests meet it: an own data folder, and a reader that knows the truth of the virtual tables."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from game_tables import HOMES, VIEW, Eyes, Table
from left_out import left_out
from playwright.sync_api import Browser, Page, sync_playwright

from companion_app.photos import Photo
from companion_app.reading import Reading, reading_of
from companion_app.reading_types import Game
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from companion_app.web import create_app, run
from vision.sight import ImageSide, Sight
from vision.virtual import Picture, photograph

PAGE = "http://localhost"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LAPTOP = (1280, 800)


@cache
def virtual_picture(game: Game, seed: int) -> Picture:
    """The virtual table of that number, photographed once for all tests."""
    position = random_homeworlds(seed) if game is Game.HOMEWORLDS else random_settlers(seed)
    return photograph(layout_of(position), seed=seed, view=VIEW)


class TruthfulTable:
    """A virtual table, and a reader that reads its pictures without a fault and finds nothing on any other."""

    def __init__(self) -> None:
        self._truths: dict[bytes, Sight] = {}

    def picture(self, game: Game, seed: int) -> tuple[Photo, ImageSide]:
        """The virtual table of that number."""
        picture = virtual_picture(game, seed)
        self._truths[picture.image.tobytes()] = picture.truth
        return picture.image, ImageSide.BOTTOM

    def read(self, image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
        """The truth, or that there is nothing."""
        assert image.dtype == np.uint8
        assert isinstance(south, ImageSide)
        assert lens is None
        height, width = image.shape[:2]
        nothing = Sight((width, height), trouble="No pieces were found: take the photo nearer.")
        return reading_of(self._truths.get(image.tobytes(), nothing), game, redless=redless)


MakeApp = Callable[..., Flask]


@pytest.fixture
def make_app(tmp_path: Path) -> MakeApp:
    """Makes an application on this test's folder, with settings of the test's own."""
    table = TruthfulTable()

    def make(**settings: Any) -> Flask:
        known = {"TESTING": False, "DATA": tmp_path, "READER": table.read, "VIRTUAL_TABLE": table.picture}
        return create_app(known | settings)

    return make


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """The application."""
    return make_app()


@pytest.fixture
def client(app: Flask) -> Iterator[FlaskClient]:
    """A client of the application."""
    with app.test_client() as client:
        yield client


@pytest.fixture
def eyes() -> Eyes:
    """Eyes that see the table which a test tells them to; for an application that has them as its reader."""
    return Eyes()


@pytest.fixture
def settlers(client: FlaskClient, eyes: Eyes) -> Table:
    """A game of Settlers on its empty board."""
    table = Table(client, eyes, game="settlers", south="Ann", north="Bo", beginner="south")
    table.post("/as-recorded")
    return table


@pytest.fixture
def homeworlds(client: FlaskClient, eyes: Eyes) -> Table:
    """A game of Homeworlds with both homes set up."""
    return Table(client, eyes, game="homeworlds", position=HOMES)


@pytest.fixture
def opened(client: FlaskClient) -> str:
    """The address of a reading of a Settlers table."""
    return client.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, or a skipped test where there is none; where everything must be tested that is a failure."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        left_out(f"none of {', '.join(NAMES)} is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def address(make_app: MakeApp) -> str:
    """The address of the page, served as it is to people."""
    return served(make_app())


def served(app: Flask) -> str:
    """The address of *app*, served as it is to people, for as long as the tests run."""
    addresses: list[str] = []
    ready = threading.Event()

    def tell(url: str) -> None:
        addresses.append(url)
        ready.set()

    threading.Thread(target=run, args=(app,), kwargs={"ready": tell}, daemon=True).start()
    assert ready.wait(20)
    return addresses[0].rstrip("/")


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A tab of the size that the test asks for; whatever goes wrong in it fails the test."""
    width, height = getattr(request, "param", LAPTOP)
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 500)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(f"{said.text} {said.location}") if said.type == "error" else None)
    page.on("request", lambda request: wrong.append(request.url) if "//127.0.0.1:" not in request.url else None)
    yield page
    context.close()
    assert wrong == []
