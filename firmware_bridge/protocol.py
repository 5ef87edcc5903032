"""The lines of docs/light_protocol.md: written with their checksum, read with all else dropped."""

from __future__ import annotations

import re
from binascii import crc_hqx
from dataclasses import dataclass

from firmware_bridge.states import LightState

VERSION = 1
NUMBERS = 65536
LONGEST = 64
_HELLO = re.compile(r"hello (\d{1,5}) (\d{1,5}) (\d{1,3}) (\d{1,3}) (\S+)")
_OK = re.compile(r"ok (\d{1,5})")
_BUTTON = re.compile(r"button (\d{1,5}) (\d{1,10}) ([01])")
_CHECKED = re.compile(rb"([\x20-\x7e]*)\*([0-9A-Fa-f]{4})")


@dataclass(frozen=True, slots=True)
class Hello:
    """The board says who it is; *boot* was drawn at its start."""

    version: int
    boot: int
    lights: int
    buttons: int
    name: str


@dataclass(frozen=True, slots=True)
class Ok:
    """The ``set`` of that number is being shown."""

    number: int


@dataclass(frozen=True, slots=True)
class Button:
    """A press; sent again until acknowledged, so the same pair of boot and event comes more than once."""

    boot: int
    event: int
    seat: int


Message = Hello | Ok | Button


def checksum(payload: bytes) -> int:
    """The CRC-16/CCITT-FALSE of a payload.

    >>> f"{checksum(b'123456789'):04X}"
    '29B1'
    """
    return crc_hqx(payload, 0xFFFF)


def line(payload: str) -> bytes:
    """A payload as it is sent.

    >>> line("?")
    b'?*264C\\n'
    """
    data = payload.encode("ascii")
    return b"%s*%04X\n" % (data, checksum(data))


def set_line(number: int, state: LightState) -> bytes:
    """The line that wants *state* shown."""
    seat = "-" if state.seat is None else state.seat
    return line(f"set {number} {state.state} {seat} {state.level}")


def ack_line(button: Button) -> bytes:
    """The line that says that a press was received."""
    return line(f"ack {button.boot} {button.event}")


class LineReader:
    """Puts lines together from whatever bytes arrive, and gives the payloads of the good ones."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """The payloads of the good lines that *data* ends."""
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[: 2 * LONGEST]  # enough to be too long, whatever follows
        return [payload for line in lines if (payload := _payload(line.replace(b"\r", b""))) is not None]


def message(payload: str) -> Message | None:
    """What a board's payload says; None for what asks nothing of the host.

    >>> message("button 7 1 0")
    Button(boot=7, event=1, seat=0)
    """
    if fields := _HELLO.fullmatch(payload):
        version, boot, lights, buttons = map(int, fields.groups()[:4])
        return Hello(version, boot, lights, buttons, fields[5])
    if fields := _OK.fullmatch(payload):
        return Ok(int(fields[1]))
    if fields := _BUTTON.fullmatch(payload):
        return Button(*map(int, fields.groups()))
    return None


def _payload(line: bytes) -> str | None:
    match = _CHECKED.fullmatch(line)
    if match is None or len(line) > LONGEST or checksum(match[1]) != int(match[2], 16):
        return None
    return match[1].decode("ascii")
