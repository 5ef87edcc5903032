"""What outlasts the program: one append-only log of events for all things of a kind, and their photos beside it.

An event is a numbered fact about one thing, such as a game ("begun", "played", "refused" …); what the thing is like
now is found by going through its events. An event that was acknowledged is on the disk, whatever happens next.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from companion_app.errors import AppError

PHOTO_NAME: Final = re.compile(r"[0-9a-f]{64}\.jpg")
"""What ``photo_name`` gives; nothing else that a log says is taken for a file's name."""

SCHEMA_VERSION: Final = 1


class NotKept(AppError):
    """Nothing has this name; its code says what there is none of, such as ``no_such_game``."""

    def __init__(self, what: str) -> None:
        super().__init__(f"no_such_{what}", f"This {what} is not kept here: it was deleted, or never was.")


class Stale(AppError):
    """Someone else wrote first; code ``stale``. *seq* is the number of the newest event."""

    def __init__(self, what: str, seq: int) -> None:
        super().__init__("stale", f"This {what} was changed in another window: look at it as it is now, then go on.")
        self.seq = seq


@dataclass(frozen=True)
class Event:
    """One fact: the *seq*-th about its thing, counted from 1, that happened *at* that time (UTC)."""

    seq: int
    at: datetime
    kind: str
    payload: Mapping[str, Any]


@dataclass(frozen=True)
class Shelf:
    """One line of the list of what is kept: its name, its first event and its newest."""

    name: str
    first: Event
    newest: Event


