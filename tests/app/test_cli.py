"""The commands, as a person types them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion_app.cli import main
from companion_app.samples import random_homeworlds, random_settlers

BOARD = "6/6/2g13/6/6/6 S 0"


def pyramids(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a photo of each game: ``board.png`` and ``table.png``, and their truths beside them."""
    folder = tmp_path_factory.mktemp("photos")
    for name, position in (("board", random_settlers(1)), ("table", random_homeworlds(1))):
        done = pyramids(
            "render", position.line, "--out", folder / f"{name}.png", "--south", "bottom", "--elevation", 70,
            "--table", "white", "--truth", folder / f"{name}.json",
        )  # fmt: skip
        assert done.exit_code == 0, done.output
    return folder


def test_help_names_every_command_with_its_purpose() -> None:
    shown = pyramids("--help").output
    for name in main.list_commands(main.make_context("pyramids", ["demo"], resilient_parsing=True)):
        assert f"  {name}" in shown
    assert "Examples" in shown


@pytest.mark.parametrize("name", ["read", "score", "render", "serve", "demo"])
def test_every_command_explains_itself_with_examples(name: str) -> None:
    shown = pyramids(name, "--help")
    assert shown.exit_code == 0
    assert "Examples" in shown.output


def test_a_photo_is_read_as_json(photos: Path) -> None:
    done = pyramids("read", photos / "board.png", "--game", "settlers", "--json")
    assert done.exit_code == 0
    reading = json.loads(done.stdout)
    truth = json.loads((photos / "board.json").read_text())
    assert list(reading) == list(truth)
    assert reading["image"] == {"width": 1280, "height": 960}
    assert reading["verdict"] in ("certain", "check")
    assert reading["position"].split()[0] == truth["position"].split()[0]


@pytest.fixture
def blanks(tmp_path: Path) -> list[Path]:
    """Two photos of nothing, which are read fast."""
    paths = [tmp_path / "one.png", tmp_path / "two.jpg"]
    for path in paths:
        cv2.imwrite(str(path), np.full((480, 640, 3), 200, np.uint8))
    return paths


def test_several_photos_give_one_object_a_line(blanks: list[Path]) -> None:
    done = pyramids("read", *blanks, "--game", "homeworlds", "--json")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first.pop("photo"), second.pop("photo")) == ("one.png", "two.jpg")
    assert first == second
    assert first["game"] == "homeworlds"


def test_a_photo_is_read_for_people(photos: Path) -> None:
    shown = pyramids("read", photos / "table.png", "--game", "homeworlds").stdout
    for word in ("Verdict", "Position", "Pieces", "Bank", "Inventory"):
        assert word in shown


def test_the_annotated_picture_is_written(photos: Path, tmp_path: Path) -> None:
    out = tmp_path / "seen.jpg"
    assert pyramids("read", photos / "board.png", "--game", "settlers", "--annotate", out).exit_code == 0
    drawn, photo = cv2.imread(str(out)), cv2.imread(str(photos / "board.png"))
    assert drawn is not None
    assert photo is not None
    assert drawn.shape == photo.shape
    assert float(np.abs(drawn.astype(int) - photo).mean()) > 2


