"""A game that no camera sees, and a board beside it: what happens on the page comes out of the pins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from board import Board
from fakes import eventually
from flask.testing import FlaskClient

from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind, Refusal
from companion_app.notation import Position
from companion_app.photos import Photo
from companion_app.pictures import jpeg
from companion_app.reading_types import Game, Reading
from companion_app.session.terms import Options
from companion_app.web import create_app
from firmware_bridge import DeviceState
from rules import homeworlds
from vision.sight import ImageSide

pytest_plugins = ["board_fixtures"]

HOMES = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
AMBER, CYAN, WHITE, RED, VIOLET, DARK = "FF9600", "00C8FF", "FFFFFF", "FF0000", "A000FF", "000000"
PATIENCE_S = 20


def read(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
    """Whatever stands there: the judge knows."""
    del south, redless, lens
    return Reading(game, (image.shape[1], image.shape[0]))


class Judge:
    """Says what it was told to say."""

    verdict = Certainty.CERTAIN
    kind = Kind.LEGAL

    def __call__(
        self, before: Position, options: Options, reading: Reading, earlier: Sequence[Position]
    ) -> Judgement:
        del reading, earlier
        assert isinstance(before, homeworlds.Position)
        assert isinstance(options, homeworlds.Options)
        turn = homeworlds.read_turn("build green North", before, options)
        refusal = Refusal("not_connected", "3", "Same-size stars are not connected.")
        told = Explanation(self.kind, (turn,), before, 0.9, "North builds.", refusal)
        return Judgement(self.verdict, told, (told,) if self.verdict is Certainty.UNSURE else ())


def told(client: FlaskClient, path: str) -> dict[str, Any]:
    """The JSON object that the page answers."""
    news: Any = client.get(path).json
    return dict(news)


class Table:
    """A game on a page with this board beside it."""

    def __init__(self, client: FlaskClient, judge: Judge) -> None:
        self.client, self.judge = client, judge
        self.path = client.post("/games", data={"game": "homeworlds", "position": HOMES}).headers["Location"]
        client.get(self.path)

    def post(self, where: str, **said: object) -> None:
        said = {"base": self.now()["seq"]} | said
        assert self.client.post(self.path + where, data=said).status_code == 303

    def now(self) -> dict[str, Any]:
        return told(self.client, f"{self.path}/parts")

    def photograph(self, verdict: Certainty, kind: Kind) -> None:
        self.judge.verdict, self.judge.kind = verdict, kind
        picture = BytesIO(jpeg(np.full((480, 640, 3), 90, np.uint8)))
        self.post("/photo", photo=(picture, "table.jpg"))


@pytest.fixture
def table(board: Board, tmp_path: Path) -> Iterator[Table]:
    judge = Judge()
    app = create_app({"DATA": tmp_path / "games", "LIGHTS": board.port, "READER": read, "JUDGE": judge})
    with app.extensions["token"] as token:
        assert eventually(lambda: token.view().device is DeviceState.READY, PATIENCE_S)
        yield Table(app.test_client(), judge)
        app.extensions["games"].watch(None)


def shows(board: Board, south: str, north: str) -> bool:
    return eventually(lambda: board.colors() == (south, north), PATIENCE_S)


def test_the_board_follows_the_page(board: Board, table: Table) -> None:
    assert shows(board, AMBER, DARK)
    table.post("/turn", turn="build g1 South")
    assert shows(board, DARK, CYAN)
    table.photograph(Certainty.CERTAIN, Kind.ILLEGAL)
    assert shows(board, DARK, RED)
    table.photograph(Certainty.UNSURE, Kind.LEGAL)
    assert shows(board, VIOLET, VIOLET)
    table.post("/do", do="choose", choice=0)
    assert shows(board, AMBER, DARK)
    table.post("/do", do="resign", seat="south")
    assert shows(board, DARK, CYAN)
    gap = len(board.noticed)
    assert eventually(lambda: any("000000 000000" in line for _, line in board.noticed[gap:]), PATIENCE_S), (
        "who has won shines with gaps, unlike who is to move"
    )
    table.post("/do", do="undo")
    table.post("/do", do="agree on a draw")
    assert shows(board, WHITE, WHITE)


def test_a_button_on_the_board_plays_nothing(board: Board, table: Table) -> None:
    assert shows(board, AMBER, DARK)
    board.press(0)
    assert eventually(lambda: told(table.client, "/lights")["presses"] == 1, PATIENCE_S)
    assert shows(board, AMBER, DARK)
    assert table.now()["state"] == "turn"


def test_a_board_that_is_unplugged_does_not_hold_the_game_up(board: Board, table: Table) -> None:
    assert shows(board, AMBER, DARK)
    board.unplug()
    table.post("/turn", turn="build g1 South")
    assert table.now()["state"] == "legal"
    board.plug()
    assert shows(board, DARK, CYAN)
