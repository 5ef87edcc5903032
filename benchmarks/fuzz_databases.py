"""Damaged data folders, through the real page: python -m benchmarks.fuzz_databases

A folder with games, readings and a restoration is damaged in one way after the other: bits are flipped, pages zeroed,
files cut off, the write-ahead log lost, rows spoiled, another program's database put there. Then the page is opened
on it, and everything is asked for: the lists, each game and reading, exports, an upload and a new game, a backup, and
at last deletion. Any answer but a good one or a sentence is a fault.
"""

from __future__ import annotations

import json
import logging
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache

from benchmarks.fuzzing import RESULTS, Run
from companion_app.backup import back_up
from companion_app.errors import AppError
from companion_app.photos import Photo
from companion_app.reading import reading_of
from companion_app.reading_types import Game, Reading
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from companion_app.web import create_app
from companion_app.web.pictures import jpeg
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
_ODD: Final = (
    "{", "", "null", "7", '"text"', "[]", "[1, 2]", "{}", '{"terms": 7, "names": []}', '{"turns": {}}',
    '{"turns": [{"seat": "south", "text": "\\ud800", "sentence": "\\udfff"}]}', '{"reading": []}', '{"to": 1e999}',
    '{"to": -1}', '{"steps": ["a"]}', '{"do": "remove", "piece": 999}', '{"choices": [[]], "sentence": "?"}',
    '{"a": ' * 2000, "[" * 100_000, '{"photo": "../../../etc/passwd", "small": ".."}', '{"n": 1' + "0" * 5000 + "}",
    "\x00", "�", '{"a": "\\u0000"}', '{"reading": {"game": "chess"}}', '{"about": [], "position": 3}',
)  # fmt: skip


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


