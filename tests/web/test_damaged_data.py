"""What is kept may be damaged: the page tells so, deletes it on request, and all else goes on."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import MakeApp
from flask.testing import FlaskClient
from game_tables import HOMES, a_photo

from benchmarks import fuzz_databases
from benchmarks.damaging import DAMAGES
from companion_app.cli.corrections import corrections
from companion_app.event_log import Event
from companion_app.store import Store
from companion_app.web.opening import MOST_DRAFTS

UNFIT = (
    "{", "[]", "{}", "null", '{"terms": 7, "names": {}}', '{"terms": "Game: chess", "names": {}}', '{"reading": 7}',
    '{"reading": {"game": "chess"}}', '{"position": "?", "about": {}}', '{"about": 3}',
)  # fmt: skip
"""Payloads that no first event has."""


def spoil(file: Path, column: str, value: object) -> None:
    """Write something else into a column of all rows of a log."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"UPDATE event SET {column} = ?", (value,))


@pytest.mark.parametrize(
    ("column", "value"), [*(("payload", payload) for payload in UNFIT), ("at", "x"), ("kind", "?")]
)
def test_a_damaged_game_is_listed_and_deleted_and_the_others_go_on(
    client: FlaskClient, tmp_path: Path, make_app: MakeApp, column: str, value: str
) -> None:
    bad = client.post("/games", data={"game": "settlers"}).headers["Location"]
    spoil(tmp_path / "games.sqlite3", column, value)
    client = make_app().test_client()
    good = client.post("/games", data={"game": "homeworlds", "position": HOMES}).headers["Location"]
    listed = client.get("/games")
    assert (listed.status_code, "A game that cannot be opened" in listed.text) == (200, True)
    assert f"{bad}/delete" in listed.text
    for form in ("", "/parts", "/turns/0", "/game.json", "/game.zip"):
        answer = client.get(bad + form)
        assert (answer.status_code, "<code>damaged</code>" in answer.text) == (422, True), form
        assert client.get(good + form).status_code == 200
    assert "A game that cannot be opened" in client.get(f"{bad}/delete").text
    assert client.post(f"{bad}/delete").status_code == 303
    assert "cannot be opened" not in client.get("/games").text


@pytest.mark.parametrize(("column", "value"), [*(("payload", payload) for payload in UNFIT), ("at", "x")])
def test_a_damaged_reading_is_listed_and_deleted_and_the_others_go_on(
    client: FlaskClient, opened: str, tmp_path: Path, column: str, value: str
) -> None:
    spoil(tmp_path / "readings.sqlite3", column, value)
    good = client.post("/virtual", data={"game": "settlers", "table": "8"}).headers["Location"]
    for path in ("/", "/restore"):
        listed = client.get(path)
        assert listed.status_code == 200
    assert "A reading that cannot be opened" in client.get("/").text
    for form in ("", "/photo.jpg", "/annotated.jpg", "/reading.json"):
        answer = client.get(opened + form)
        assert (answer.status_code, "<code>damaged</code>" in answer.text) == (422, True), form
        assert client.get(good + form).status_code == 200
    assert client.get(f"{opened}/delete").status_code == 200
    assert client.post(f"{opened}/delete").status_code == 303
    assert "cannot be opened" not in client.get("/").text


@pytest.mark.parametrize(("column", "value"), [*(("payload", payload) for payload in UNFIT), ("at", "x")])
def test_a_damaged_restoration_is_listed_and_forgotten(
    client: FlaskClient, tmp_path: Path, column: str, value: str
) -> None:
    bad = client.post("/restore", data={"position": HOMES}).headers["Location"]
    spoil(tmp_path / "restoring" / "readings.sqlite3", column, value)
    good = client.post("/restore", data={"position": HOMES}).headers["Location"]
    assert "A restoration that cannot be opened" in client.get("/restore").text
    assert [client.get(path).status_code for path in (bad, good)] == [422, 200]
    assert client.post(f"{bad}/delete").status_code == 303
    assert "cannot be opened" not in client.get("/restore").text


def test_a_reading_in_which_a_correction_makes_no_sense_is_no_failure(
    client: FlaskClient, opened: str, app: Any
) -> None:
    store: Store = app.extensions["store"]
    name = opened.rpartition("/")[2]
    store.append(name, "undone", {})
    assert client.get(opened).status_code == 422
    assert client.post(f"{opened}/delete").status_code == 303


