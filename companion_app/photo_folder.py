"""A folder of photos: those that are in it, and those that arrive in it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from companion_app.errors import AppError

LOOK_S = 1.0
"""Seconds between two looks at a folder that grows."""

# Whatever photos.open_photo opens. What is still being copied or downloaded has a name of its own until it is whole
# (.part, .crdownload, .tmp, or a dot in front), so it is not among them.
ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".heic", ".heif"})

Look = tuple[int, int]
"""What tells whether a file has changed: its size in bytes and the time of its last change in ns."""


def photos_in(folder: Path) -> list[Path]:
    """Its photos by their endings, in natural order ("table 9" before "table 10"), hidden ones left out.

    Folders inside are not opened. Raises AppError where the folder cannot be opened.
    """
    return sorted(_looks(folder), key=_natural)


def arrivals(folder: Path, pause: Callable[[], object]) -> Iterator[list[Path]]:
    """The photos that are whole and not told of yet, some at a time, for as long as somebody asks.

    A photo is whole when two looks in a row, with a *pause* between them, found it unchanged; one that was replaced
    is told of again. Raises AppError where the folder cannot be opened any more.
    """
    before: dict[Path, Look] = {}
    told: dict[Path, Look] = {}
    while True:
        now = _looks(folder)
        whole = {path: look for path, look in now.items() if before.get(path) == look != told.get(path)}
        told = {path: look for path, look in told.items() if path in now} | whole
        before = now
        if whole:
            yield sorted(whole, key=_natural)
        pause()


def _looks(folder: Path) -> dict[Path, Look]:
    """The photos that are there now; a file that goes just then is not among them."""
    found = {}
    try:
        for path in folder.iterdir():
            if path.suffix.lower() in ENDINGS and not path.name.startswith("."):
                with suppress(FileNotFoundError):
                    state = _state(path)
                    if not stat.S_ISDIR(state.st_mode):
                        found[path] = state.st_size, state.st_mtime_ns
    except OSError as error:
        raise AppError("folder_unreadable", f"{folder} cannot be opened: {error.strerror}.") from None
    return found


def _state(path: Path) -> os.stat_result:
    """That of the file, or of a link that leads nowhere, which whoever reads the photo then tells of."""
    try:
        return path.stat()
    except OSError:
        return path.lstat()


def _natural(path: Path) -> tuple[list[str | int], str]:
    """Numbers inside a name count as numbers, and capitals as small letters."""
    parts = re.split(r"(\d+)", path.name.casefold())
    return [int(part) if number % 2 else part for number, part in enumerate(parts)], path.name
