"""How fast a game is played before people's eyes: slower, faster, and not at all."""

from __future__ import annotations

import threading
import time
from typing import Final

SPEEDS: Final = {"slow": 0.5, "normal": 1.0, "fast": 2.0, "very fast": 5.0}
"""What a speed is called, and how many times as fast as usual it is."""

_WORDS: Final = tuple(SPEEDS)


class Pace:
    """The pace of a demo. Any thread may call.

    >>> pace = Pace()
    >>> pace.faster()
    >>> pace.word
    'fast'
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._step = _WORDS.index("normal")
        self._paused = self._over = False

    @property
    def word(self) -> str:
        """What the speed is called."""
        return _WORDS[self._step]

    @property
    def paused(self) -> bool:
        """Whether everything rests until somebody lets it go on."""
        return self._paused

    @property
    def over(self) -> bool:
        """Whether nothing is waited for any more."""
        return self._over

    @property
    def can_be_slower(self) -> bool:
        """Whether there is a slower speed."""
        return self._step > 0

    @property
    def can_be_faster(self) -> bool:
        """Whether there is a faster speed."""
        return self._step < len(_WORDS) - 1

    def slower(self) -> None:
        """One speed less, if there is one."""
        self._set(step=max(self._step - 1, 0))

    def faster(self) -> None:
        """One speed more, if there is one."""
        self._set(step=min(self._step + 1, len(_WORDS) - 1))

    def pause(self) -> None:
        """Rest."""
        self._set(paused=True)

    def go_on(self) -> None:
        """Rest no longer."""
        self._set(paused=False)

    def end(self) -> None:
        """Wake whoever waits: it is all over."""
        self._set(over=True)

    def wait(self, seconds: float = 0.0) -> bool:
        """Wait for *seconds* of the usual speed, and for as long as it is paused; whether it goes on at all."""
        left = seconds
        with self._changed:
            while not self._over and (self._paused or left > 0):
                speed, begun = 0.0 if self._paused else SPEEDS[self.word], time.monotonic()
                self._changed.wait(left / speed if speed else None)
                left -= speed * (time.monotonic() - begun)
            return not self._over

    def _set(self, *, step: int | None = None, paused: bool | None = None, over: bool | None = None) -> None:
        with self._changed:
            self._step = self._step if step is None else step
            self._paused = self._paused if paused is None else paused
            self._over = self._over if over is None else over
            self._changed.notify_all()