def test_corrections_are_listed_without_what_is_damaged(
    client: FlaskClient, opened: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post(f"{opened}/save", data={"name": "Sound"})
    Store(tmp_path).begin("read", {"reading": []})
    monkeypatch.setenv("PYRAMIDS_DATA", str(tmp_path))
    said = CliRunner().invoke(corrections, ["list"], catch_exceptions=False).output
    assert "1 reading: nothing was wrong." in said
    assert "Left out: 1 reading that cannot be opened any more." in said


def test_a_photo_is_never_a_file_elsewhere_whatever_a_row_says(
    client: FlaskClient, opened: str, tmp_path: Path
) -> None:
    (tmp_path / "keys.json").write_text("secret")
    with closing(sqlite3.connect(tmp_path / "readings.sqlite3")) as connection, connection:
        connection.execute("UPDATE event SET payload = json_set(payload, '$.photo', '../keys.json')")
    answer = client.get(f"{opened}/photo.jpg")
    assert (answer.status_code, "secret" in answer.text) == (422, False)


def test_a_damaged_file_is_told_of_and_what_can_be_read_is_shown(
    client: FlaskClient, make_app: MakeApp, tmp_path: Path
) -> None:
    game = client.post("/games", data={"game": "settlers"}).headers["Location"]
    file = tmp_path / "games.sqlite3"
    assert "is damaged" not in client.get("/games").text
    with closing(sqlite3.connect(file)) as connection:
        (index,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE type = 'index'").fetchone()
    content = bytearray(file.read_bytes())
    content[(index - 1) * 4096 + 4000 : index * 4096] = bytes(96)
    file.write_bytes(content)
    client = make_app().test_client()
    listed = client.get("/games")
    assert (listed.status_code, "pyramids backup OUT.zip" in listed.text) in ((200, True), (503, True))
    assert client.get("/").status_code == 200
    assert client.get(game).status_code in (200, 404, 422, 503)


def test_after_the_clock_went_back_the_photo_just_taken_is_kept(client: FlaskClient, app: Any) -> None:
    store: Store = app.extensions["store"]
    first = store.events(client.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"][-12:])[
        0
    ]
    later = datetime.now(UTC) + timedelta(days=400)
    drafts = [store.adopt([Event(1, later, first.kind, first.payload)]) for _ in range(MOST_DRAFTS)]
    made = client.post("/virtual", data={"game": "settlers", "table": "8"}).headers["Location"]
    assert client.get(made).status_code == 200
    kept = [shelf.name for shelf in store.shelves()]
    assert kept == [made[-12:], *drafts[:0:-1]]


def test_after_the_clock_went_back_the_restoration_just_begun_is_kept(client: FlaskClient, app: Any) -> None:
    shelf: Store = app.extensions["restorations"]
    first = shelf.events(client.post("/restore", data={"position": HOMES}).headers["Location"][-12:])[0]
    for _ in range(20):
        shelf.adopt([Event(1, datetime.now(UTC) + timedelta(days=400), first.kind, first.payload)])
    made = client.post("/restore", data={"position": HOMES}).headers["Location"]
    assert client.get(made).status_code == 200
    assert len(shelf.shelves()) == 20


def test_after_the_photo_folder_was_deleted_an_upload_is_kept_whole(client: FlaskClient, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "photos")
    answer = client.post("/readings", data={"game": "settlers", "photo": (a_photo(), "x.jpg")})
    assert client.get(f"{answer.headers['Location']}/photo.jpg").status_code == 200


def test_an_upload_whose_photo_finds_no_place_is_not_listed(client: FlaskClient, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "photos")
    (tmp_path / "photos").write_text("in the way")
    answer = client.post("/readings", data={"game": "settlers", "photo": (a_photo(), "x.jpg")})
    assert (answer.status_code, "<code>not_written</code>" in answer.text) == (507, True)
    assert 'class="card"' not in client.get("/").text


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something of everything."""
    folder = tmp_path_factory.mktemp("sound") / "data"
    fuzz_databases.fill(folder)
    return folder


@pytest.mark.parametrize("file", fuzz_databases.FILES[:2])
@pytest.mark.parametrize("damage", dict.fromkeys(DAMAGES), ids=lambda damage: damage.__name__)
def test_no_damage_makes_the_page_fail(sound: Path, tmp_path: Path, damage: Any, file: str) -> None:
    """A few of the cases of ``python -m benchmarks.fuzz_databases``."""
    data = tmp_path / "data"
    shutil.copytree(sound, data)
    damage(data / file, random.Random(5))
    outcome, wrong = fuzz_databases.visit(data)
    assert outcome
    assert wrong == []
