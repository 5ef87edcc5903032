"""A game that plays itself before people's eyes: a virtual table, its camera, and all that a real one has."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from companion_app.cameras import Camera
from companion_app.cameras.given import GivenPictures
from companion_app.cameras.virtual_table import VirtualCamera
from companion_app.errors import AppError
from companion_app.live.answering import agree_on_start, put_right
from companion_app.live.looks import Reader
from companion_app.live.pace import Pace
from companion_app.live.table import LiveTable
from companion_app.live.virtual_games import VirtualGame
from companion_app.live.virtual_stage import Performed, Stage
from companion_app.session import GameSession, Terms
from companion_app.turn_token import TurnToken
from rules.records import GameKind

REST_S = 3.0
MOST_TURNS = 200
FRAMES_PER_SECOND = 10.0
JOIN_WITHIN_S = 3.0


class Demo:
    """Plays a virtual game on a thread, in real time, until it is over or somebody closes it.

    The record knows only what the reader makes of the camera's pictures. Where the companion asks, the players answer
    after a while, unless somebody at the page does before; where it is wrong, they put it right. ``said`` tells so.

    Attributes:
        game: what is really played.
        table: the live table, as it would be with a real camera.
        pace: how fast it is played, for anybody to change.
        said: what the players have said about the last turn; empty where nobody had to ask them.
    """

    def __init__(
        self,
        session: GameSession,
        game: VirtualGame,
        *,
        reader: Reader | None = None,
        token: TurnToken | None = None,
        rest_s: float = REST_S,
        frames_per_second: float = FRAMES_PER_SECOND,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        """*session* was begun on the terms of *game*; without a *reader* the game itself says what lies there.

        After each verdict it rests for *rest_s* at the usual pace. *changed* is called when ``said`` is another, and
        at the end.
        """
        self.pace = Pace()
        self.said = ""
        self.game = game
        self._changed = changed
        self._camera = VirtualCamera(game.table)
        source = GivenPictures(self._camera.next_picture, frames_per_second)
        self.table = LiveTable(session, Camera(source), reader or game, token)
        self._stage = Performed(self.table, self._camera, self.pace, rest_s=rest_s, token=token, say=self._say)
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
        self.pace.end()
        self.table.close()
        self._thread.join(JOIN_WITHIN_S)

    def _run(self) -> None:
        try:
            for _ in self.game.play(self._on_with, MOST_TURNS):
                if self.pace.over:
                    return
        except AppError as error:
            if not self.pace.over:
                logging.getLogger(__name__).warning("the demo has ended: %s", error.sentence)
                self._say(f"The players have left the table. {error.sentence}")
        self.table.close()  # nothing moves any more: the last picture stays

    def _on_with(self, _terms: Terms) -> Stage:
        """The one stage of the one game; wanted again where the record has gone astray, which is put right first."""
        session, game = self._stage.session, self.game
        if not self._begun:
            self._begun = True
            if game.terms.game is GameKind.SETTLERS:
                agree_on_start(session, game.reading, game.contents[0], game.to_move)
        elif not self.pace.over:
            self._say(put_right(session, game.reading, game.contents, game.to_move))
        return self._stage

    def _say(self, words: str) -> None:
        if words != self.said:
            self.said = words
            self._changed()
