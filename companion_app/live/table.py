"""A live table: the threads that take a game from its camera to its lights."""

from __future__ import annotations

import logging
import threading

from companion_app.cameras import Camera, CameraState, TableState, table_states
from companion_app.live.conductor import Conductor
from companion_app.live.lamps import Lamps
from companion_app.live.looks import Reader
from companion_app.live.now import Now
from companion_app.session import GameSession, How
from companion_app.session.latest import Latest
from companion_app.turn_token import TurnToken
from rules import Seat

LOOK_S = 0.1
JOIN_WITHIN_S = 2.0


class LiveTable:
    """A game with a camera over it, and lights beside it if there are any. Any thread may call.

    ::

        Camera ── "watching" ──> newest state of the table ── "conducting" ──> Conductor ──> GameSession
        TurnToken <── "lamps" ──> Conductor

    The watcher goes on while a picture is being read; what the table did meanwhile is seen as it is then.
    """

    def __init__(self, session: GameSession, camera: Camera, reader: Reader, token: TurnToken | None = None) -> None:
        """Begin to look. The camera is closed with the table; the token belongs to somebody else."""
        self.camera = camera
        self.conductor = Conductor(session, reader, live=camera.source.live)
        self._states = Latest[TableState]()
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._watch, name="watching", daemon=True),
            threading.Thread(target=self._conduct, name="conducting", daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        self._lamps = Lamps(session, token, self._pressed) if token and token.there else None

    def __enter__(self) -> LiveTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def session(self) -> GameSession:
        """The game that is played."""
        return self.conductor.session

    @property
    def now(self) -> Now:
        """The table at this moment."""
        return self.conductor.now

    @property
    def seen_by(self) -> CameraState:
        """How the camera is."""
        return self.camera.state

    def end_turn(self, seat: Seat | None, how: How) -> None:
        """*seat* says that the turn is over; the verdict is the session's next view."""
        self.conductor.end_turn(seat, how)

    def close(self) -> None:
        """Stop looking. Returns after some seconds at most, even where a driver hangs or a reading takes long."""
        self._stop.set()
        if self._lamps:
            self._lamps.close()
        self.camera.close()
        for thread in self._threads:
            thread.join(JOIN_WITHIN_S)

    def _pressed(self, seat: Seat) -> None:
        self.end_turn(seat, How.BUTTON)

    def _watch(self) -> None:
        for state in table_states(self.camera):
            self._states.put(state)

    def _conduct(self) -> None:
        while not self._stop.is_set():
            state = self._states.get(LOOK_S)
            self.conductor.camera_is(self.camera.state)
            try:
                if state is None:
                    self.conductor.go_on()
                else:
                    self.conductor.see(state)
            except Exception:  # the next picture may be a better one
                logging.getLogger(__name__).exception("game %s: a look at the table failed", self.session.game)
