"""The page on a bad day: the disk is full, or the folder read-only; it says so, lives on, and has lost nothing."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from elsewhere import as_nobody, elsewhere, given_away
from flask.testing import FlaskClient
from session_scripts import HOMES, fast_folder

from companion_app.photos import Photo
from companion_app.reading_types import Game, Reading, Verdict
from companion_app.web import create_app
from vision.sight import ImageSide

JSON = {"Accept": "application/json"}
NOISE = np.random.default_rng(0).integers(0, 255, (480, 640, 3), np.uint8)
"""A picture that takes more room as a JPEG than a log of some events."""


def read(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
    """Nothing, and that is all that is wanted."""
    del south, redless, lens
    return Reading(game, (image.shape[1], image.shape[0]), verdict=Verdict.UNREADABLE)


def page_in(folder: Path) -> FlaskClient:
    """A client of a page with this folder, as a program that is started anew makes it."""
    settings = {"DATA": folder, "READER": read, "VIRTUAL_TABLE": lambda _game, _seed: (NOISE, ImageSide.BOTTOM)}
    return create_app(settings).test_client()


@pytest.fixture
def folder() -> Iterator[Path]:
    with fast_folder() as folder:
        yield folder


def begun(client: FlaskClient) -> str:
    """The address of a new game."""
    return client.post("/games", data={"game": "homeworlds", "position": HOMES}).headers["Location"]


def now(client: FlaskClient, game: str) -> dict[str, Any]:
    news: Any = client.get(f"{game}/parts").json
    return dict(news)


def do(client: FlaskClient, game: str, word: str) -> Any:
    """The answer to a command of somebody who has seen the newest."""
    return client.post(f"{game}/do", data={"do": word, "base": now(client, game)["seq"]}, headers=JSON)


def test_a_full_disk_is_told_on_the_page_and_no_turn_is_lost(folder: Path) -> None:
    client = page_in(folder)
    game = begun(client)

    def play_until_full() -> dict[str, Any]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (45_000, 45_000))
        for word in ("disagree", "settle") * 500:
            before = now(client, game)
            answer = do(client, game, word)
            if answer.status_code != 200:
                again = do(client, game, word)
                told = {"seq": before["seq"], "state": before["state"], "status": [answer.status_code]}
                told["status"] += [again.status_code, client.get(game).status_code, client.get("/games").status_code]
                return told | {"code": answer.json["error"], "same": now(client, game) == before}
        return {}

    told = elsewhere(play_until_full)
    assert told["status"] == [507, 507, 200, 200]
    assert told["code"] == "not_written"
    assert told["same"], "what was not written is not shown either"
    restarted = page_in(folder)
    after = now(restarted, game)
    assert (after["seq"], after["state"]) == (told["seq"], told["state"])
    assert told["seq"] > 10
    assert do(restarted, game, "pause").status_code == 200


def test_a_photo_without_room_is_told_on_the_page(folder: Path) -> None:
    client = page_in(folder)

    def photograph() -> list[Any]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        answer = client.post("/virtual", data={"game": "settlers", "table": "7"}, headers=JSON)
        told: Any = answer.json
        return [answer.status_code, told["error"], client.get("/").status_code]

    assert elsewhere(photograph) == [507, "not_written", 200]
    assert list((folder / "photos").iterdir()) == []
    assert page_in(folder).post("/virtual", data={"game": "settlers", "table": "7"}).status_code == 303


def test_a_folder_that_turns_read_only_is_told_on_the_page(folder: Path) -> None:
    """What is open stays to be seen; what would have to be read anew, such as the list, waits for the folder."""
    client = page_in(folder)
    game = begun(client)
    refused = do(client, game, "fly")
    assert [refused.status_code, *(client.get(path).status_code for path in (game, "/games"))] == [400, 200, 200]
    given_away(folder)

    def go_on() -> list[int]:
        as_nobody()
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        statuses = [do(client, game, "pause").status_code, client.get(game).status_code]
        statuses += [client.post("/games", data={"game": "settlers"}).status_code, client.get("/games").status_code]
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        return [*statuses, do(client, game, "pause").status_code]

    assert elsewhere(go_on) == [507, 200, 507, 503, 200]
    assert now(page_in(folder), game)["state"] == "paused"
