"""What outlasts the program: one append-only log of events for all things of a kind, and their photos beside it.

An event is a numbered fact about one thing, such as a game ("begun", "played", "refused" …); what the thing is like
now is found by going through its events. An event that was acknowledged is on the disk, whatever happens next. What
is new follows from the order of writing, never from dates: clocks go back.
"""

from __future__ import annotations

import hashlib
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
from companion_app.event_rows import Connection, Event, ForeignFile, event_of, is_tidy, prepare, row_of, text_of
from companion_app.private_files import private_file, private_folder, tighten, tighten_all, write_private

__all__ = [
    "PHOTO_NAME",
    "Damaged",
    "Event",
    "EventLog",
    "NotKept",
    "Shelf",
    "Stale",
    "damage_of",
    "photo_name",
    "photos_mentioned",
    "photos_of",
]

PHOTO_NAME: Final = re.compile(r"[0-9a-f]{64}\.jpg")
"""What ``photo_name`` gives; nothing else that a log says is taken for a file's name."""

PATIENCE_S = 10.0
"""So long a writer waits for another."""

_MENTIONED: Final = re.compile(PHOTO_NAME.pattern.encode())
_UNTIDY: Final = "damaged-{}"
_NUMBERED: Final = re.compile(r"damaged-([0-9]{1,18})")
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BROKEN: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT)
_NO_ROOM: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


class NotKept(AppError):
    """Nothing has this name; its code says what there is none of, such as ``no_such_game``."""

    def __init__(self, what: str) -> None:
        super().__init__(f"no_such_{what}", f"This {what} is not kept here: it was deleted, or never was.")


class Stale(AppError):
    """Someone else wrote first; code ``stale``. *seq* is the number of the newest event."""

    def __init__(self, what: str, seq: int) -> None:
        super().__init__("stale", f"This {what} was changed in another window: look at it as it is now, then go on.")
        self.seq = seq


