"""All that is kept goes into one file and comes back from it, or nothing does."""

from __future__ import annotations

import hashlib
import json
import os
import random
import sqlite3
import stat
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion_app import backup_restoring
from companion_app.backup import back_up
from companion_app.backup_restoring import restore_backup
from companion_app.cli import damaged_data
from companion_app.cli.backup import backup as backup_command
from companion_app.cli.backup import restore_backup as restore_command
from companion_app.corrections import Switch
from companion_app.data_files import damages, using
from companion_app.errors import AppError
from companion_app.event_log import EventLog, photo_name
from companion_app.rescue import rescue_in_place
from companion_app.session import GameLog
from companion_app.store import Store

Files = dict[str, bytes]


def filled(folder: Path, games: int = 3) -> Path:
    """A folder with games, a reading and a restoration, each with a photo."""
    for log, count in ((GameLog(folder), games), (Store(folder), 1), (Store(folder / "restoring"), 1)):
        for number in range(count):
            photo = b"%s %d" % (log.photos.name.encode(), number)
            name = log.begin("begun", {"n": number, "photo": photo_name(photo)}, [photo])
            log.append(name, "played", {"filling": "x" * 900})
    Switch(folder).turn(False)
    return folder


def told(folder: Path) -> list[object]:
    """Everything that the logs in a folder tell."""
    logs: list[EventLog] = [GameLog(folder), Store(folder), Store(folder / "restoring")]
    rows: list[object] = [(shelf.name, log.events(shelf.name)) for log in logs for shelf in log.shelves()]
    return [*rows, sorted(path.name for log in logs for path in log.photos.iterdir()), Switch(folder).on]


def test_a_backup_brings_everything_back(tmp_path: Path) -> None:
    folder, target = filled(tmp_path / "data"), tmp_path / "out.zip"
    kept = back_up(folder, target)
    assert kept.words == "3 games, 1 reading, 1 restoration and 5 photos"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert restore_backup(target, tmp_path / "new") == kept
    assert told(tmp_path / "new") == told(folder)
    assert stat.S_IMODE((tmp_path / "new" / "games.sqlite3").stat().st_mode) == 0o600
    assert not list((tmp_path / "new").glob(".*"))


def test_a_backup_is_whole_while_others_write(tmp_path: Path) -> None:
    folder, ended = filled(tmp_path / "data"), threading.Event()
    log, written = GameLog(folder), []

    def write() -> None:
        while not ended.is_set():
            photo = random.randbytes(900)
            written.append(log.begin("begun", {"photo": photo_name(photo)}, [photo]))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            before = len(written)
            kept = back_up(folder, tmp_path / f"{number}.zip")
            restore_backup(tmp_path / f"{number}.zip", tmp_path / f"back-{number}")
            assert kept.games >= 3 + before
            assert kept.photos == kept.games + 2
    finally:
        ended.set()
        writer.join()


def test_what_is_there_is_kept_aside_and_never_written_over(tmp_path: Path) -> None:
    old, new = filled(tmp_path / "old", 1), filled(tmp_path / "new", 4)
    before = told(old)
    back_up(new, tmp_path / "out.zip")
    with pytest.raises(AppError, match="--replace") as error:
        restore_backup(tmp_path / "out.zip", old)
    assert (error.value.code, told(old)) == ("data_there", before)
    restore_backup(tmp_path / "out.zip", old, replace=True)
    assert told(old) == told(new)
    assert told(old / "replaced-1") == before
    with pytest.raises(AppError, match="there already"):
        back_up(old, tmp_path / "out.zip")


def test_no_backup_is_put_back_while_the_page_runs(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data")
    back_up(folder, tmp_path / "out.zip")
    with using(folder), using(folder), pytest.raises(AppError, match="page is running"):
        restore_backup(tmp_path / "out.zip", folder, replace=True)
    restore_backup(tmp_path / "out.zip", folder, replace=True)


def rezipped(change: Callable[[Files], object], kind: int = stat.S_IFREG) -> Callable[[Path], None]:
    """Write a backup anew with other files in it."""

    def spoil(archive: Path) -> None:
        with zipfile.ZipFile(archive) as opened:
            files = {name: opened.read(name) for name in opened.namelist()}
        change(files)
        with zipfile.ZipFile(archive, "w") as opened:
            for name, content in files.items():
                entry = zipfile.ZipInfo(name)
                entry.external_attr = kind << 16
                opened.writestr(entry, content)

    return spoil


def listed_too(name: str, content: bytes) -> Callable[[Files], None]:
    """Another file, which the list of files has as well."""

    def change(files: Files) -> None:
        manifest = json.loads(files["backup.json"])
        manifest["files"][name] = hashlib.sha256(content).hexdigest()
        files["backup.json"] = json.dumps(manifest).encode()
        files[name] = content

    return change


def cut_off(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-300])


