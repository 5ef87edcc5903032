"""What the store acknowledged it keeps, in order, whoever writes and whatever happens."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_app import event_log
from companion_app.errors import AppError
from companion_app.event_log import Damaged, Event, NotKept, Stale, photo_name
from companion_app.store import Store, data_folder

words = st.text(max_size=9)
payloads = st.dictionaries(words, st.one_of(st.none(), st.integers(), words), max_size=4)
histories = st.lists(st.lists(st.tuples(words, payloads), min_size=1, max_size=6), max_size=4)


@settings(max_examples=15)
@given(histories)
def test_a_store_that_is_opened_again_tells_the_same(histories: list[list[tuple[str, dict[str, object]]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        written = {}
        for history in histories:
            name = store.begin(*history[0])
            seqs = [1, *(store.append(name, kind, payload) for kind, payload in history[1:])]
            assert seqs == list(range(1, len(history) + 1))
            written[name] = history
        again = Store(Path(folder))
        for name, history in written.items():
            events = again.events(name)
            assert [(event.kind, event.payload) for event in events] == history
            assert [event.seq for event in events] == list(range(1, len(history) + 1))
        assert {shelf.name for shelf in again.shelves()} == set(written)


def test_only_who_has_seen_the_newest_event_may_write(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = store.begin("read", {})
    assert store.append(name, "corrected", {}, base=1) == 2
    for base in (0, 1, 3):
        with pytest.raises(Stale) as error:
            store.append(name, "corrected", {}, base=base)
        assert error.value.seq == 2
    assert len(store.events(name)) == 2


def test_of_many_who_write_at_once_one_wins(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = store.begin("read", {})
    outcomes: list[int | str] = []

    def write() -> None:
        try:
            outcomes.append(store.append(name, "corrected", {}, base=1))
        except Stale as stale:
            outcomes.append(stale.code)

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, outcomes)) == ["2", *["stale"] * 7]


@pytest.mark.parametrize("base", [None, 0, 1])
def test_nothing_is_added_to_what_is_not_kept(tmp_path: Path, base: int | None) -> None:
    store = Store(tmp_path)
    gone = store.begin("read", {})
    store.delete(gone)
    with pytest.raises(NotKept):
        store.events(gone)
    with pytest.raises(NotKept):
        store.append(gone, "corrected", {}, base=base)


def test_the_list_shows_the_latest_first_with_its_last_name(tmp_path: Path) -> None:
    store = Store(tmp_path)
    first, second = store.begin("read", {"n": 1}), store.begin("read", {"n": 2})
    store.append(first, "saved", {"name": "early"})
    store.append(first, "saved", {"name": "late"})
    store.append(first, "corrected", {})
    shelves = store.shelves()
    assert [shelf.name for shelf in shelves] == [first, second]
    assert shelves[0].saved is not None
    assert shelves[0].saved.payload == {"name": "late"}
    assert shelves[0].first
    assert shelves[0].first.payload == {"n": 1}
    assert shelves[1].saved is None


def test_a_photo_goes_with_the_last_reading_that_shows_it(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = photo_name(b"pixels")
    one, other = (store.begin("read", {"photo": name}) for _ in range(2))
    store.keep_photo(b"pixels")
    store.keep_photo(b"pixels")
    store.delete(one)
    assert (store.photos / name).read_bytes() == b"pixels"
    store.append(other, "looked", {"photo": photo_name(b"later")})
    third = store.begin("read", {"photo": photo_name(b"later")})
    store.keep_photo(b"later")
    store.delete(third)
    assert (store.photos / photo_name(b"later")).is_file(), "another reading shows it since its second event"
    store.delete(other)
    assert list(store.photos.iterdir()) == []


def test_only_photos_are_deleted_whatever_an_event_says(tmp_path: Path) -> None:
    store, outside = Store(tmp_path), tmp_path / "diary.txt"
    outside.write_text("dear diary")
    store.delete(store.begin("read", {"photo": "../diary.txt"}))
    assert outside.is_file()


def test_what_cannot_be_read_any_more_is_told_in_a_sentence(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = store.begin("read", {})
    for file in tmp_path.glob("readings.sqlite3*"):
        file.unlink()
    (tmp_path / "readings.sqlite3").mkdir()
    for asking in (lambda: store.events(name), store.shelves):
        with pytest.raises(AppError, match="The readings cannot be read") as error:
            asking()
        assert error.value.code == "not_readable"


WRITER = """
import sys
from pathlib import Path
from companion_app.store import Store
store = Store(Path(sys.argv[1]))
name = store.begin("read", {})
print(name, flush=True)
while True:
    print(store.append(name, "corrected", {"filling": "x" * 500}), flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 7, 40])
