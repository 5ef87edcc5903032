"""Files that people name: regular ones only, opened without waiting for anybody, read only so far, written whole."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

_KINDS: Final = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_SAVE: Final = "save what it gives in one, and name that"


def open_regular(path: Path) -> BinaryIO:
    """A regular file, opened for reading.

    Raises OSError, whose ``strerror`` tells people why the file cannot be read.
    """
    _refuse_others(path.stat(), _SAVE)  # before it is opened: that alone can wake a device, or who waits at a pipe
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 - whoever asked for it closes it
    try:
        _refuse_others(os.fstat(file.fileno()), _SAVE)  # it may be another one by now
    except OSError:
        file.close()
        raise
    return file


def read_bounded(path: Path, most: int) -> bytes:
    """What is in a regular file, or its first *most* + 1 bytes where there are more; raises as ``open_regular``."""
    with open_regular(path) as file:
        return file.read(most + 1) or b""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there as a whole or not at all; until then, what was there before stays.

    Raises OSError, whose ``strerror`` tells people why that cannot be.
    """
    mode = refuse_unwritable(path)
    target = path.resolve()  # a link stays one
    draft = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        draft.write_bytes(data)
        if mode is not None:
            with suppress(OSError):  # not every disk knows modes
                draft.chmod(stat.S_IMODE(mode))
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def refuse_unwritable(path: Path) -> int | None:
    """Raise OSError where something is at *path* that is not to be written over; its mode else, if anything is."""
    try:
        state = path.stat()
    except FileNotFoundError:
        return None
    _refuse_others(state, "name another file")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    return state.st_mode


def is_folder(path: Path) -> bool:
    """Whether there is a folder at *path*, as far as anybody may know."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # such as a name that is too long, or one inside a closed folder
        return False


def _refuse_others(state: os.stat_result, instead: str) -> None:
    kind = stat.S_IFMT(state.st_mode)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if kind != stat.S_IFREG:
        what = _KINDS.get(kind, "something else")
        raise OSError(errno.EINVAL, f"it is {what}, not a regular file; {instead}")


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
