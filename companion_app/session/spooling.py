"""Photos of a game that is being imported: all are made ready in a folder of their own, then kept with the game.

What a program that was killed has left is cleared away by the next one.
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
from companion_app.event_log import photo_name
from companion_app.session.log import GameLog

PREFIX: Final = "importing-"
DEAD_S: Final = 60.0
"""An import writes a photo at least this often, in seconds, or is none any more."""


class Spool:
    """The photos that are ready."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, jpeg: bytes) -> str:
        """Make a photo ready; its name. ``AppError`` where the disk is full."""
        name = photo_name(jpeg)
        with _written():
            (self._folder / name).write_bytes(jpeg)
        return name

    def photos(self) -> Iterator[bytes]:
        """All photos, one at a time in memory."""
        for draft in sorted(self._folder.iterdir()):
            yield draft.read_bytes()
            os.utime(self._folder)  # still at work


@contextmanager
def spool(log: GameLog) -> Iterator[Spool]:
    """A spool beside the photos of *log*, gone in the end."""
    clear_leftovers(log)
    with _written():
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=log.photos))
    try:
        yield Spool(folder)
    finally:
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
        log.forget_photos({draft.name for draft in folder.iterdir() if (log.photos / draft.name).exists()})
        rmtree(folder)


@contextmanager
def _written() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AppError(
            "not_written", f"This could not be kept ({error}): is the disk full? Make room and try again."
        ) from error
