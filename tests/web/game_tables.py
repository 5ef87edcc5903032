"""Games on the page as one who plays them meets them, and eyes that see the table they are told to."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
from flask.testing import FlaskClient

from companion_app.notation import parse_position
from companion_app.photos import Photo
from companion_app.pictures import jpeg
from companion_app.reading import reading_of
from companion_app.reading_types import Game, Reading
from companion_app.samples import layout_of
from vision.sight import ImageSide
from vision.virtual import View, photograph

VIEW = View(elevation_deg=62, width=800, height=600, sloppiness=0.6)
JSON = {"Accept": "application/json"}
HOMES = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
BUILT = "<1>; South(0,r2b1)g1g3-; North(1,y1b3)-g3"
JUMPED = "<1>; South(0,r2b1)-; North(1,y1b3)g3-g3"
"""South's ship would be in a system that it has no way to."""

GIVEN = "<1>; South(0,r2b1)g3r3-; North(1,y1b3)-g3"
"""South has got a ship for nothing."""


class Eyes:
    """A reader that sees, without a fault, the table that it is told to."""

    def __init__(self) -> None:
        self.line = HOMES
        self.change: Callable[[Reading], Reading] = lambda reading: reading

    def read(self, image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
        assert image.shape[2] == 3
        assert isinstance(south, ImageSide)
        assert lens is None
        truth = photograph(layout_of(parse_position(self.line, redless=redless)), seed=1, view=VIEW).truth
        return self.change(reading_of(truth, game, redless=redless))


class SureReader:
    """A reader of a camera's pictures that sees one table."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
        assert picture.any()
        assert view >= 0
        assert lens is None
        return self.reading

    def read_kept(self, picture: Photo) -> None:
        """Nothing: it knows what stands there now."""


class Table:
    """A game on the page, as one who plays it meets it."""

    def __init__(self, client: FlaskClient, eyes: Eyes, **terms: Any) -> None:
        self.client, self.eyes = client, eyes
        self.path = client.post("/games", data=terms).headers["Location"]

    def now(self) -> dict[str, Any]:
        news: Any = self.client.get(f"{self.path}/parts").json
        return dict(news)

    def post(self, where: str, **said: Any) -> Any:
        said = {"base": self.now()["seq"]} | said
        return self.client.post(self.path + where, data=said, headers=JSON)

    def do(self, word: str, **said: Any) -> Any:
        return self.post("/do", do=word, **said)

    def type(self, turn: str) -> Any:
        return self.post("/turn", turn=turn)

    def photograph(self, line: str) -> Any:
        self.eyes.line = line
        return self.post("/photo", photo=(a_photo(), "table.jpg"))

    @property
    def state(self) -> str:
        return str(self.now()["state"])

    @property
    def spoken(self) -> str:
        return str(self.now()["spoken"])


def a_photo() -> BytesIO:
    return BytesIO(jpeg(np.full((VIEW.height, VIEW.width, 3), 90, np.uint8)))
