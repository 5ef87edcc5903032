"""Games that outlast the program: an append-only log of events in ``games.sqlite3``, and the photos of their turns.

It keeps what ``companion_app.store`` keeps of readings, in the same way: what was acknowledged is on the disk.
"""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion_app.errors import AppError
from companion_app.store import Event, photo_name

PHOTO_NAME = re.compile(r"[0-9a-f]{64}\.jpg")
"""What ``photo_name`` gives; nothing else that a log says is taken for a file's name."""
SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
  game TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  PRIMARY KEY (game, seq)
) WITHOUT ROWID;
"""


class NotKept(AppError):
    """No game has this name; code ``no_such_game``."""

    def __init__(self) -> None:
        super().__init__("no_such_game", "This game is not kept here: it was deleted, or never was.")


class Stale(AppError):
    """Someone else wrote first; code ``stale``. *seq* is the number of the newest event."""

    def __init__(self, seq: int) -> None:
        super().__init__("stale", "This game went on in another window: look at it as it is now, then go on.")
        self.seq = seq


@dataclass(frozen=True)
class Shelf:
    """One line of the list of games: its first event and its newest."""

    game: str
    first: Event
    newest: Event


class GameLog:
    """The games in one folder. Safe to use from several threads and several programs at once."""

    def __init__(self, folder: Path) -> None:
        """Open or make the log; ``AppError`` where the folder cannot be used."""
        self.photos = folder / "game_photos"
        self._file = folder / "games.sqlite3"
        try:
            self.photos.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection:
                self._prepare(connection)
        except (OSError, sqlite3.Error) as error:
            raise AppError(
                "no_data_folder",
                f"The folder {folder} cannot hold games ({error}): "
                "set PYRAMIDS_DATA to a folder that you may write to.",
            ) from error

    def begin(self, kind: str, payload: Mapping[str, Any]) -> str:
        """Start a game with its first event; its new name."""
        return self.adopt([Event(1, datetime.now(UTC), kind, payload)])

    def adopt(self, events: Sequence[Event]) -> str:
        """Keep a whole game that comes from elsewhere, all of it or nothing; its new name."""
        game = secrets.token_hex(6)
        with self._writing() as connection:
            for seq, event in enumerate(events, 1):
                self._insert(connection, game, Event(seq, event.at, event.kind, event.payload))
        return game

    def append(self, game: str, event: Event) -> None:
        """Write one more event; it is safely on the disk when this returns.

        Its number says what the writer has seen: when there is a newer event than the one before it by now, nothing
        is written and ``Stale`` is raised; ``NotKept`` when the game was deleted.
        """
        with self._writing() as connection:
            query = "SELECT COALESCE(MAX(seq), 0) FROM event WHERE game = ?"
            (newest,) = connection.execute(query, (game,)).fetchone()
            if not newest:
                raise NotKept
            if event.seq != newest + 1:
                raise Stale(newest)
            self._insert(connection, game, event)

    def events(self, game: str) -> tuple[Event, ...]:
        """Everything that happened in a game, in order; ``NotKept`` when there is none."""
        query = "SELECT seq, at, kind, payload FROM event WHERE game = ? ORDER BY seq"
        with self._reading() as connection:
            rows = connection.execute(query, (game,)).fetchall()
        if not rows:
            raise NotKept
        return tuple(_event(*row) for row in rows)

    def shelves(self) -> tuple[Shelf, ...]:
        """All games, the one that went on last first."""
        query = """
            SELECT last.game, first.seq, first.at, first.kind, first.payload,
                   newest.seq, newest.at, newest.kind, newest.payload
            FROM (SELECT game, MAX(seq) AS seq FROM event GROUP BY game) AS last
            JOIN event AS first ON first.game = last.game AND first.seq = 1
            JOIN event AS newest ON newest.game = last.game AND newest.seq = last.seq
            ORDER BY newest.at DESC, last.game
        """
        with self._reading() as connection:
            rows = connection.execute(query).fetchall()
        return tuple(Shelf(row[0], _event(*row[1:5]), _event(*row[5:9])) for row in rows)

    def delete(self, game: str) -> None:
        """Forget a whole game for good, and its photos where no other game shows them."""
        names = photos_of(self.events(game))
        with self._writing() as connection:
            connection.execute("DELETE FROM event WHERE game = ?", (game,))
        kept = {name for shelf in self.shelves() for name in photos_of(self.events(shelf.game))}
        for name in names - kept:
            (self.photos / name).unlink(missing_ok=True)

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
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connect()) as connection:
                yield connection
        except sqlite3.Error as error:
            raise AppError(
                "not_readable", f"The games cannot be read ({error}): is their folder still there, and yours?"
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

    @staticmethod
    def _insert(connection: sqlite3.Connection, game: str, event: Event) -> None:
        row = (game, event.seq, event.at.isoformat(), event.kind, json.dumps(event.payload))
        connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)


def _not_written(error: Exception) -> AppError:
    return AppError("not_written", f"This could not be kept ({error}): is the disk full? Make room and try again.")


def photos_of(events: Sequence[Event]) -> set[str]:
    """The names of the photos that some events mention."""
    names = {str(event.payload.get("photo")) for event in events}
    return {name for name in names if PHOTO_NAME.fullmatch(name)}


def _event(seq: int, at: str, kind: str, payload: str) -> Event:
    return Event(seq, datetime.fromisoformat(at), kind, json.loads(payload))
