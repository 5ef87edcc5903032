"""Restoring: is the photo good enough, what to do piece by piece, a look at the table, a sheet to print."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, redirect, render_template, request, send_file, url_for
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from companion_app.errors import AppError
from companion_app.event_log import Damaged, NotKept, photo_name
from companion_app.lens import lens_of
from companion_app.notation import Position
from companion_app.photos import Photo, decode_photo
from companion_app.pictures import LONGEST_SIDE, jpeg
from companion_app.printing.paper import Paper
from companion_app.printing.restore_sheet import restore_sheet_pdf
from companion_app.reading_types import Game
from companion_app.restoring import checklist, compare, position_of_line, position_of_reading
from companion_app.restoring.banks import bank_seen
from companion_app.restoring.restoration import BEGUN, LOOKED, TAKEN_AWAY, TICKED, About, begun, replayed
from companion_app.restoring.showing import BANK_SIGNS, BANK_STATES, Showing
from companion_app.store import Store
from companion_app.web import forms
from companion_app.web.cards import Card
from companion_app.web.gate import Gate
from companion_app.web.lights import judging
from companion_app.web.record import load
from companion_app.web.showing import Showing as ReadingShowing
from rules import Seat, homeworlds, settlers
from vision.sight import ImageSide

blueprint = Blueprint("restore", __name__, url_prefix="/restore")

MOST_KEPT = 20
"""Restorations beyond these are forgotten, the one that rested longest first."""

PARTS = ("next", "wrong", "steps", "diagram", "bank")
"""The parts of the page that change with a tick, each a template of its own."""


@dataclass(frozen=True)
class UnderWay:
    """A restoration in the list: what it is called and how far it is."""

    id: str
    title: str
    verdict: str
    damaged: bool = False


@blueprint.record_once
def open_shelf(state: BlueprintSetupState) -> None:
    """Restorations have a log of their own, in a folder beside the readings."""
    readings: Store = state.app.extensions["store"]
    state.app.extensions["restorations"] = Store(readings.photos.parent / "restoring")


@blueprint.get("")
def start() -> str:
    """Choose what to restore: a saved reading, a position line, or one that was begun."""
    shelves = _readings().shelves()
    return render_template(
        "restore_start.html",
        under_way=[_under_way(shelf.name) for shelf in _shelf().shelves()],
        readings=[Card.of(shelf) for shelf in [shelf for shelf in shelves if shelf.saved] or shelves],
    )


@blueprint.post("")
def begin_from_line() -> AnyResponse:
    """Begin with the position line of a form."""
    line = forms.line_in(request.form, "position", "This position line")
    position = position_of_line(line, redless="redless" in request.form)
    title = forms.name_in(request.form, "title", "The title")
    return _begun(position, About(title or _named(position)))


@blueprint.get("/of/<reading_id>")
def check(reading_id: str) -> str:
    """Is everything in this photo that it takes to restore it?"""
    record = load(_readings(), reading_id)
    return render_template("restore_check.html", showing=ReadingShowing(record), checks=checklist(record.reading))


@blueprint.post("/of/<reading_id>")
def begin_from_reading(reading_id: str) -> AnyResponse:
    """Begin with a kept reading; the form says whose turn it is where the photo does not."""
    record = load(_readings(), reading_id)
    wished = request.form.get("turn", "")
    if wished and wished not in [seat.value for seat in settlers.SEATS]:
        raise forms.BadForm("Whose turn is it? Choose South or North.")
    position = position_of_reading(record.reading, Seat(wished) if wished else None)
    about = About(
        title=ReadingShowing(record).title,
        south=record.south,
        north=record.north,
        date=record.date or f"{record.opened:%Y-%m-%d}",
        reading=reading_id,
        bank=bank_seen(record.reading),
    )
    return _begun(position, about)


@blueprint.get("/<restoration_id>")
def show(restoration_id: str) -> str:
    """The steps, the marks, and the bank side by side."""
    showing = _showing(restoration_id)
    return render_template("restore.html", **_words(showing, restoration_id))


@blueprint.post("/<restoration_id>/ticks")
def tick(restoration_id: str) -> AnyResponse:
    """Tick steps by hand, or take ticks back, or say that a piece too much is gone."""
    form, anchor = request.form, None
    if "away" in form:
        _shelf().append(restoration_id, TAKEN_AWAY, {"piece": _number(form["away"], 10_000)})
    else:
        count, done = len(_showing(restoration_id).plan.steps), "open" not in form
        steps = [_number(word, count) for word in form.get("done" if done else "open", "").split()[:count]]
        _shelf().append(restoration_id, TICKED, {"steps": steps, "done": done})
        anchor = f"step-{steps[0]}" if steps and "list" in form else None
    if request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json":
        return jsonify(_news(restoration_id))
    return redirect(url_for(".show", restoration_id=restoration_id, _anchor=anchor), code=303)


@blueprint.post("/<restoration_id>/look")
def look(restoration_id: str) -> AnyResponse:
    """Read the photo of a form and hold it against the position."""
    south, data = forms.south_of(request.form), forms.photo_of(request.files)

    def read() -> None:
        with judging():
            look_at(restoration_id, decode_photo(data, name="This file"), south, lens_of(data))

    gate: Gate = current_app.extensions["gate"]
    gate.do(read)
    return redirect(url_for(".show", restoration_id=restoration_id, _anchor="look"), code=303)


@blueprint.get("/<restoration_id>/look.jpg")
def look_photo(restoration_id: str) -> Response:
    """The photo of the last look."""
    last = _showing(restoration_id).look
    path = _shelf().photos / (last.photo if last and last.photo else "none")
    if not path.is_file():
        raise AppError("no_picture", "Nobody has looked at this table yet: take a photo of it.")
    return send_file(path, mimetype="image/jpeg", conditional=True)


@blueprint.get("/<restoration_id>/sheet.pdf")
def sheet(restoration_id: str) -> Response:
    """The sheet to print, on A4 or Letter."""
    showing = _showing(restoration_id)
    paper = Paper.LETTER if request.args.get("paper") == Paper.LETTER.value else Paper.A4
    pdf = restore_sheet_pdf(showing.plan, showing.bank, showing.about.title, showing.facts, paper)
    response = Response(pdf, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'attachment; filename="pyramids-restore-{restoration_id}.pdf"'
    return response


@blueprint.get("/<restoration_id>/print")
def print_view(restoration_id: str) -> str:
    """The same for the browser's own printing."""
    return render_template("restore_print.html", showing=_showing(restoration_id), id=restoration_id)


