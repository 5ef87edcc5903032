"""A camera made of a function: the virtual table, or anything else that can be asked for a picture."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion_app.photos import Photo


class GivenPictures:
    """Asks *give* for a picture so many times a second, for ever."""

    live = True
    lens: float | None = None

    def __init__(
        self, give: Callable[[], Photo], frames_per_second: float = 10.0, name: str = "The virtual table"
    ) -> None:
        self.name = name
        self._give = give
        self._pause = 1 / frames_per_second
        self._due = 0.0

    def open(self) -> None:
        """See :meth:`Source.open`."""
        self._due = time.monotonic()

    def read(self) -> Photo:
        """See :meth:`Source.read`; raises what *give* raises."""
        time.sleep(max(0.0, self._due - time.monotonic()))
        self._due = max(self._due + self._pause, time.monotonic())
        return self._give()

    def close(self) -> None:
        """See :meth:`Source.close`."""
