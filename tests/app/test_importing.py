"""Games from outside: no more is unpacked than a game may have, photos are pixels only, all or nothing is kept."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from session_scripts import FROM_HOMES, Play, fast_folder

from benchmarks.import_cases import ODD_DATES
from companion_app.errors import AppError
from companion_app.event_log import photo_name, photos_of
from companion_app.session import GameLog
from companion_app.session.export import FORMAT, as_json, write_zip
from companion_app.session.importing import MOST_EVENTS, MOST_TURNS, Door, import_game
from companion_app.session.spooling import DEAD_S, clear_leftovers
from companion_app.session.unpacking import MOST_FILES

Told = dict[str, Any]
BUILD: Told = {"turns": [{"seat": "south", "text": "build g1 South", "sentence": "South builds."}]}


@pytest.fixture
def log() -> Iterator[GameLog]:
    """An empty log."""
    with fast_folder() as folder:
        yield GameLog(folder)


def picture(kind: str = "JPEG", size: tuple[int, int] = (96, 80), shade: int = 99) -> bytes:
    """A picture that says who made it and where."""
    exif, target = Image.Exif(), io.BytesIO()
    exif[0x010F] = "a camera's name"
    exif.get_ifd(0x8825)[1] = "N"
    Image.new("RGB", size, (shade, 50, 50)).save(target, kind, **({} if kind == "BMP" else {"exif": exif}))
    return target.getvalue()


def game(*events: tuple[str, Told], names: Mapping[str, str] | None = None) -> Told:
    """A game of Homeworlds as JSON, with these events after its beginning."""
    begun = ("begun", FROM_HOMES.to_json() | {"names": names or {}})
    dated = [{"at": "2025-07-14T18:00:00+00:00", "kind": kind, "payload": said} for kind, said in (begun, *events)]
    return {"format": FORMAT, "events": dated}


def photographed(*photos: bytes) -> Told:
    """The same with these photos, one an event."""
    return game(*(("disagreed", {"sentence": "No.", "table": "", "photo": photo_name(photo)}) for photo in photos))


def zipped(told: Told, *photos: bytes, method: int = zipfile.ZIP_DEFLATED, more: Mapping[str, bytes] = {}) -> bytes:
    """A game packed with its photos, and with what else is to be in there."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("game.json", json.dumps(told))
        for name, content in {f"photos/{photo_name(photo)}": photo for photo in photos}.items() | more.items():
            archive.writestr(name, content)
    return target.getvalue()


def kept(log: GameLog) -> set[str]:
    """The names of all that lies among the photos."""
    return {path.name for path in log.photos.iterdir()}


def sentences(log: GameLog, name: str) -> list[object]:
    """What a game says, but for the names of photos."""
    return [(event.at, event.kind, event.payload["sentence"]) for event in log.events(name)[1:]]


def refused(log: GameLog, data: bytes, door: Door | None = None) -> AppError:
    """The refusal of a game, which has left nothing."""
    with pytest.raises(AppError) as error:
        import_game(data, log, *([door] if door else []))
    assert error.value.sentence.endswith(".")
    assert (log.shelves(), kept(log)) == ((), set())
    return error.value


# No more than a game may have


