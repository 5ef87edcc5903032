"""The commands around lights, as a person types them."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion_app.cli import main
from companion_app.cli.drawn_lights import shade, timeline
from firmware_bridge.finding import PortInfo
from firmware_bridge.states import LightState, Pattern

# What a shell starts in the background is deaf to interrupts, and so are its children: hear them again.
HEARING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
PYRAMIDS = (sys.executable, "-c", f"{HEARING}; from companion_app.cli import main; main()")
PATIENCE_S = 30.0


def pyramids(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def refusal(done: Result) -> str:
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("pyramids: ").strip()


@pytest.mark.parametrize("command", ["", "list", "test", "monitor", "simulate", "flash-help"])
def test_every_command_explains_itself_with_examples(command: str) -> None:
    shown = pyramids("lights", *command.split(), "--help")
    assert shown.exit_code == 0
    assert "Examples" in shown.output


def test_without_a_command_the_help_is_shown_as_it_is() -> None:
    for words in ((), ("lights",)):
        shown = pyramids(*words)
        assert shown.exit_code in (0, 2)
        assert "\nOptions:\n" in shown.output


def test_list_names_the_ports_the_likely_ones_first(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [PortInfo("/dev/ttyACM0", "Arduino Uno", True), PortInfo("/dev/ttyUSB7", "Scale", False)]
    monkeypatch.setattr("companion_app.cli.lights.serial_ports", lambda: ports)
    assert pyramids("lights", "list").output == "/dev/ttyACM0  Arduino Uno\n/dev/ttyUSB7  Scale (not likely)\n"


def test_where_there_is_no_port_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion_app.cli.lights.serial_ports", list)
    assert "There is no serial port on USB" in pyramids("lights", "list").output
    assert "There is no serial port on USB" in refusal(pyramids("lights", "test"))


def test_test_goes_through_everything_that_lights_can_show() -> None:
    done = pyramids("lights", "test", "virtual", "--seconds", 0)
    assert done.exit_code == 0
    assert {line.split()[0] for line in done.output.splitlines()[1:]} == set(Pattern)


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("/dev/there-is-no-such-port", "There is no /dev/there-is-no-such-port: plug the board in"),
        ("none", "No lights are in use."),
        ("ftp://board", "is no address of lights: write auto, none, virtual"),
    ],
)
def test_lights_that_cannot_be_used_are_one_sentence(where: str, sentence: str) -> None:
    assert sentence in refusal(pyramids("lights", "test", where))


def test_serve_takes_no_words_that_name_no_lights() -> None:
    assert "is no address of lights" in refusal(pyramids("serve", "--lights", "ftp://board"))


def test_monitor_tells_how_the_board_is() -> None:
    line = pyramids("lights", "monitor", "virtual", "--seconds", 0).output
    assert re.fullmatch(r"\d\d:\d\d:\d\d  ready +Ready: .*\n", line)
    waiting = pyramids("lights", "monitor", "/dev/there-is-no-such-port", "--seconds", 0.5).output
    assert "There is no /dev/there-is-no-such-port" in waiting


def test_flash_help_points_at_the_files_of_this_computer() -> None:
    done = pyramids("lights", "flash-help")
    assert done.exit_code == 0
    folders = [Path(line.strip()) for line in done.output.splitlines() if line.startswith("    /")]
    assert (folders[0] / "pyramids_light.ino").is_file()
    assert all((folders[1] / name).is_file() for name in ("main.py", "light_protocol.py"))
    assert f'"{folders[1] / "main.py"}"' in done.output


def test_the_rhythm_is_drawn_without_colour_too() -> None:
    assert timeline(LightState(Pattern.TURN, 1)).splitlines() == ["  South", "  North " + 48 * "█"]
    south, north = timeline(LightState(Pattern.DISAGREE)).splitlines()
    assert south.startswith("  South ██████████     ")
    assert north.startswith("  North           ███████")
    assert [shade((level, 0, 0)) for level in (0, 1, 64, 128, 255)] == list(" ░░▒█")


def test_simulate_without_a_terminal_writes_every_rhythm() -> None:
    done = pyramids("lights", "simulate")
    assert done.exit_code == 0
    assert set(re.findall(r"\((\w+)\)$", done.output, re.MULTILINE)) == set(Pattern)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [("localhost:1", "No page with lights answers at http://localhost:1"), ("ftp://x", "ftp://x is no page")],
)
def test_a_page_that_is_not_there_is_one_sentence(address: str, sentence: str) -> None:
    assert sentence in refusal(pyramids("lights", "simulate", "--page", address))


def test_what_speaks_no_http_is_no_page() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with server.accept()[0] as caller:
                caller.recv(1000)
                caller.sendall(b"SSH-2.0-OpenSSH\r\n")

        threading.Thread(target=answer, daemon=True).start()
        address = f"localhost:{server.getsockname()[1]}"
        assert "No page with lights answers" in refusal(pyramids("lights", "simulate", "--page", address))


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[str]:
    """The address of a running demo."""
    environment = os.environ | {"PYRAMIDS_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [*PYRAMIDS, "demo", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as program:
        assert program.stdout is not None
        yield program.stdout.readline().split()[4].removesuffix("/demo")
        program.send_signal(signal.SIGINT)


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal is made with pty")
class TestTerminal:
    """In a terminal of its own."""

    def test_keys_are_the_buttons(self) -> None:
        with Terminal("lights", "simulate") as terminal:
            terminal.wait_for("South’s turn")
            terminal.press("1")
            terminal.wait_for("North’s turn")
            terminal.press(" ")
            terminal.wait_for("South’s turn")
            terminal.press(" ")
            terminal.wait_for("North’s turn")
            terminal.press(" ")
            terminal.wait_for("South’s turn is not legal")
            terminal.press("q")
            assert terminal.ended() == 0

    def test_the_lights_of_the_demo_are_shown(self, demo: str) -> None:
        with Terminal("lights", "simulate", "--page", demo) as terminal:
            terminal.wait_for("South’s turn")  # the virtual players begin
            terminal.press("2")
            terminal.interrupt()
            assert terminal.ended() == 0


class Terminal:
    """A terminal in which a command runs."""

    def __init__(self, *words: str) -> None:
        import pty

        self._screen, inside = pty.openpty()
        command = [*PYRAMIDS, *words]
        self._program = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside)
        os.close(inside)
        self._said = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._program.kill()
        self._program.wait()
        os.close(self._screen)

    def press(self, key: str) -> None:
        """One key."""
        os.write(self._screen, key.encode())

    def interrupt(self) -> None:
        """Ctrl-C."""
        self._program.send_signal(signal.SIGINT)

    def wait_for(self, words: str) -> None:
        """Until these words appear, after those that were waited for before."""
        import select

        end = time.monotonic() + PATIENCE_S
        while words not in self._said:
            assert time.monotonic() < end, f"{words!r} never came, but {self._said!r}"
            if select.select([self._screen], [], [], 0.2)[0]:
                self._said += os.read(self._screen, 4096).decode(errors="replace")
        self._said = self._said.split(words, 1)[1]

    def ended(self) -> int:
        """The exit status; what is still said is read meanwhile, for a terminal that nobody reads may hold it up."""
        import select

        end = time.monotonic() + PATIENCE_S
        while self._program.poll() is None:
            assert time.monotonic() < end, "it never ended"
            if select.select([self._screen], [], [], 0.2)[0]:
                with contextlib.suppress(OSError):  # the terminal is gone when its last program is
                    os.read(self._screen, 4096)
        return self._program.returncode
