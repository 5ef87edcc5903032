"""A camera over the table of a game: put there by somebody who sits at this computer, and taken away again."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, current_app, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion_app.cameras import Camera, Condition, source_at
from companion_app.errors import AppError
from companion_app.live import LiveTable
from companion_app.session import How, NotKept
from companion_app.web import forms
from companion_app.web.games import game_of, not_there
from companion_app.web.lan import at_this_computer
from companion_app.web.lights import token
from companion_app.web.live import Look, games
from companion_app.web.pictures import jpeg
from companion_app.web.refusals import refuse
from vision.sight import ImageSide

blueprint = Blueprint("cameras", __name__, url_prefix="/games/<game>/camera")
blueprint.register_error_handler(NotKept, not_there)

SHOWN_SIDE = 1280  # px, of the live picture
FRESH_S = 0.5  # a picture is made into a JPEG once for all who look within this time


class OnlyHere(AppError):
    """Somebody in the network named a camera; code ``only_here``."""

    def __init__(self) -> None:
        super().__init__("only_here", "A camera is chosen at the computer that it is for: ask who sits there.")


@blueprint.errorhandler(OnlyHere)
def only_here(error: OnlyHere) -> Response:
    """An address may make this computer open anything: it is not taken from the network."""
    return refuse(403, error.code, error.sentence)


class Overhead:
    """A live table as the page knows it; see :class:`companion_app.web.live.Live`."""

    def __init__(self, table: LiveTable, south: ImageSide, tell: Callable[[], object]) -> None:
        """*tell* is called whenever :attr:`sentence` is another one."""
        self.game = table.session.game
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
        self._table.close()

    def _hear(self) -> None:
        if self.sentence != self._told:
            self._told = self.sentence
            self._tell()


@blueprint.post("")
def put_up(game: str) -> AnyResponse:
    """Look at the table of this game through the camera of a form, and through no other."""
    if not at_this_computer():
        raise OnlyHere
    session, south = games().session(game), forms.south_of(request.form)
    terms, known = session.view.terms, games()
    source = source_at(request.form.get("camera", ""))
    known.watch(None)
    reader = current_app.config["TABLE_READER"](game_of(terms), south, redless=terms.redless)
    table = LiveTable(session, Camera(source), reader, token())
    known.watch(Overhead(table, south, lambda: known.nudge(game)))
    return redirect(url_for("games.show", game=game), code=303)


@blueprint.post("/away")
def take_away(game: str) -> AnyResponse:
    """Look no more."""
    if games().camera(game):
        games().watch(None)
        games().nudge(game)
    return redirect(url_for("games.show", game=game), code=303)
