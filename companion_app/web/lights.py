"""The lights on the page: what they show, asked for once a second, and the buttons where there is no board."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request

from companion_app.errors import AppError
from companion_app.lights import SEATS, own_lamps
from companion_app.reading_types import Reading
from companion_app.turn_token import TokenView, TurnToken
from companion_app.web.live import games
from rules import Seat

blueprint = Blueprint("lights", __name__, url_prefix="/lights")


@blueprint.get("")
def show() -> Response:
    """What the lights show."""
    return jsonify(as_json(token().view()))


@blueprint.post("/press")
def press() -> Response:
    """Press the button of a seat, ``{"seat": "south"}``; answers what the lights show then."""
    data = request.get_json()
    seat = data.get("seat") if isinstance(data, dict) else None
    if seat not in [one.value for one in SEATS]:
        raise AppError("bad_form", 'There is a button for South and one for North: send {"seat": "south"}.')
    token().press(Seat(seat))
    return jsonify(as_json(token().view()))


def as_json(view: TokenView) -> dict[str, Any]:
    """The public JSON object; lamps are named by their seats, *own* are those with the rhythm of the own light."""
    seat = view.light.seat
    return {
        "state": view.light.state.value,
        "seat": None if seat is None else SEATS[seat].value,
        "own": [lamp.value for lamp in own_lamps(view.light)],
        "level": view.light.level,
        "words": view.words,
        "device": view.device.value,
        "trouble": view.trouble,
        "virtual": view.virtual,
        "presses": view.presses,
        "last": view.last and view.last.value,
    }


def shown() -> dict[str, Any]:
    """The same for the template."""
    return as_json(token().view())


def show_reading(reading_id: str, reading: Reading, *, saved: bool) -> None:
    """Show what an open reading means, unless a game has the lights."""
    if not games().lights_are_taken:
        token().show_reading(reading_id, reading, saved=saved)


def judging() -> AbstractContextManager[None]:
    """While a photo is read that belongs to no game: this is shown, unless a game has the lights."""
    return nullcontext() if games().lights_are_taken else token().judging()


def token() -> TurnToken:
    """The turn token of the running application."""
    found: TurnToken = current_app.extensions["token"]
    return found
