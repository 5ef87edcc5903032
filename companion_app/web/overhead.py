"""The camera over a table as the page knows it, and how one is put there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from flask import current_app

from companion_app.cameras import Camera, Condition, source_at
from companion_app.errors import AppError
from companion_app.event_log import Damaged
from companion_app.live import LiveTable
from companion_app.live.demo import Demo
from companion_app.pictures import jpeg
from companion_app.reading_types import Game
from companion_app.session import GameSession, How, State, Terms
from companion_app.web.lights import token
from companion_app.web.live import Look, games
from rules.records import GameKind
from vision.sight import ImageSide

SHOWN_SIDE = 1280  # px, of the live picture
FRESH_S = 0.5  # a picture is made into a JPEG once for all who look within this time


@dataclass(frozen=True)
class Mounted:
    """A camera that was named when the program was started: its address, and where South sits in its pictures."""

    address: str = field(repr=False)  # which may have a password in it
    south: ImageSide = ImageSide.BOTTOM


class Overhead:
    """A live table as the page knows it; see :class:`companion_app.web.live.Live`."""

    def __init__(
        self, table: LiveTable, south: ImageSide, tell: Callable[[], object], demo: Demo | None = None
    ) -> None:
        """*tell* is called whenever :attr:`sentence` is another one; *demo* is who plays at this table by itself."""
        self.game = table.session.game
        self.demo = demo
        self._table = table
        self._south = south
        self._tell = tell
        self._told = ""
        self._shown: tuple[float, bytes] | None = None
        self._leave = table.conductor.listen(lambda _now: self._hear())

    @property
    def sentence(self) -> str:
        """How the camera is, where that is not well; else what goes on at the table."""
        camera, now = self._table.seen_by, self._table.now
        seen = now.sentence if camera.condition is Condition.LIVE else camera.sentence
        return f"{seen} {now.note}".strip()

    @property
    def picture(self) -> bytes | None:
        """A picture as JPEG that is at most half a second older than the newest."""
        frame = self._table.camera.frame
        if frame and (self._shown is None or frame.at - self._shown[0] > FRESH_S):
            self._shown = frame.at, jpeg(frame.image, SHOWN_SIDE, quality=70)
        return self._shown[1] if self._shown else None

    @property
    def look(self) -> Look | None:
        """The newest look at the table at rest."""
        look = self._table.now.look
        return Look(look.photo, look.reading, self._south) if look else None

    def end_turn(self) -> None:
        """Judge the table as soon as it lies still."""
        self._table.end_turn(None, How.PAGE)

    def close(self) -> None:
        """Take the camera away."""
        self._leave()
        (self.demo or self._table).close()

    def _hear(self) -> None:
        if self.sentence != self._told:
            self._told = self.sentence
            self._tell()


def look_through(session: GameSession, camera: Mounted) -> None:
    """Look at the table of a game through this camera, and through no other; an AppError where that cannot be."""
    terms, known, game = session.view.terms, games(), session.game
    source, kind = source_at(camera.address), game_of(terms)
    known.watch(None)
    reader = current_app.config["TABLE_READER"](kind, camera.south, redless=terms.redless)
    table = LiveTable(session, Camera(source), reader, token())
    known.watch(Overhead(table, camera.south, lambda: known.nudge(game)))


def look_if_mounted(session: GameSession) -> None:
    """Look at the table of a game through the camera that was named at the start, if one was and it can be of use."""
    camera = mounted()
    if camera and session.view.terms.is_for_two:
        look_through(session, camera)


def look_at_newest() -> None:
    """The same for the game that went on last, unless that is over: so it goes on when the program is back.

    A game that is damaged cannot go on: then it is the one before.
    """
    for shelf in games().log.shelves():
        with suppress(Damaged):
            session = games().session(shelf.name)
            if session.view.state is not State.OVER:
                look_if_mounted(session)
            return


def mounted() -> Mounted | None:
    """The camera that was named when the program was started."""
    camera: Mounted | None = current_app.config["CAMERA"]
    return camera


def game_of(terms: Terms) -> Game:
    """The game as readings call it; an AppError where pictures of its table cannot be read."""
    if not terms.is_for_two:
        raise AppError(
            "look_two_players", "Pictures and cameras are read for two players only: type the turns of this game."
        )
    return Game.HOMEWORLDS if terms.game is GameKind.HOMEWORLDS else Game.SETTLERS