def bit_flipped(archive: Path) -> None:
    content = bytearray(archive.read_bytes())
    content[len(content) // 3] ^= 16
    archive.write_bytes(content)


@pytest.mark.parametrize(
    "spoil",
    [
        cut_off,
        bit_flipped,
        lambda archive: archive.write_bytes(b"PK"),
        lambda archive: archive.write_bytes(b""),
        rezipped(lambda files: files.pop("backup.json")),
        rezipped(lambda files: files.pop("games.sqlite3")),
        rezipped(lambda files: files.update({"backup.json": b"[]"})),
        rezipped(lambda files: files.update({"backup.json": b"[" * 100_000})),
        rezipped(lambda files: files.update({"games.sqlite3": files["readings.sqlite3"]})),
        rezipped(listed_too("games.sqlite3", b"no database" * 900)),
        rezipped(listed_too("games.sqlite3", b"")),
        rezipped(listed_too("../elsewhere.txt", b"out of it")),
        rezipped(listed_too("/etc/elsewhere.txt", b"out of it")),
        rezipped(listed_too("photos/../../elsewhere.jpg", b"out of it")),
        rezipped(listed_too("keys.json", b"{}")),
        rezipped(listed_too(f"photos/{'0' * 64}.jpg", b"another")),
        rezipped(len, stat.S_IFLNK),
    ],
)
def test_a_damaged_or_foreign_zip_is_refused_as_a_whole(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    archive, folder = tmp_path / "out.zip", filled(tmp_path / "data")
    back_up(folder, archive)
    spoil(archive)
    before = told(folder)
    for target in (folder, tmp_path / "new"):
        with pytest.raises(AppError, match="Nothing was changed") as error:
            restore_backup(archive, target, replace=True)
        assert error.value.code == "not_a_backup"
    assert told(folder) == before
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["in-use.lock"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "new", "out.zip"]


def test_a_zip_that_unpacks_to_too_much_is_refused_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "out.zip"
    back_up(filled(tmp_path / "data"), archive)
    with pytest.raises(AppError, match="larger than 20,000 bytes"):
        restore_backup(archive, tmp_path / "new", most=20_000)
    monkeypatch.setattr(backup_restoring, "MOST_FILES", 5)
    with pytest.raises(AppError, match="too many files"):
        restore_backup(archive, tmp_path / "new")


def a_page_lost(file: Path) -> None:
    """Overwrite one of the leaves in the middle of a log with nothing."""
    content = bytearray(file.read_bytes())
    leaves = [page for page in range(1, len(content) // 4096) if content[page * 4096] == 13]
    page = leaves[len(leaves) // 2]
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    file.write_bytes(content)


def test_a_backup_of_a_damaged_log_saves_what_can_be_read(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data", 40)
    log = GameLog(folder)
    whole = {shelf.name: log.events(shelf.name) for shelf in log.shelves()}
    a_page_lost(folder / "games.sqlite3")
    assert [log.database for log in damages(folder)] == ["games.sqlite3"]
    kept = back_up(folder, tmp_path / "out.zip")
    assert kept.damaged == ["games.sqlite3"]
    restore_backup(tmp_path / "out.zip", tmp_path / "new")
    saved = GameLog(tmp_path / "new")
    same = [shelf.name for shelf in saved.shelves() if saved.events(shelf.name) == whole[shelf.name]]
    assert 34 <= len(same) < 40
    assert kept.readings == 1


def test_damaged_names_of_columns_cost_no_event(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data")
    before = [(shelf.name, GameLog(folder).events(shelf.name)) for shelf in GameLog(folder).shelves()]
    file = folder / "games.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file.write_bytes(file.read_bytes().replace(b"payload TEXT", b"\xa0ayload TEXT"))
    assert [log.database for log in damages(folder)] == ["games.sqlite3"]
    with pytest.raises(AppError):
        GameLog(folder).shelves()
    assert back_up(folder, tmp_path / "out.zip").damaged == ["games.sqlite3"]
    restore_backup(tmp_path / "out.zip", tmp_path / "new")
    saved = GameLog(tmp_path / "new")
    assert [(shelf.name, saved.events(shelf.name)) for shelf in saved.shelves()] == before


def test_photos_of_damaged_events_are_backed_up_too(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data")
    with closing(sqlite3.connect(folder / "games.sqlite3")) as connection:
        connection.execute("UPDATE event SET payload = '{'")
        connection.commit()
    assert back_up(folder, tmp_path / "out.zip").photos == 5
    assert restore_backup(tmp_path / "out.zip", tmp_path / "new").photos == 5


@pytest.mark.parametrize("odd", ["pipe", "device", "folder", "loop", "nothing"])
def test_a_backup_is_a_regular_file(tmp_path: Path, odd: str) -> None:
    archive = tmp_path / "in.zip"
    if odd == "pipe":
        os.mkfifo(archive)
    elif odd == "device":
        archive = Path("/dev/zero")
    elif odd == "folder":
        archive.mkdir()
    elif odd == "loop":
        archive.symlink_to(archive)
    with pytest.raises(AppError) as error:
        restore_backup(archive, tmp_path / "new")
    assert error.value.code in {"file_missing", "file_unreadable"}
    assert not (tmp_path / "new").exists()


def test_a_photo_that_is_damaged_does_not_spoil_the_backup(tmp_path: Path) -> None:
    folder = filled(tmp_path / "data")
    name = photo_name(b"photos 0")
    (folder / "photos" / name).write_bytes(b"photos 1")
    kept = back_up(folder, tmp_path / "out.zip")
    assert kept.damaged == [f"photos/{name}"]
    assert restore_backup(tmp_path / "out.zip", tmp_path / "new").photos == 4


@pytest.mark.parametrize("version", [1, 2])
def test_a_damaged_log_is_replaced_by_what_can_be_read_and_kept_beside_it(tmp_path: Path, version: int) -> None:
    folder = filled(tmp_path / "data", 40)
    file = folder / "games.sqlite3"
    names = [shelf.name for shelf in GameLog(folder).shelves()]
    if version == 1:
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript("""
                PRAGMA journal_mode = DELETE;
                CREATE TABLE old (game TEXT, seq INTEGER, at TEXT, kind TEXT, payload TEXT, PRIMARY KEY (game, seq))
                  WITHOUT ROWID;
                INSERT INTO old SELECT game, seq, at, kind, payload FROM event;
                DROP TABLE event; ALTER TABLE old RENAME TO event; PRAGMA user_version = 1; VACUUM;
            """)
        content = bytearray(file.read_bytes())
        leaves = [page for page in range(1, len(content) // 4096) if content[page * 4096] == 10]
        content[leaves[3] * 4096 : leaves[3] * 4096 + 4096] = bytes(4096)
        file.write_bytes(content)
    else:
        a_page_lost(file)
    damaged = file.read_bytes()
    count, aside = rescue_in_place(file, "game")
    assert aside.read_bytes() == damaged
    log = GameLog(folder)
    assert log.damage == ""
    assert 30 <= len(set(names) & {shelf.name for shelf in log.shelves()}) <= 40
    assert 60 < count < 80
    assert log.begin("begun", {})


def test_the_commands_say_what_they_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRAMIDS_DATA", str(tmp_path / "data"))
    target = str(tmp_path / "out.zip")
    with pytest.raises(AppError, match="nothing to back up"):
        CliRunner().invoke(backup_command, [target], catch_exceptions=False)
    filled(tmp_path / "data")
    said = CliRunner().invoke(backup_command, [target], catch_exceptions=False).output
    assert "3 games, 1 reading, 1 restoration and 5 photos." in said
    said = CliRunner().invoke(restore_command, [target, "--replace"], catch_exceptions=False).output
    assert said.startswith(f"Put into {tmp_path / 'data'}: 3 games")


@pytest.mark.parametrize("answer", [True, False])
def test_at_the_start_a_copy_of_what_can_be_saved_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: bool
) -> None:
    monkeypatch.setenv("PYRAMIDS_DATA", str(tmp_path))
    file = filled(tmp_path, 40) / "games.sqlite3"
    damaged_data.offer_rescue()
    assert capsys.readouterr().err == ""
    a_page_lost(file)
    damaged = file.read_bytes()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.confirm", lambda *_args, **_more: answer)
    damaged_data.offer_rescue()
    said = capsys.readouterr().err
    assert f"{file} is damaged" in said
    assert ("events were saved; the damaged file is kept as games.sqlite3.damaged-1" in said) is answer
    assert ("“pyramids backup OUT.zip” saves that much" in said) is not answer
    assert (file.read_bytes() == damaged) is not answer
    assert bool(damages(tmp_path)) is not answer
