"""Where virtual games are played: on simulated time, as fast as the computer can, or before people's eyes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import Protocol

from companion_app.cameras import Watcher
from companion_app.cameras.virtual_table import Doing, Shot, VirtualCamera, VirtualTable
from companion_app.live.conductor import Conductor
from companion_app.live.looks import Reader
from companion_app.live.now import Now
from companion_app.live.table import LiveTable
from companion_app.session import GameSession, How
from rules import Seat

Script = Callable[[VirtualTable], Iterable[Shot]]
PATIENCE_S = 20.0
"""A verdict that takes longer, by the clock of the table, is none."""
_STEP_S = 0.1


class Stage(Protocol):
    """A table with its camera and conductor."""

    @property
    def session(self) -> GameSession:
        """The game that is recorded."""

    def play(self, script: Script) -> None:
        """Play something on the table, to its end."""

    def end_turn(self, seat: Seat | None, how: How) -> None:
        """*seat* says that the turn is over."""

    def verdict(self, seq: int) -> float | None:
        """Wait for an event after number *seq*: seconds since the turn had ended and the last hand had gone.

        ``None`` where none comes.
        """


class Simulated:
    """A stage whose time is that of the script. The seconds of a verdict are its frames, and what computing takes."""

    def __init__(self, session: GameSession, table: VirtualTable, reader: Reader) -> None:
        self.conductor = Conductor(session, reader, clock=lambda: self._time)
        self._table = table
        self._watcher = Watcher()
        self._time = self._busy_until = 0.0
        self._computed = 0.0

    @property
    def session(self) -> GameSession:
        """See :class:`Stage`."""
        return self.conductor.session

    def play(self, script: Script) -> None:
        """See :meth:`Stage.play`."""
        for shot in script(self._table):
            self._time = shot.frame.at
            if shot.doing is not Doing.REST:
                self._busy_until = self._time
            state = self._watcher.look(shot.frame)
            begun = time.process_time()
            self.conductor.see(state)
            self._computed = time.process_time() - begun

    def end_turn(self, seat: Seat | None, how: How) -> None:
        """See :meth:`Stage.end_turn`."""
        self._busy_until = self._time
        self.conductor.end_turn(seat, how)

    def verdict(self, seq: int) -> float | None:
        """See :meth:`Stage.verdict`."""
        begun = self._time
        while self.session.view.seq == seq:
            if self._time - begun > PATIENCE_S or _is_answered(self.conductor.now):
                return None
            self.play(lambda table: table.rest(_STEP_S))
        return self._time - self._busy_until + self._computed


class Performed:
    """A stage in real time, for people who watch."""

    def __init__(
        self, live: LiveTable, camera: VirtualCamera, *, rest_s: float = 0.0, stop: threading.Event | None = None
    ) -> None:
        """After each verdict there are *rest_s* seconds to read it; once *stop* is set nothing is waited for."""
        self._live = live
        self._camera = camera
        self._rest_s = rest_s
        self._stop = stop or threading.Event()
        self._ended = 0.0

    @property
    def session(self) -> GameSession:
        """See :class:`Stage`."""
        return self._live.session

    def play(self, script: Script) -> None:
        """See :meth:`Stage.play`."""
        self._camera.play(script)
        while not self._camera.idle and not self._stop.wait(_STEP_S / 2):
            pass
        self._ended = time.monotonic()

    def end_turn(self, seat: Seat | None, how: How) -> None:
        """See :meth:`Stage.end_turn`."""
        self._ended = time.monotonic()
        self._live.end_turn(seat, how)

    def verdict(self, seq: int) -> float | None:
        """See :meth:`Stage.verdict`."""
        while self.session.view.seq == seq:
            late = time.monotonic() - self._ended > PATIENCE_S
            if late or _is_answered(self._live.now) or self._stop.wait(_STEP_S / 2):
                return None
        seconds = time.monotonic() - self._ended
        self._stop.wait(self._rest_s)
        return seconds


def _is_answered(now: Now) -> bool:
    """Whether the end of the turn came to nothing, for a reason."""
    return bool(now.note) and not now.waiting
