"""Wrong keys, counted: who tries many different ones is not listened to for a while."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

MOST = 10
WITHIN_S = 60.0


class Knocks:
    """The different wrong keys that came from each address in the last *within_s* seconds.

    The same wrong key again is no new one: a phone with yesterday's key asks once a second and guesses nothing.

    >>> knocks = Knocks(most=2)
    >>> for key in ("a", "b", "b"):
    ...     knocks.wrong("192.168.1.9", key)
    >>> knocks.too_many("192.168.1.9"), knocks.too_many("192.168.1.8")
    (True, False)
    """

    def __init__(
        self, most: int = MOST, within_s: float = WITHIN_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._within_s = within_s
        self._clock = clock
        self._guard = threading.Lock()
        self._wrong: dict[str, dict[int, float]] = {}

    def wrong(self, address: str, key: str) -> None:
        """A wrong key came from *address*."""
        with self._guard:
            self._forget()
            mine = self._wrong.setdefault(address, {})
            if len(mine) < self._most:
                mine.setdefault(hash(key), self._clock())

    def too_many(self, address: str) -> bool:
        """Whether *address* has tried so many that its next is not looked at."""
        with self._guard:
            self._forget()
            return len(self._wrong.get(address, ())) >= self._most

    def _forget(self) -> None:
        since = self._clock() - self._within_s
        young = {
            address: {key: at for key, at in mine.items() if at > since} for address, mine in self._wrong.items()
        }
        self._wrong = {address: mine for address, mine in young.items() if mine}
