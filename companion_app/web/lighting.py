"""The lights of games that no camera sees: they follow the one that somebody opened, or played on, last."""

from __future__ import annotations

import threading

from companion_app.lights import IDLE
from companion_app.live import Lamps
from companion_app.session import GameSession
from companion_app.turn_token import TurnToken


class Lighting:
    """One turn token for many games. Any thread may call; without lights nothing happens."""

    def __init__(self, token: TurnToken) -> None:
        self._token = token
        self._guard = threading.Lock()
        self._game = ""
        self._lamps: Lamps | None = None

    def follow(self, session: GameSession) -> None:
        """From now on the lights show how this game stands.

        A button that is pressed plays nothing: the page says that the turn has to be typed there.
        """
        if not self._token.there:
            return
        with self._guard:
            if self._lamps and self._game == session.game:
                self._lamps.again()
                return
            self._let_go()
            self._game, self._lamps = session.game, Lamps(session, self._token, lambda _seat: session.no_camera())

    def leave(self) -> None:
        """The lights are somebody else's from now on; they stay as they are."""
        with self._guard:
            self._let_go()

    def forget(self, game: str) -> None:
        """This game is gone: lights that showed it rest."""
        with self._guard:
            if self._lamps and self._game == game:
                self._let_go()
                self._token.show(IDLE)

    def _let_go(self) -> None:
        if self._lamps:
            self._lamps.close()
            self._lamps = None
