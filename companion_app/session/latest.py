"""A slot that holds the newest of something: who reads slowly misses what is past, and nobody waits."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Latest(Generic[Item]):
    """Between one who tells, from any thread, and one who reads.

    >>> latest = Latest[int]()
    >>> latest.put(1), latest.put(2)
    (None, None)
    >>> latest.get(timeout=1), latest.get(timeout=0)
    (2, None)
    """

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._item: Item | None = None

    def put(self, item: Item) -> None:
        """Tell something new."""
        with self._news:
            self._item = item
            self._news.notify_all()

    def get(self, timeout: float) -> Item | None:
        """The newest that has not been read, once there is one; ``None`` after *timeout* seconds without."""
        with self._news:
            self._news.wait_for(lambda: self._item is not None, timeout)
            item, self._item = self._item, None
            return item
