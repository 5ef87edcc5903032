"""A program that is killed in the middle of a game: nothing acknowledged is lost, and the page goes on by itself."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from game_tables import HOMES, JSON
from playwright.sync_api import Browser, expect

PATIENCE_S = 60
SERVER = """
import sys
from companion_app.web import create_app, run
run(create_app(), port=int(sys.argv[1]), ready=lambda url: print(url, flush=True))
"""


class Program:
    """The page as a program of its own, which can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._environment = os.environ | {"PYRAMIDS_DATA": str(folder)}
        self.address = f"http://127.0.0.1:{self._port}"
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-c", SERVER, str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, env=self._environment)
        assert self._process.stdout is not None
        assert self._process.stdout.readline()

    def kill(self) -> None:
        """Kill it as nothing can be killed more."""
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def ask(self, path: str, said: dict[str, Any] | None = None) -> Any:
        """The JSON that it answers to a form, or without one."""
        data = urlencode(said).encode() if said else None
        with urlopen(Request(self.address + path, data, JSON), timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def begin(self) -> str:
        """The path of a new game."""
        data = urlencode({"game": "homeworlds", "position": HOMES}).encode()
        with urlopen(self.address + "/games", data, timeout=PATIENCE_S) as page:
            return str(page.url.removeprefix(self.address))

    def play(self, game: str, turn: str) -> Any:
        """Type a turn; what the page is told then."""
        return self.ask(f"{game}/turn", {"turn": turn, "base": self.ask(f"{game}/parts")["seq"]})


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    yield program
    program.kill()


def test_what_was_answered_is_there_after_a_kill(program: Program) -> None:
    game = program.begin()
    for turn in ("build g1 South", "build g1 North", "pass"):
        answered = program.play(game, turn)
        program.kill()
        program.start()
        again = program.ask(f"{game}/parts")
        assert (again["seq"], again["parts"]["history"]) == (answered["seq"], answered["parts"]["history"])
    assert again["seq"] == 4


@pytest.mark.browser
def test_an_open_page_goes_on_by_itself(browser: Browser, program: Program) -> None:
    game = program.begin()
    page = browser.new_page()
    page.goto(program.address + game)
    program.play(game, "build g1 South")
    expect(page.locator("[data-part=verdict]")).to_contain_text("North’s turn", timeout=1000 * PATIENCE_S)
    program.kill()
    page.get_by_label("Type North’s turn").fill("build g1 North")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#said")).to_contain_text(
        "The companion does not answer: is it still running?", timeout=1000 * PATIENCE_S
    )
    program.start()
    program.play(game, "trade g3 North b")
    expect(page.locator("[data-part=verdict]")).to_contain_text("South’s turn", timeout=1000 * PATIENCE_S)
    page.get_by_label("Type South’s turn").fill("build g1 South")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("[data-part=history]")).to_contain_text("3.", timeout=1000 * PATIENCE_S)
    page.close()
