"""The page with all that can be on it: games of both kinds in every state, readings, restorations, the demo."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from flask import Flask

from benchmarks.odd_requests import Field, Request, Upload
from companion_app.event_log import NotKept
from companion_app.live.staging import Staging
from companion_app.live.virtual_games import Trouble
from companion_app.notation import parse_position
from companion_app.photos import Photo
from companion_app.pictures import jpeg
from companion_app.reading import reading_of
from companion_app.reading_types import Game, Reading
from companion_app.samples import layout_of
from companion_app.session import State
from companion_app.store import Store
from companion_app.web import create_app
from companion_app.web.demo import PACES
from companion_app.web.live import Games
from vision.sight import ImageSide
from vision.virtual import View, photograph

VIEW: Final = View(elevation_deg=62, width=320, height=240, sloppiness=0.6)
LINES: Final[Mapping[Game, tuple[str, ...]]] = {
    Game.HOMEWORLDS: (
        "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3",
        "<1>; South(0,r2b1)g1g3-; North(1,y1b3)-g3",
        "<1>; South(0,r2b1)g3r3-; North(1,y1b3)-g3",
    ),
    Game.SETTLERS: ("6/6/2g13/6/6/6 S 0", "6/6/2g13/3G12/6/6 S 0", "6/6/6/6/6/6 S 0", "6/6/2r33/6/6/6 N 0"),
}
"""What may stand on the tables: the first is what games begin with, others are legal turns and illegal ones."""
TURNS: Final[Mapping[Game, tuple[str, ...]]] = {
    Game.HOMEWORLDS: ("build g1 South", "build g1 North", "trade g3 South y", "homeworld b3 y1 g3", "pass"),
    Game.SETTLERS: ("land g1 c3", "land g1 d4", "G c3: r1 d4", "pass"),
}
COMMANDS: Final[tuple[tuple[Field, ...], ...]] = (
    *(((("do", word),)) for word in ("agree", "settle", "undo", "agree on a draw", "claim repetition", "swap seats")),
    *(((("do", word),)) for word in ("ask advice", "stop", "pause", "resume", "disagree", "restore", "restored")),
    (("do", "choose"), ("choice", "0")),
    (("do", "take back"), ("to", "0")),
    (("do", "restore"), ("to", "0")),
    (("do", "resign"), ("seat", "south")),
    (("do", "tick"), ("step", "0")),
    (("do", "tick"), ("open", "0")),
)
EDITS: Final[tuple[dict[str, Any], ...]] = (
    {"do": "change", "piece": 0, "set": {"color": "red", "size": "small", "owner": "north"}},
    {"do": "change", "piece": 0, "set": {"field": "a1"}},
    {"do": "answer", "piece": 0, "ask": "place", "value": "1"},
    {"do": "answer", "piece": 0, "ask": "size", "value": "large"},
    {"do": "confirm", "piece": 0},
    {"do": "add", "set": {"color": "green", "size": "small", "role": "bank"}},
    {"do": "remove", "piece": 0},
    {"do": "rest-in-bank"},
    {"do": "home", "system": 1, "home": "south"},
    {"do": "began", "seat": "south"},
    {"do": "undo"},
)
DEMO: Final = Staging(
    View(elevation_deg=62, width=160, height=120),
    Trouble(mistakes=0.08, taken_back=0.0, shoves=0.0, bumps=0.0, leans=0.0),
    reader=lambda game: game,
    rest_s=1.0,
    frames_per_second=10.0,
    seeds={Game.HOMEWORLDS: (73,), Game.SETTLERS: (5,)},
)
PHOTO: Final = Upload("table.jpg", jpeg(np.full((480, 640, 3), 90, np.uint8)))
NO_PHOTO: Final = "0" * 64 + ".jpg"
MOST_GAMES: Final = 40
MOST_READINGS: Final = 20


@cache
def _seen(game: Game, line: str) -> Reading:
    """What a faultless reader sees of a table."""
    truth = photograph(layout_of(parse_position(line)), seed=1, view=VIEW).truth
    return reading_of(truth, game)


class OneReading:
    """A reader of a camera's pictures that sees the first of the tables."""

    def __init__(self, game: Game, *_: object, **__: object) -> None:
        self._reading = _seen(game, LINES[game][0])

    def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
        """See :meth:`companion_app.live.Reader.read`."""
        del picture, view, lens
        return self._reading

    def read_kept(self, picture: Photo) -> None:
        """Nothing: it knows what stands there now."""


