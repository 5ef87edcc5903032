"""Files that people name which are none, and files that cannot be written: one sentence, and nobody waits."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NoReturn

import cv2
import numpy as np
import pytest
from elsewhere import as_nobody, elsewhere, given_away
from typed import BOARD, GAMES, objects, pyramids, refused

from companion_app.bounded_files import is_folder, read_bounded, write_whole
from companion_app.corrections import export
from companion_app.errors import AppError
from companion_app.photo_folder import photos_in

COMMAND = [sys.executable, "-c", "from companion_app.cli import main; main()"]
PATIENCE_S = 60


@pytest.fixture(autouse=True)
def never_waiting() -> Iterator[None]:
    """Whoever waits at a pipe is woken, and fails."""

    def wake(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise AssertionError(f"still waiting after {PATIENCE_S} s")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(PATIENCE_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


# How each is made, and what is said of it.
NO_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe": (os.mkfifo, "it is a pipe, not a regular file; save what it gives"),
    "a device without an end": (lambda path: path.symlink_to("/dev/zero"), "it is a device, not a regular file"),
    "a device that is full": (lambda path: path.symlink_to("/dev/full"), "it is a device, not a regular file"),
    "a socket": (listening, "it is a socket, not a regular file"),
    "a link to itself": (lambda path: path.symlink_to(path), "ymbolic links"),
    "a link to nothing": (lambda path: path.symlink_to(path.with_name("gone")), "o such file|no file"),
    "nothing": (lambda path: path, "o such file|no file"),
}

COMMANDS: dict[str, tuple[str, list[str]]] = {
    "read": ("x.jpg", ["read", "{}", "--game", "settlers"]),
    "score": ("x.jpg", ["score", "{}"]),
    "replay": ("x.txt", ["replay", "{}"]),
    "restore": ("x.json", ["restore", "{}"]),
    "restore --table": ("x.json", ["restore", BOARD, "--table", "{}"]),
}


@pytest.mark.parametrize("thing", NO_FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_is_refused_in_one_sentence(tmp_path: Path, command: str, thing: str) -> None:
    name, words = COMMANDS[command]
    make, said = NO_FILES[thing]
    make(tmp_path / name)
    done = pyramids(*(word.format(tmp_path / name) for word in words))
    sentence = refused(done)
    assert name in sentence
    assert any(part in sentence for part in said.split("|"))
    assert done.stdout == ""


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"read"}))
def test_a_folder_is_no_file(tmp_path: Path, command: str) -> None:
    name, words = COMMANDS[command]
    (tmp_path / name).mkdir()
    sentence = refused(pyramids(*(word.format(tmp_path / name) for word in words)))
    assert "is a folder" in sentence or "Is a directory" in sentence


@pytest.mark.parametrize("thing", NO_FILES)
def test_what_is_no_file_is_no_legal_game(tmp_path: Path, thing: str) -> None:
    make, said = NO_FILES[thing]
    make(tmp_path / "x.txt")
    done = pyramids("check", tmp_path / "x.txt", "--json")
    assert (done.exit_code, done.stderr) == (1, "")
    (verdict,) = objects(done)
    assert verdict["problem"]["code"] == "file_unreadable"
    assert any(part in verdict["problem"]["sentence"] for part in said.split("|"))


def test_an_argument_that_a_shell_made_of_a_command_is_refused() -> None:
    """As with ``pyramids check <(cat game.txt)``."""
    reads, writes = os.pipe()
    try:
        done = pyramids("replay", f"/dev/fd/{reads}")
    finally:
        os.close(reads)
        os.close(writes)
    assert "it is a pipe, not a regular file; save what it gives in one, and name that." in refused(done)


@pytest.mark.parametrize("command", ["read {} --game settlers", "check {}", "serve --camera {}"])
@pytest.mark.parametrize("name", ["x" * 5000 + ".jpg", "~nobody-of-this-name/x"])
def test_names_that_no_file_can_have_are_refused(command: str, name: str) -> None:
    done = pyramids(*command.format(name).split())
    assert done.exit_code in (1, 2)
    assert "cannot be" in done.output or "no file" in done.output or "no camera" in done.output


def test_no_more_is_read_than_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * 1000)
    assert [len(read_bounded(tmp_path / "long", most)) for most in (0, 10, 1000, 5000)] == [1, 11, 1000, 1000]


# Folders


def blank(path: Path) -> Path:
    cv2.imwrite(str(path), np.full((120, 160, 3), 200, np.uint8))
    return path


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """A folder of two photos, and of much that is called so."""
    folder = tmp_path / "evening"
    folder.mkdir()
    blank(folder / "1.png")
    blank(folder / "9.png")
    for number, thing in enumerate(sorted(set(NO_FILES) - {"nothing"}), 2):
        NO_FILES[thing][0](folder / f"{number}.jpg")
    return folder


def test_photos_that_cannot_be_opened_do_not_stop_the_others(evening: Path) -> None:
    done = pyramids("read", evening, "--game", "homeworlds", "--json")
    assert done.exit_code == 2
    answers = objects(done)
    assert [one["photo"] for one in answers] == [path.name for path in photos_in(evening)]
    assert ["error" in one for one in answers] == [False, *[True] * 6, False]
    assert {one["error"]["code"] for one in answers[1:-1]} == {"photo_missing"}
    assert done.stderr.count("\n") == 6


def test_a_closed_folder_behind_a_link_does_not_stop_the_others(tmp_path: Path) -> None:
    """Root may look everywhere, so somebody else does."""
    photos, closed = tmp_path / "photos", tmp_path / "closed"
    for folder in (photos, closed):
        folder.mkdir()
    blank(closed / "2.png")
    blank(photos / "1.png")
    (photos / "2.png").symlink_to(closed / "2.png")
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    given_away(photos)
    closed.chmod(0o000)

    def names() -> list[object]:
        as_nobody()
        games = pyramids("check", photos / "2.png", "--json")
        return [[path.name for path in photos_in(photos)], is_folder(closed / "2.png"), games.exit_code]

    try:
        assert elsewhere(names) == [["1.png", "2.png"], False, 1]
    finally:
        closed.chmod(0o755)


def test_a_game_that_cannot_be_opened_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "1.txt").symlink_to(tmp_path / "1.txt")
    os.mkfifo(tmp_path / "2.txt")
    (tmp_path / "3.txt").write_bytes((GAMES / "build.txt").read_bytes())
    done = pyramids("check", tmp_path, "--json")
    assert done.exit_code == 1
    codes = [(one["problem"] or {}).get("code") for one in objects(done)]
    assert codes == ["file_unreadable", "file_unreadable", None]


# What is written


OUTPUTS: dict[str, tuple[str, list[str]]] = {
    "draw --out .svg": ("x.svg", ["draw", BOARD, "--out", "{}"]),
    "draw --out .png": ("x.png", ["draw", BOARD, "--out", "{}"]),
    "render --out": ("x.png", ["render", BOARD, "--out", "{}"]),
    "render --truth": ("x.json", ["render", BOARD, "--out", "seen.png", "--truth", "{}"]),
    "board --out": ("x.pdf", ["board", "--out", "{}"]),
    "restore --sheet": ("x.pdf", ["restore", BOARD, "--sheet", "{}"]),
    "read --annotate": ("x.png", ["read", "blank.png", "--game", "settlers", "--annotate", "{}"]),
    "score --annotate": ("x.png", ["score", "blank.png", "--annotate", "{}"]),
}


@pytest.mark.parametrize("thing", ["a pipe", "a device that is full", "a link to itself"])
@pytest.mark.parametrize("command", OUTPUTS)
def test_nothing_is_written_into_what_is_no_file(
    tmp_path: Path, command: str, thing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blank(tmp_path / "blank.png")
    name, words = OUTPUTS[command]
    NO_FILES[thing][0](tmp_path / name)
    sentence = refused(pyramids(*(word.format(tmp_path / name) for word in words)))
    assert f"{name} cannot be written" in sentence
    assert thing.split()[1] in sentence


@pytest.mark.parametrize("command", OUTPUTS)
def test_a_full_disk_leaves_what_was_there_and_no_half_of_a_file(tmp_path: Path, command: str) -> None:
    blank(tmp_path / "blank.png")
    name, words = OUTPUTS[command]
    (tmp_path / name).write_text("what was there")
    done = subprocess.run(
        [*COMMAND, *(word.format(tmp_path / name) for word in words)],
        cwd=tmp_path,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 2
    assert done.stderr.endswith("cannot be written: File too large.\n")
    assert done.stderr.count("\n") == 1
    assert (tmp_path / name).read_text() == "what was there"
    assert {path.name for path in tmp_path.iterdir()} == {"blank.png", name}


@pytest.mark.parametrize("place", ["x" * 300 + "/out.zip", "blank.png/out.zip", "loop/out.zip", "loop"])
def test_corrections_are_not_exported_to_where_nothing_can_be(tmp_path: Path, place: str) -> None:
    blank(tmp_path / "blank.png")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(AppError):
        export([], tmp_path, tmp_path / place)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [["score", "a.png", "--annotate", "a.png"], ["read", "a.png", "--game", "settlers", "--annotate", "link.png"]],
)
def test_a_photo_is_not_replaced_by_what_is_drawn_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("a.png", np.zeros((100, 100, 3), np.uint8))
    Path("link.png").symlink_to("a.png")
    before = Path("a.png").read_bytes()
    assert "is the photo itself" in refused(pyramids(*words))
    assert Path("a.png").read_bytes() == before


@pytest.mark.parametrize("name", ["fifo", "folder", "reading.jsonl"])
def test_what_is_there_under_any_name_is_no_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    Path("folder").mkdir()
    Path("reading.jsonl").write_text('{"game": "settlers"}\n{"game": "settlers"}\n')
    expected = "several readings" if name == "reading.jsonl" else "cannot be read"
    assert expected in refused(pyramids("restore", name))


def test_a_file_is_written_where_its_link_leads_and_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "real.svg").write_text("old")
    (tmp_path / "real.svg").chmod(0o600)
    (tmp_path / "link.svg").symlink_to("real.svg")
    write_whole(tmp_path / "link.svg", b"new")
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "real.svg").read_text() == "new"
    assert (tmp_path / "real.svg").stat().st_mode & 0o777 == 0o600


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    kept = tmp_path / "kept.svg"
    kept.write_text("old")
    kept.chmod(0o444)
    for parent in tmp_path.parents[:2]:
        parent.chmod(0o755)
    given_away(tmp_path)

    def draw() -> str:
        as_nobody()
        return pyramids("draw", BOARD, "--out", kept).stderr

    assert elsewhere(draw) == f"pyramids: {kept} cannot be written: Permission denied.\n"
    assert kept.read_text() == "old"