class Damaged(AppError):
    """What is kept of something makes no sense (any more); code ``damaged``."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(
            "damaged",
            f"This {what} is damaged and cannot be opened ({why}). All else is well, and it can be deleted.",
        )


@dataclass(frozen=True)
class Shelf:
    """One line of the list of what is kept: its name, its first event and its newest; ``None`` for damaged ones."""

    name: str
    first: Event | None
    newest: Event | None


class EventLog:
    """All things of one kind in one folder. Safe to use from several threads and several programs at once."""

    def __init__(self, folder: Path, what: str, photos: str) -> None:
        """Open or make the log of everything that is a *what*, with the folder *photos* in the same *folder*.

        Nobody else may open them. ``AppError`` where the folder cannot be used. Where the file is damaged,
        :attr:`damage` says how, and what can be read still is.
        """
        self.photos = folder / photos
        self.damage = ""
        self._what = what
        self._file = folder / f"{what}s.sqlite3"
        try:
            for place in (folder, self.photos):
                private_folder(place)
            private_file(self._file)
            for beside in self._file.parent.glob(f"{self._file.name}-*"):
                tighten(beside)
            tighten_all(self.photos, "*.jpg")
            self.damage = damage_of(self._file, what)
        except (OSError, sqlite3.Error, ForeignFile) as error:
            raise AppError(
                "no_data_folder",
                f"The folder {folder} cannot hold {what}s ({self._file.name}: {error}): "
                "set PYRAMIDS_DATA to a folder that you may write to.",
            ) from error

    # Writing

    def begin(self, kind: str, payload: Mapping[str, Any], photos: Iterable[bytes] = ()) -> str:
        """Start something with its first event, and keep its *photos*, or none of it; its new name."""
        return self.adopt([Event(1, datetime.now(UTC), kind, payload)], photos)

    def adopt(self, events: Sequence[Event], photos: Iterable[bytes] = ()) -> str:
        """Keep all events of something that comes from elsewhere, and its *photos*, or none of it; its new name."""
        name = secrets.token_hex(6)
        with self._writing(photos) as connection:
            for seq, event in enumerate(events, 1):
                self._insert(connection, name, Event(seq, event.at, event.kind, event.payload))
        return name

    def append(
        self,
        name: str,
        kind: str,
        payload: Mapping[str, Any],
        photos: Iterable[bytes] = (),
        *,
        base: int | None = None,
        at: datetime | None = None,
    ) -> int:
        """Write one more event, which happened *at* that time or else now; its number, once it is on the disk.

        Its *photos* are kept with it, or neither is. *base* is the number of the newest event that the writer has
        seen: when there is a newer one by now, nothing is written and ``Stale`` is raised. Without it the event goes
        to the end. ``NotKept`` where there is nothing of this name (any more).
        """
        with self._writing(photos) as connection:
            query = f"SELECT COUNT(*), MAX(seq) FROM event WHERE {self._what} = ?"
            count, newest = connection.execute(query, (name,)).fetchone()
            if not count:
                raise NotKept(self._what)
            if not isinstance(newest, int):
                raise Damaged(self._what, "its events are not numbered")
            if base is not None and base != newest:
                raise Stale(self._what, newest)
            self._insert(connection, name, Event(newest + 1, at or datetime.now(UTC), kind, payload))
        return newest + 1

    def delete(self, name: str) -> None:
        """Forget something for good, damaged or not, and its photos where nothing else shows them."""
        condition, value = self._is(name)
        with self._writing() as connection:
            rows = connection.execute(f"SELECT payload FROM event WHERE {condition}", (value,)).fetchall()
            if not rows:
                raise NotKept(self._what)
            connection.execute(f"DELETE FROM event WHERE {condition}", (value,))
        self.forget_photos(photos_mentioned(rows))

    def forget_photos(self, names: set[str]) -> None:
        """Remove those of these photos that nothing shows (any more)."""
        if not names:
            return
        with self._writing() as connection:  # so that nobody begins to show one of them just now
            for photo in names - photos_mentioned(connection.execute("SELECT payload FROM event")):
                (self.photos / photo).unlink(missing_ok=True)

    def keep_photo(self, jpeg: bytes) -> None:
        """Put a photo under its ``photo_name``, all of it or nothing; ``AppError`` where the disk is full."""
        try:
            self._put(jpeg)
        except OSError as error:
            raise self._not_written(error) from error

    # Reading

    def events(self, name: str) -> tuple[Event, ...]:
        """Everything that happened to something, in order.

        ``NotKept`` when there is nothing of this name, ``Damaged`` where some of it cannot be read any more.
        """
        condition, value = self._is(name)
        rows = self._rows(f"SELECT seq, at, kind, payload FROM event WHERE {condition} ORDER BY seq", value)
        if not rows:
            raise NotKept(self._what)
        try:
            return tuple(event_of(*row) for row in rows)
        except ValueError:
            raise Damaged(self._what, "an event of it cannot be read") from None

    def photo(self, name: str) -> bytes | None:
        """The photo of this ``photo_name``; ``None`` where it is not kept."""
        try:
            return (self.photos / name).read_bytes() if PHOTO_NAME.fullmatch(name) else None
        except OSError:
            return None

    def shelves(self) -> tuple[Shelf, ...]:
        """Everything that is kept, what was written last first."""
        what = self._what
        query = f"""
            SELECT last.{what}, last.number, first.seq, first.at, first.kind, first.payload,
                   newest.seq, newest.at, newest.kind, newest.payload
            FROM (SELECT {what}, MAX(number) AS number FROM event GROUP BY {what}) AS last
            LEFT JOIN event AS first ON first.{what} = last.{what} AND first.seq = 1
            LEFT JOIN event AS newest ON newest.number = last.number
            ORDER BY last.number DESC
        """
        return tuple(
            Shelf(_name(row[0], row[1]), _event_or_none(row[2:6]), _event_or_none(row[6:]))
            for row in self._rows(query)
        )

    def last_of(self, kind: str) -> dict[str, Event | None]:
        """By name the newest event of this *kind*, of all that have one; ``None`` for one that cannot be read."""
        query = f"""
            SELECT event.{self._what}, event.number, event.seq, event.at, event.kind, event.payload
            FROM (SELECT MAX(number) AS number FROM event WHERE kind = ? GROUP BY {self._what}) AS last
            JOIN event ON event.number = last.number
        """
        return {_name(row[0], row[1]): _event_or_none(row[2:]) for row in self._rows(query, kind)}

    # How it is done

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=PATIENCE_S, isolation_level=None, factory=Connection)
        connection.text_factory = bytes
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _is(self, name: str) -> tuple[str, str | int]:
        """The condition for the rows of something, and its parameter; one whose name is damaged goes by a number."""
        numbered = _NUMBERED.fullmatch(name)
        if numbered:
            return f"{self._what} IS (SELECT {self._what} FROM event WHERE number = ?)", int(numbered[1])
        return f"{self._what} = ?", name.encode(errors="replace").decode()

    def _insert(self, connection: sqlite3.Connection, name: str, event: Event) -> None:
        command = f"INSERT INTO event ({self._what}, seq, at, kind, payload) VALUES (?, ?, ?, ?, ?)"
        connection.execute(command, (name, *row_of(event)))

    def _put(self, jpeg: bytes) -> Path | None:
        """Where a photo was put; ``None`` where it had been already."""
        target = self.photos / photo_name(jpeg)
        if target.exists():
            return None
        private_folder(self.photos)  # somebody may have deleted it
        write_private(target, jpeg)
        return target

    def _rows(self, query: str, *values: str | int) -> list[Any]:
        try:
            with closing(self._connect()) as connection:
                return connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._not_readable(error) from error

    @contextmanager
    def _writing(self, photos: Iterable[bytes] = ()) -> Iterator[sqlite3.Connection]:
        """A transaction; *photos* come before the rows that show them, and go again where these cannot be written."""
        new: list[Path] = []
        try:
            with closing(self._connect()) as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    new.extend(path for photo in photos if (path := self._put(photo)))
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    for path in new:
                        path.unlink(missing_ok=True)
                    raise
        except (sqlite3.Error, OSError) as error:
            raise self._not_written(error) from error

    def _not_readable(self, error: Exception) -> AppError:
        code, what = _code(error), self._what
        if code in _BUSY:
            return AppError("data_in_use", f"Another program holds the {what}s just now: try again in a moment.")
        hint = "is their folder still there, and yours?"
        if code in _BROKEN:
            hint = "their file is damaged. “pyramids backup OUT.zip” saves what can be read of it."
        return AppError("not_readable", f"The {what}s cannot be read ({error}): {hint}")

    def _not_written(self, error: Exception) -> AppError:
        code, what = _code(error), self._what
        if code in _BUSY:
            return AppError(
                "data_in_use", f"This was not kept, since another program holds the {what}s: try again in a moment."
            )
        hint = "is the folder still there, and yours?"
        if code in _NO_ROOM or (isinstance(error, OSError) and not isinstance(error, _NO_PLACE)):
            hint = "is the disk full? Make room and try again."
        elif code in _BROKEN:
            hint = f"the file of the {what}s is damaged. “pyramids backup OUT.zip” saves what can be read of it."
        return AppError("not_written", f"This could not be kept ({error}): {hint}")


_NO_PLACE: Final = (FileNotFoundError, NotADirectoryError, FileExistsError, PermissionError)


def photo_name(jpeg: bytes) -> str:
    """The name of a photo: the fingerprint of its bytes."""
    return hashlib.sha256(jpeg).hexdigest() + ".jpg"


def photos_of(events: Iterable[Event]) -> set[str]:
    """The names of the photos that some events mention, under ``photo`` and ``small``."""
    names = {str(event.payload.get(key)) for event in events for key in ("photo", "small")}
    return {name for name in names if PHOTO_NAME.fullmatch(name)}


def photos_mentioned(rows: Iterable[tuple[object]]) -> set[str]:
    """The names of all photos that stand anywhere in some payloads, whole or damaged."""
    return {name.decode() for (row,) in rows if isinstance(row, bytes) for name in _MENTIONED.findall(row)}


def damage_of(file: Path, what: str) -> str:
    """Make a log ready and look through all of it: what is wrong with it, or nothing.

    ``ForeignFile`` where it is none of ours, ``sqlite3.Error`` where it cannot be used at all.
    """
    try:
        with closing(
            sqlite3.connect(file, timeout=PATIENCE_S, isolation_level=None, factory=Connection)
        ) as connection:
            prepare(connection, what)
            found = text_of(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if _code(error) not in _BROKEN:
            raise
        return str(error)
    return "" if found == "ok" else found


def _code(error: Exception) -> int | None:
    """SQLite's primary result code; Python's own complaints about a file have none and mean that it is broken."""
    if not isinstance(error, sqlite3.Error):
        return None
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def _name(stored: object, number: int) -> str:
    """What something is called here: as it is stored, or by the number of a row where that is damaged."""
    if is_tidy(stored):
        assert isinstance(stored, bytes)
        return stored.decode()
    return _UNTIDY.format(number)


def _event_or_none(row: Sequence[object]) -> Event | None:
    try:
        return event_of(*row)
    except ValueError:
        return None
