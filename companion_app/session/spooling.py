"""Photos of a game that is being taken in: all are made ready in a folder of their own, and then put into place.

Photos are there before the game is: whoever sees it in the list sees them. What a program that was killed has left is
cleared away by the next one.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from typing import Final

from companion_app.errors import AppError
from companion_app.event_log import photo_name, photos_of
from companion_app.session.log import GameLog

PREFIX: Final = "importing-"
DEAD_S: Final = 60.0
"""An import writes a photo at least this often, in seconds, or is none any more."""


class Spool:
    """The photos that are ready."""

    def __init__(self, log: GameLog, folder: Path) -> None:
        self._log = log
        self._folder = folder

    def add(self, jpeg: bytes) -> str:
        """Make a photo ready; its name. ``AppError`` where the disk is full."""
        name = photo_name(jpeg)
        with _written():
            (self._folder / name).write_bytes(jpeg)
        return name

    def put_into_place(self) -> None:
        """Keep all photos that are not kept yet; ``AppError`` where the disk is full."""
        for draft in sorted(self._folder.iterdir()):
            self._log.keep_photo(draft.read_bytes())
            with _written():
                os.utime(self._folder)  # still at work


@contextmanager
def spool(log: GameLog) -> Iterator[Spool]:
    """A spool beside the photos of *log*; in the end no photo stays that no game shows."""
    clear_leftovers(log)
    with _written():
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=log.photos))
    try:
        yield Spool(log, folder)
    except BaseException:
        _forget(log, folder)
        raise
    rmtree(folder, ignore_errors=True)


def clear_leftovers(log: GameLog) -> None:
    """Clear away what imports that were killed have left among the photos of *log*."""
    for folder in log.photos.glob(f"{PREFIX}*"):
        with suppress(FileNotFoundError):  # another program clears it away, too
            if folder.stat().st_mtime < time.time() - DEAD_S:
                _forget(log, folder)


def _forget(log: GameLog, folder: Path) -> None:
    """Remove the spool *folder*, and of its photos in place those that no game shows; where it cannot be, later."""
    with suppress(AppError, OSError):
        placed = {draft.name for draft in folder.iterdir() if (log.photos / draft.name).exists()}
        if placed:
            placed -= {photo for shelf in log.shelves() for photo in photos_of(log.events(shelf.name))}
        for name in placed:
            (log.photos / name).unlink(missing_ok=True)
        rmtree(folder)


@contextmanager
def _written() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AppError(
            "not_written", f"This could not be kept ({error}): is the disk full? Make room and try again."
        ) from error
