"""Games at the table: the list, a new one, and the page on which one is played, by forms alone or live."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from companion_app.errors import AppError
from companion_app.event_log import PHOTO_NAME, Damaged, NotKept, Shelf
from companion_app.lens import lens_of
from companion_app.photos import Photo, decode_photo
from companion_app.pictures import LONGEST_SIDE, encoded_anew, has_only_pixels, jpeg
from companion_app.reading_types import Game, Reading
from companion_app.session import Do, GameLog, GameSession, How, Terms
from companion_app.session.opening import terms_from
from companion_app.session.referee import Referee
from companion_app.session.states import check
from companion_app.store import Store
from companion_app.web import forms
from companion_app.web.agreements import (
    EXTRA_SHIPS,
    beginner_of_form,
    names_of_form,
    options_of_form,
    seats_of_form,
    terms_of_form,
)
from companion_app.web.commanding import base_of, obeyed
from companion_app.web.game_showing import Showing, title_of
from companion_app.web.gate import Gate
from companion_app.web.lan import at_this_computer, may_write
from companion_app.web.live import Games, Look, games
from companion_app.web.options_in_words import GIVING_UP, VICTORIES
from companion_app.web.overhead import game_of, look_if_mounted
from companion_app.web.refusals import STATUS
from companion_app.web.streams import Streams
from companion_app.web.typed import as_recorded, turn_typed
from rules import RulesError, Seat

T = TypeVar("T")

blueprint = Blueprint("games", __name__, url_prefix="/games")

PARTS = ("facts", "demo", "verdict", "moves", "table", "board", "score", "history", "counts")
"""The parts of the page that change with the game, each a template of its own."""

SHOWN = 20
"""Games on one page of the list."""

SEATS_OF_FORM = ((Seat.SOUTH, ""), (Seat.NORTH, ""), (Seat.EAST, "for-three"), (Seat.WEST, "for-four"))
"""The seats on the form, and the class of what is there for three and four only."""

NOT_OPENED = "A game that cannot be opened"

MOST_TYPED = 400
"""Letters of a turn."""


@dataclass(frozen=True)
class Line:
    """A game in the list: how it stands, in a sentence, and when it went on last."""

    name: str
    title: str
    about: str
    sentence: str
    damaged: bool = False


class NoPicture(AppError):
    """There is no such picture; code ``no_picture``."""

    def __init__(self, sentence: str) -> None:
        super().__init__("no_picture", sentence)


@blueprint.record_once
def open_log(state: BlueprintSetupState) -> None:
    """Games have a log of their own, beside the readings."""
    readings: Store = state.app.extensions["store"]
    state.app.extensions["games"] = Games(
        GameLog(readings.photos.parent), state.app.config["JUDGE"], state.app.extensions["token"]
    )


@blueprint.get("")
def start() -> str:
    """The games that are kept, and the form for a new one."""
    shelves, page = games().log.shelves(), _page()
    shown = shelves[page * SHOWN : (page + 1) * SHOWN]
    return render_template(
        "games.html",
        lines=[_line(shelf) for shelf in shown],
        damage=games().log.damage,
        page=page,
        pages=(len(shelves) + SHOWN - 1) // SHOWN,
        extra_ships=list(EXTRA_SHIPS),
        victories=VICTORIES,
        giving_up=GIVING_UP,
        seats=SEATS_OF_FORM,
    )


@blueprint.post("")
def begin() -> AnyResponse:
    """Begin a game on the terms of a form; with a photo, from what stands on the table in it."""
    photographed = any(file.filename for file in request.files.getlist("photo"))
    terms = _terms_of_photo() if photographed else terms_of_form(request.form)
    session = games().begin(terms)
    look_if_mounted(session)
    return redirect(url_for(".show", game=session.game), code=303)


@blueprint.get("/<game>")
def show(game: str) -> str:
    """The page of a game."""
    return _page_of(_at_hand(game))


@blueprint.get("/<game>/parts")
def parts(game: str) -> Response:
    """The parts of the page as they are now."""
    return jsonify(_news(games().session(game)))


@blueprint.get("/<game>/events")
def events(game: str) -> Response:
    """That something happened, as it does; what, is in the parts."""
    streams: Streams = current_app.extensions["streams"]
    return streams.answer(games().feed(game))


@blueprint.post("/<game>/do")
def do(game: str) -> AnyResponse:
    """A command that needs no look at the table."""
    return done(game, lambda session: obeyed(session, request.form))


@blueprint.post("/<game>/turn")
def tell_turn(game: str) -> AnyResponse:
    """A turn that was typed; what was open about the table is settled by it."""
    return done(game, _tell_turn)


@blueprint.post("/<game>/as-recorded")
def tell_as_recorded(game: str) -> AnyResponse:
    """The table is as the record has it: the empty board of Settlers."""
    return done(
        game,
        lambda session: session.end_turn(
            None, How.PAGE, as_recorded(session.view.position), base=base_of(request.form)
        ),
    )


@blueprint.post("/<game>/photo")
def send_photo(game: str) -> AnyResponse:
    """A turn is over, and here is a photo of the table."""
    return done(game, _photographed)


@blueprint.post("/<game>/look")
def look(game: str) -> AnyResponse:
    """A turn is over, and the camera has seen it."""
    return done(game, _looked)


@blueprint.get("/<game>/live.jpg")
def live_picture(game: str) -> Response:
    """The newest picture of the camera."""
    camera = games().camera(game)
    if camera is None or camera.picture is None:
        raise NoPicture("No camera shows this table just now.")
    response = Response(camera.picture, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/<game>/photos/<name>")
def photo(game: str, name: str) -> Response:
    """A photo that the log of this game speaks of."""
    path = games().log.photos / name
    mentioned = {event.payload.get("photo") for event in games().log.events(game)}
    if not PHOTO_NAME.fullmatch(name) or name not in mentioned or not path.is_file():
        raise NoPicture("This photo is not kept here.")
    if not has_only_pixels(path.read_bytes()):  # it was taken in when photos came in as they were
        gate: Gate = current_app.extensions["gate"]
        clean = gate.do(lambda: encoded_anew(path.read_bytes(), "This photo"), guest=not may_write())
        return Response(clean, mimetype="image/jpeg")
    return send_file(path, mimetype="image/jpeg", conditional=True)


def of_upload(kind: Game, redless: bool, made: Callable[[Photo, Reading], T]) -> T:
    """What is *made* of the photo of a form and of what is read from it, as the gate lets one in after the other."""
    south, data = forms.south_of(request.form), forms.photo_of(request.files)

    def read() -> T:
        image = decode_photo(data, name="This file")
        return made(image, current_app.config["READER"](image, kind, south, redless, lens_of(data)))

    gate: Gate = current_app.extensions["gate"]
    return gate.do(read)


def showing_of(session: GameSession) -> Showing:
    """What the page shows of a game now."""
    return Showing(session.view, games().last_look(session.game), games().camera(session.game))


def _terms_of_photo() -> Terms:
    seats = seats_of_form(request.form)
    if len(seats) > 2:
        raise forms.BadForm("Pictures are read for two players only: leave the photo out, and choose no file.")
    options = options_of_form(request.form, seats)
    kind, redless = forms.game_of(request.form), forms.redless_of(request.form)
    reading = of_upload(kind, redless, lambda _image, reading: reading)
    return terms_from(reading, options, beginner_of_form(request.form), names_of_form(request.form))


def _tell_turn(session: GameSession) -> object:
    text, base = forms.line_in(request.form, "turn", "This turn"), base_of(request.form)
    if not text:
        raise forms.BadForm("Type the turn first, such as “build g1 South” or “pass”.")
    if len(text) > MOST_TYPED:
        raise forms.BadForm(f"A turn may have up to {MOST_TYPED} letters: shorten it.")
    check(session.view.state, Do.END_TURN)
    said = turn_typed(Referee.of(session.course), text)
    if showing_of(session).is_open:
        base = session.settle(base=base).seq
    return session.end_turn(None, How.PAGE, said, base=base)


def _photographed(session: GameSession) -> object:
    terms, base, south = session.view.terms, base_of(request.form), forms.south_of(request.form)

    def seen_in(image: Photo, reading: Reading) -> Look:
        return Look(jpeg(image, LONGEST_SIDE), reading, south)

    with session.judging():
        seen = of_upload(game_of(terms), terms.redless, seen_in)
        games().remember(session.game, seen)
        return session.end_turn(None, How.PAGE, seen.reading, photo=seen.picture, base=base)


def _looked(session: GameSession) -> None:
    camera = games().camera(session.game)
    if camera is None:
        raise AppError("no_camera", "No camera sees this table: take a photo of it, or type the turn.")
    camera.end_turn()


def done(game: str, act: Callable[[GameSession], object]) -> AnyResponse:
    """The page of a game after a command, or with the reason why it was not done."""
    session = _at_hand(game)
    try:
        act(session)
    except (AppError, RulesError) as error:
        if isinstance(error, NotKept):  # deleted meanwhile
            raise
        status = 409 if error.code == "not_now" else STATUS.get(error.code, 422)
        if _wants_json():
            answer = jsonify(_news(session) | {"error": error.code, "sentence": error.sentence})
        else:
            answer = make_response(_page_of(session, refusal=error.sentence))
        answer.status_code = status
        return answer
    if _wants_json():
        return jsonify(_news(session))
    return redirect(url_for(".show", game=game), code=303)


def _at_hand(game: str) -> GameSession:
    """The session of a game that somebody opens or plays."""
    session = games().session(game)
    if may_write():
        games().at_hand(session)
    return session


def _page_of(session: GameSession, refusal: str = "") -> str:
    newest = games().feed(session.game).newest
    typed = request.form.get("turn", "")[:MOST_TYPED]
    return render_template(
        "game.html", showing=showing_of(session), newest=newest, refusal=refusal, typed=typed, here=at_this_computer()
    )


def _news(session: GameSession) -> dict[str, Any]:
    """The parts of the page, for whoever asks."""
    whom = may_write(), at_this_computer()
    return dict(games().drawn(session.game, whom, lambda: _drawn(showing_of(session))))


def _drawn(showing: Showing) -> dict[str, Any]:
    words = {"showing": showing, "typed": "", "here": at_this_computer()}
    view = showing.view
    return {
        "parts": {name: render_template(f"game_{name}.html", **words) for name in PARTS},
        "seq": view.seq,
        "state": view.state.value,
        "choices": showing.choices,
        "spoken": showing.spoken,
        "warned": " ".join(view.warnings),
    }


def _line(shelf: Shelf) -> Line:
    date = f"{shelf.newest.at:%Y-%m-%d %H:%M}" if shelf.newest else "nobody knows when"
    try:
        if shelf.first is None or shelf.newest is None:
            raise Damaged("game", "an event of it cannot be read")
        sentence = games().sentence(shelf.name, shelf.newest.seq)
        terms = Terms.from_json(shelf.first.payload)
    except (AppError, RulesError) as error:
        return Line(shelf.name, NOT_OPENED, date, error.sentence, damaged=True)
    return Line(shelf.name, title_of(terms), f"{terms.game.value.title()} · {date}", sentence)


def _page() -> int:
    text = request.args.get("page", "0")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _wants_json() -> bool:
    return request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json"
