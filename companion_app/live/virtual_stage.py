"""Where virtual games are played: on simulated time, as fast as the computer can, or before people's eyes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

from companion_app.cameras import Watcher
from companion_app.cameras.virtual_table import Doing, Shot, VirtualCamera, VirtualTable
from companion_app.errors import AppError
from companion_app.live.conductor import Conductor
from companion_app.live.looks import Reader
from companion_app.live.now import Now
from companion_app.live.pace import Pace
from companion_app.live.table import LiveTable
from companion_app.session import GameSession, How, State
from companion_app.turn_token import TurnToken
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

    def answer(self, number: int) -> None:
        """The players say which of the choices it was."""


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

    def answer(self, number: int) -> None:
        """See :meth:`Stage.answer`."""
        self.session.choose(number)


class Performed:
    """A stage in real time, for people who watch."""

    def __init__(
        self,
        live: LiveTable,
        camera: VirtualCamera,
        pace: Pace,
        *,
        rest_s: float = 0.0,
        token: TurnToken | None = None,
        say: Callable[[str], object] = lambda _: None,
    ) -> None:
        """After each verdict there are *rest_s* seconds to read it; once the *pace* is over nothing is waited for.

        Buttons are those of the *token* where it is virtual. What the players answer is given to *say*.
        """
        self._live = live
        self._camera = camera
        self._pace = pace
        self._rest_s = rest_s
        self._token = token if token and token.virtual else None
        self._say = say
        self._ended = 0.0

    @property
    def session(self) -> GameSession:
        """See :class:`Stage`."""
        return self._live.session

    def play(self, script: Script) -> None:
        """See :meth:`Stage.play`."""
        if self._pace.wait():
            self._camera.play(script)
        while not self._camera.idle and not self._pace.over:
            time.sleep(_STEP_S / 2)
        self._ended = time.monotonic()

    def end_turn(self, seat: Seat | None, how: How) -> None:
        """See :meth:`Stage.end_turn`."""
        self._ended = time.monotonic()
        self._say("")
        if self._token and seat and how is How.BUTTON:
            self._token.press(seat)
        else:
            self._live.end_turn(seat, how)

    def verdict(self, seq: int) -> float | None:
        """See :meth:`Stage.verdict`."""
        while self.session.view.seq == seq or self._is_judging:
            late = time.monotonic() - self._ended > PATIENCE_S and not self._is_judging
            if late or self._pace.over or _is_answered(self._live.now):
                return None
            time.sleep(_STEP_S / 2)
        seconds = time.monotonic() - self._ended
        self._pace.wait(self._rest_s)
        return seconds

    @property
    def _is_judging(self) -> bool:
        return self.session.view.state is State.JUDGING

    def answer(self, number: int) -> None:
        """See :meth:`Stage.answer`; whoever watches may have answered before."""
        view = self.session.view
        with suppress(AppError):
            self.session.choose(number, base=view.seq)
            self._say(f"The players say: {view.choices[number][0]}")
        self._pace.wait(self._rest_s)


def _is_answered(now: Now) -> bool:
    """Whether the end of the turn came to nothing, for a reason."""
    return bool(now.note) and not now.waiting
