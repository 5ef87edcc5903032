"""The page as tests meet it: an own data folder, and a reader that knows the truth of the virtual tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion_app.photos import Photo
from companion_app.reading import Reading, reading_of
from companion_app.reading_types import Game
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from companion_app.web import create_app
from vision.sight import ImageSide, Sight
from vision.virtual import Picture, View, photograph

VIEW = View(elevation_deg=62, width=800, height=600, sloppiness=0.6)
PAGE = "http://localhost"


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

    def read(self, image: Photo, game: Game, south: ImageSide, redless: bool) -> Reading:
        """The truth, or that there is nothing."""
        assert image.dtype == np.uint8
        assert isinstance(south, ImageSide)
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
def opened(client: FlaskClient) -> str:
    """The address of a reading of a Settlers table."""
    return client.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"]
