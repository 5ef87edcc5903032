"""What the page says of a camera in the network that somebody who sits here has put over the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from camera_fakes import eventually
from camera_servers import Answer, answering, said
from flask import Flask
from session_scripts import HOMES

from companion_app.web import create_app

BY_ADDRESS = {
    "asks for a name and password": said("401 No", 'WWW-Authenticate: Basic realm="x"'),
    "That address is a page: cameras often answer at /video": said("200 OK", "Content-Type: text/html", body=b"<p>"),
    "is busy: close the other program": said("503 Busy"),
}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app({"DATA": tmp_path})
    yield app
    app.extensions["games"].watch(None)


def put_up(app: Flask, address: str) -> tuple[str, Any]:
    """A new game with this camera over it: the address of the game, and the answer."""
    client = app.test_client()
    game = client.post("/games", data={"game": "homeworlds", "position": HOMES}).headers["Location"]
    answer = client.post(f"{game}/camera", data={"camera": address}, headers={"Accept": "application/json"})
    return game, answer


@pytest.mark.parametrize("sentence", BY_ADDRESS)
def test_each_trouble_is_told_on_the_page_in_a_sentence_of_its_own(app: Flask, sentence: str) -> None:
    answer: Answer = BY_ADDRESS[sentence]
    with answering(answer) as server:
        game, answered = put_up(app, f"127.0.0.1:{server.port}/anywhere")
        assert answered.status_code == 303, "an address without scheme is understood here too"
        eventually(lambda: shown(app, game), lambda text: sentence in text)


def test_nobody_there_is_told_on_the_page(app: Flask) -> None:
    with answering(said("200 OK")) as server:
        pass
    game, _ = put_up(app, f"HTTP://127.0.0.1:{server.port}/video")
    eventually(lambda: shown(app, game), lambda text: f"nothing answers at port {server.port}" in text)


def test_a_password_is_nowhere_on_the_page(app: Flask) -> None:
    with answering(said("401 No", 'WWW-Authenticate: Basic realm="x"')) as server:
        game, _ = put_up(app, server.address(login="anna:s3cret@"))
        eventually(lambda: shown(app, game), lambda text: "asks for another name and password" in text)
        assert "s3cret" not in app.test_client().get(game).text + shown(app, game)
    _, refused = put_up(app, "htp://anna:s3cret@phone/video")
    assert refused.json["error"] == "camera_address"
    assert "s3cret" not in refused.text


def shown(app: Flask, game: str) -> str:
    """What the page shows of the table, as text."""
    news: Any = app.test_client().get(f"{game}/parts").json
    return re.sub(r"\s+", " ", news["parts"]["table"])
