"""A zip from outside, read file by file: whatever its headers say, no more is unpacked than a game may have."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Final

from companion_app.errors import AppError

MOST_UNPACKED: Final = 100_000_000
"""Bytes of all files together."""

MOST_FILES: Final = 5000
_PIECE: Final = 1 << 20  # bytes that are looked through at a time
_HEADER: Final = b"PK\x01\x02"  # each line of a zip's list of files begins so
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others take gigabytes where a header asks for them


class Damaged(Exception):
    """It is no zip, or a part of it cannot be read."""


class Unpacking:
    """The files of a zip that was opened, read one by one."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._left = MOST_UNPACKED
        self.names = frozenset(archive.namelist())

    def check_sizes(self, names: Iterable[str]) -> None:
        """Refuse files that are too large by what their headers say, before any of them is read."""
        if sum(self._archive.getinfo(name).file_size for name in names) > self._left:
            raise _too_large()

    def read(self, name: str, most: int) -> bytes:
        """A file of *most* bytes at most; AppError where it is larger, Damaged where it cannot be read."""
        with _damage_told():
            info = self._archive.getinfo(name)
        if info.compress_type not in _METHODS:
            raise AppError("not_a_game", "This zip is packed in a way that is not read here: pack it as a plain zip.")
        with _damage_told(), self._archive.open(info) as file:
            content = file.read(min(most, self._left) + 1)
        if len(content) > most:
            raise AppError("file_too_large", f"{name} in this zip is too large: at most {most:,} bytes.")
        if len(content) > self._left:
            raise _too_large()
        self._left -= len(content)
        return content


@contextmanager
def unpacking(file: IO[bytes]) -> Iterator[Unpacking]:
    """The zip in a file that can be sought in; raises Damaged where it is none, AppError where it is too large."""
    _check_list(file)
    with _damage_told():
        archive = zipfile.ZipFile(file)
    with archive:
        yield Unpacking(archive)


@contextmanager
def _damage_told() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # damaged bytes lead zipfile to ValueError, struct.error, zlib.error and many more
        raise Damaged from error


def _check_list(file: IO[bytes]) -> None:
    """Refuse a zip that lists too many files: zipfile makes an object of every line, whatever is asked of it."""
    count, before = 0, b""
    file.seek(0)
    while piece := file.read(_PIECE):
        count += len(re.findall(re.escape(_HEADER), before + piece))
        before = piece[1 - len(_HEADER) :]
    if count > MOST_FILES:
        raise AppError("unpacks_too_large", f"This zip has more than {MOST_FILES:,} files: pack only the game’s.")


def _too_large() -> AppError:
    return AppError(
        "unpacks_too_large",
        f"This zip unpacks to more than {MOST_UNPACKED // 1_000_000} MB: leave some of its photos out.",
    )
