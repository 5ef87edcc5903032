"""The archive: a game turn by turn, written out, taken in, and forgotten."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from io import BytesIO

from flask import Blueprint, Response, current_app, jsonify, redirect, render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from companion_app.errors import AppError
from companion_app.event_log import Damaged, Event
from companion_app.raster import svg_to_png
from companion_app.session import Do, GameSession
from companion_app.session.export import PICTURE_WIDTH, notation, write_zip
from companion_app.session.export import as_json as written_as_json
from companion_app.session.importing import import_game
from companion_app.session.spooling import clear_leftovers
from companion_app.session.unpacking import MOST_UNPACKED
from companion_app.web.game_showing import Moment, moment, title_of
from companion_app.web.games import NOT_OPENED
from companion_app.web.gate import Gate
from companion_app.web.lan import OnlyLooking, may_write
from companion_app.web.live import games

blueprint = Blueprint("archive", __name__, url_prefix="/games")

KINDS = {"svg": "image/svg+xml", "png": "image/png"}


class NoSuchTurn(AppError):
    """The record is not as long; code ``no_such_turn``."""

    def __init__(self) -> None:
        super().__init__("no_such_turn", "The record of this game is not so long: go to one of its turns.")


@blueprint.record_once
def tidy(state: BlueprintSetupState) -> None:
    """What a program that was killed while it took a game in has left is cleared away."""
    clear_leftovers(state.app.extensions["games"].log)


@blueprint.get("/<game>/turns/<int:number>")
def turn(game: str, number: int) -> str | Response:
    """The game as it was after a turn, 0 being the beginning; as JSON what changes on the page from turn to turn."""
    session = games().session(game)
    at = _moment(session, number)
    words = {"game": game, "moment": at, "view": session.view}
    words["may_go_back"] = Do.TAKE_BACK in session.view.commands and number < at.count
    words["may_restore"] = Do.RESTORE in session.view.commands
    if request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json":
        parts = {"moment": render_template("game_moment.html", **words)}
        return jsonify(parts=parts, number=number, spoken=at.sentence)
    return render_template("game_turn.html", title=title_of(session.view.terms), **words)


@blueprint.get("/<game>/turns")
def chosen_turn(game: str) -> AnyResponse:
    """Where the slider leads without scripts."""
    text = request.args.get("number", "0")
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise NoSuchTurn
    return redirect(url_for(".turn", game=game, number=int(text)), code=303)


@blueprint.get("/<game>/turns/<int:number>/diagram.<kind>")
def diagram(game: str, number: int, kind: str) -> Response:
    """The diagram after a turn as a drawing, ``svg``, or as a picture, ``png``."""
    if kind not in KINDS:
        raise AppError("no_such_kind", "Diagrams are there as svg and as png.")
    drawn = _moment(games().session(game), number).board.diagram
    content = drawn.encode() if kind == "svg" else svg_to_png(drawn, width=PICTURE_WIDTH)
    return _file(content, KINDS[kind], f"{game}-{number}.{kind}")


@blueprint.get("/<game>/game.json")
def as_json(game: str) -> Response:
    """All of the game, such that it can be taken in again."""
    text = json.dumps(written_as_json(_events(game)), ensure_ascii=False, indent=1) + "\n"
    return _file(text.encode(), "application/json", f"{game}.json")


@blueprint.get("/<game>/game.pyramids")
def as_notation(game: str) -> Response:
    """The record as text; where both agreed to play on from a position, that is a record of its own."""
    text = "\n".join(notation(_events(game)))
    return _file(text.encode(), "text/plain; charset=utf-8", f"{game}.pyramids")


@blueprint.get("/<game>/game.zip")
def as_zip(game: str) -> Response:
    """The game in all forms with its photos."""
    archive, events, gate = BytesIO(), _events(game), current_app.extensions["gate"]
    gate.do(partial(write_zip, events, games().log.photos, archive), guest=not may_write())
    return _file(archive.getvalue(), "application/zip", f"{game}.zip")


@blueprint.post("/import")
def take_in() -> AnyResponse:
    """Keep the game of a file; its photos go through the door of all uploads, one by one."""
    request.max_content_length = MOST_UNPACKED  # a game has many photos
    try:
        file = request.files.get("file")
    except RequestEntityTooLarge:
        most = f"{MOST_UNPACKED // 1_000_000} MB"
        raise AppError("file_too_large", f"This is too large to be a game: at most {most}.") from None
    if file is None or not file.filename:
        raise AppError("file_missing", "No file came with this form: choose one, then press Take it in.")
    gate: Gate = current_app.extensions["gate"]
    game = import_game(file.stream, games().log, gate.do)
    return redirect(url_for("games.show", game=game), code=303)


@blueprint.get("/<game>/delete")
def ask_to_delete(game: str) -> str:
    """Ask before anything is deleted."""
    if not may_write():
        raise OnlyLooking
    try:
        view = games().session(game).view
    except Damaged as damaged:
        return render_template("game_delete.html", game=game, view=None, title=NOT_OPENED, why=damaged.sentence)
    return render_template("game_delete.html", game=game, view=view, title=title_of(view.terms))


@blueprint.post("/<game>/delete")
def delete(game: str) -> AnyResponse:
    """Forget the game and its photos."""
    games().delete(game)
    return redirect(url_for("games.start"), code=303)


def _events(game: str) -> Sequence[Event]:
    """The events of a game that can be opened; ``NotKept`` or ``Damaged`` otherwise."""
    games().session(game)
    return games().log.events(game)


def _moment(session: GameSession, number: int) -> Moment:
    found = moment(session, number)
    if found is None:
        raise NoSuchTurn
    return found


def _file(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="pyramids-{name}"'
    return response
