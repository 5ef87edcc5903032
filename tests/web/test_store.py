"""What the store acknowledged it keeps, in order, whoever writes and whatever happens."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_app.errors import AppError
from companion_app.event_log import NotKept, Stale, photo_name
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