def test_a_writer_that_is_killed_loses_nothing_that_was_acknowledged(tmp_path: Path, acknowledged: int) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        name = writer.stdout.readline().strip()
        seen = [int(writer.stdout.readline()) for _ in range(acknowledged)]
        os.kill(writer.pid, signal.SIGKILL)
        seen += [int(line) for line in writer.stdout if line.endswith("\n")]
    events = Store(tmp_path).events(name)
    assert seen[-1] <= events[-1].seq <= seen[-1] + 1
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert Store(tmp_path).append(name, "corrected", {}) == len(events) + 1


def test_a_folder_that_cannot_be_used_is_refused_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    with pytest.raises(AppError, match="set PYRAMIDS_DATA") as error:
        Store(file)
    assert error.value.code == "no_data_folder"


def test_a_folder_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    Store(tmp_path)
    with sqlite3.connect(tmp_path / "readings.sqlite3") as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(AppError, match="newer version"):
        Store(tmp_path)


def test_the_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRAMIDS_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("PYRAMIDS_DATA")
    assert data_folder().name == "pyramid-companion"


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
OLD_TABLE = """
    CREATE TABLE event (reading TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
      payload TEXT NOT NULL, PRIMARY KEY (reading, seq)) WITHOUT ROWID;
"""
"""What the first version of the program wrote."""


def test_what_was_written_last_comes_first_whatever_the_clock_said(tmp_path: Path) -> None:
    store = Store(tmp_path)
    dates = [NOON + timedelta(days=days) for days in (0, -400, 400, -1)]
    names = [store.adopt([Event(1, date, "read", {})]) for date in dates]
    assert [shelf.name for shelf in store.shelves()] == names[::-1]
    store.append(names[0], "saved", {}, at=NOON - timedelta(days=9999))
    assert [shelf.name for shelf in store.shelves()] == [names[0], *names[:0:-1]]


@pytest.mark.parametrize("version", [1, 0])
def test_a_store_of_the_first_version_is_taken_over_whole(tmp_path: Path, version: int) -> None:
    """Version 0: it was killed before it had stamped its table."""
    rows = [
        (name, seq, (NOON + timedelta(hours=hours)).isoformat(), "read", f'{{"n": {hours}}}')
        for name, seq, hours in (("c", 1, 1), ("a", 1, 2), ("a", 2, 9), ("a", 3, 0), ("b", 1, 5), ("d", 1, 3))
    ]
    with closing(sqlite3.connect(tmp_path / "readings.sqlite3")) as connection, connection:
        connection.executescript(OLD_TABLE)
        connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?)", rows)
        connection.execute(f"PRAGMA user_version = {version}")
    for _ in range(2):
        store = Store(tmp_path)
        assert store.damage == ""
        assert [shelf.name for shelf in store.shelves()] == ["a", "b", "d", "c"]
        told = [(name, event) for name in "abcd" for event in store.events(name)]
        assert [(name, event.seq, event.at.isoformat(), event.payload) for name, event in told] == [
            (name, seq, at, {"n": int(payload[6:-1])}) for name, seq, at, _, payload in sorted(rows)
        ]
    assert store.append("a", "saved", {}) == 4


@pytest.mark.parametrize("version", [0, 77])
def test_a_table_of_another_program_is_left_as_it_is(tmp_path: Path, version: int) -> None:
    file = tmp_path / "readings.sqlite3"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executescript(
            "CREATE TABLE event (id INTEGER, name TEXT); INSERT INTO event VALUES (1, 'theirs');"
        )
        connection.execute(f"PRAGMA user_version = {version}")
    before = file.read_bytes()
    with pytest.raises(AppError) as error:
        Store(tmp_path)
    assert error.value.code == "no_data_folder"
    assert file.read_bytes() == before


