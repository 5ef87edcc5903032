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

ARRIVING_S = 10.0
"""So long a photo that is cut off, and does not grow, may still be arriving: copies over a network pause."""

CUT_OFF = frozenset({"photo_empty", "photo_truncated"})
"""The codes of photos of which more may come."""

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

    A photo is whole when two looks in a row, with a *pause* between them, found it unchanged, or some more where it
    arrived and is cut off; one that was replaced is told of again. Raises AppError where the folder cannot be opened
    any more.
    """
    before: dict[Path, Look] = {}
    told: dict[Path, Look] = {}
    rested: dict[Path, int] = {}
    at_first = _looks(folder)
    while True:
        now = _looks(folder)
        rested = {path: rested.get(path, 0) + 1 if before.get(path) == look else 0 for path, look in now.items()}
        whole = {
            path: look
            for path, look in now.items()
            if look != told.get(path) and _is_whole(path, rested[path], arrived=look != at_first.get(path))
        }
        told = {path: look for path, look in told.items() if path in now} | whole
        before = now
        if whole:
            yield sorted(whole, key=_natural)
        pause()


def _is_whole(path: Path, rested: int, *, arrived: bool) -> bool:
    """Whether a photo that so many looks found unchanged is whole; if it *arrived*, the first of them opens it."""
    return rested >= ARRIVING_S / LOOK_S or (rested == 1 and not (arrived and _is_cut_off(path)))


def _is_cut_off(path: Path) -> bool:
    from companion_app.photos import BadPhoto, open_photo

    try:
        open_photo(path)
    except BadPhoto as error:
        return error.code in CUT_OFF
    return False


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
