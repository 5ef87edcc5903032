"""One reading: its page, the corrections, saving and deleting, and everything that can be taken away from it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, redirect, render_template, request, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion_app.annotate import drawn_onto
from companion_app.corrections import Switch
from companion_app.errors import AppError
from companion_app.event_log import Damaged, Stale
from companion_app.json_fields import BadReading, Fields, check_texts
from companion_app.photos import open_photo
from companion_app.pictures import LONGEST_SIDE, jpeg, sized
from companion_app.plain_text import BadText
from companion_app.raster import svg_to_png
from companion_app.store import SAVED, Store
from companion_app.web import forms
from companion_app.web.cards import NOT_OPENED
from companion_app.web.edits import BadEdit, in_words
from companion_app.web.gate import Gate
from companion_app.web.lan import OnlyLooking, may_write
from companion_app.web.lights import show_reading
from companion_app.web.record import CORRECTED, UNDONE, WITHHELD, Record, load
from companion_app.web.showing import Showing

blueprint = Blueprint("readings", __name__, url_prefix="/readings/<reading_id>")

PARTS = ("verdict", "questions", "overlay", "diagram", "score", "inventory", "position")
"""The parts of the page that change with a correction, each a template of its own."""


@blueprint.get("")
def show(reading_id: str) -> str:
    """The page of a reading."""
    record = load(_store(), reading_id)
    if may_write():
        show_reading(reading_id, record.reading, saved=record.saved)
    showing = Showing(record)
    return render_template("reading.html", showing=showing, switch=_switch(), today=date.today().isoformat())


@blueprint.post("/edits")
def edit(reading_id: str) -> Response | tuple[Response, int]:
    """Carry out one correction, or undo the last; answers the parts of the page as they are now.

    Where the page was not up to date nothing is done, and the answer, 409, brings it up to date.
    """
    wish = _wish()
    record = load(_store(), reading_id)
    try:
        if wish["base"] != record.seq:
            raise Stale("reading", record.seq)
        record, said = _undo(record) if wish["do"] == "undo" else _correct(record, wish)
    except Stale as stale:
        news = _news(load(_store(), reading_id), stale.sentence)
        return jsonify(news | {"error": stale.code, "sentence": stale.sentence}), 409
    show_reading(reading_id, record.reading, saved=record.saved)
    return jsonify(_news(record, said))


@blueprint.post("/save")
def save(reading_id: str) -> AnyResponse:
    """Give the reading a name, its players and a date."""
    names = forms.names_of_form(request.form)
    _store().append(reading_id, SAVED, asdict(names) | _mark())
    return redirect(url_for(".show", reading_id=reading_id), code=303)


@blueprint.post("/corrections")
def switch_corrections(reading_id: str) -> AnyResponse:
    """Keep corrections for export from now on, of this reading and all others, or no more."""
    _switch().turn(forms.kept_of(request.form))
    return redirect(url_for(".show", reading_id=reading_id, _anchor="corrections"), code=303)


@blueprint.get("/delete")
def ask_to_delete(reading_id: str) -> str:
    """Ask before anything is deleted."""
    if not may_write():
        raise OnlyLooking
    try:
        showing = Showing(load(_store(), reading_id))
    except Damaged as damaged:
        return render_template("delete.html", id=reading_id, title=NOT_OPENED, why=damaged.sentence)
    return render_template("delete.html", id=reading_id, title=showing.title)


@blueprint.post("/delete")
def delete(reading_id: str) -> AnyResponse:
    """Forget the reading and its photo."""
    _store().delete(reading_id)
    return redirect(url_for("opening.start"), code=303)


@blueprint.get("/photo.jpg")
def photo(reading_id: str) -> Response:
    """The photo as it is kept."""
    return _kept_picture(load(_store(), reading_id).photo)


@blueprint.get("/small.jpg")
def small(reading_id: str) -> Response:
    """The little picture for lists."""
    return _kept_picture(load(_store(), reading_id).small)


@blueprint.get("/annotated.jpg")
def annotated(reading_id: str) -> Response:
    """The photo with the reading drawn on it."""
    record = load(_store(), reading_id)
    path = _store().photos / record.photo

    def drawn() -> bytes:
        return jpeg(drawn_onto(sized(open_photo(path), record.reading.image), record.reading), LONGEST_SIDE)

    gate: Gate = current_app.extensions["gate"]
    return _file(gate.do(drawn, guest=not may_write()), "image/jpeg", f"{reading_id}-annotated.jpg")


@blueprint.get("/reading.json")
def as_json(reading_id: str) -> Response:
    """The reading in the public format, as it is corrected by now."""
    record = load(_store(), reading_id)
    text = json.dumps(record.reading.to_json(), ensure_ascii=False, indent=1) + "\n"
    return _file(text.encode(), "application/json", f"{reading_id}.json")


@blueprint.get("/diagram.svg")
def diagram_as_svg(reading_id: str) -> Response:
    """The diagram as a drawing."""
    return _file(_diagram(reading_id).encode(), "image/svg+xml", f"{reading_id}.svg")


@blueprint.get("/diagram.png")
def diagram_as_png(reading_id: str) -> Response:
    """The diagram as a picture."""
    return _file(svg_to_png(_diagram(reading_id), width=1200), "image/png", f"{reading_id}.png")


def _wish() -> dict[str, Any]:
    """The JSON object of the request, as far as all corrections are alike."""
    data = request.get_json()
    try:
        check_texts(data, "this correction")
        fields = Fields(data, "correction")
        return {**data, "base": fields.integer("base"), "do": fields.text("do")}
    except (BadReading, BadText) as error:
        raise BadEdit(error.sentence) from None
    except ValueError:
        raise BadEdit("This correction is nested too deeply: open the page anew and try again.") from None


def _correct(record: Record, wish: dict[str, Any]) -> tuple[Record, str]:
    """The record with one more correction, and what that did in words."""
    correction = {key: value for key, value in wish.items() if key != "base"}
    after = record.after(correction)
    seq = _store().append(record.id, CORRECTED, correction | _mark(), base=record.seq)
    return replace(after, seq=seq), in_words(record.reading, after.reading, correction)


def _mark() -> dict[str, bool]:
    """What an event says beside its own: that it is not to be exported, where corrections are not kept."""
    return {} if _switch().on else WITHHELD


def _undo(record: Record) -> tuple[Record, str]:
    """The record without its last correction."""
    if not record.edits:
        raise AppError("nothing_to_undo", "There is nothing to undo.")
    _store().append(record.id, UNDONE, _mark(), base=record.seq)
    return load(_store(), record.id), "Undone."


def _news(record: Record, said: str) -> dict[str, Any]:
    showing = Showing(record)
    parts = {name: render_template(f"parts/{name}.html", showing=showing) for name in PARTS}
    return {"parts": parts, "state": showing.state, "said": said}


def _diagram(reading_id: str) -> str:
    return Showing(load(_store(), reading_id)).diagram


def _kept_picture(name: str) -> Response:
    path = _store().photos / name
    if not path.is_file():
        raise AppError("no_such_reading", "The photo of this reading is no longer there.")
    response = send_file(path, mimetype="image/jpeg", conditional=True)
    response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return response


def _file(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="pyramids-{name}"'
    return response


def _switch() -> Switch:
    return Switch(_store().photos.parent)


def _store() -> Store:
    store: Store = current_app.extensions["store"]
    return store
