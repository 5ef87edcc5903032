"""Readings that outlast the program: one append-only log of events, and the photos beside it.

An event is a numbered fact about one reading ("read", "corrected", "saved" …); what a reading looks like now is
found by going through its events. An event that was acknowledged is on the disk, whatever happens next.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from companion_app.errors import AppError

SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
  reading TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  PRIMARY KEY (reading, seq)
) WITHOUT ROWID;
"""


class NotKept(AppError):
    """No reading has this name; code ``no_such_reading``."""

    def __init__(self) -> None:
        super().__init__("no_such_reading", "This reading is not kept here: it was deleted, or never was.")


class Stale(AppError):
    """Someone else wrote first; code ``stale``. *seq* is the number of the newest event."""

    def __init__(self, seq: int) -> None:
        super().__init__("stale", "This reading was changed in another window: look at it as it is now, then go on.")
        self.seq = seq


@dataclass(frozen=True)
class Event:
    """One fact: the *seq*-th about its reading, counted from 1, written *at* that time (UTC)."""

    seq: int
    at: datetime
    kind: str
    payload: Mapping[str, Any]


@dataclass(frozen=True)
class Shelf:
    """One line of the list of readings: how it began, the last time it was saved, and its newest event."""

    reading: str
    opened: Event
    saved: Event | None
    changed: datetime


def data_folder() -> Path:
    """Where readings are kept: ``$PYRAMIDS_DATA``, or the user's own data folder."""
    chosen = os.environ.get("PYRAMIDS_DATA")
    return Path(chosen).expanduser() if chosen else user_data_path("pyramid-companion", appauthor=False)


class Store:
    """The readings in one folder. Safe to use from several threads and several programs at once."""

    def __init__(self, folder: Path) -> None:
        """Open or make the store; ``AppError`` where the folder cannot be used."""
        self.photos = folder / "photos"
        self._file = folder / "readings.sqlite3"
        try:
            self.photos.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection:
                self._prepare(connection)
        except (OSError, sqlite3.Error) as error:
            raise AppError(
                "no_data_folder",
                f"The folder {folder} cannot hold readings ({error}): "
                "set PYRAMIDS_DATA to a folder that you may write to.",
            ) from error

    def begin(self, kind: str, payload: Mapping[str, Any]) -> str:
        """Start a reading with its first event; its new name."""
        reading = secrets.token_hex(6)
        self.append(reading, kind, payload, base=0)
        return reading

    def append(self, reading: str, kind: str, payload: Mapping[str, Any], *, base: int | None = None) -> int:
        """Write one more event and answer its number, once it is safely on the disk.

        *base* is the number of the newest event that the writer has seen: when there is a newer one by now,
        nothing is written and ``Stale`` is raised. Without it the event goes to the end.
        """
        with self._writing() as connection:
            newest = self._newest(connection, reading)
            if base is None and newest == 0:
                raise NotKept
            if base is not None and base != newest:
                raise Stale(newest) if newest else NotKept
            row = (reading, newest + 1, datetime.now(UTC).isoformat(), kind, json.dumps(payload))
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)
        return newest + 1

    def events(self, reading: str) -> tuple[Event, ...]:
        """Everything that happened to a reading, in order; ``NotKept`` when there is none."""
        query = "SELECT seq, at, kind, payload FROM event WHERE reading = ? ORDER BY seq"
        with closing(self._connect()) as connection:
            rows = connection.execute(query, (reading,)).fetchall()
        if not rows:
            raise NotKept
        return tuple(_event(*row) for row in rows)

    def shelves(self) -> tuple[Shelf, ...]:
        """All readings, the one that changed last first."""
        query = """
            SELECT last.reading, last.at,
                   first.seq, first.at, first.kind, first.payload,
                   saved.seq, saved.at, saved.kind, saved.payload
            FROM (SELECT reading, MAX(seq) AS seq, MAX(at) AS at,
                         MAX(CASE kind WHEN 'saved' THEN seq END) AS saved
                  FROM event GROUP BY reading) AS last
            JOIN event AS first ON first.reading = last.reading AND first.seq = 1
            LEFT JOIN event AS saved ON saved.reading = last.reading AND saved.seq = last.saved
            ORDER BY last.at DESC, last.reading
        """
        with closing(self._connect()) as connection:
            rows = connection.execute(query).fetchall()
        return tuple(
            Shelf(
                reading=row[0],
                opened=_event(*row[2:6]),
                saved=None if row[6] is None else _event(*row[6:10]),
                changed=datetime.fromisoformat(row[1]),
            )
            for row in rows
        )

    def delete(self, reading: str) -> None:
        """Forget a reading for good, and its photos where no other reading shows them."""
        names = {name for event in self.events(reading) for name in _photo_names(event.payload)}
        with self._writing() as connection:
            connection.execute("DELETE FROM event WHERE reading = ?", (reading,))
        kept = {name for shelf in self.shelves() for name in _photo_names(shelf.opened.payload)}
        for name in names - kept:
            (self.photos / name).unlink(missing_ok=True)

    def keep_photo(self, name: str, jpeg: bytes) -> None:
        """Put a photo under the name that ``photo_name`` gave it; all of it or nothing."""
        target = self.photos / name
        if target.exists():
            return
        draft = target.with_suffix(f".{secrets.token_hex(4)}.part")
        try:
            draft.write_bytes(jpeg)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=10, isolation_level=None)
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise sqlite3.DatabaseError("it was written by a newer version of this program")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(SCHEMA)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with closing(self._connect()) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise AppError(
                    "not_written", f"This could not be kept ({error}): is the disk full? Make room and try again."
                ) from error

    @staticmethod
    def _newest(connection: sqlite3.Connection, reading: str) -> int:
        query = "SELECT COALESCE(MAX(seq), 0) FROM event WHERE reading = ?"
        (seq,) = connection.execute(query, (reading,)).fetchone()
        return int(seq)


def photo_name(jpeg: bytes) -> str:
    """The name of a photo: the fingerprint of its bytes."""
    return hashlib.sha256(jpeg).hexdigest() + ".jpg"


def _photo_names(payload: Mapping[str, Any]) -> set[str]:
    """The names of the photos that an event mentions, under ``photo`` and ``small``."""
    return {str(payload[key]) for key in ("photo", "small") if payload.get(key)}


def _event(seq: int, at: str, kind: str, payload: str) -> Event:
    return Event(seq, datetime.fromisoformat(at), kind, json.loads(payload))
