"""Folders and files that only the user of this program may open: what is kept shows a room, perhaps faces."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600


def private_folder(folder: Path) -> None:
    """Make *folder* where there is none; nobody else may open it. ``OSError`` where that cannot be."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    tighten(folder)


def private_file(file: Path) -> None:
    """Make an empty *file* where there is none; nobody else may open it. ``OSError`` where that cannot be."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    tighten(file)


def tighten(path: Path) -> None:
    """Take from others what they may do with *path*; where that is not ours to do, it stays as it is.

    The user's own rights stay as they are, too: what is read-only remains so. A folder that everybody has for a
    purpose, such as /tmp, is told by its sticky bit and is left alone.
    """
    with suppress(OSError):
        mode = path.stat().st_mode
        if mode & (stat.S_IRWXG | stat.S_IRWXO) and not mode & stat.S_ISVTX:
            path.chmod(stat.S_IMODE(mode) & stat.S_IRWXU)


def tighten_all(folder: Path, pattern: str) -> None:
    """The same for all files of *folder* with such names."""
    for file in folder.glob(pattern):
        if file.is_file() and not file.is_symlink():
            tighten(file)


def write_private(target: Path, content: bytes) -> None:
    """Write a file, all of it or nothing, for nobody else to read; once this returns it is on the disk.

    ``OSError`` where that cannot be.
    """
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
