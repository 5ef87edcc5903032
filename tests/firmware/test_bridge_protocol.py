"""The host's end of the line protocol: what is written, what is understood, what is dropped."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.protocol import Button, Hello, LineReader, Message, Ok, ack_line, line, message, set_line
from firmware_bridge.states import LightState, Pattern


@pytest.mark.parametrize(
    ("sent", "payload"),
    [
        (set_line(7, LightState(Pattern.TURN, 0)), b"set 7 turn 0 255"),
        (set_line(65535, LightState(Pattern.OVER, None, 3)), b"set 65535 over - 3"),
        (ack_line(Button(51966, 12, 1)), b"ack 51966 12"),
        (line("?"), b"?"),
    ],
)
def test_lines_are_written_with_their_checksum(sent: bytes, payload: bytes) -> None:
    text, _, check = sent.partition(b"*")
    assert text == payload
    assert LineReader().feed(sent) == [payload.decode()]
    assert len(check) == 5


@pytest.mark.parametrize(
    ("payload", "meaning"),
    [
        ("hello 1 51966 2 2 uno", Hello(1, 51966, 2, 2, "uno")),
        ("ok 12", Ok(12)),
        ("button 51966 3 1", Button(51966, 3, 1)),
        ("ok ack", None),
        ("no checksum", None),
        ("button 51966 3 2", None),
        ("button 51966 3", None),
        ("hello 1 2", None),
        ("ok  12", None),
        ("", None),
    ],
)
def test_messages(payload: str, meaning: Message | None) -> None:
    assert message(payload) == meaning


@pytest.mark.parametrize(
    ("data", "payloads"),
    [
        (b"123456789*29B1\n", ["123456789"]),
        (b"123456789*29b1\r\n", ["123456789"]),
        (b"123456789*29B2\n", []),
        (b"123456789\n", []),
        (b"12345679*29B1\n", []),
        (b"half a l\n123456789*29B1\n", ["123456789"]),
        (b"\xff\x00\n\n*\n123456789*29B1\n", ["123456789"]),
        (line("x" * 59), ["x" * 59]),
        (line("x" * 60), []),
        (b"x" * 10_000 + b"\n123456789*29B1\n", ["123456789"]),
    ],
)
def test_bad_lines_are_dropped(data: bytes, payloads: list[str]) -> None:
    assert LineReader().feed(data) == payloads


def test_lines_come_in_any_pieces() -> None:
    data = b"".join(line(f"ok {number}") for number in range(200))
    die = random.Random(5)
    reader, payloads = LineReader(), list[str]()
    while data:
        cut = die.randrange(1, 20)
        payloads += reader.feed(data[:cut])
        data = data[cut:]
    assert payloads == [f"ok {number}" for number in range(200)]


def test_an_endless_line_takes_no_memory_and_no_sense() -> None:
    reader = LineReader()
    for _ in range(1000):
        assert reader.feed(b"123456789*29B1") == []
    assert reader.feed(b"\n" + line("ok 1")) == ["ok 1"]
