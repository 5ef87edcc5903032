"""The light of a game, and its buttons, on a thread of their own: the game never waits for a light."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion_app.session import GameSession, View
from companion_app.session.latest import Latest
from companion_app.turn_token import A_GAME, TurnToken
from firmware_bridge.states import LightState
from rules import Seat

LOOK_S = 0.05
JOIN_WITHIN_S = 2.0


class Lamps:
    """Shows what the session wants on the turn token, and tells of every button that was pressed."""

    def __init__(self, session: GameSession, token: TurnToken, pressed: Callable[[Seat], object]) -> None:
        """Begin; *pressed* is called with the seat whose button it was."""
        self._session = session
        self._token = token
        self._pressed = pressed
        self._wanted = Latest[LightState]()
        self._heard = token.view().presses
        self._stop = threading.Event()
        self._leave = session.listen(self._take)
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)
        self._thread.start()

    def again(self) -> None:
        """Show it once more, whatever was shown on the token meanwhile."""
        self._take(self._session.view)

    def close(self) -> None:
        """Leave the token as it is; returns soon, even where a driver hangs."""
        self._leave()
        self._stop.set()
        self._thread.join(JOIN_WITHIN_S)

    def _take(self, view: View) -> None:
        self._wanted.put(view.light)

    def _run(self) -> None:
        while not self._stop.is_set():
            light = self._wanted.get(LOOK_S)
            if light is not None:
                self._token.show(light, A_GAME)
            self._hear()

    def _hear(self) -> None:
        """Tell of a press, unless a reading had the lights: then it was about that."""
        seen = self._token.view()
        if seen.presses > self._heard and seen.last and not seen.passed_on:
            self._pressed(seen.last)
        self._heard = seen.presses
