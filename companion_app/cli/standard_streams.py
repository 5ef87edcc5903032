"""Standard input, read only so far, and standard output and error streams that may be closed, full or plain."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper
from itertools import count
from typing import Final

from companion_app.errors import AppError
from companion_app.json_fields import decoded

LONGEST_LINE: Final = 10_000
"""Bytes: several times as long as any position."""

_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ENXIO}


def whole_input(most: int) -> str:
    """All of standard input; raises AppError where it has more than *most* bytes."""
    try:
        data = sys.stdin.buffer.read(most + 1) or b""
    except OSError as error:
        raise _unreadable(error) from None
    if len(data) > most:
        raise AppError("input_too_long", f"Standard input is too long: at most {most:,} bytes are read here.")
    return decoded(data, errors="replace")


def input_lines() -> Iterator[str]:
    """Standard input line by line, as it comes; raises AppError at a line that is too long to be a position."""
    for number in count(1):
        try:
            line = sys.stdin.buffer.readline(LONGEST_LINE + 1)
        except OSError as error:
            raise _unreadable(error) from None
        if len(line) > LONGEST_LINE:
            limit = f"at most {LONGEST_LINE:,} bytes are read of each"
            raise AppError("input_too_long", f"Line {number}: it is too long to be a position, {limit}.")
        if not line:
            return
        yield line.decode(errors="replace")


def prepare_streams() -> None:
    """Make streams of those that were closed before the program began, and let all print any letter.

    A closed one reads as empty, and takes whatever is written.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - stays open
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files need not be text


def is_full(error: OSError) -> bool:
    """Whether *error* is that of a stream which takes nothing more; those of files have a name."""
    return error.filename is None and error.errno in _FULL


def drop_unwritten() -> None:
    """Forget what a full stream did not take, or it would be tried once more at the very end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _unreadable(error: OSError) -> AppError:
    return AppError("input_unreadable", f"Standard input cannot be read: {error.strerror}.")
