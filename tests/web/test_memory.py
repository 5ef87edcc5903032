"""What the running page keeps of photos and games that nobody looks at any more."""

from __future__ import annotations

import gc
from pathlib import Path

from conftest import MakeApp
from left_out import left_out

from benchmarks.memory import MB, measured
from companion_app.reading_types import Game, Reading
from companion_app.session import GameSession, Terms
from companion_app.session.ruling import by_inference
from companion_app.web.live import MOST_LOOKS, Games, Look
from rules import Seat, settlers
from rules.records import GameKind

MOST_MB = 350  # with photos of 1280×960
GROWTH_MB = 30  # from the tenth reading on


def test_memory_stays_as_it_is_after_some_uploads() -> None:
    if not Path("/proc/self/status").exists():
        left_out("what a program holds is asked of Linux")
    course = measured((1280, 960), uploads=20, seed=1, tables=4)
    held = {held.uploads: held for held in course.held}
    assert held[20].now - held[10].now < GROWTH_MB * MB
    assert held[20].most < MOST_MB * MB


def test_the_list_of_games_leaves_none_of_them_open(make_app: MakeApp) -> None:
    app = make_app()
    games: Games = app.extensions["games"]
    for _ in range(5):
        terms = Terms(GameKind.SETTLERS, (Seat.SOUTH, Seat.NORTH), settlers.Options())
        GameSession.begin(games.log, terms, by_inference)
    before = _open_sessions()
    for _ in range(2):
        assert app.test_client().get("/games").text.count("South") >= 5
    assert _open_sessions() == before


def test_of_many_photographed_games_the_last_looks_are_kept(make_app: MakeApp) -> None:
    games: Games = make_app().extensions["games"]
    looks = [Look(b"%d" % number, Reading(Game.SETTLERS, (64, 64))) for number in range(MOST_LOOKS + 1)]
    for number, look in enumerate(looks):
        games.remember(str(number), look)
    assert games.last_look("0") is None
    assert [games.last_look(str(number)) for number in range(1, len(looks))] == looks[1:]


def _open_sessions() -> int:
    gc.collect()
    return sum(isinstance(thing, GameSession) for thing in gc.get_objects())
