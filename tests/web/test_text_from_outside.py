"""Text and files that come in by the page: refused once in a sentence, and what is kept of old can be shown."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeApp
from flask import Flask
from flask.testing import FlaskClient
from game_tables import GIVEN, HOMES, Eyes, Table
from PIL import Image
from werkzeug.test import TestResponse

from companion_app.event_log import photo_name
from companion_app.session import Terms
from companion_app.session.export import write_zip
from companion_app.web.live import Games
from rules import Seat
from rules.settlers import Options

JSON = {"Accept": "application/json"}
CHARACTERS = {
    "a tab": "A\tB",
    "U+0007": "A\x07B",
    "right-to-left override": "A\u202eB",
    "left-to-right mark": "\u200e",
}


def sent(client: FlaskClient, data: bytes) -> TestResponse:
    """The answer to a game that is taken in."""
    return client.post("/games/import", data={"file": (BytesIO(data), "game")}, headers=JSON)


@pytest.mark.parametrize("named", CHARACTERS)
@pytest.mark.parametrize("form", ["a player", "a reading", "a player of a reading", "a restoration"])
def test_a_character_that_cannot_be_in_a_name_is_named(
    client: FlaskClient, opened: str, form: str, named: str
) -> None:
    text = CHARACTERS[named]
    path, data = {
        "a player": ("/games", {"game": "settlers", "south": text}),
        "a reading": (f"{opened}/save", {"name": text}),
        "a player of a reading": (f"{opened}/save", {"name": "Sunday", "north": text}),
        "a restoration": ("/restore", {"position": HOMES, "title": text}),
    }[form]
    answer: Any = client.post(path, data=data, headers=JSON)
    assert (answer.status_code, answer.json["error"]) == (400, "bad_form")
    assert named in answer.json["sentence"]


@pytest.mark.parametrize("named", ["U+0007", "right-to-left override", "left-to-right mark"])
@pytest.mark.parametrize("form", ["a turn", "a position", "a position to restore", "a camera", "a record"])
def test_a_character_that_cannot_be_in_a_line_is_named(
    client: FlaskClient, settlers: Table, form: str, named: str
) -> None:
    text = CHARACTERS[named]
    record = f"Game: settlers\nPlayers: South, North\nResult: unfinished\n\n1. South: {text}\n"
    path, data = {
        "a turn": (f"{settlers.path}/turn", {"base": settlers.now()["seq"], "turn": f"land g1{text} c3"}),
        "a position": ("/games", {"game": "homeworlds", "position": HOMES + text}),
        "a position to restore": ("/restore", {"position": HOMES + text}),
        "a camera": (f"{settlers.path}/camera", {"camera": f"folder:{text}"}),
        "a record": ("/games/import", {"file": (BytesIO(record.encode()), "game")}),
    }[form]
    answer: Any = client.post(path, data=data, headers=JSON)
    assert (answer.status_code, answer.json["error"]) in [(400, "bad_form"), (422, "bad_text")]
    assert named in answer.json["sentence"]


def test_a_turn_may_be_pasted_with_a_tab(settlers: Table) -> None:
    assert settlers.post("/turn", turn="land\tg1 c3\r\n").status_code == 200


def test_a_name_that_is_too_long_is_told_so(client: FlaskClient) -> None:
    answer: Any = client.post("/games", data={"game": "settlers", "north": "x" * 81}, headers=JSON)
    assert answer.json["sentence"] == "A player’s name may have up to 80 letters: shorten it."


def test_names_of_all_languages_are_kept_as_they_are(client: FlaskClient) -> None:
    names = {"south": "زهرا\u200cجان", "north": "  👩‍🚀   Łukasz \n"}
    page = client.get(client.post("/games", data={"game": "settlers"} | names).headers["Location"]).text
    assert names["south"] in page
    assert "👩‍🚀 Łukasz" in page


@pytest.mark.parametrize("text", ["\ud800", "\u202e", "\0"])
def test_corrections_are_checked(client: FlaskClient, opened: str, text: str) -> None:
    wish = {"base": 1, "do": "confirm", "piece": 0, "x": [{text: text}]}
    answer: Any = client.post(f"{opened}/edits", json=wish, headers=JSON)
    assert (answer.status_code, answer.json["error"]) == (400, "bad_edit")
    assert f"U+{ord(text):04X}" in answer.json["sentence"]


def test_corrections_are_not_nested_deeply(client: FlaskClient, opened: str) -> None:
    wish = {"base": 1, "do": "confirm", "piece": 0, "x": json.loads("[" * 60 + "]" * 60)}
    answer: Any = client.post(f"{opened}/edits", json=wish, headers=JSON)
    assert (answer.status_code, answer.json["error"]) == (400, "bad_edit")


ADDRESSES = ["folder:~nobody-of-this-name/photos", "folder:a\0b", "usb:" + "9" * 500, "usb:" + "x" * 500, "x" * 500]


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("address", ADDRESSES)
def test_odd_addresses_of_cameras_are_answered(client: FlaskClient, settlers: Table, address: str) -> None:
    answer: Any = client.post(f"{settlers.path}/camera", data={"camera": address}, headers=JSON)
    client.post(f"{settlers.path}/camera/away")
    assert answer.status_code < 500
    assert len((answer.json or {"sentence": ""})["sentence"]) < 300


@pytest.fixture
def old(app: Flask) -> str:
    """The path of a game that was taken in before texts were checked."""
    games: Games = app.extensions["games"]
    terms = Terms.of_nothing(Options(), (Seat.SOUTH, Seat.NORTH), Seat.SOUTH, names={Seat.SOUTH: "A\ud800"})
    game = games.log.begin("begun", terms.to_json())
    games.log.append(game, "disagreed", {"sentence": "\udfff\u202e\0", "table": ""})
    return f"/games/{game}"


PAGES = [
    "/games",
    "",
    "/parts",
    "/turns/0",
    "/turns/0/diagram.svg",
    "/game.json",
    "/game.pyramids",
    "/game.zip",
    "/delete",
]


@pytest.mark.parametrize("page", PAGES)
def test_an_old_game_with_half_a_character_is_shown(client: FlaskClient, old: str, page: str) -> None:
    answer = client.get(page if page == "/games" else old + page)
    assert answer.status_code == 200
    if page == "/game.json":
        assert json.loads(answer.data)["names"] == {"south": "A?"}
        assert sent(client, answer.data).status_code == 422  # another text of it has a null


def test_an_old_game_with_half_a_character_is_played_on_and_deleted(client: FlaskClient, old: str) -> None:
    for headers in ({}, JSON):
        answer = client.post(f"{old}/do", data={"base": "1", "do": "pause"}, headers=headers)
        assert answer.status_code == 409  # somebody was first, and the page says so
    assert client.post(f"{old}/delete").status_code == 303
    assert "No games yet" in client.get("/games").text


# Games as files


def with_photos(app: Flask, count: int = 1) -> bytes:
    """The zip of a game with photos that say where they were taken."""
    games: Games = app.extensions["games"]
    exif, names = Image.Exif(), []
    exif.get_ifd(0x8825)[1] = "N"
    for number in range(count):
        target = BytesIO()
        Image.new("RGB", (640, 480), (60 * number, 0, 0)).save(target, "JPEG", exif=exif)
        games.log.keep_photo(target.getvalue())
        names += [path.name for path in games.log.photos.iterdir() if path.name not in names]
    terms = Terms.of_nothing(Options(), (Seat.SOUTH, Seat.NORTH), Seat.SOUTH)
    game = games.log.begin("begun", terms.to_json())
    for name in names:
        games.log.append(game, "ready", {"photo": name})
    target = BytesIO()
    write_zip(games.log.events(game), games.log.photos, target)
    games.log.delete(game)
    return target.getvalue()


def test_photos_of_a_game_that_is_taken_in_do_not_tell_where_they_were_taken(
    client: FlaskClient, app: Flask, tmp_path: Path
) -> None:
    data = with_photos(app, 2)
    assert not list((tmp_path / "game_photos").iterdir())
    game = sent(client, data).headers["Location"]
    kept = sorted(path.name for path in (tmp_path / "game_photos").iterdir())
    assert len(kept) == 2
    for name in kept:
        shown = client.get(f"{game}/photos/{name}")
        assert shown.status_code == 200
        assert not Image.open(BytesIO(shown.data)).getexif()
    client.post(f"{game}/delete")
    assert not list((tmp_path / "game_photos").iterdir())


def test_an_old_photo_is_shown_without_where_it_was_taken(client: FlaskClient, app: Flask, old: str) -> None:
    games: Games = app.extensions["games"]
    photo, exif = BytesIO(), Image.Exif()
    exif.get_ifd(0x8825)[1] = "N"
    Image.new("RGB", (640, 480), (9, 9, 9)).save(photo, "JPEG", exif=exif)
    games.log.keep_photo(photo.getvalue())
    games.log.append(old.rpartition("/")[2], "settled", {"photo": photo_name(photo.getvalue())})
    shown = client.get(f"{old}/photos/{photo_name(photo.getvalue())}")
    assert (shown.status_code, shown.mimetype) == (200, "image/jpeg")
    image = Image.open(BytesIO(shown.data))
    assert (image.size, dict(image.getexif())) == ((640, 480), {})
    with zipfile.ZipFile(BytesIO(client.get(f"{old}/game.zip").data)) as taken_away:
        (name,) = (name for name in taken_away.namelist() if name.startswith("photos/"))
        assert not Image.open(taken_away.open(name)).getexif()
        assert name.removeprefix("photos/") == photo_name(taken_away.read(name))
        assert name.removeprefix("photos/") in taken_away.read("game.json").decode()


@contextmanager
def occupied(app: Flask) -> Iterator[None]:
    """While somebody else's photo is being read."""
    inside, leave = threading.Event(), threading.Event()

    def look() -> bool:
        inside.set()
        return leave.wait(20)

    with ThreadPoolExecutor(1) as people:
        people.submit(app.extensions["gate"].do, look)
        assert inside.wait(20)
        try:
            yield
        finally:
            leave.set()