class WholePage:
    """An application with games in every state, and real requests for every route of it."""

    def __init__(self, folder: Path, dice: Random) -> None:
        self._dice = dice
        self._line = ""
        self.pictures = folder / "pictures"
        self.pictures.mkdir()
        (self.pictures / "1.jpg").write_bytes(PHOTO.content)
        self.app: Flask = create_app(
            {
                "DATA": folder / "data",
                "READER": self._read,
                "TABLE_READER": OneReading,
                "VIRTUAL_TABLE": lambda *_: (np.full((480, 640, 3), 90, np.uint8), ImageSide.BOTTOM),
                "DEMO": DEMO,
                "LIGHTS": "virtual",
            }
        )
        self.client = self.app.test_client()
        self.kept: dict[tuple[Game, State], str] = {}
        self._readings: list[str] = []
        self._restorations: list[str] = []

    @property
    def games(self) -> Games:
        """The games of the application."""
        found: Games = self.app.extensions["games"]
        return found

    def close(self) -> None:
        """Take the camera away, end the streams, and let go of the lights."""
        self.games.watch(None)
        self.app.extensions["streams"].close()
        self.app.extensions["token"].close()

    def revive(self) -> None:
        """See that there is a game of each kind in each state, a reading of each kind, a restoration; no crowd."""
        known = self.games.log.shelves()
        for shelf in known[MOST_GAMES:]:
            self.client.post(f"/games/{shelf.name}/delete")
        names = {shelf.name for shelf in known[:MOST_GAMES]}
        for game in Game:
            for state, steps in _TO_STATE.items():
                name = self.kept.get((game, state))
                if name not in names or self.games.session(name).view.state is not state:
                    self.kept[game, state] = self._begun(game, state, steps)
            self._send("/readings", ("game", game.value), ("south", "bottom"), ("photo", PHOTO))
        for shelf in self.readings.shelves()[MOST_READINGS:]:
            self.client.post(f"/readings/{shelf.name}/delete")
        self._send("/restore", ("position", LINES[Game.HOMEWORLDS][0]), ("title", "Ours"))
        restorations: Store = self.app.extensions["restorations"]
        self._readings = [shelf.name for shelf in self.readings.shelves()]
        self._restorations = [shelf.name for shelf in restorations.shelves()]

    @property
    def readings(self) -> Store:
        """The log of the readings."""
        store: Store = self.app.extensions["store"]
        return store

    def things(self) -> dict[str, str]:
        """What the variable parts of an address may be; some of it may have been deleted since it was revived."""
        game = self._dice.choice(tuple(self.kept.values()))
        return {
            "game": game,
            "reading_id": self._dice.choice(self._readings),
            "restoration_id": self._dice.choice(self._restorations),
            "filename": self._dice.choice(("page.css", "game.js")),
            "number": self._dice.choice("01"),
            "kind": self._dice.choice(("svg", "svg", "svg", "png")),
            "name": self._photo_of(game),
        }

    def asked(self) -> Request:
        """A real request for something to look at."""
        rules = [rule for rule in self.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
        return self._to(self._dice.choice(rules).endpoint, "GET", self.things())

    def sent(self, endpoint: str | None = None) -> Request:
        """A real request that does something: to this *endpoint*, or to any."""
        endpoint = endpoint or self._dice.choice(_OFTEN)
        things = self.things()
        request = self._to(endpoint, "POST", things)
        fields, value = _CONTENTS[endpoint](self, things)
        headers = {"Accept": self._dice.choice(("application/json", "text/html"))}
        return Request("POST", request.path, tuple(fields), value, headers=headers)

    def state_of(self, path: str) -> str:
        """The state of the game that an address is about; empty where it is about none."""
        name = path.removeprefix("/games/").partition("/")[0]
        names = {kept: state.value for (_, state), kept in self.kept.items()}
        return names.get(name, "") if path.startswith("/games/") else ""

    # How it is done

    def _to(self, endpoint: str, method: str, things: Mapping[str, str]) -> Request:
        adapter = self.app.url_map.bind("localhost")
        rule = next(rule for rule in self.app.url_map.iter_rules(endpoint))
        return Request(method, adapter.build(endpoint, {name: things[name] for name in rule.arguments}, method))

    def _read(self, image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
        """Whatever may stand there, whatever the picture shows."""
        del image, south, redless, lens
        return _seen(game, self._line if self._line in LINES[game] else self._dice.choice(LINES[game]))

    def _photo_of(self, game: str) -> str:
        with suppress(NotKept):
            named = [event.payload.get("photo") for event in self.games.log.events(game)]
            return next((name for name in named if isinstance(name, str) and name), NO_PHOTO)
        return NO_PHOTO

    def _begun(self, game: Game, state: State, steps: tuple[tuple[str, tuple[Field, ...]], ...]) -> str:
        """A new game in this state."""
        start = [("position", LINES[game][0])] if state is not State.SETUP else []
        name = self._send("/games", ("game", game.value), *start).rpartition("/")[2]
        for where, fields in steps:
            self._line = LINES[game][2 if where == "/photo illegal" else 0]
            base = self.games.session(name).view.seq
            self._send(f"/games/{name}{where.split()[0]}", ("base", str(base)), *fields)
        self._line = ""
        return name

    def _send(self, path: str, *fields: Field) -> str:
        """Send a form; the address that it leads to."""
        request = Request("POST", path, fields)
        answer = self.client.post(path, data=request.body, headers=request.all_headers)
        assert answer.status_code < 400, (request.path, answer.status)
        return str(answer.headers.get("Location", ""))

    # What each route is sent

    def _base(self, things: Mapping[str, str]) -> Field:
        seq = 1
        with suppress(NotKept):
            seq = self.games.session(things["game"]).view.seq
        return "base", str(seq if self._dice.random() < 0.9 else seq - 1)

    def _game(self, things: Mapping[str, str]) -> Game:
        return next(game for (game, _), name in self.kept.items() if name == things["game"])

    def _new_game(self) -> Iterator[Field]:
        game = self._dice.choice(tuple(Game))
        yield from (("game", game.value), ("players", "2"), ("south", "Ann"), ("north", "Bo"), ("beginner", "south"))
        yield from (("victory", "last standing"), ("junior", ""), ("extra_ships", ""), ("timewarp", "0"))
        yield from (("tactical_computer", "0"), ("position", self._dice.choice(("", LINES[game][0]))))
        if self._dice.random() < 0.2:
            yield "photo", PHOTO

    def _edit(self, things: Mapping[str, str]) -> dict[str, Any]:
        count = 1
        with suppress(NotKept):
            count = len(self.readings.events(things["reading_id"]))
        return {"base": count} | self._dice.choice(EDITS)

    def _exported(self, things: Mapping[str, str]) -> Upload:
        kind = self._dice.choice(("game.json", "game.pyramids", "game.zip"))
        return Upload(kind, self.client.get(f"/games/{things['game']}/{kind}").data)


_Content = tuple[tuple[Field, ...], Any]
_CONTENTS: Final[Mapping[str, Callable[[WholePage, Mapping[str, str]], _Content]]] = {
    "demo.begin": lambda page, _: ((("game", page._dice.choice(tuple(Game)).value),), None),
    "demo.pace": lambda page, _: ((("pace", page._dice.choice(sorted(PACES))),), None),
    "games.begin": lambda page, _: (tuple(page._new_game()), None),
    "games.tell_as_recorded": lambda page, about: ((page._base(about),), None),
    "cameras.put_up": lambda page, _: ((("camera", f"folder:{page.pictures}"), ("south", "bottom")), None),
    "cameras.take_away": lambda *_: ((), None),
    "correcting.begin": lambda *_: ((), None),
    "correcting.give_back": lambda *_: ((), None),
    "archive.delete": lambda *_: ((), None),
    "games.do": lambda page, about: ((page._base(about), *page._dice.choice(COMMANDS)), None),
    "games.look": lambda page, about: ((page._base(about),), None),
    "games.send_photo": lambda page, about: ((page._base(about), ("photo", PHOTO), ("south", "bottom")), None),
    "games.tell_turn": lambda page, about: (
        (page._base(about), ("turn", page._dice.choice(TURNS[page._game(about)]))),
        None,
    ),
    "archive.take_in": lambda page, about: ((("file", page._exported(about)),), None),
    "lights.press": lambda page, _: ((), {"seat": page._dice.choice(("south", "north"))}),
    "opening.open_photo": lambda page, _: (
        (("game", page._dice.choice(tuple(Game)).value), ("south", "bottom"), ("photo", PHOTO)),
        None,
    ),
    "readings.switch_corrections": lambda page, _: ((("keep", page._dice.choice(("yes", "no"))),), None),
    "readings.delete": lambda *_: ((), None),
    "readings.edit": lambda page, about: ((), page._edit(about)),
    "readings.save": lambda *_: (
        (("name", "Ours"), ("south", "Ann"), ("north", ""), ("date", "2025-07-14")),
        None,
    ),
    "restore.begin_from_line": lambda page, _: (
        (("position", page._dice.choice(LINES[page._dice.choice(tuple(Game))])), ("title", "Ours")),
        None,
    ),
    "restore.put_away": lambda *_: ((), None),
    "restore.look": lambda *_: ((("photo", PHOTO), ("south", "bottom")), None),
    "restore.tick": lambda page, _: (
        ((page._dice.choice(("done", "open", "away")), page._dice.choice("012")),),
        None,
    ),
    "restore.begin_from_reading": lambda *_: ((("turn", "south"),), None),
    "score.read_board": lambda *_: ((("photo", PHOTO), ("south", "bottom")), None),
    "opening.open_virtual_table": lambda page, _: (
        (("game", page._dice.choice(tuple(Game)).value), ("table", "7")),
        None,
    ),
}
ENDPOINTS: Final = tuple(_CONTENTS)
"""Every route that something is sent to."""
_SELDOM: Final = {"demo.begin", "cameras.put_up", "archive.delete", "readings.delete", "restore.put_away"}
_OFTEN: Final = (*ENDPOINTS, *8 * [one for one in ENDPOINTS if one not in _SELDOM], *["games.do"] * 40)
_TO_STATE: Final[Mapping[State, tuple[tuple[str, tuple[Field, ...]], ...]]] = {
    State.SETUP: (),
    State.TURN: (),
    State.LEGAL: (("/turn", (("turn", "pass"),)),),
    State.ILLEGAL: (("/photo illegal", (("photo", PHOTO),)),),
    State.UNSURE: (("/photo", (("photo", PHOTO),)),),
    State.DISAGREE: (("/do", (("do", "disagree"),)),),
    State.PAUSED: (("/do", (("do", "pause"),)),),
    State.RESTORING: (("/do", (("do", "restore"),)),),
    State.OVER: (("/do", (("do", "resign"), ("seat", "south"))),),
}
"""How a game comes into each state in which it can stay."""
