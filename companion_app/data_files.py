"""What a data folder has in it: the logs with their photos, and that the page is running on it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion_app.errors import AppError
from companion_app.event_log import damage_of
from companion_app.event_rows import ForeignFile
from companion_app.private_files import private_file, private_folder


@dataclass(frozen=True)
class LogFile:
    """One log: its database and the folder of its photos, both as paths in the data folder, and of what it is."""

    database: str
    photos: str
    what: str
    noun: str


LOGS: Final = (
    LogFile("games.sqlite3", "game_photos", "game", "game"),
    LogFile("readings.sqlite3", "photos", "reading", "reading"),
    LogFile("restoring/readings.sqlite3", "restoring/photos", "reading", "restoration"),
)
SETTINGS: Final = "corrections-off.txt"
_IN_USE: Final = "in-use.lock"


def damages(folder: Path) -> dict[LogFile, str]:
    """The logs of a data folder that are damaged, and how; ``AppError`` where they cannot be looked at."""
    found = {}
    for log in LOGS:
        file = folder / log.database
        if file.is_file():
            try:
                found[log] = damage_of(file, log.what)
            except (sqlite3.Error, ForeignFile) as error:
                raise AppError("no_data_folder", f"{file} cannot be used ({error}): name another folder.") from error
    return {log: damage for log, damage in found.items() if damage}


@contextmanager
def using(folder: Path, *, alone: bool = False) -> Iterator[None]:
    """Use a data folder, together with other programs or *alone*; ``AppError`` where that cannot be now.

    Who uses it holds a lock on an empty database, which no program keeps beyond its end, however that comes.
    """
    try:
        private_folder(folder)
        private_file(folder / _IN_USE)
        connection = sqlite3.connect(folder / _IN_USE, timeout=0, isolation_level=None, check_same_thread=False)
        connection.execute("BEGIN EXCLUSIVE" if alone else "BEGIN")
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except (OSError, sqlite3.Error) as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            whose = "The page is running on" if alone else "A backup is just put back into"
            raise AppError("data_in_use", f"{whose} {folder}: end that first, then try again.") from error
        raise AppError(
            "no_data_folder", f"The folder {folder} cannot be used ({error}): set PYRAMIDS_DATA to one of yours."
        ) from error
    with closing(connection):
        yield
