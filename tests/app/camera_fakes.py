"""Sources and pictures for tests of cameras."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from companion_app.cameras import Camera, CameraState, Condition
from companion_app.photos import Photo

T = TypeVar("T")
PATIENCE_S = 20.0
"""How long a test waits for what should come at once: the machine may be busy."""


def picture(number: int) -> Photo:
    """(48, 64, 3): a grey picture, another for each number."""
    return np.full((48, 64, 3), number % 256, np.uint8)


class Scripted:
    """A source that plays a list: pictures are given, exceptions raised, ``None`` is no new photo.

    An exception ends one opening; the next one goes on with the script. At the end the last entry comes for ever.
    """

    name = "The scripted camera"
    lens: float | None = None

    def __init__(
        self, *script: Photo | Exception | None, live: bool = True, refusals: tuple[Exception, ...] = ()
    ) -> None:
        self.live = live
        self.opened = self.closed = 0
        self._script: Iterator[Photo | Exception | None] = iter(script)
        self._refusals = iter(refusals)
        self._last: Photo | Exception | None = None

    def open(self) -> None:
        self.opened += 1
        refusal = next(self._refusals, None)
        if refusal is not None:
            raise refusal

    def read(self) -> Photo | None:
        time.sleep(0.01)
        self._last = next(self._script, self._last)
        if isinstance(self._last, Exception):
            raise self._last
        return None if self._last is None else self._last.copy()

    def close(self) -> None:
        self.closed += 1


class Hanging(Scripted):
    """A source whose driver hangs once the script is over, until somebody lets go."""

    def __init__(self, *script: Photo) -> None:
        super().__init__(*script)
        self.let_go = threading.Event()
        self._left = len(script)

    def read(self) -> Photo | None:
        if not self._left:
            self.let_go.wait(PATIENCE_S)
        self._left = max(0, self._left - 1)
        return super().read()


def until(camera: Camera, condition: Condition, code: str | None = None) -> CameraState:
    """The state of the camera once it is as wanted."""
    return eventually(lambda: camera.state, lambda state: state.condition is condition and code in (None, state.code))


def eventually(ask: Callable[[], T], wanted: Callable[[T], bool]) -> T:
    """What *ask* answers once it is as wanted; fails with what it answered last."""
    end = time.monotonic() + PATIENCE_S
    while not wanted(answer := ask()):
        assert time.monotonic() < end, answer
        time.sleep(0.01)
    return answer