def bitmaps() -> bytes:
    photos = [picture("BMP", (2900, 2900), shade) for shade in range(5)]
    return zipped(photographed(*photos), *photos)


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "bitmaps that are called photos": (bitmaps, "unpacks_too_large"),
    "a list of many files": (
        lambda: zipped(game(), more={f"x{number}": b"" for number in range(MOST_FILES + 1)}),
        "unpacks_too_large",
    ),
    "many events": (lambda: json.dumps(game(*[("paused", {})] * MOST_EVENTS)).encode(), "not_a_game"),
    "many turns in few events": (
        lambda: json.dumps(game(*[("played", {"turns": BUILD["turns"] * 900})] * 2)).encode(),
        "not_a_game",
    ),
    "many turns in a record": (
        lambda: b"Game: homeworlds\nPlayers: South, North\nResult: unfinished\n\n" + b"1. South: pass\n" * 99_999,
        "file_too_large",
    ),
    "a photo of many pixels": (
        lambda: zipped(photographed(picture("PNG", (9000, 8000))), picture("PNG", (9000, 8000))),
        "photo_too_large",
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_what_grows_without_end_is_refused(log: GameLog, name: str) -> None:
    make, code = BOMBS[name]
    data = make()
    assert len(data) < 2_000_000
    assert refused(log, data).code == code


MEASURED = """
import re, sys
from pathlib import Path
from companion_app.session import GameLog
from companion_app.session.importing import import_game
def most_kb(): return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
log, before = GameLog(Path(sys.argv[1])), most_kb()
with Path(sys.argv[2]).open("rb") as file: import_game(file, log)
print(most_kb() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is asked of /proc")
def test_photos_are_opened_one_after_the_other(tmp_path: Path) -> None:
    growths = []
    for count in (1, 3):
        photos = [picture("BMP", (2900, 2900), shade) for shade in range(count)]
        file = tmp_path / f"{count}.zip"
        file.write_bytes(zipped(photographed(*photos), *photos))
        run = [sys.executable, "-c", MEASURED, str(tmp_path), str(file)]
        growths.append(int(subprocess.run(run, capture_output=True, text=True, check=True).stdout))
    assert 25_000 < growths[1] < 1.5 * growths[0]


# Photos


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP"])
def test_a_photo_comes_without_where_it_was_taken_and_the_game_names_it_anew(log: GameLog, kind: str) -> None:
    photo = picture(kind)
    name = photo_name(photo)
    choice = {"sentence": "So.", "probability": 1, "fact": "played", "payload": BUILD | {"photo": name}}
    told = game(
        ("asked", {"sentence": "What?", "choices": [choice], "photo": name}),
        ("played", BUILD | {"photo": name, "small": name}),
    )
    asked, played = log.events(import_game(zipped(told, photo), log))[1:]
    (new,) = kept(log)
    assert new != name
    assert photo_name(log.photo(new) or b"") == new
    assert b"camera" not in (log.photo(new) or b"")
    assert not Image.open(log.photos / new).getexif()
    assert [asked.payload["photo"], played.payload["photo"], played.payload["small"]] == [new] * 3
    assert asked.payload["choices"][0]["payload"]["photo"] == new


def test_our_own_game_is_taken_in_again_without_another_copy_of_its_photos() -> None:
    play = Play()
    photo = io.BytesIO()
    Image.new("RGB", (96, 80), (1, 2, 3)).save(photo, "JPEG")
    play.turn("build g1 South", photo=photo.getvalue())
    before, target = kept(play.log), io.BytesIO()
    write_zip(play.log.events(play.session.game), play.log.photos, target)
    again = import_game(target.getvalue(), play.log)
    assert as_json(play.log.events(again)) == as_json(play.log.events(play.session.game))
    assert kept(play.log) == before
    play.log.delete(again)
    assert kept(play.log) == before
    play.log.delete(play.session.game)
    assert kept(play.log) == set()


def test_the_same_game_comes_out_on_another_computer(log: GameLog) -> None:
    photos = [picture(shade=60), picture(shade=120)]
    first = import_game(zipped(photographed(*photos), *photos), log)
    target = io.BytesIO()
    write_zip(log.events(first), log.photos, target)
    with fast_folder() as folder:
        other = GameLog(folder)
        second = import_game(target.getvalue(), other)
        assert sentences(log, first) == sentences(other, second)
        assert kept(other) == photos_of(other.events(second))
        assert len(kept(other)) == 2


# All or nothing


def test_where_too_many_wait_nothing_is_kept(log: GameLog) -> None:
    photos = [picture(shade=60 * number) for number in range(3)]
    turns = iter(range(9))

    def door(work: Callable[[], bytes]) -> bytes:
        if next(turns) == 2:
            raise AppError("busy", "Others wait.")
        return work()

    assert refused(log, zipped(photographed(*photos), *photos), door).code == "busy"


def test_where_the_game_finds_no_room_no_photo_stays(log: GameLog) -> None:
    photo = picture()
    with closing(sqlite3.connect(log.photos.parent / "games.sqlite3")) as connection:
        connection.execute("CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'full'); END")
    assert refused(log, zipped(photographed(photo), photo)).code == "not_written"


KILLED = """
import os, signal, sys
from pathlib import Path
from companion_app.session import GameLog
from companion_app.session.importing import import_game
at, turns = sys.argv[3], iter(range(9))
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
def door(work):
    if at == "the second photo" and next(turns) == 1: die()
    return work()
if at == "the list": GameLog.adopt = die
import_game(Path(sys.argv[2]).read_bytes(), GameLog(Path(sys.argv[1])), door)
"""


@pytest.mark.parametrize("at", ["the second photo", "the list"])
def test_what_a_killed_import_left_is_cleared_away(log: GameLog, tmp_path: Path, at: str) -> None:
    photos = [picture(shade=60 * number) for number in range(3)]
    file = tmp_path / "game.zip"
    file.write_bytes(zipped(photographed(*photos), *photos))
    other = import_game(zipped(photographed(photos[0]), photos[0]), log)
    before = kept(log)
    run = subprocess.run([sys.executable, "-c", KILLED, str(log.photos.parent), str(file), at], check=False)
    assert run.returncode == -9
    assert [shelf.name for shelf in log.shelves()] == [other]
    left = kept(log) - before
    assert left
    clear_leftovers(log)
    assert kept(log) - before == left, "it may still be at work"
    (spool,) = [path for path in log.photos.iterdir() if path.is_dir()]
    then = time.time() - 2 * DEAD_S
    os.utime(spool, (then, then))
    clear_leftovers(log)
    assert kept(log) == before
    import_game(file.read_bytes(), log)
    assert len(kept(log)) == 3


# Damaged, or read in more than one way


def poked(data: bytes, sign: bytes, place: int, value: bytes) -> bytes:
    """The last header that begins with *sign* with other bytes at a *place*."""
    start = data.rindex(sign) + place
    return data[:start] + value + data[start + len(value) :]


LIST, END = b"PK\x01\x02", b"PK\x05\x06"


def damaged_lzma() -> bytes:
    data = bytearray(zipped(game(), method=zipfile.ZIP_LZMA))
    data[60:70] = bytes(10)
    return bytes(data)


DAMAGED: dict[str, Callable[[], bytes]] = {
    "lzma": damaged_lzma,
    "whole lzma": lambda: zipped(game(), method=zipfile.ZIP_LZMA),
    "bzip2": lambda: zipped(game(), method=zipfile.ZIP_BZIP2),
    "an unknown method": lambda: poked(zipped(game()), LIST, 10, b"\x63\0"),
    "a negative seek": lambda: poked(zipped(game()), END, 16, b"\xff\xff\0\0"),
    "a list that is too long": lambda: poked(zipped(game()), END, 12, b"\xff\xff\xff\0"),
    "a name that is no UTF-8": lambda: poked(poked(zipped(game()), LIST, 8, b"\0\x08"), LIST, 46, b"\xff\xfe"),
    "encrypted": lambda: poked(zipped(game()), LIST, 8, b"\x01\0"),
    "an offset beyond the end": lambda: poked(zipped(game()), LIST, 42, b"\0\0\0\x7f"),
    "a size that is not so": lambda: poked(zipped(game()), LIST, 24, b"\x09\0\0\0"),
    "no game in it": lambda: zipped({}),
    "cut off": lambda: zipped(game())[:-30],
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_zip_is_refused_in_a_sentence(log: GameLog, name: str) -> None:
    assert refused(log, DAMAGED[name]()).code == "not_a_game"


GOOD_DATES = {
    "9999-12-31T23:59:59", "0001-01-01", "2025-W01-1", "20250102T030405,123456789Z",
}  # fmt: skip


@pytest.mark.parametrize("at", ODD_DATES)
def test_odd_dates_are_dates_or_refused(log: GameLog, at: str) -> None:
    told = game()
    told["events"][0]["at"] = at
    try:
        code = "" if import_game(json.dumps(told).encode(), log) else "no name"
    except AppError as error:
        code = error.code
    assert code == ("" if at in GOOD_DATES else "not_a_game")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_skipped(log: GameLog, encoding: str) -> None:
    told = json.dumps(game(names={"south": "Zoë"}), ensure_ascii=False)
    assert log.events(import_game(told.encode(encoding), log))[0].payload["names"] == {"south": "Zoë"}
    record = "Game: homeworlds\nPlayers: South, North\nResult: unfinished\n\n"
    assert len(log.events(import_game(record.encode(encoding), log))) == 1


ODD_JSON: dict[str, tuple[Callable[[Told], object], str]] = {
    "not a number": (lambda told: told["events"][0]["payload"].update(x=float("nan")), "not_a_game"),
    "deep": (lambda told: told["events"][0]["payload"].update(x=json.loads("[" * 40 + "]" * 40)), "not_a_game"),
    "a huge probability": (
        lambda told: told["events"].append(
            {"at": "2025-07-14", "kind": "asked", "payload": {"sentence": "?", "choices": [{
                "sentence": "!", "probability": 10**400, "fact": "ready", "payload": {}}]}}
        ),
        "bad_reading",
    ),
    "a name of 81 letters": (lambda told: told["events"][0]["payload"].update(names={"south": "x" * 81}), "bad_text"),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD_JSON)
def test_odd_json_is_refused(log: GameLog, name: str) -> None:
    change, code = ODD_JSON[name]
    told = game()
    change(told)
    assert refused(log, json.dumps(told).encode()).code == code


PLACES: dict[str, Callable[[str], Told]] = {
    "a name": lambda text: game(names={"south": text}),
    "a sentence": lambda text: game(("disagreed", {"sentence": text, "table": ""})),
    "a choice": lambda text: game(
        (
            "asked",
            {"sentence": "?", "choices": [{"sentence": text, "probability": 1, "fact": "ready", "payload": {}}]},
        )
    ),
    "a kind": lambda text: game((text, {})),
    "a key": lambda text: game(("paused", {text: 1})),
    "what nobody reads": lambda text: game(("paused", {"x": [text]})),
}
CHARACTERS = {
    "\ud800": "surrogate U+D800",
    "\t": "a tab",
    "\0": "a null",
    "\x1b": "U+001B",
    "\u202e": "right-to-left",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("character", CHARACTERS, ids=repr)
def test_a_character_that_spoils_a_text_is_named(log: GameLog, place: str, character: str) -> None:
    error = refused(log, json.dumps(PLACES[place](f"A{character}B")).encode())
    assert error.code == "bad_text"
    assert CHARACTERS[character] in error.sentence


def test_names_of_all_languages_come_in(log: GameLog) -> None:
    names = {"south": "زهرا\u200cجان", "north": "👩‍🚀 Łukasz"}
    taken = import_game(json.dumps(game(names=names)).encode(), log)
    assert log.events(taken)[0].payload["names"] == names


def test_a_long_game_comes_in(log: GameLog) -> None:
    turns = [
        {"seat": ("south", "north")[number % 2], "text": "pass", "sentence": "!"} for number in range(MOST_TURNS)
    ]
    taken = import_game(json.dumps(game(*[("played", {"turns": [turn]}) for turn in turns])).encode(), log)
    assert len(log.events(taken)) == 1 + MOST_TURNS
