"""All that is kept, written to one zip file while the page may be running, and put back from it.

::

    backup.json                  what this is, how much is in it, and the fingerprint of every file
    games.sqlite3 …              the logs as they were at one moment each
    game_photos/NAME.jpg …       the photos that they show

What cannot be read any more is left out, so a backup of a damaged log is what can be saved of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from companion_app.data_files import LOGS, SETTINGS, LogFile
from companion_app.errors import AppError
from companion_app.event_log import PHOTO_NAME, damage_of, photo_name, photos_mentioned
from companion_app.event_rows import Connection, ForeignFile, event_of
from companion_app.private_files import FILE_MODE
from companion_app.rescue import rescue

FORMAT: Final = "pyramid-companion backup 1"
MANIFEST: Final = "backup.json"


@dataclass
class Kept:
    """How much is kept, or was; *damaged* names files of which something may be missing."""

    games: int = 0
    readings: int = 0
    restorations: int = 0
    photos: int = 0
    damaged: list[str] = field(default_factory=list)

    def add(self, log: LogFile, count: int) -> None:
        """So many more things of a log."""
        name = f"{log.noun}s"
        setattr(self, name, getattr(self, name) + count)

    def to_json(self) -> dict[str, int]:
        """As the manifest has it."""
        return {noun: getattr(self, noun) for noun in ("games", "readings", "restorations", "photos")}

    @property
    def words(self) -> str:
        """Such as ``"1 game, 2 readings, 0 restorations and 5 photos"``."""
        *others, last = (
            f"{count} {noun if count != 1 else noun.removesuffix('s')}" for noun, count in self.to_json().items()
        )
        return f"{', '.join(others)} and {last}"


def back_up(folder: Path, target: Path) -> Kept:
    """Write all that is kept in *folder* to the new zip file *target*, all of it or nothing; how much that is.

    Nothing in *folder* is changed, and programs that use it go on. ``AppError`` where it cannot be read or written.
    """
    if target.exists():
        raise AppError("file_taken", f"{target} is there already: name a new file.")
    if not target.absolute().parent.is_dir():
        raise AppError("folder_missing", f"There is no folder {target.parent}: make it first.")
    if not any((folder / log.database).is_file() for log in LOGS):
        raise AppError("nothing_kept", f"Nothing is kept in {folder} yet, so there is nothing to back up.")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE_MODE), "w+b") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                kept = _write(archive, folder)
            stream.flush()
            os.fsync(stream.fileno())
        draft.rename(target)
    except (OSError, sqlite3.Error) as error:
        raise AppError("not_written", f"{target} cannot be written ({error}): is the disk full?") from error
    finally:
        draft.unlink(missing_ok=True)
    return kept


def count_in(database: Path, log: LogFile) -> int:
    """How many things a sound log has."""
    with closing(sqlite3.connect(database, factory=Connection)) as connection:
        connection.text_factory = bytes
        (count,) = connection.execute(f"SELECT COUNT(DISTINCT {log.what}) FROM event").fetchone()
        return int(count)


def _write(archive: zipfile.ZipFile, folder: Path) -> Kept:
    kept, files = Kept(), {}
    with tempfile.TemporaryDirectory() as scratch:
        for log in LOGS:
            file = folder / log.database
            if not file.is_file():
                continue
            copy = Path(scratch) / "copy.sqlite3"
            if not _copy(file, copy, log):
                kept.damaged.append(log.database)
            kept.add(log, count_in(copy, log))
            photos = _photos_of(copy, folder / log.photos)
            files[log.database] = _fingerprint(copy)
            archive.write(copy, log.database)
            copy.unlink()
            for name in photos:
                try:
                    photo = (folder / log.photos / name).read_bytes()
                except FileNotFoundError:  # it was deleted just now, or its turn came without one
                    continue
                if photo_name(photo) != name:
                    kept.damaged.append(f"{log.photos}/{name}")
                    continue
                archive.writestr(f"{log.photos}/{name}", photo, zipfile.ZIP_STORED)
                files[f"{log.photos}/{name}"] = name.removesuffix(".jpg")
                kept.photos += 1
    if (folder / SETTINGS).is_file():
        archive.write(folder / SETTINGS, SETTINGS)
        files[SETTINGS] = _fingerprint(folder / SETTINGS)
    said: dict[str, Any] = {"format": FORMAT, "program": f"pyramid-companion {version('pyramid-companion')}"}
    archive.writestr(MANIFEST, json.dumps(said | {"kept": kept.to_json(), "files": files}, indent=1) + "\n")
    return kept


def _photos_of(database: Path, folder: Path) -> list[str]:
    """The names of the photos of a log; all in their *folder* where damaged events do not say which are theirs."""
    with closing(sqlite3.connect(database, factory=Connection)) as connection:
        connection.text_factory = bytes
        rows = connection.execute("SELECT seq, at, kind, payload FROM event").fetchall()
    try:
        for row in rows:
            event_of(*row)
    except ValueError:
        return sorted(path.name for path in folder.glob("*.jpg") if PHOTO_NAME.fullmatch(path.name))
    return sorted(photos_mentioned((payload,) for *_, payload in rows))


def _copy(file: Path, copy: Path, log: LogFile) -> bool:
    """Copy a log as it is at this moment; ``False`` where it is damaged, and only what can be read was copied."""
    try:
        with (
            closing(sqlite3.connect(file, timeout=10)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
        damage = damage_of(copy, log.what)
        with closing(sqlite3.connect(copy, isolation_level=None, factory=Connection)) as target:
            target.execute("PRAGMA journal_mode = DELETE")
    except ForeignFile as error:
        raise AppError("no_data_folder", f"{file} is none of ours ({error}).") from error
    except sqlite3.DatabaseError as error:
        damage = str(error)
    if damage:
        for there in copy.parent.iterdir():
            there.unlink()
        rescue(file, copy, log.what)
    return not damage


def _fingerprint(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