def test_a_locked_database_is_no_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    monkeypatch.setattr(event_log, "PATIENCE_S", 0.01)
    with closing(sqlite3.connect(tmp_path / "readings.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(AppError, match="another program holds the readings: try again") as error:
            store.begin("read", {})
    assert error.value.code == "data_in_use"
    assert store.begin("read", {})


def test_a_photo_that_finds_no_place_leaves_no_row_behind(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.photos.rmdir()
    store.photos.write_text("in the way")
    name = store.begin("read", {})
    for writing in (
        lambda: store.begin("read", {"photo": photo_name(b"new")}, [b"new"]),
        lambda: store.append(name, "looked", {"photo": photo_name(b"new")}, [b"new"]),
    ):
        with pytest.raises(AppError, match=r"is the folder still there, and yours\?"):
            writing()
    assert [(shelf.name, shelf.newest and shelf.newest.seq) for shelf in store.shelves()] == [(name, 1)]
    store.photos.unlink()
    assert store.append(name, "looked", {"photo": photo_name(b"new")}, [b"new"]) == 2
    assert store.photo(photo_name(b"new")) == b"new"


def test_a_row_that_cannot_be_written_leaves_no_photo_behind(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(NotKept):
        store.append("nothing", "looked", {"photo": photo_name(b"new")}, [b"new"])
    assert list(store.photos.iterdir()) == []


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(path.stat().st_mode & 0o777) for path in (folder, *folder.rglob("*"))}


def test_nobody_else_may_open_what_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    store = Store(folder)
    store.begin("read", {"photo": photo_name(b"pixels")}, [b"pixels"])
    tight = {"data": "0o700", "photos": "0o700", "readings.sqlite3": "0o600", photo_name(b"pixels"): "0o600"}
    assert modes(folder) == tight
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    Store(folder)
    assert modes(folder) == tight


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("payload", "{"), ("payload", "[]"), ("payload", "7"), ("payload", "[" * 100_000), ("payload", b"\xff\xfe"),
        ("at", "x"), ("at", "2026-13-45"), ("at", b"\xff"), ("at", 7.5), ("seq", "first"),
    ],
)  # fmt: skip
def test_a_damaged_row_is_told_and_deleted_and_all_else_is_well(tmp_path: Path, column: str, value: object) -> None:
    store = Store(tmp_path)
    bad, good = (store.begin("read", {"photo": photo_name(jpeg)}, [jpeg]) for jpeg in (b"bad", b"good"))
    store.append(bad, "looked", {})
    with closing(sqlite3.connect(tmp_path / "readings.sqlite3")) as connection, connection:
        connection.execute(f"UPDATE event SET {column} = ? WHERE reading = ? AND seq = 2", (value, bad))
    again = Store(tmp_path)
    assert [shelf.name for shelf in again.shelves()] == [bad, good]
    with pytest.raises(Damaged, match="it can be deleted"):
        again.events(bad)
    with suppress(AppError):
        again.append(bad, "saved", {})
    assert len(again.events(good)) == 1
    again.delete(bad)
    assert [shelf.name for shelf in again.shelves()] == [good]
    assert [path.name for path in again.photos.iterdir()] == [photo_name(b"good")]


@pytest.mark.parametrize("name", [b"\xff\xfe", "", "../..", "a/b?c#d", "é" * 300, "\x00", 7.5])
def test_what_has_lost_its_name_can_be_opened_and_deleted(tmp_path: Path, name: object) -> None:
    store = Store(tmp_path)
    bad, good = store.begin("read", {"n": 1}), store.begin("read", {"n": 2})
    with closing(sqlite3.connect(tmp_path / "readings.sqlite3")) as connection, connection:
        connection.execute("UPDATE event SET reading = ? WHERE reading = ?", (name, bad))
    newest, alias = (shelf.name for shelf in store.shelves())
    assert newest == good
    assert alias.isascii()
    assert store.events(alias)[0].payload == {"n": 1}
    store.delete(alias)
    assert [shelf.name for shelf in store.shelves()] == [good]


def test_halves_of_characters_are_replaced_as_no_page_can_show_them(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = store.begin("read", {"title": "a\ud800b", "whole": "\U0001f600"})
    assert store.events(name)[0].payload == {"title": "a?b", "whole": "\U0001f600"}
