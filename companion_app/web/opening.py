"""The start: open a photo or the virtual table, or go on with what is kept."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion_app.errors import AppError
from companion_app.event_log import photo_name
from companion_app.lens import lens_of
from companion_app.photos import Photo, decode_photo
from companion_app.pictures import LONGEST_SIDE, SMALL_SIDE, jpeg
from companion_app.reading_types import Game
from companion_app.store import Store
from companion_app.web import forms
from companion_app.web.cards import Card
from companion_app.web.gate import Gate
from companion_app.web.lan import OnlyLooking, may_write
from companion_app.web.lights import judging
from companion_app.web.record import READ
from companion_app.web.words import title_of
from vision.sight import ImageSide

blueprint = Blueprint("opening", __name__)

MOST_DRAFTS = 20
"""Readings that nobody saved: more than this many are not kept."""

DEMO = (Game.SETTLERS, 7)


@blueprint.get("/")
def start() -> str:
    """The first page."""
    shelves = _store().shelves()
    return render_template(
        "start.html",
        saved=[Card.of(shelf) for shelf in shelves if not shelf.is_draft],
        drafts=[Card.of(shelf) for shelf in shelves if shelf.is_draft],
        damage=_store().damage,
        most_drafts=MOST_DRAFTS,
        table=1 + secrets.randbelow(9999),
    )


@blueprint.post("/readings")
def open_photo() -> Response:
    """Read the photo of a form, and go to its reading."""
    game, south, redless = forms.game_of(request.form), forms.south_of(request.form), forms.redless_of(request.form)
    data = forms.photo_of(request.files)

    def read() -> Response:
        with judging():
            image = decode_photo(data, name="This file")
            return _opened(image, game, south, redless, {"source": "photo"}, lens_of(data))

    return _gate().do(read)


@blueprint.post("/virtual")
def open_virtual_table() -> Response:
    """Photograph a virtual table, read it, and go to its reading."""
    return _virtual(forms.game_of(request.form), forms.table_of(request.form))


@blueprint.get("/demo/photo")
def demo_photo() -> Response:
    """The reading of the demo's table; it is made once and stays until it is deleted."""
    for shelf in _store().shelves():
        if shelf.first and shelf.first.payload.get("demo"):
            return redirect(url_for("readings.show", reading_id=shelf.name))
    if not may_write():
        raise OnlyLooking
    return _virtual(*DEMO, demo=True)


def _virtual(game: Game, seed: int, **more: Any) -> Response:
    def read() -> Response:
        with judging():
            image, south = current_app.config["VIRTUAL_TABLE"](game, seed)
            return _opened(image, game, south, False, {"source": "virtual", "seed": seed, **more})

    return _gate().do(read)


def _opened(
    image: Photo, game: Game, south: ImageSide, redless: bool, more: dict[str, Any], lens: float | None = None
) -> Response:
    """Read *image*, and keep the reading with the photo, newly encoded so that nothing but pixels is kept."""
    reading = current_app.config["READER"](image, game, south, redless, lens)
    photo, small = jpeg(image, LONGEST_SIDE), jpeg(image, SMALL_SIDE)
    names = {"photo": photo_name(photo), "small": photo_name(small)}
    payload = {"reading": reading.to_json(), "south": south.value, "title": title_of(reading), **names, **more}
    reading_id = _store().begin(READ, payload, (photo, small))
    with suppress(AppError):  # what is to be forgotten may be damaged: the new one is kept all the same
        _forget_old_drafts(reading_id)
    return redirect(url_for("readings.show", reading_id=reading_id), code=303)


def _forget_old_drafts(new: str) -> None:
    """Forget the drafts that were changed least lately, but never the *new* one."""
    drafts = [shelf.name for shelf in _store().shelves() if shelf.is_draft and shelf.name != new]
    for name in drafts[MOST_DRAFTS - 1 :]:
        _store().delete(name)


def _store() -> Store:
    store: Store = current_app.extensions["store"]
    return store


def _gate() -> Gate:
    gate: Gate = current_app.extensions["gate"]
    return gate