def test_photos_of_a_game_wait_at_the_door_of_all_uploads(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(PATIENCE_S=0.05)
    client, data = app.test_client(), with_photos(app)
    with occupied(app):
        answer: Any = sent(client, data)
    assert (answer.status_code, answer.json["error"]) == (429, "busy")
    assert "No games yet" in client.get("/games").text
    assert not list((tmp_path / "game_photos").iterdir())
    assert sent(client, data).status_code == 303


def test_a_game_may_be_larger_than_a_photo(client: FlaskClient, app: Flask) -> None:
    with_more = BytesIO(with_photos(app))
    with zipfile.ZipFile(with_more, "a") as archive:
        archive.writestr("notes", bytes(30_000_000))
    assert sent(client, with_more.getvalue()).status_code == 303
    big = client.post("/games/import", data={}, headers=JSON, environ_overrides={"CONTENT_LENGTH": "200000000"})
    assert (big.status_code, big.json) == (
        422,
        {"error": "file_too_large", "sentence": "This is too large to be a game: at most 100 MB."},
    )
    photo = client.post("/readings", data={"game": "settlers", "photo": (BytesIO(bytes(22_000_000)), "x.jpg")})
    assert photo.status_code == 413


def test_a_look_in_question_is_opened_at_the_same_door(make_app: MakeApp, eyes: Eyes) -> None:
    app = make_app(READER=eyes.read, PATIENCE_S=0.05)
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    table.photograph(GIVEN)
    assert table.state == "illegal"
    with occupied(app):
        assert table.post("/correction").status_code == 429
    assert table.post("/correction").status_code == 303
