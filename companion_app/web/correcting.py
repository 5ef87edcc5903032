"""The picture of a table in question, corrected as any reading is, and given back to the game."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, render_template, url_for
from werkzeug.wrappers import Response

from companion_app.corrections import Switch
from companion_app.photos import decode_photo
from companion_app.store import Store
from companion_app.web.game_showing import title_of
from companion_app.web.games import NoPicture, showing_of
from companion_app.web.gate import Gate
from companion_app.web.keeping import keep
from companion_app.web.live import games
from companion_app.web.record import load
from companion_app.web.showing import Showing

blueprint = Blueprint("correcting", __name__, url_prefix="/games/<game>/correction")


@blueprint.post("")
def begin(game: str) -> Response:
    """Make a reading of the look that is in question, and go there."""
    seen = showing_of(games().session(game)).seen
    if seen is None:
        raise NoPicture("The picture in question is gone: photograph the table again.")

    def kept() -> str:
        return keep(_store(), seen.reading, decode_photo(seen.picture, "The picture"), seen.south)

    gate: Gate = current_app.extensions["gate"]
    return redirect(url_for(".show", game=game, reading_id=gate.do(kept)), code=303)


@blueprint.get("/<reading_id>")
def show(game: str, reading_id: str) -> str:
    """The page of that reading, with the way back to the game."""
    session, record = games().session(game), load(_store(), reading_id)
    return render_template(
        "game_correct.html",
        game=game,
        title=title_of(session.view.terms),
        showing=Showing(record),
        switch=Switch(_store().photos.parent),
        today="",
    )


@blueprint.post("/<reading_id>")
def give_back(game: str, reading_id: str) -> Response:
    """The reading as it is corrected is what stands on the table."""
    games().session(game).correct(load(_store(), reading_id).reading)
    return redirect(url_for("games.show", game=game), code=303)


def _store() -> Store:
    store: Store = current_app.extensions["store"]
    return store
