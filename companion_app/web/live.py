"""The games that are open in this program: their sessions, their news, and what was seen of their tables last.

::

    a command ── GameSession ── listeners ──> Feed ── event stream ──> the page asks for its parts
    the camera ── Live ──> the picture that the page shows, and the look that a verdict is about
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from flask import current_app

from companion_app.live.demo import Demo
from companion_app.reading_types import Reading
from companion_app.session import GameLog, GameSession, Judge, State, Terms, View
from companion_app.turn_token import TurnToken
from companion_app.web.lighting import Lighting
from companion_app.web.streams import Feed
from companion_app.web.typed import or_else
from vision.sight import ImageSide

K = TypeVar("K")
V = TypeVar("V")

MOST_LOOKS = 8  # games whose last photo is kept for as long as it is in question
MOST_DRAWN = 64  # pages of games
MOST_SENTENCES = 10_000  # lines of the list of games


@dataclass(frozen=True)
class Look:
    """A look at a table: the picture as JPEG, what was read from it, and the side of it that South sits at."""

    picture: bytes
    reading: Reading
    south: ImageSide = ImageSide.BOTTOM


class Live(Protocol):
    """What the page knows of a camera. Any thread may call, and nothing waits."""

    @property
    def game(self) -> str:
        """The name of the game whose table it sees."""

    @property
    def sentence(self) -> str:
        """How the camera stands, in one sentence."""

    @property
    def picture(self) -> bytes | None:
        """The newest picture as JPEG; ``None`` before the first."""

    @property
    def look(self) -> Look | None:
        """The newest still picture that was read, with its reading; ``None`` before the first."""

    @property
    def demo(self) -> Demo | None:
        """Who plays at this table by itself; ``None`` where people do."""

    def end_turn(self) -> None:
        """A turn is over, the page said: judge the table as soon as it lies still. The verdict is the next view."""

    def close(self) -> None:
        """Look no more; returns after some seconds at most."""


class Games:
    """The games of one folder, each with one session for all who ask. Any thread may call."""

    def __init__(self, log: GameLog, judge: Judge, token: TurnToken) -> None:
        """*token* has the lights that follow the game at hand; it belongs to somebody else."""
        self.log = log
        self._lighting = Lighting(token)
        self._live: Live | None = None
        self._judge = or_else(judge)
        self._guard = threading.Lock()
        self._sessions: dict[str, GameSession] = {}
        self._feeds: dict[str, Feed] = {}
        self._looks: dict[str, Look] = {}
        self._drawing = threading.Lock()
        self._drawn: dict[tuple[str, Hashable], tuple[int, Mapping[str, Any]]] = {}
        self._sentences: dict[tuple[str, int], str] = {}

    def session(self, game: str) -> GameSession:
        """The session of a game, taken up where it stands; ``NotKept`` where there is none of this name."""
        with self._guard:
            if game not in self._sessions:
                self._take_up(GameSession(self.log, game, self._judge))
            return self._sessions[game]

    def sentence(self, game: str, seq: int) -> str:
        """How a game stands at its newest event *seq*: one that nobody plays is taken up in passing only."""
        with self._guard:
            session, known = self._sessions.get(game), self._sentences.get((game, seq))
        if session or known:
            return session.view.sentence if session else known or ""
        said = GameSession(self.log, game, self._judge).view.sentence
        with self._guard:
            _keep(self._sentences, (game, seq), said, MOST_SENTENCES)
        return said

    def begin(self, terms: Terms) -> GameSession:
        """Begin a game; an AppError for terms on which none can be played."""
        session = GameSession.begin(self.log, terms, self._judge)
        with self._guard:
            self._take_up(session)
        return session

    def feed(self, game: str) -> Feed:
        """What happens in a game: JSON with the number of its newest event, and its state."""
        self.session(game)
        return self._feeds[game]

    def delete(self, game: str) -> None:
        """Forget a whole game for good; ``NotKept`` where there is none."""
        self.log.delete(game)
        if self.camera(game):
            self.watch(None)
        with self._guard:
            for kept in (self._sessions, self._feeds, self._looks):
                kept.pop(game, None)
        self._lighting.forget(game)
        with self._drawing:
            self._drawn = {key: news for key, news in self._drawn.items() if key[0] != game}

    @property
    def live(self) -> Live | None:
        """The one camera, if there is one."""
        return self._live

    @property
    def lights_are_taken(self) -> bool:
        """Whether the lights stand at a table that a camera sees: whatever is opened elsewhere is not shown there."""
        live = self._live
        return live is not None and self.session(live.game).view.state is not State.OVER

    def camera(self, game: str) -> Live | None:
        """The camera that sees the table of this game, if one does."""
        live = self._live
        return live if live and live.game == game else None

    def watch(self, live: Live | None) -> None:
        """From now on this is the one camera, whose table has the lights; the one before is closed."""
        self._lighting.leave()
        with self._guard:
            before, self._live = self._live, live
        if before:
            before.close()

    def at_hand(self, session: GameSession) -> None:
        """Somebody who may play this game looks at it: the lights are about it, unless a camera sees a table."""
        if self._live is None:
            self._lighting.follow(session)

    def drawn(self, game: str, whom: Hashable, draw: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """What *draw* gives, drawn once for every event of the game and all who see the same: those of one *whom*.

        ``newest`` is the number of the newest event that it shows: answers may overtake each other.
        """
        with self._drawing:
            newest = self.feed(game).newest
            at, there = self._drawn.get((game, whom), (0, {}))
            if at != newest:
                there = {**draw(), "newest": newest}
                _keep(self._drawn, (game, whom), (newest, there), MOST_DRAWN)
            return there

    def nudge(self, game: str) -> None:
        """Something about the table is to be shown anew, though nothing was written down."""
        self.feed(game).tell(_news(self.session(game).view))

    def remember(self, game: str, look: Look) -> None:
        """Keep what was read last, until something newer is, of this game or of many others."""
        with self._guard:
            _keep(self._looks, game, look, MOST_LOOKS)

    def last_look(self, game: str) -> Look | None:
        """What was read last, by the camera or else from an upload."""
        camera = self.camera(game)
        return (camera.look if camera else None) or self._looks.get(game)

    def _take_up(self, session: GameSession) -> None:
        feed = Feed()
        self._sessions[session.game], self._feeds[session.game] = session, feed
        session.listen(lambda view: feed.tell(_news(view)))


def _keep(kept: dict[K, V], key: K, value: V, most: int) -> None:
    """Put *value* last; of more than *most* the first goes."""
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]


def games() -> Games:
    """The games of the running application."""
    found: Games = current_app.extensions["games"]
    return found


def _news(view: View) -> str:
    return json.dumps({"seq": view.seq, "state": view.state.value})
