"""A camera over the table of a game: put there by somebody who sits at this computer, and taken away again."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion_app.errors import AppError
from companion_app.web import forms
from companion_app.web.lan import at_this_computer
from companion_app.web.live import games
from companion_app.web.overhead import Mounted, look_through, mounted

blueprint = Blueprint("cameras", __name__, url_prefix="/games/<game>/camera")


class OnlyHere(AppError):
    """Somebody in the network named a camera, which may make this computer open anything; code ``only_here``."""

    def __init__(self) -> None:
        super().__init__("only_here", "A camera is chosen at the computer that it is for: ask who sits there.")


@blueprint.post("")
def put_up(game: str) -> AnyResponse:
    """Look at the table of this game: through the camera that a form names, or else the one of the command line."""
    session, named = games().session(game), request.form.get("camera")
    camera = mounted() if named is None else None
    if camera is None:
        if not at_this_computer():
            raise OnlyHere
        address = forms.checked(named or "", "The address of the camera")
        camera = Mounted(address, forms.south_of(request.form))
    look_through(session, camera)
    return redirect(url_for("games.show", game=game), code=303)


@blueprint.post("/away")
def take_away(game: str) -> AnyResponse:
    """Look no more."""
    if games().camera(game):
        games().watch(None)
        games().nudge(game)
    return redirect(url_for("games.show", game=game), code=303)
