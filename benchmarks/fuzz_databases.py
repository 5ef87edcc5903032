"""Damaged data folders, through the real page: python -m benchmarks.fuzz_databases

A folder with games, readings and a restoration is damaged in one way after the other: bits are flipped, pages zeroed,
files cut off, the write-ahead log lost, rows spoiled, another program's database put there. Then the page is opened
on it, and everything is asked for: the lists, each game and reading, exports, an upload and a new game, a backup, and
at last deletion. Any answer but a good one or a sentence is a fault.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache

from benchmarks.damaging import DAMAGES, to_version_1, what_of
from benchmarks.fuzzing import RESULTS, Run
from companion_app.backup import back_up
from companion_app.errors import AppError
from companion_app.photos import Photo
from companion_app.pictures import jpeg
from companion_app.reading import reading_of
from companion_app.reading_types import Game, Reading
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from companion_app.web import create_app
from vision.sight import ImageSide
from vision.virtual import View, photograph

CASES: Final = 200
SEED: Final = 9
CASE_LIMIT_S: Final = 60.0
RUN_LIMIT_S: Final = 3000.0
HOMES: Final = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
FILES: Final = ("games.sqlite3", "readings.sqlite3", "restoring/readings.sqlite3")

_VIEW: Final = View(elevation_deg=62, width=640, height=480, sloppiness=0.6)
_TURNS: Final = ("build g1 South", "build g1 North", "trade g1 South y")
_LANDS: Final = ("land g1 c3", "land g1 d4", "G c3: g1 d3")


@cache
def truth_of(game: Game) -> Reading:
    """A table, read without a fault."""
    position = random_homeworlds(3) if game is Game.HOMEWORLDS else random_settlers(3)
    return reading_of(photograph(layout_of(position), seed=3, view=_VIEW).truth, game)


def read(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
    """A table that the picture does not show; which one does not matter here."""
    del image, south, redless, lens
    return truth_of(game)


def virtual_table(game: Game, seed: int) -> tuple[Photo, ImageSide]:
    """A grey picture instead of a virtual table, which takes longer to draw than all the rest."""
    del game, seed
    return np.full((_VIEW.height, _VIEW.width, 3), 90, np.uint8), ImageSide.BOTTOM


class Compiled(BytecodeCache):
    """Templates that are compiled once for all cases."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give what was compiled before."""
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._code[bucket.key] = bucket.bytecode_to_string()


_COMPILED: Final = Compiled()


def page_in(folder: Path) -> FlaskClient:
    """A client of the page on this folder; an exception comes through as it is."""
    app = create_app({"DATA": folder, "READER": read, "VIRTUAL_TABLE": virtual_table, "PROPAGATE_EXCEPTIONS": True})
    app.jinja_env.bytecode_cache = _COMPILED
    return app.test_client()


def a_photo() -> BytesIO:
    """A small grey picture."""
    return BytesIO(jpeg(np.full((_VIEW.height, _VIEW.width, 3), 90, np.uint8)))


def fill(folder: Path) -> None:
    """Keep some games, readings and a restoration, as somebody does who uses the page."""
    client = page_in(folder)
    for terms, turns in (
        ({"game": "homeworlds", "position": HOMES, "south": "Ann"}, _TURNS),
        ({"game": "settlers"}, _LANDS),
    ):
        for _ in range(2):
            game = client.post("/games", data=terms).headers["Location"]
            if terms["game"] == "settlers":
                _post(client, f"{game}/as-recorded", {})
            for turn in turns:
                _post(client, f"{game}/turn", {"turn": turn})
            _post(client, f"{game}/photo", {"photo": (a_photo(), "table.jpg")})
    for number in range(4):
        form = {"game": "homeworlds" if number % 2 else "settlers", "photo": (a_photo(), "table.jpg")}
        reading = client.post("/readings", data=form).headers["Location"]
        client.post(f"{reading}/edits", json={"base": 1, "do": "confirm", "piece": 0})
        client.post(f"{reading}/edits", json={"base": 2, "do": "remove", "piece": 1})
        if number < 2:
            client.post(f"{reading}/save", data={"name": f"Table {number}", "south": "Ann", "date": "2026-01-02"})
    begun = client.post("/restore", data={"position": HOMES}).headers["Location"]
    client.post(f"{begun}/ticks", data={"done": "0 1"})
    client.post(f"{begun}/look", data={"photo": (a_photo(), "table.jpg")})


def _post(client: FlaskClient, path: str, said: dict[str, Any]) -> None:
    seq = client.get(path.rpartition("/")[0] + "/parts").get_json()["seq"]
    client.post(path, data=said | {"base": seq})


# What is asked of the page


