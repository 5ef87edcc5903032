"""Who has won a game of Settlers: one photo, two numbers."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion_app.reading_types import Game
from companion_app.store import Store
from companion_app.web import forms
from companion_app.web.games import of_upload
from companion_app.web.keeping import keep
from companion_app.web.record import load
from companion_app.web.showing import Showing
from rules import Seat, settlers

blueprint = Blueprint("score", __name__, url_prefix="/score")


@blueprint.get("")
def scorer() -> str:
    """Take a photo of the board."""
    return render_template("score.html")


@blueprint.post("")
def read_board() -> Response:
    """Read the board of a photo, and go to its score."""
    south = forms.south_of(request.form)
    name = of_upload(
        Game.SETTLERS, "redless" in request.form, lambda image, reading: keep(_store(), reading, image, south)
    )
    return redirect(url_for(".result", reading_id=name), code=303)


@blueprint.get("/<reading_id>")
def result(reading_id: str) -> str:
    """Both totals; ``?began=south`` says who had the first turn, which decides a tie."""
    showing = Showing(load(_store(), reading_id))
    if not isinstance(showing.position, settlers.Position):
        raise forms.BadForm("This is a table of Homeworlds, which has no score: photograph a Settlers board.")
    began = request.args.get("began", "")
    beginner = Seat(began) if began in [seat.value for seat in settlers.SEATS] else None
    return render_template(
        "score_result.html",
        showing=showing,
        score=settlers.score(showing.position, beginner),
        began=began,
        is_read=showing.reading.verdict.value != "unreadable",
    )


def _store() -> Store:
    store: Store = current_app.extensions["store"]
    return store
