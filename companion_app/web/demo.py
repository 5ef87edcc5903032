"""The demo: a virtual table that plays a game by itself under its camera, begun and paced from the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from typing import Final

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from companion_app.errors import AppError
from companion_app.live.demo import Demo
from companion_app.live.pace import Pace
from companion_app.live.staging import Staging
from companion_app.reading_types import Game
from companion_app.session import GameSession
from companion_app.web import forms
from companion_app.web.games import done
from companion_app.web.lights import token
from companion_app.web.live import Games, games
from companion_app.web.overhead import Overhead
from rules import Seat
from rules.frozen import FrozenMap
from vision.sight import ImageSide

blueprint = Blueprint("demo", __name__, url_prefix="/demo")

NAMES: Final = FrozenMap({Seat.SOUTH: "Virtual Ada", Seat.NORTH: "Virtual Ben"})
"""Nobody should take a game of the demo in the archive for one of their own."""

PACES: Final[Mapping[str, Callable[[Pace], None]]] = {
    "pause": Pace.pause,
    "go on": Pace.go_on,
    "slower": Pace.slower,
    "faster": Pace.faster,
}


class CameraInUse(AppError):
    """The camera of a game at a real table would be taken away; code ``camera_in_use``."""

    def __init__(self) -> None:
        super().__init__(
            "camera_in_use", "A camera sees the table of a game just now: take it away there, then watch the demo."
        )


class NoDemo(AppError):
    """There is no demo to be paced; code ``no_demo``."""

    def __init__(self) -> None:
        super().__init__("no_demo", "No demo is being played just now: begin one.")


@blueprint.record_once
def count_them(state: BlueprintSetupState) -> None:
    """Each demo of a program is another game than the one before."""
    state.app.extensions["demos begun"] = count()


@blueprint.get("")
def show() -> AnyResponse | str:
    """The game that is being played or was played last; where there is none, what there is to choose from."""
    live = games().live
    if live and live.demo:
        return redirect(url_for("games.show", game=live.game))
    return render_template("demo.html")


@blueprint.post("")
def begin() -> AnyResponse:
    """Have a game played, instead of the one before."""
    return redirect(url_for("games.show", game=begin_demo(forms.game_of(request.form)).game), code=303)


@blueprint.post("/pace")
def pace() -> AnyResponse:
    """Pause, go on, slower, faster."""
    known = games()
    live, change = known.live, PACES.get(request.form.get("pace", ""))
    if live is None or live.demo is None:
        raise NoDemo
    if change is None:
        raise forms.BadForm("A demo can pause, go on, be slower and be faster: open the page anew and try again.")
    change(live.demo.pace)
    known.nudge(live.game)
    return done(live.game, lambda _: None)


def begin_demo(game: Game) -> GameSession:
    """Have the virtual table play, under this program's camera and lights; ``CameraInUse`` where they are wanted."""
    known: Games = games()
    if known.live and not known.live.demo:
        raise CameraInUse
    staging: Staging = current_app.config["DEMO"]
    number: int = next(current_app.extensions["demos begun"])
    played = staging.game(game, number)
    session = known.begin(replace(played.terms, names=NAMES))
    reader = staging.reader(played) if staging.reader else current_app.config["TABLE_READER"](game)
    known.watch(None)

    def nudge() -> None:
        known.nudge(session.game)

    demo = Demo(
        session,
        played,
        reader=reader,
        token=token(),
        rest_s=staging.rest_s,
        frames_per_second=staging.frames_per_second,
        changed=nudge,
    )
    known.watch(Overhead(demo.table, ImageSide.BOTTOM, nudge, demo))
    return session
