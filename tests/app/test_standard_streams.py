"""Standard input that never ends, and output that nobody takes: one sentence, or none, and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from typed import BOARD, GAMES, objects, pyramids, refused

from companion_app.cli.standard_streams import LONGEST_LINE

PROGRAM = f"""pyramids() {{ '{sys.executable}' -c 'from companion_app.cli import main; main()' "$@"; }}\n"""
GAME = GAMES / "build.txt"


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of *line*, in which ``pyramids`` is this program."""
    return subprocess.run(
        ["/bin/sh", "-c", PROGRAM + line],
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


# Input

ENDLESS = {
    "turns": ["turns"],
    "turns -": ["turns", "-"],
    "threats": ["threats"],
    "draw": ["draw", "-", "--out", "x.svg"],
    "restore": ["restore", "-"],
}


@pytest.mark.parametrize("name", ENDLESS)
def test_input_without_an_end_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    done = shell(f"cd {tmp_path} && pyramids {' '.join(ENDLESS[name])} < /dev/zero")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("pyramids: ")
    assert done.stderr.count("\n") == 1
    assert "at most" in done.stderr


def test_a_line_that_is_too_long_is_told_by_its_number() -> None:
    done = pyramids("turns", "--count", "--json", given=f"{BOARD}\n# {'x' * LONGEST_LINE}\n{BOARD}\n")
    assert "Line 2: " in done.stderr
    assert done.exit_code == 2
    assert len(objects(done)) == 1


def test_a_line_may_be_as_long_as_is_said() -> None:
    comment = "#" * (LONGEST_LINE - 1)
    assert pyramids("turns", "--count", given=f"{comment}\n{BOARD}\n").exit_code == 0


@pytest.mark.parametrize("command", ["turns", "threats", "draw - --out x.svg", "restore -"])
def test_a_pipe_is_read(command: str, tmp_path: Path) -> None:
    done = shell(f"cd {tmp_path} && echo '{BOARD}' | pyramids {command}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


# Output

SPEAKING = {
    "the help": "--help",
    "the help of a command": "read --help",
    "the version": "--version",
    "turns": f"turns '{BOARD}'",
    "turns as JSON": f"turns --json '{BOARD}'",
    "a diagram longer than any buffer": f"replay {GAME} --svg",
    "a game": f"replay {GAME} --json",
    "a record": f"replay {GAME} --record",
    "a verdict": f"check {GAME}",
    "a drawing's word": f"draw '{BOARD}' --out x.svg",
    "steps": f"restore '{BOARD}'",
    "the lights": "lights flash-help",
    "a reading": "read blank.png --game settlers --json",
    "a score": "score blank.png",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a photo of nothing."""
    cv2.imwrite(str(tmp_path / "blank.png"), np.full((120, 160, 3), 200, np.uint8))
    return tmp_path


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("name", SPEAKING)
def test_a_full_output_is_told_in_one_sentence(name: str, folder: Path) -> None:
    done = shell(f"cd {folder} && pyramids {SPEAKING[name]} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "pyramids: The output cannot be written: No space left on device.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("command", ["", "raed", "read", "check gone.txt --json", "read gone.jpg --game settlers"])
def test_where_nobody_hears_the_exit_status_tells(command: str, folder: Path) -> None:
    assert shell(f"cd {folder} && pyramids {command} > /dev/full 2> /dev/full").returncode == 2


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("name", ["the help", "turns", "a drawing's word", "a reading"])
def test_a_closed_stream_is_no_trouble(name: str, closed: str, folder: Path) -> None:
    done = shell(f"cd {folder} && pyramids {SPEAKING[name]} {closed}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["turns", "restore -", "draw - --out x.svg"])
def test_a_closed_input_is_an_empty_one(command: str, folder: Path) -> None:
    done = shell(f"cd {folder} && pyramids {command} <&-")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["the help", "turns", "a diagram longer than any buffer", "a reading"])
def test_whoever_stops_listening_is_no_trouble(name: str, folder: Path) -> None:
    done = shell(f"cd {folder} && pyramids {SPEAKING[name]} | true")
    assert (done.returncode, done.stderr) == (0, "")


# Letters


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_any_name_can_be_told_on_any_output(encoding: str, tmp_path: Path) -> None:
    for name in (b"caf\xff.txt", "Käse → 1.txt".encode()):
        (tmp_path / os.fsdecode(name)).write_bytes(GAME.read_bytes())
    done = shell(f"pyramids check {tmp_path}/*.txt; pyramids --help", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "2 games: 2 ok" in done.stdout


def test_a_name_that_is_no_text_is_told_as_json(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xff.txt")
    (tmp_path / name).write_bytes(GAME.read_bytes())
    done = pyramids("check", tmp_path / name, "--json")
    (verdict,) = objects(done)
    assert verdict["file"] == str(tmp_path / name)


def test_a_sentence_is_refused_as_before() -> None:
    assert "nonsense" in refused(pyramids("turns", "nonsense"))
