"""Hears that a turn is over, waits for the table to lie still, has it read, and gives the turn to the session.

::

    cue (token, button, key, page) ──┐
    Still ── Reader ── Look ─────────┴──> GameSession.end_turn ──> view

Without a cue each rest of the table is read as well, once: for the page, for the turn token, and so that a turn that
is ended afterwards is judged at once. There is no thread and no sleep in here: see ``LiveTable`` for those.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any

from companion_app.cameras import CameraState, Stale, Still, TableState
from companion_app.errors import AppError
from companion_app.live.looks import Look, Reader, rest_of
from companion_app.live.now import Now, Scene, scene_of
from companion_app.live.recall import Recall, Seen
from companion_app.photos import decode_photo
from companion_app.reading_types import Reading
from companion_app.restoring import laid
from companion_app.session import Do, GameSession, How, NotNow, State
from companion_app.session.ruling import not_your_turn
from rules import Seat

PATIENCE_S = 30.0
"""So long the end of a turn waits for the table to lie still."""

Rest = tuple[float, int]
_NOT_LOOKING = frozenset({State.PAUSED, State.OVER})
_OF_MOVER = frozenset({State.TURN, State.LEGAL, State.JUDGING})
"""States in which only the player to move can have done anything that ends."""


@dataclass(frozen=True)
class Cue:
    """Somebody has said that a turn is over.

    Attributes:
        seat: who; ``None`` where nobody knows.
        at: when, by the clock of the camera.
        count: how many entries the record had then.
        tried: the rest of the table, and the number of the game's newest event, with which it came to nothing yet.
    """

    seat: Seat | None
    how: How
    at: float
    count: int
    tried: tuple[Rest, int] | None = None


class Conductor:
    """One game under one camera. ``see`` and ``go_on`` are for one thread, everything else for any."""

    def __init__(
        self, session: GameSession, reader: Reader, *, live: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """*live* tells a camera from photos that somebody takes on purpose; *clock* is that of its frames."""
        self.session = session
        self._reader = reader
        self._live = live
        self._clock = clock
        self._guard = threading.RLock()
        self._listeners: list[Callable[[Now], object]] = []
        self._now = Now()
        self._cue: Cue | None = None
        self._state: TableState | None = None
        self._noted = 0  # the newest event of the game when the note was made
        self._read: Rest | None = None
        self._judged: Rest | None = None
        self._token: Seat | None = None
        self._recall = Recall(self._seen_earlier)

    @property
    def now(self) -> Now:
        """The table at this moment."""
        return self._now

    def listen(self, listener: Callable[[Now], object]) -> Callable[[], None]:
        """Have *listener* called now and after every change, from whatever thread; call the answer to end that."""
        with self._guard:
            self._listeners.append(listener)
            listener(self._now)

        def stop() -> None:
            with self._guard, suppress(ValueError):
                self._listeners.remove(listener)

        return stop

    def end_turn(self, seat: Seat | None, how: How) -> None:
        """*seat* says that the turn is over. Returns at once; the verdict is the session's next view.

        Where it is not that player's turn, and nothing new lies on the table, this is told and forgotten.
        """
        with self._guard:
            view = self.session.view
            mover = view.to_move
            if seat not in (None, mover) and view.state in _OF_MOVER and not self._is_news:
                self._drop(None, not_your_turn(mover).sentence)
                return
            self._cue = Cue(seat, how, self._clock(), len(view.entries))
            self._tell(waiting=True, note="")

    def camera_is(self, camera: CameraState) -> None:
        """How the camera is; nothing is judged by it, but whoever listens hears of it."""
        if camera != self._now.camera:
            self._tell(camera=camera)

    def see(self, state: TableState) -> None:
        """The table is like this now."""
        self._state = state
        if self._now.scene is not scene_of(state):
            self._tell(scene=scene_of(state))
        self.go_on()

    def go_on(self) -> None:
        """Do what is to be done about the table as it was seen last."""
        self._give_up_in_time()
        self._forget_what_is_past()
        if not isinstance(self._state, Still) or self.session.view.state in _NOT_LOOKING:
            self._refuse_while_resting()
            return
        self._look(self._state)
        seat = self._passed_token()
        if seat:
            with self._guard:
                self._cue = self._cue or self._marked(seat, self._state)
            self._look(self._state)

    # How it is done

    @property
    def _is_news(self) -> bool:
        """Whether the table lies as no turn has been judged by yet: somebody may have played on it."""
        return isinstance(self._state, Still) and rest_of(self._state) != self._judged

    def _marked(self, seat: Seat, still: Still) -> Cue:
        """*seat* has passed the turn token on."""
        return Cue(seat, How.MARKER, still.frames[-1].at, len(self.session.view.entries))

    def _forget_what_is_past(self) -> None:
        """A turn that was ended in another way is waited for no longer; what was said of an earlier one is old."""
        cue, view = self._cue, self.session.view
        if cue and view.state is not State.JUDGING and len(view.entries) != cue.count:
            self._drop(cue, "")
        if self._now.note and not self._now.waiting and view.seq != self._noted:
            self._tell(note="")

    def _look(self, still: Still) -> None:
        """Read the table if it has not been read since it came to rest, and judge it if a turn is over."""
        cue = self._due(still)
        fresh = rest_of(still) != self._read
        if not fresh and not cue:
            return
        try:
            with self.session.judging() if cue else nullcontext():
                if fresh:
                    self._read_table(still)
                if cue:
                    self._judge(cue, still)
        except AppError as error:
            self._drop(cue, error.sentence)

    def _due(self, still: Still) -> Cue | None:
        """The cue that can be followed with this rest: the table was seen after it, and not in vain already."""
        cue = self._cue
        if cue is None:
            return None
        if cue.tried and cue.tried[1] != self.session.view.seq:  # somebody has done something else about it
            self._drop(cue, "")
            return None
        if cue.tried and cue.tried[0] == rest_of(still):
            return None
        seen_since = still.frames[-1].at >= cue.at if self._live else rest_of(still) != self._judged
        return cue if seen_since else None

    def _read_table(self, still: Still) -> None:
        """Read a rest of the table, once, whatever comes of it."""
        self._read = rest_of(still)
        self._tell(scene=Scene.READING)
        begun = time.perf_counter()
        try:
            reading = self._reader.read(still.picture, still.view, still.lens)
        except AppError:
            raise
        except Exception as error:
            logging.getLogger(__name__).exception("a picture of game %s could not be read", self.session.game)
            raise AppError(
                "not_read", "This picture could not be read: move it a little, or end the turn again."
            ) from error
        finally:
            self._tell(scene=Scene.STILL)
        number = self._now.look.number + 1 if self._now.look else 1
        look = self._recall.read(Look(number, still, reading, 0.0), self.session.view)
        self._tell(look=replace(look, seconds=time.perf_counter() - begun))
        self._tick(look.reading)

    def _seen_earlier(self, name: str) -> Seen | None:
        """The look of a photo that the log has kept, read once more."""
        data = self.session.photo(name)
        if data is None:
            return None
        try:
            picture = decode_photo(data)
            reading = self._reader.read_kept(picture)
        except Exception:  # whatever is wrong with it: the game goes on without
            logging.getLogger(__name__).exception("a kept photo of game %s could not be read", self.session.game)
            return None
        return Seen.earlier(picture, reading) if reading else None

    def _tick(self, reading: Reading) -> None:
        """Tick what is put back already; what a person has ticked stays ticked."""
        layout = self.session.view.layout
        if layout and self.session.view.state is State.RESTORING:
            for step in sorted(laid(layout.plan, reading) - layout.ticked):
                self.session.tick(step)

    def _judge(self, cue: Cue, still: Still) -> None:
        """Give the turn to the session; where nothing comes of it, it waits for the table to change."""
        look = self._now.look
        seq = self.session.view.seq
        if look is None or look.rest != rest_of(still):
            raise AppError("not_read", "This picture could not be read: end the turn again.")
        note = look.trouble
        if not note:
            self._recall.judged(look)
            view = self.session.end_turn(cue.seat, cue.how, look.reading, photo=look.photo)
            note = view.note if view.seq == seq else ""
        if self.session.view.seq != seq:
            self._judged = rest_of(still)
            self._drop(cue, note)
            return
        with self._guard:
            if self._cue is cue:
                self._cue = replace(cue, tried=(rest_of(still), seq))
                self._tell(note=note)

    def _passed_token(self) -> Seat | None:
        """Who has passed the turn token on since the last look, if it was the player to move."""
        look = self._now.look
        seen = look.reading.turn_token if look else None
        before, self._token = self._token, Seat(seen.value) if seen else self._token
        mover = self.session.view.to_move
        return mover if before is mover and self._token is not mover else None

    def _give_up_in_time(self) -> None:
        """A cue waits for a camera as long as people would; for a photo it waits until one is taken."""
        cue = self._cue
        if self._live and cue and not cue.tried and self._clock() - cue.at > PATIENCE_S:
            stale = isinstance(self._state, Stale)
            why = "The camera has shown nothing new" if stale else "The table has not come to rest"
            self._drop(cue, f"{why} since the turn was ended: end it again.")

    def _refuse_while_resting(self) -> None:
        """A cue of a game that rests, or is over, gets the session's own answer."""
        cue = self._cue
        state = self.session.view.state
        if cue and state in _NOT_LOOKING:
            self._drop(cue, NotNow(Do.END_TURN, state).sentence)

    def _drop(self, cue: Cue | None, note: str) -> None:
        """Nothing more is done about *cue*; a newer one stays."""
        with self._guard:
            if cue and self._cue is cue:
                self._cue = None
            self._noted = self.session.view.seq
            self._tell(waiting=self._cue is not None, note=note)

    def _tell(self, **changes: Any) -> None:
        with self._guard:
            self._now = replace(self._now, **changes)
            for listener in tuple(self._listeners):
                try:
                    listener(self._now)
                except Exception:  # whoever listens must not stop the game
                    logging.getLogger(__name__).exception("a listener of game %s failed", self.session.game)