def test_several_annotated_pictures_go_into_a_folder(blanks: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "drawn"
    folder.mkdir()
    assert pyramids("read", *blanks, "--game", "homeworlds", "--annotate", folder).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["one.png", "two.png"]
    refused = pyramids("read", *blanks, "--game", "homeworlds", "--annotate", tmp_path / "all.png")
    assert refused.exit_code == 2
    assert "folder" in refused.stderr
    twins = pyramids("read", blanks[0], blanks[0], "--game", "homeworlds", "--annotate", folder)
    assert twins.exit_code == 2
    assert "one.png" in twins.stderr


@pytest.mark.parametrize("game", ["homeworlds", "settlers"])
def test_a_picture_of_nothing_is_an_answer(game: str, blanks: list[Path]) -> None:
    done = pyramids("read", blanks[0], "--game", game, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["verdict"] == "unreadable"


def test_a_picture_of_nothing_is_not_scored(blanks: list[Path]) -> None:
    scored = pyramids("score", blanks[0])
    assert scored.exit_code == 0
    assert "cannot be scored" in scored.stdout


@pytest.mark.parametrize("game", ["homeworlds", "settlers"])
def test_two_threads_read_the_same(photos: Path, game: str) -> None:
    name = {"homeworlds": "table.png", "settlers": "board.png"}[game]
    one, two = (pyramids("read", photos / name, "--game", game, "--json", *more) for more in ([], ["--threads", "2"]))
    assert one.exit_code == two.exit_code == 0
    assert one.stdout == two.stdout


def test_no_threads_read_nothing(photos: Path) -> None:
    done = pyramids("read", photos / "board.png", "--game", "settlers", "--threads", "0")
    assert done.exit_code == 2
    assert "--threads" in done.stderr


def test_stages_are_timed_on_the_error_stream(photos: Path) -> None:
    done = pyramids("read", photos / "board.png", "--game", "settlers", "--json", "--stages")
    assert json.loads(done.stdout)
    assert " ms" in done.stderr


def test_a_board_is_scored_with_the_winner_and_why(photos: Path, tmp_path: Path) -> None:
    truth = json.loads((photos / "board.json").read_text())["score"]
    out = tmp_path / "scored.png"
    done = pyramids("score", photos / "board.png", "--began", "south", "--annotate", out)
    assert done.exit_code == 0
    assert f"South {truth['south']}   North {truth['north']}" in done.stdout
    assert " wins" in done.stdout
    assert out.stat().st_size > 10_000


def test_the_truth_of_a_render_is_the_position(photos: Path) -> None:
    truth = json.loads((photos / "table.json").read_text())
    assert truth["verdict"] == "certain"
    assert "South(0," in truth["position"]


def test_renders_repeat_by_their_seed(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        assert pyramids("render", BOARD, "--out", tmp_path / f"{name}.png", "--seed", seed).exit_code == 0
    a, b, c = ((tmp_path / f"{name}.png").read_bytes() for name in "abc")
    assert a == b
    assert a != c


REFUSED: dict[str, tuple[list[str], str]] = {
    "no command": (["raed"], "raed"),
    "no photo": (["read", "--game", "settlers"], "PHOTO"),
    "no game": (["read", "x.jpg"], "--game"),
    "no such game": (["read", "x.jpg", "--game", "chess"], "chess"),
    "no such file": (["read", "gone.jpg", "--game", "settlers"], "no file gone.jpg"),
    "no photo at all": (["read", __file__, "--game", "settlers"], "not a photo"),
    "a folder": (["score", "/"], "folder"),
    "redless homeworlds": (["read", "x.jpg", "--game", "homeworlds", "--redless"], "--redless"),
    "corners of homeworlds": (
        ["read", "x.jpg", "--game", "homeworlds", "--corners", "0,0", "1,0", "1,1", "0,1"],
        "--corners",
    ),
    "a corner that is none": (["read", "x", "--game", "settlers", "--corners", "a", "b", "c", "d"], "x,y"),
    "an ending nobody writes": (["score", "x.jpg", "--annotate", "out.gif"], ".png"),
    "a folder that is not there": (["render", BOARD, "--out", "/no/such/x.png"], "/no/such"),
    "no position": (["render", "hello", "--out", "x.png"], "hello"),
    "a table nobody has": (["render", BOARD, "--out", "x.png", "--table", "lava"], "lava"),
    "a port that is none": (["serve", "--port", "99999999"], "99999999"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_one_clear_sentence(name: str) -> None:
    words, expected = REFUSED[name]
    done = pyramids(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("pyramids: ")
    assert done.stderr.count("\n") == 1
    assert expected in done.stderr


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from companion_app.cli import main; main()", *map(str, words)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)


def test_the_real_process_reads_and_refuses(photos: Path) -> None:
    refused = run("read", photos / "gone.jpg", "--game", "settlers")
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr
    done = run("score", photos / "board.png")
    assert done.returncode == 0
    assert done.stderr == "", "no progress where nobody looks"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom companion_app.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'cv2', 'numpy', 'scipy', 'flask', 'reportlab', 'PIL'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == "[]"


def test_a_closed_pipe_is_quiet(photos: Path) -> None:
    words = ["read", *[photos / "board.png"] * 2, "--game", "settlers", "--json"]
    command = [sys.executable, "-c", "from companion_app.cli import main; main()", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait(timeout=60)


def test_a_taken_port_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRAMIDS_DATA", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = pyramids("serve", "--port", taken.getsockname()[1])
    assert refused.exit_code == 2
    assert "choose another port" in refused.stderr


def begun_demo(data: Path, before: str = "") -> subprocess.Popen[str]:
    """``pyramids demo`` as a program of its own that answers, after some lines of Python *before* it."""
    program = subprocess.Popen(
        [sys.executable, "-u", "-c", f"{before}\nfrom companion_app.cli import main; main()", "demo", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYRAMIDS_DATA": str(data)},
    )
    assert program.stdout
    address = program.stdout.readline().split()[4]
    assert address.endswith("/demo")
    with urllib.request.urlopen(address.replace("/demo", "/health"), timeout=20) as answer:
        assert answer.status == 200
    return program


def test_the_demo_says_where_it_is_answers_and_ends_quietly(tmp_path: Path) -> None:
    program = begun_demo(tmp_path)
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=20)
    assert (program.returncode, errors) == (0, "")


@pytest.mark.parametrize("read_for_s", [1.0, 1.5, 2.0])
def test_a_demo_ends_quietly_amid_a_reading_that_it_does_not_wait_for(tmp_path: Path, read_for_s: float) -> None:
    """As on a slow computer, where a reading takes longer than anybody waits for its end."""
    program = begun_demo(
        tmp_path,
        "from companion_app.cameras import camera\nfrom companion_app.live import demo, table\n"
        "camera.JOIN_WITHIN_S = demo.JOIN_WITHIN_S = table.JOIN_WITHIN_S = 0",
    )
    time.sleep(read_for_s)
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=20)
    assert (program.returncode, errors) == (0, "")
