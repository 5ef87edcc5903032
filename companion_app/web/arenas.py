"""How many stores of freed memory the C library keeps for the threads of the page."""

from __future__ import annotations

import ctypes
from contextlib import suppress

FEW = 2
_M_ARENA_MAX = -8  # of glibc's <malloc.h>


def share_arenas(most: int = FEW) -> None:
    """From now on let all threads share *most* arenas of glibc; where there is another C library, nothing changes.

    By itself glibc makes up to eight a core, and each keeps the most that it ever needed: with the server's many
    threads the page would grow for a hundred requests, and further the more cores a computer has. Python runs one
    thread at a time, so that they hardly wait for each other. Call it before there are threads.
    """
    with suppress(AttributeError, OSError, TypeError):  # no ``mallopt`` in musl and macOS, no such handle on Windows
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, most)
