"""One photo at a time: a few more may wait for their turn, the rest are asked to come back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from companion_app.errors import AppError


class Busy(AppError):
    """Too many photos at once; code ``busy``."""

    def __init__(self) -> None:
        super().__init__("busy", "Other photos are being read just now: try again in a few seconds.")


class Gate:
    """Lets one caller in at a time; *waiting* more may wait up to *patience_s* seconds each.

    Of guests only one is in or waits, so that they never fill the queue of those who came to work.
    """

    def __init__(self, waiting: int = 4, patience_s: float = 20.0) -> None:
        self._places = threading.BoundedSemaphore(waiting + 1)
        self._guest = threading.BoundedSemaphore(1)
        self._turn = threading.Lock()
        self._patience_s = patience_s

    @contextmanager
    def turn(self, *, guest: bool = False) -> Iterator[None]:
        """The caller's turn; ``Busy`` when the queue is full or does not move."""
        with _place(self._guest) if guest else nullcontext(), _place(self._places):
            if not self._turn.acquire(timeout=self._patience_s):
                raise Busy
            try:
                yield
            finally:
                self._turn.release()


@contextmanager
def _place(places: threading.BoundedSemaphore) -> Iterator[None]:
    """One of the places; ``Busy`` where all are taken."""
    if not places.acquire(blocking=False):
        raise Busy
    try:
        yield
    finally:
        places.release()
