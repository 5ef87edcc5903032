"""What can be saved of a damaged log: every event that can still be read, in a new file."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from companion_app.event_rows import Connection, create, is_tidy, prepare
from companion_app.private_files import tighten

_MAGIC: Final = b"SQLite format 3\x00"
_MOST_SINGLY: Final = 200_000  # rows that are asked for one by one where a page between others cannot be read
_PREFIXES: Final = ("", *(f"{number:02x}" for number in range(256)), "g")

# Columns go by their places, for their names may be damaged, and tables are read whatever an index says.
_COLUMNS: Final = "name, seq, at, kind, payload"
_NUMBERED: Final = f"WITH kept(number, {_COLUMNS}) AS (SELECT * FROM event NOT INDEXED) SELECT * FROM kept"
_NAMED: Final = f"WITH kept({_COLUMNS}) AS (SELECT * FROM event) SELECT * FROM kept"

Row = tuple[Any, ...]


def rescue(damaged: Path, target: Path, what: str) -> int:
    """Write what can be read of the log *damaged* to the new file *target*; how many events that are.

    *damaged* itself, and its write-ahead log, are only read. ``OSError`` or ``sqlite3.Error`` where *target* cannot
    be written.
    """
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        copy = Path(scratch) / "copy.sqlite3"
        shutil.copyfile(damaged, copy)
        log = Path(f"{damaged}-wal")
        if log.is_file():
            shutil.copyfile(log, f"{copy}-wal")
        _mend_head(copy)
        rows = {row[-5:-3]: _tidied(row) for row in _readable(copy) if _has_place(row)}
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        _write(connection, what, list(rows.values()))
    return len(rows)


def rescue_in_place(file: Path, what: str) -> tuple[int, Path]:
    """Put what can be read of a log in its place: how many events, and where the damaged file is kept.

    Only while nobody else uses it. ``OSError`` or ``sqlite3.Error`` where that cannot be written.
    """
    draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}.part")
    try:
        count = rescue(file, draft, what)
        tighten(draft)
        number = 1
        while (aside := file.with_name(f"{file.name}.damaged-{number}")).exists():
            number += 1
        for ending in ("-wal", "-shm", ""):
            if (beside := Path(f"{file}{ending}")).exists():
                beside.rename(f"{aside}{ending}")
        draft.rename(file)
    finally:
        draft.unlink(missing_ok=True)
    return count, aside


def _has_place(row: Row) -> bool:
    """Whether it is clear of what a row tells, and where it comes there."""
    return is_tidy(row[-5]) and isinstance(row[-4], int)


def _tidied(row: Row) -> Row:
    """With nothing for a value that is no text."""
    return (*row[:-3], *(value if isinstance(value, bytes) else b"" for value in row[-3:]))


def _write(connection: sqlite3.Connection, what: str, rows: list[Row]) -> None:
    """All rows into a new database; those of version 1, which have no numbers, as every other log of that version."""
    numbered = [row for row in rows if len(row) == 6]
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    if numbered or not rows:
        create(connection, what)
        connection.execute("PRAGMA user_version = 2")
        columns = "number, " + what
    else:
        connection.execute(f"CREATE TABLE event ({what} TEXT, seq INTEGER, at TEXT, kind TEXT, payload TEXT)")
        connection.execute("PRAGMA user_version = 1")
        columns = what
    texts = ", ".join(["CAST(? AS TEXT)", "?", *["CAST(? AS TEXT)"] * 3])
    places = f"?, {texts}" if numbered or not rows else texts
    command = f"INSERT OR IGNORE INTO event ({columns}, seq, at, kind, payload) VALUES ({places})"
    connection.executemany(command, numbered or rows)
    connection.execute("COMMIT")
    prepare(connection, what)
    connection.execute("PRAGMA journal_mode = DELETE")


def _readable(file: Path) -> Iterator[Row]:
    """The rows that can be read, some of them twice."""
    with closing(sqlite3.connect(file, isolation_level=None, factory=Connection)) as connection:
        connection.text_factory = bytes
        try:
            connection.execute("PRAGMA writable_schema = ON")  # a table whose neighbour is damaged can be read
            columns = [row[1] for row in connection.execute("PRAGMA table_info(event)")]
        except sqlite3.Error:
            return
        if len(columns) == 6:
            yield from _by_number(connection)
        elif len(columns) == 5:
            yield from _by_name(connection)


def _by_number(connection: sqlite3.Connection) -> Iterator[Row]:
    """From the beginning and from the end up to what cannot be read, and between these row by row."""
    rows, whole = _until_damage(connection, f"{_NUMBERED} ORDER BY number")
    yield from rows
    if whole:
        return
    low = int(rows[-1][0]) if rows else 0
    rows, _ = _until_damage(connection, f"{_NUMBERED} WHERE number > {low} ORDER BY number DESC")
    yield from rows
    high = int(rows[-1][0]) if rows else low + _MOST_SINGLY
    for number in range(low + 1, min(high, low + _MOST_SINGLY)):
        yield from _until_damage(connection, f"{_NUMBERED} WHERE number = {number}")[0]


def _by_name(connection: sqlite3.Connection) -> Iterator[Row]:
    """Version 1: the same for the names that begin alike."""
    for first, beyond in pairwise(_PREFIXES):
        where = f"{_NAMED} WHERE name >= '{first}' AND name < '{beyond}' ORDER BY name"
        rows, whole = _until_damage(connection, f"{where}, seq")
        yield from rows
        if not whole:
            yield from _until_damage(connection, f"{where} DESC, seq DESC")[0]


def _until_damage(connection: sqlite3.Connection, query: str) -> tuple[list[Row], bool]:
    """The rows that come before anything that cannot be read, and whether there was none."""
    rows: list[Row] = []
    try:
        rows.extend(connection.execute(query))
    except sqlite3.Error:
        return rows, False
    return rows, True


def _mend_head(file: Path) -> None:
    """The first letters of a database are always the same: by them it is known."""
    with file.open("r+b") as stream:
        stream.write(_MAGIC)
