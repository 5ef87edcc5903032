"""Reading a folder: all its photos in order, whatever else is there, and those that arrive while it is watched."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typed import objects, pyramids, refused

from companion_app.errors import AppError
from companion_app.photo_folder import ARRIVING_S, LOOK_S, arrivals, photos_in

GAME = ("--game", "homeworlds")
COMMAND = [sys.executable, "-c", "from companion_app.cli import main; main()"]


def blank(path: Path, gray: int = 200) -> Path:
    """A photo of nothing, which is read fast."""
    cv2.imwrite(str(path), np.full((120, 160, 3), gray, np.uint8))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three photos, and all kinds of things that are none."""
    folder = tmp_path / "photos"
    (folder / "inside").mkdir(parents=True)
    (folder / "folder.png").mkdir()
    for name in ("t10.png", "t9.JPG", "T1.webp", ".hidden.png", "inside/t2.png"):
        blank(folder / name)
    for name in ("notes.txt", "t3.jpg.part", "t4.png.crdownload"):
        (folder / name).write_bytes((folder / "t10.png").read_bytes())
    return folder


def test_a_folder_gives_its_photos_by_name_in_natural_order(folder: Path) -> None:
    done = pyramids("read", folder, *GAME, "--json")
    assert done.exit_code == 0
    assert done.stderr == "", "no progress where nobody looks"
    assert [one["photo"] for one in objects(done)] == ["T1.webp", "t9.JPG", "t10.png"]
    assert all(list(one)[:2] == ["photo", "game"] and one["verdict"] == "unreadable" for one in objects(done))


def test_people_get_each_photo_under_its_name(folder: Path) -> None:
    shown = pyramids("read", folder, *GAME).stdout.splitlines()
    assert [line for line, under in pairwise(shown) if set(under) == {"="}] == [
        "T1.webp",
        "t9.JPG",
        "t10.png",
    ]


def test_one_photo_by_its_own_name_is_read_without_it(folder: Path) -> None:
    assert "photo" not in objects(pyramids("read", folder / "t10.png", *GAME, "--json"))[0]