class EventLog:
    """All things of one kind in one folder. Safe to use from several threads and several programs at once."""

    def __init__(self, folder: Path, what: str, photos: str) -> None:
        """Open or make the log of everything that is a *what*, with the folder *photos* in the same *folder*.

        ``AppError`` where the folder cannot be used.
        """
        self.photos = folder / photos
        self._what = what
        self._file = folder / f"{what}s.sqlite3"
        try:
            self.photos.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection:
                self._prepare(connection)
        except (OSError, sqlite3.Error) as error:
            raise AppError(
                "no_data_folder",
                f"The folder {folder} cannot hold {what}s ({error}): "
                "set PYRAMIDS_DATA to a folder that you may write to.",
            ) from error

    # Writing

    def begin(self, kind: str, payload: Mapping[str, Any]) -> str:
        """Start something with its first event; its new name."""
        return self.adopt([Event(1, datetime.now(UTC), kind, payload)])

    def adopt(self, events: Sequence[Event]) -> str:
        """Keep all events of something that comes from elsewhere, or none of them; its new name."""
        name = secrets.token_hex(6)
        with self._writing() as connection:
            for seq, event in enumerate(events, 1):
                _insert(connection, name, Event(seq, event.at, event.kind, event.payload))
        return name

    def append(
        self,
        name: str,
        kind: str,
        payload: Mapping[str, Any],
        *,
        base: int | None = None,
        at: datetime | None = None,
    ) -> int:
        """Write one more event, which happened *at* that time or else now; its number, once it is on the disk.

        *base* is the number of the newest event that the writer has seen: when there is a newer one by now,
        nothing is written and ``Stale`` is raised. Without it the event goes to the end. ``NotKept`` where there is
        nothing of this name (any more).
        """
        with self._writing() as connection:
            query = f"SELECT COALESCE(MAX(seq), 0) FROM event WHERE {self._what} = ?"
            (newest,) = connection.execute(query, (name,)).fetchone()
            if not newest:
                raise NotKept(self._what)
            if base is not None and base != newest:
                raise Stale(self._what, newest)
            _insert(connection, name, Event(newest + 1, at or datetime.now(UTC), kind, payload))
        return int(newest) + 1

    def delete(self, name: str) -> None:
        """Forget something for good, and its photos where nothing else shows them."""
        names = photos_of(self.events(name))
        with self._writing() as connection:
            connection.execute(f"DELETE FROM event WHERE {self._what} = ?", (name,))
        kept = {photo for shelf in self.shelves() for photo in photos_of(self.events(shelf.name))}
        for photo in names - kept:
            (self.photos / photo).unlink(missing_ok=True)

    def keep_photo(self, jpeg: bytes) -> None:
        """Put a photo under its ``photo_name``, all of it or nothing; ``AppError`` where the disk is full."""
        target = self.photos / photo_name(jpeg)
        draft = target.with_suffix(f".{secrets.token_hex(4)}.part")
        try:
            if not target.exists():
                draft.write_bytes(jpeg)
                draft.replace(target)
        except OSError as error:
            raise _not_written(error) from error
        finally:
            draft.unlink(missing_ok=True)

    # Reading

    def events(self, name: str) -> tuple[Event, ...]:
        """Everything that happened to something, in order; ``NotKept`` when there is nothing of this name."""
        query = f"SELECT seq, at, kind, payload FROM event WHERE {self._what} = ? ORDER BY seq"
        rows = self._rows(query, name)
        if not rows:
            raise NotKept(self._what)
        return tuple(_event(*row) for row in rows)

    def photo(self, name: str) -> bytes | None:
        """The photo of this ``photo_name``; ``None`` where it is not kept."""
        try:
            return (self.photos / name).read_bytes() if PHOTO_NAME.fullmatch(name) else None
        except OSError:
            return None

    def shelves(self) -> tuple[Shelf, ...]:
        """Everything that is kept, what changed last first."""
        what = self._what
        query = f"""
            SELECT last.{what}, first.seq, first.at, first.kind, first.payload,
                   newest.seq, newest.at, newest.kind, newest.payload
            FROM (SELECT {what}, MAX(seq) AS seq FROM event GROUP BY {what}) AS last
            JOIN event AS first ON first.{what} = last.{what} AND first.seq = 1
            JOIN event AS newest ON newest.{what} = last.{what} AND newest.seq = last.seq
            ORDER BY newest.at DESC, last.{what}
        """
        return tuple(Shelf(row[0], _event(*row[1:5]), _event(*row[5:9])) for row in self._rows(query))

    def last_of(self, kind: str) -> dict[str, Event]:
        """By name the newest event of this *kind*, of all that have one."""
        query = f"""
            SELECT event.{self._what}, event.seq, event.at, event.kind, event.payload
            FROM (SELECT {self._what} AS name, MAX(seq) AS seq FROM event WHERE kind = ? GROUP BY name) AS last
            JOIN event ON event.{self._what} = last.name AND event.seq = last.seq
        """
        return {row[0]: _event(*row[1:]) for row in self._rows(query, kind)}

    # How it is done

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=10, isolation_level=None)
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise sqlite3.DatabaseError("it was written by a newer version of this program")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(f"""
            CREATE TABLE IF NOT EXISTS event (
              {self._what} TEXT NOT NULL,
              seq INTEGER NOT NULL,
              at TEXT NOT NULL,
              kind TEXT NOT NULL,
              payload TEXT NOT NULL,
              PRIMARY KEY ({self._what}, seq)
            ) WITHOUT ROWID;
        """)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _rows(self, query: str, *values: str) -> list[Any]:
        try:
            with closing(self._connect()) as connection:
                return connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise AppError(
                "not_readable", f"The {self._what}s cannot be read ({error}): is their folder still there, and yours?"
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connect()) as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise _not_written(error) from error


def photo_name(jpeg: bytes) -> str:
    """The name of a photo: the fingerprint of its bytes."""
    return hashlib.sha256(jpeg).hexdigest() + ".jpg"


def photos_of(events: Iterable[Event]) -> set[str]:
    """The names of the photos that some events mention, under ``photo`` and ``small``."""
    names = {str(event.payload.get(key)) for event in events for key in ("photo", "small")}
    return {name for name in names if PHOTO_NAME.fullmatch(name)}


def _insert(connection: sqlite3.Connection, name: str, event: Event) -> None:
    row = (name, event.seq, event.at.isoformat(), event.kind, json.dumps(event.payload))
    connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)


def _event(seq: int, at: str, kind: str, payload: str) -> Event:
    return Event(seq, datetime.fromisoformat(at), kind, json.loads(payload))


def _not_written(error: Exception) -> AppError:
    return AppError("not_written", f"This could not be kept ({error}): is the disk full? Make room and try again.")
