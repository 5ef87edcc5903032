"""What the C library does with memory that the page has freed."""

from __future__ import annotations

import ctypes
from contextlib import suppress

# Of glibc's <malloc.h>
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8

MEBIBYTE = 1024 * 1024


def give_back() -> None:
    """From now on have glibc hand large pictures back at once; where there is another C library, nothing changes.

    By itself it makes up to eight arenas a core, each of which keeps the most that its threads ever needed, and up to
    64 MB that nobody uses at each end: with the server's many threads the page would grow for a hundred requests, and
    further the more cores a computer has. Python runs one thread at a time, so that they hardly wait for each other.
    Call it before there are threads.
    """
    with suppress(AttributeError, OSError, TypeError):  # no ``mallopt`` in musl and macOS, no such handle on Windows
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_ARENA_MAX, 2)
        mallopt(_M_MMAP_THRESHOLD, 8 * MEBIBYTE)
        mallopt(_M_TRIM_THRESHOLD, 16 * MEBIBYTE)
