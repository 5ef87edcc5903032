"""One photo at a time, all on one thread: a few more may wait for their turn, the rest are asked to come back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from typing import TypeVar

from companion_app.errors import AppError

T = TypeVar("T")


class Busy(AppError):
    """Too many photos at once; code ``busy``."""

    def __init__(self) -> None:
        super().__init__("busy", "Other photos are being read just now: try again in a few seconds.")


class Gate:
    """Does one piece of work at a time; *waiting* more callers may wait up to *patience_s* seconds each.

    Of guests only one is in or waits, so that they never fill the queue of those who came to work. All work is done
    on one thread, whoever asks for it: the C library keeps what a thread has freed for that thread, so that pictures
    on each of the server's threads in turn would take many times the memory of one.
    """

    def __init__(self, waiting: int = 4, patience_s: float = 20.0) -> None:
        self._places = threading.BoundedSemaphore(waiting + 1)
        self._guest = threading.BoundedSemaphore(1)
        self._patience_s = patience_s
        self._worker = ThreadPoolExecutor(1, "gate")

    def do(self, work: Callable[[], T], *, guest: bool = False) -> T:
        """What *work* gives, done in the caller's context; ``Busy`` when the queue is full or does not move."""
        with _place(self._guest) if guest else nullcontext(), _place(self._places):
            done = self._worker.submit(copy_context().run, work)
            wait([done], self._patience_s)
            if done.cancel():  # what has begun cannot be
                raise Busy
            return done.result()

    def close(self) -> None:
        """Do no more; what is being done goes on."""
        self._worker.shutdown(wait=False)


@contextmanager
def _place(places: threading.BoundedSemaphore) -> Iterator[None]:
    """One of the places; ``Busy`` where all are taken."""
    if not places.acquire(blocking=False):
        raise Busy
    try:
        yield
    finally:
        places.release()