@pytest.mark.parametrize("named", ["folder", "one by one"])
def test_a_damaged_photo_does_not_stop_the_others(folder: Path, named: str) -> None:
    whole = (folder / "t9.JPG").read_bytes()
    (folder / "t9.JPG").write_bytes(whole[: len(whole) // 2])
    given = [folder] if named == "folder" else [folder / name for name in ("T1.webp", "t9.JPG", "t10.png")]
    done = pyramids("read", *given, *GAME, "--json")
    assert done.exit_code == 2
    first, damaged, last = objects(done)
    assert (first["photo"], last["photo"]) == ("T1.webp", "t10.png")
    assert damaged == {
        "photo": "t9.JPG",
        "error": {"code": "photo_truncated", "message": damaged["error"]["message"]},
    }
    assert done.stderr == f"pyramids: {damaged['error']['message']} (photo_truncated)\n"
    spoken = pyramids("read", *given, *GAME)
    assert spoken.exit_code == 2
    assert spoken.stdout.count("unreadable") == 2
    assert spoken.stderr == done.stderr


def test_every_photo_of_a_folder_is_drawn_and_timed(folder: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn"
    drawn.mkdir()
    done = pyramids("read", folder, *GAME, "--annotate", drawn, "--stages")
    assert sorted(path.name for path in drawn.iterdir()) == ["T1.png", "t10.png", "t9.png"]
    assert done.stderr.count(" s\n") == 3


def test_photos_that_would_be_drawn_in_one_place_are_refused_before_any_is_read(folder: Path, tmp_path: Path) -> None:
    blank(folder / "t10.jpg")
    done = pyramids("read", folder, *GAME, "--annotate", tmp_path)
    assert "t10.png" in refused(done)
    assert done.stdout == ""


REFUSED: dict[str, tuple[list[str], str]] = {
    "an empty folder": (["inside/empty"], "no photo"),
    "a folder and a photo": ([".", "t10.png"], "alone"),
    "two folders": ([".", "inside"], "alone"),
    "watching a photo": (["t10.png", "--watch"], "no folder"),
    "watching nothing": (["nowhere", "--watch"], "no folder"),
    "drawing among the photos": ([".", "--annotate", "."], "another folder"),
    "drawing many in a file": ([".", "--annotate", "all.png"], "needs a folder"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_no_sense_is_refused(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "inside" / "empty").mkdir()
    words, expected = REFUSED[name]
    assert expected in refused(pyramids("read", *words, *GAME))


@given(st.lists(st.text("ab1209", min_size=1, max_size=6), unique=True))
def test_numbers_count_as_numbers(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    folder = tmp_path_factory.mktemp("names")
    for name in names:
        (folder / f"{name}.png").touch()
    found = photos_in(folder)
    assert sorted(path.stem for path in found) == sorted(names)
    numbered = [int(path.stem) for path in found if path.stem.isdecimal()]
    assert numbered == sorted(numbered)
    for path in found:
        path.unlink()


# What happens to a folder between two looks, and which photos are whole at the next one.
Happening = Callable[[Path], object]


def growing(size: int) -> Happening:
    return lambda folder: (folder / "new.jpg").write_bytes(b"x" * size)


def aged(name: str) -> Happening:
    return lambda folder: os.utime(folder / name, ns=(0, 1))


def cut_off(folder: Path) -> None:
    """A copy has paused."""
    (folder / "new.jpg").write_bytes(b"\xff\xd8\xff")


def nothing(folder: Path) -> None:
    del folder


STORIES: dict[str, list[tuple[Happening, list[str]]]] = {
    "what is there is read once": [(nothing, ["old.jpg"]), (nothing, []), (nothing, [])],
    "what grows is waited for": [
        (growing(1), ["old.jpg"]),
        (growing(2), []),
        (growing(3), []),
        (nothing, ["new.jpg"]),
        (nothing, []),
    ],
    "what is cut off is waited for": [
        (cut_off, ["old.jpg"]),
        *[(nothing, [])] * 3,
        (growing(3), []),
        (nothing, ["new.jpg"]),
    ],
    "what stays cut off is told of in the end": [
        (cut_off, ["old.jpg"]),
        *[(nothing, [])] * (round(ARRIVING_S / LOOK_S) - 1),
        (nothing, ["new.jpg"]),
        (nothing, []),
    ],
    "what is replaced is read again": [(nothing, ["old.jpg"]), (aged("old.jpg"), []), (nothing, ["old.jpg"])],
    "what goes is forgotten": [
        (nothing, ["old.jpg"]),
        (lambda folder: (folder / "old.jpg").rename(folder / "away"), []),
        (lambda folder: (folder / "away").rename(folder / "old.jpg"), []),
        (nothing, ["old.jpg"]),
    ],
    "what is renamed when it is whole is new": [
        (lambda folder: (folder / "new.jpg.part").write_bytes(b"x"), ["old.jpg"]),
        (lambda folder: (folder / "new.jpg.part").rename(folder / "new.jpg"), []),
        (nothing, ["new.jpg"]),
    ],
}


@pytest.mark.parametrize("story", STORIES)
def test_what_arrives_is_told_of_once_it_is_whole(tmp_path: Path, story: str) -> None:
    (tmp_path / "old.jpg").write_bytes(b"x")
    steps = iter(STORIES[story])
    told: list[list[str]] = []
    expected: list[list[str]] = []

    class TheEnd(Exception):
        pass

    def pause() -> None:
        happening, wanted = next(steps, (None, []))
        if happening is None:
            raise TheEnd
        told.append([])
        expected.append(wanted)
        happening(tmp_path)

    with suppress(TheEnd):
        for photos in arrivals(tmp_path, pause):
            told[-1] += [path.name for path in photos]
    assert told == expected


def test_a_folder_that_goes_while_it_is_watched_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    with pytest.raises(AppError, match="cannot be opened") as error:
        next(arrivals(folder, folder.rmdir))
    assert error.value.code == "folder_unreadable"


class Watching:
    """A real ``pyramids read FOLDER --watch --json``, its lines as they come."""

    def __init__(self, folder: Path) -> None:
        words = ["read", str(folder), *GAME, "--watch", "--json"]
        self.process = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)

    def next(self) -> dict[str, Any]:
        """The next object; a failure when none comes in a long while."""
        return dict(json.loads(self._lines.get(timeout=60)))

    def stop(self) -> str:
        """Ctrl-C; what was said on the error stream."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.stderr
        said = self.process.stderr.read()
        self.process.wait(60)
        return said


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    blank(tmp_path / "first.png")
    watching = Watching(tmp_path)
    yield watching
    watching.process.kill()
    watching.process.wait(60)


def test_a_watched_folder_is_read_until_it_is_interrupted(tmp_path: Path, watching: Watching) -> None:
    assert LOOK_S > 0, "no busy loop"
    assert watching.next()["photo"] == "first.png"
    blank(tmp_path / "second.png")
    assert watching.next()["photo"] == "second.png"
    (tmp_path / "third.png").write_bytes((tmp_path / "first.png").read_bytes()[:60])
    assert watching.next() | {"error": {}} == {"photo": "third.png", "error": {}}
    blank(tmp_path / "third.png", gray=90)
    third = watching.next()
    assert (third["photo"], third["verdict"]) == ("third.png", "unreadable")
    complaint, farewell = watching.stop().splitlines()
    assert complaint.endswith("(photo_truncated)")
    assert farewell == f"Stopped watching {tmp_path}: 3 read, 1 could not be read."
    assert watching.process.returncode == 0


def test_on_a_terminal_there_is_a_bar_and_the_output_stays_clean(folder: Path) -> None:
    ours, theirs = pytest.importorskip("pty").openpty()
    command = [*COMMAND, "read", str(folder), *GAME, "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=theirs, text=True, timeout=60)
    os.close(theirs)
    shown = b""
    with suppress(OSError), os.fdopen(ours, "rb", buffering=0) as terminal:
        while part := terminal.read(4096):
            shown += part
    assert b"Reading" in shown
    assert b"3/3" in shown
    assert [json.loads(line)["photo"] for line in done.stdout.splitlines()] == ["T1.webp", "t9.JPG", "t10.png"]
