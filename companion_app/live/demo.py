"""A game that plays itself before people's eyes: a virtual table, its camera, and all that a real one has."""

from __future__ import annotations

import logging
import threading

from companion_app.cameras import Camera, source_at
from companion_app.cameras.virtual_table import VirtualCamera
from companion_app.errors import AppError
from companion_app.live.looks import Reader
from companion_app.live.table import LiveTable
from companion_app.live.virtual_games import VirtualGame
from companion_app.live.virtual_stage import Performed, Stage
from companion_app.session import GameSession, State, Terms
from companion_app.turn_token import TurnToken

REST_S = 2.5
JOIN_WITHIN_S = 3.0


class Demo:
    """Plays a virtual game on a thread, in real time, until it is over, or somebody pauses or closes it.

    Attributes:
        table: the live table, as it would be with a real camera.
    """

    def __init__(
        self,
        session: GameSession,
        game: VirtualGame,
        *,
        reader: Reader | None = None,
        token: TurnToken | None = None,
        rest_s: float = REST_S,
    ) -> None:
        """*session* was begun on the terms of *game*; without a *reader* the game itself says what lies there."""
        self._game = game
        self._rest_s = rest_s
        self._stop = threading.Event()
        self._camera = VirtualCamera(game.table)
        source = source_at("virtual", self._camera.next_picture)
        self.table = LiveTable(session, Camera(source), reader or game, token)
        self._begun = False
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)
        self._thread.start()

    def __enter__(self) -> Demo:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def over(self) -> bool:
        """Whether nothing more will be played."""
        return not self._thread.is_alive()

    def close(self) -> None:
        """Stop playing and looking; returns after some seconds at most."""
        self._stop.set()
        self.table.close()
        self._thread.join(JOIN_WITHIN_S)

    def _run(self) -> None:
        try:
            for _ in self._game.play(self._begin):
                if self._stop.is_set() or self.table.session.view.state is State.PAUSED:
                    return
        except AppError as error:
            if not self._stop.is_set():
                logging.getLogger(__name__).warning("the demo has ended: %s", error.sentence)

    def _begin(self, terms: Terms) -> Stage:
        """The stage of the one game that is played; there is no other when the record has gone astray."""
        if self._begun or self._stop.is_set():
            raise AppError("demo_over", f"The demo of {terms.game.value} cannot go on from here: begin another game.")
        self._begun = True
        return Performed(self.table, self._camera, rest_s=self._rest_s, stop=self._stop)