@blueprint.post("/<restoration_id>/delete")
def put_away(restoration_id: str) -> AnyResponse:
    """Forget a restoration and its photos."""
    _shelf().delete(restoration_id)
    return redirect(url_for(".start"), code=303)


def look_at(restoration_id: str, image: Photo, south: ImageSide, lens: float | None = None) -> None:
    """Hold a picture of the table, (H, W, 3) BGR, against the position; ``AppError`` where that cannot be."""
    plan = _showing(restoration_id).plan
    game = Game.HOMEWORLDS if isinstance(plan.position, homeworlds.Position) else Game.SETTLERS
    redless = isinstance(plan.position, settlers.Position) and plan.position.redless
    reading = current_app.config["READER"](image, game, south, redless, lens)
    compare(plan, reading)  # what cannot be compared is refused before anything is kept
    photo = jpeg(image, LONGEST_SIDE)
    _shelf().append(restoration_id, LOOKED, {"reading": reading.to_json(), "photo": photo_name(photo)}, [photo])


def _begun(position: Position, about: About) -> AnyResponse:
    restoration_id = _shelf().begin(BEGUN, begun(position, about))
    with suppress(AppError):  # what is to be forgotten may be damaged: the new one is kept all the same
        for name in [shelf.name for shelf in _shelf().shelves() if shelf.name != restoration_id][MOST_KEPT - 1 :]:
            _shelf().delete(name)
    return redirect(url_for(".show", restoration_id=restoration_id), code=303)


def _under_way(restoration_id: str) -> UnderWay:
    try:
        showing = _showing(restoration_id)
    except (NotKept, Damaged) as error:
        return UnderWay(restoration_id, "A restoration that cannot be opened", error.sentence, damaged=True)
    return UnderWay(restoration_id, showing.about.title, showing.verdict)


def _named(position: Position) -> str:
    game = "Homeworlds" if isinstance(position, homeworlds.Position) else "Settlers"
    return f"{game}, {len(position.pieces)} pieces"


def _news(restoration_id: str) -> Mapping[str, Any]:
    showing = _showing(restoration_id)
    words = _words(showing, restoration_id)
    parts = {name: render_template(f"restore_{name}.html", **words) for name in PARTS}
    return {"parts": parts, "said": showing.verdict}


def _words(showing: Showing, restoration_id: str) -> dict[str, Any]:
    """What the templates print."""
    return {
        "showing": showing,
        "photo": _photo_of(showing),
        "id": restoration_id,
        "bank_signs": BANK_SIGNS,
        "bank_states": BANK_STATES,
    }


def _number(text: str, limit: int) -> int:
    """A number from 0 to below *limit*."""
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) < limit):
        raise forms.BadForm("There is no such step: open the page anew and try again.")
    return int(text)


def _photo_of(showing: Showing) -> ReadingShowing | None:
    """The reading that is restored with its photo, as long as it is kept."""
    try:
        return ReadingShowing(load(_readings(), showing.about.reading)) if showing.about.reading else None
    except (NotKept, Damaged):
        return None


def _showing(restoration_id: str) -> Showing:
    return Showing(replayed(_shelf().events(restoration_id)))


def _shelf() -> Store:
    store: Store = current_app.extensions["restorations"]
    return store


def _readings() -> Store:
    store: Store = current_app.extensions["store"]
    return store