@dataclass
class Visit:
    """Somebody who asks for everything there is, and what came of it."""

    client: FlaskClient
    wrong: list[str]
    refused: int = 0

    def ask(self, path: str, said: dict[str, Any] | None = None) -> Any:
        """One request; an answer 500, or one without a sentence, is wrong."""
        answer = self.client.get(path) if said is None else self.client.post(path, data=said)
        if answer.status_code == 500 or (answer.status_code > 400 and "Code: <code>" not in answer.text):
            self.wrong.append(f"{answer.status_code} {path}")
        self.refused += answer.status_code >= 400
        return answer

    def everything(self, names: dict[str, list[str]]) -> None:
        """Lists, each thing in every form, a new one of each kind, and in the end no thing is left."""
        for path in ("/", "/games", "/restore", "/demo/photo"):
            self.ask(path)
        for name in names["game"]:
            for form in ("", "/parts", "/turns/2", "/game.json", "/game.pyramids", "/delete"):
                self.ask(f"/games/{name}{form}")
        for name in names["game"][-1:]:
            self.ask(f"/games/{name}/game.zip")
        for name in names["reading"]:
            for form in (
                "",
                "/photo.jpg",
                "/small.jpg",
                "/annotated.jpg",
                "/reading.json",
                "/diagram.svg",
                "/delete",
            ):
                self.ask(f"/readings/{name}{form}")
            self.ask(f"/restore/of/{name}")
            self.ask(f"/readings/{name}/save", {"name": "Again"})
        for name in names["restoration"]:
            for form in ("", "/look.jpg", "/sheet.pdf", "/print"):
                self.ask(f"/restore/{name}{form}")
            self.ask(f"/restore/{name}/ticks", {"done": "2"})
        self.ask("/games", {"game": "settlers"})
        self.ask("/readings", {"game": "settlers", "photo": (a_photo(), "table.jpg")})
        self.ask("/restore", {"position": HOMES})

    def delete(self, names: dict[str, list[str]]) -> None:
        """Delete each thing."""
        where = {"game": "/games/{}/delete", "reading": "/readings/{}/delete", "restoration": "/restore/{}/delete"}
        for kind, path in where.items():
            for name in names[kind]:
                self.ask(path.format(name), {})


def listed(client: FlaskClient) -> dict[str, list[str]]:
    """The names of all that is kept, as the lists have them."""
    logs = {
        "game": client.application.extensions["games"].log,
        "reading": client.application.extensions["store"],
        "restoration": client.application.extensions["restorations"],
    }
    names: dict[str, list[str]] = {}
    for kind, log in logs.items():
        try:
            names[kind] = [shelf.name for shelf in log.shelves()]
        except AppError:
            names[kind] = []
    return names


def visit(folder: Path) -> tuple[str, list[str]]:
    """Open the page on a folder and ask for everything: what came of it, and what was wrong."""
    try:
        client = page_in(folder)
    except AppError as error:
        return f"the page refuses to start: {error.code}", []
    there = Visit(client, [])
    before = listed(client)
    there.everything(before)
    try:
        back_up(folder, folder.parent / "saved.zip")
    except AppError as error:
        there.wrong.append(f"no backup: {error.sentence}")
    there.delete(before)
    after = listed(client)
    left = [name for kind in before for name in before[kind] if name in after[kind]]
    damaged = any(
        log.damage for log in (client.application.extensions["store"], client.application.extensions["games"].log)
    )
    if left and not damaged:
        there.wrong.append(f"not deleted: {left}")
    if damaged:
        return "the file is damaged; what can be read is shown", there.wrong
    return ("some of it cannot be opened" if there.refused else "all can be opened"), there.wrong


def fuzz(run: Run, scratch: Path) -> None:
    """Try every case of a run in a folder of its own."""
    sound = scratch / "sound"
    fill(sound)
    for number in run.numbers():
        damage, name = DAMAGES[number % len(DAMAGES)], FILES[number // len(DAMAGES) % len(FILES)]
        case = scratch / "case"
        shutil.copytree(sound, case / "data")
        file = case / "data" / name
        old = run.random.random() < 0.3
        if old:
            to_version_1(file, what_of(file))
        damage(file, run.random)
        label = f"{number}: {damage.__name__} in {name}{' of version 1' if old else ''}"
        with run.case(label):
            outcome, wrong = visit(case / "data")
            run.count(f"{damage.__name__.replace('_', ' ')}: {outcome}")
            for one in wrong:
                run.fault(f"{label}: {one}")
        shutil.rmtree(case)


def main() -> None:
    """Fuzzes, prints and writes down."""
    logging.disable(logging.CRITICAL)
    run = Run("damaged databases", seed=SEED, cases=CASES, case_limit_s=CASE_LIMIT_S, run_limit_s=RUN_LIMIT_S)
    memory = Path("/dev/shm")  # noqa: S108  # damage is what this is about, not the disk
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        fuzz(run, Path(name))
    run.finish(RESULTS / "fuzz_databases.md", "python -m benchmarks.fuzz_databases")


if __name__ == "__main__":
    main()
