"""The table that events are kept in: its columns, how older ones become like it, and what a row says.

Rows may be damaged: a bit that has flipped on a disk makes any value of any column. Values are asked for as bytes,
and whatever is no event is a ``ValueError``.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

SCHEMA_VERSION: Final = 2

_FIRST_COLUMNS: Final = ("seq", "at", "kind", "payload")
_TIDY_NAME: Final = re.compile(rb"[0-9a-z]{1,64}")
_LONE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


@dataclass(frozen=True)
class Event:
    """One fact: the *seq*-th about its thing, counted from 1, that happened *at* that time (UTC)."""

    seq: int
    at: datetime
    kind: str
    payload: Mapping[str, Any]


class ForeignFile(Exception):
    """A database that this program has not written, or a newer version of it."""


class Connection(sqlite3.Connection):
    """A connection whose every complaint is an ``sqlite3.Error``.

    Python itself fails with another one over names in a damaged schema, and over messages that quote them.
    """

    def execute(self, *command: Any) -> sqlite3.Cursor:
        """See :meth:`sqlite3.Connection.execute`."""
        try:
            return super().execute(*command)
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError("names in it are damaged") from error


def prepare(connection: sqlite3.Connection, what: str) -> None:
    """Make the table of every *what*, or make that of an older version like today's; nothing is lost by it.

    ``ForeignFile`` for a database that is not ours, which is left as it is. ``sqlite3.Error`` for a damaged one.
    """
    if _version(connection, what) != SCHEMA_VERSION:
        connection.execute("BEGIN IMMEDIATE")
        try:
            if (version := _version(connection, what)) == 0:  # not made by another program meanwhile
                create(connection, what)
            elif version == 1:
                _migrate(connection, what)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    connection.execute("PRAGMA journal_mode = WAL")


def create(connection: sqlite3.Connection, what: str) -> None:
    """Make the table. *number* is the order in which events were written down, whatever the clock said."""
    connection.execute(f"""
        CREATE TABLE event (
          number INTEGER PRIMARY KEY,
          {what} TEXT NOT NULL,
          seq INTEGER NOT NULL,
          at TEXT NOT NULL,
          kind TEXT NOT NULL,
          payload TEXT NOT NULL,
          UNIQUE ({what}, seq)
        )
    """)


def _migrate(connection: sqlite3.Connection, what: str) -> None:
    """From version 1, which had no numbers: by date, but no event before an earlier one of the same thing."""
    columns = ", ".join((what, *_FIRST_COLUMNS))
    connection.execute("ALTER TABLE event RENAME TO event_1")
    create(connection, what)
    connection.execute(f"""
        INSERT INTO event ({columns})
        SELECT {columns} FROM (SELECT *, MAX(at) OVER (PARTITION BY {what} ORDER BY seq) AS reached FROM event_1)
        ORDER BY reached, {what}, seq
    """)
    connection.execute("DROP TABLE event_1")


def _version(connection: sqlite3.Connection, what: str) -> int:
    """The version of the table that is there, 0 where there is none."""
    (stamp,) = connection.execute("PRAGMA user_version").fetchone()
    if stamp > SCHEMA_VERSION:
        raise ForeignFile("it was written by a newer version of this program")
    columns = tuple(text_of(row[1]) for row in connection.execute("PRAGMA table_info(event)"))
    if columns == (what, *_FIRST_COLUMNS) and stamp < SCHEMA_VERSION:
        return 1  # stamped, or not yet: the program was killed just then
    if columns == ("number", what, *_FIRST_COLUMNS) and stamp == SCHEMA_VERSION:
        return SCHEMA_VERSION
    (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    if stamp == 0 and not tables:
        return 0
    if stamp == 0:
        raise ForeignFile("another program has written it")
    raise sqlite3.DatabaseError("its table is not what it should be")


def text_of(value: str | bytes) -> str:
    """A text of SQLite, as it comes with either factory."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def is_tidy(name: object) -> bool:
    """Whether this value of the first column, as bytes, is a name such as we give."""
    return isinstance(name, bytes) and _TIDY_NAME.fullmatch(name) is not None


def event_of(seq: object, at: object, kind: object, payload: object) -> Event:
    """The event of a row; ``ValueError`` where it is none. Text that is no Unicode has “�” or “?” in its place."""
    if not isinstance(seq, int) or not all(isinstance(value, bytes) for value in (at, kind, payload)):
        raise ValueError("a value of another type")
    assert isinstance(at, bytes)
    assert isinstance(kind, bytes)
    assert isinstance(payload, bytes)
    date = datetime.fromisoformat(at.decode(errors="replace"))
    try:
        said = json.loads(payload.decode(errors="replace"))
        if _LONE.search(payload):  # halves of characters, which no page can show
            said = json.loads(json.dumps(said, ensure_ascii=False).encode(errors="replace"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(said, dict):
        raise ValueError("no JSON object")
    return Event(seq, date.replace(tzinfo=date.tzinfo or UTC), kind.decode(errors="replace"), said)


def row_of(event: Event) -> tuple[int, str, str, str]:
    """The values of an event in the table."""
    return event.seq, event.at.isoformat(), event.kind, json.dumps(event.payload)