def to_version_1(file: Path, what: str) -> None:
    """Make a log what the first version of the program wrote."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(f"""
            PRAGMA journal_mode = DELETE;
            CREATE TABLE old ({what} TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
              payload TEXT NOT NULL, PRIMARY KEY ({what}, seq)) WITHOUT ROWID;
            INSERT INTO old SELECT {what}, seq, at, kind, payload FROM event;
            DROP TABLE event;
            ALTER TABLE old RENAME TO event;
            PRAGMA user_version = 1;
            VACUUM;
            PRAGMA journal_mode = WAL;
        """)


# Damage: each is done to one database file


def flip_bits(file: Path, random: Random) -> None:
    """A few bits anywhere in the file."""
    content = bytearray(file.read_bytes())
    for _ in range(random.choice((1, 1, 1, 4, 40))):
        content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    file.write_bytes(content)


def flip_row_bits(file: Path, random: Random) -> None:
    """A few bits of the values of one row, of which SQLite notices nothing."""

    def flipped(value: bytes) -> bytes:
        content = bytearray(value)
        for _ in range(random.choice((1, 1, 3))):
            content[random.randrange(len(content))] ^= 1 << random.randrange(8)
        return bytes(content)

    _spoil(file, random, lambda value: flipped(value) if value else value)


def spoil_payload(file: Path, random: Random) -> None:
    """A payload that is no JSON, or not what is expected there."""
    _spoil(file, random, lambda _value: random.choice(_ODD).encode(), columns=("payload",))


def change_field(file: Path, random: Random) -> None:
    """A payload in which one field has another value, or is missing."""

    def changed(value: bytes) -> bytes:
        said = json.loads(value)
        places = list(_objects(said))
        at = random.choice([place for place in places if place] or places)
        if not at:
            return b"{}"
        key = random.choice(list(at))
        if random.random() < 0.3:
            del at[key]
        else:
            at[key] = random.choice([None, -1, 10**12, 0.5, "", "x" * 2000, [], {}, [[]], True, "south", "\ud800"])
        return json.dumps(said).encode()

    _spoil(file, random, changed, columns=("payload",))


def spoil_value(file: Path, random: Random) -> None:
    """A name, number, date or kind that is none."""
    odd: tuple[object, ...] = (
        "x",
        "",
        b"\xff\xfe",
        7,
        -1,
        2**62,
        1.5,
        "9999-99-99",
        "../..",
        "a/b?c#d",
        "\x00",
        "é" * 300,
    )
    _spoil(file, random, lambda _value: random.choice(odd), columns=("seq", "at", "kind", "name"))


def lose_row(file: Path, random: Random) -> None:
    """An event is gone."""
    with closing(sqlite3.connect(file)) as connection, connection:
        rows = connection.execute(f"SELECT {_what(file)}, seq FROM event").fetchall()
        connection.execute(f"DELETE FROM event WHERE {_what(file)} = ? AND seq = ?", random.choice(rows))


def zero_page(file: Path, random: Random) -> None:
    """A page of nothing."""
    content = bytearray(file.read_bytes())
    page = random.randrange(len(content) // 4096)
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    file.write_bytes(content)


def cut_off(file: Path, random: Random) -> None:
    """The end of the file is missing."""
    content = file.read_bytes()
    file.write_bytes(content[: random.randrange(len(content))])


def lose_log(file: Path, random: Random) -> None:
    """What was written last is in a write-ahead log, and that is lost, cut off or spoiled."""
    log, shared = Path(f"{file}-wal"), Path(f"{file}-shm")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for _ in range(3):
            command = (
                f"UPDATE event SET payload = payload || ' ' WHERE {_what(file)} IN (SELECT {_what(file)} FROM event)"
            )
            connection.execute(command)
            connection.commit()
        kept, content = file.read_bytes(), log.read_bytes()
    file.write_bytes(kept)
    shared.unlink(missing_ok=True)
    way = random.randrange(3)
    if way:
        log.write_bytes(content[: random.randrange(len(content))] if way == 1 else random.randbytes(len(content)))


def foreign(file: Path, random: Random) -> None:
    """Another program's database, or no database at all."""
    file.unlink()
    way = random.randrange(5)
    if way == 0:
        file.write_bytes(random.randbytes(9000))
        return
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(("CREATE TABLE event (id INTEGER, name TEXT)", "CREATE TABLE other (a)")[way % 2])
        connection.execute("PRAGMA user_version = " + str((0, 0, 1, 2, 77)[way]))


DAMAGES: Final[tuple[Callable[[Path, Random], None], ...]] = (
    flip_bits, flip_bits, flip_bits, flip_row_bits, flip_row_bits, spoil_payload, change_field, change_field,
    change_field, spoil_value, lose_row, zero_page, cut_off, lose_log, foreign,
)  # fmt: skip


def _what(file: Path) -> str:
    return "game" if file.name.startswith("game") else "reading"


def _spoil(
    file: Path,
    random: Random,
    spoilt: Callable[[bytes], object],
    columns: tuple[str, ...] = ("at", "kind", "payload", "name"),
) -> None:
    what = _what(file)
    with closing(sqlite3.connect(file)) as connection, connection:
        column = random.choice(columns).replace("name", what)
        connection.text_factory = bytes
        rows = connection.execute(f"SELECT {what}, seq, {column} FROM event ORDER BY {what}, seq").fetchall()
        name, seq, value = random.choice(rows)
        after = spoilt(value if isinstance(value, bytes) else str(value).encode())
        as_text = "CAST(? AS TEXT)" if isinstance(after, bytes) else "?"
        command = f"UPDATE OR IGNORE event SET {column} = {as_text} WHERE {what} = CAST(? AS TEXT) AND seq = ?"
        connection.execute(command, (after, name, seq))


def _objects(said: Any) -> Iterator[dict[str, Any]]:
    if isinstance(said, dict):
        yield said
    for inner in said.values() if isinstance(said, dict) else said if isinstance(said, list) else ():
        yield from _objects(inner)


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
            to_version_1(file, _what(file))
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
