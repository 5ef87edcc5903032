"""Reads the tables of lines and patterns that every board must fulfil."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.firmware.micropython.light_protocol import checksum

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Exchange:
    """Bytes to the board, and the payloads of its replies."""

    sent: bytes
    replies: list[str]


@dataclass(frozen=True)
class Look:
    """What the lights show some ms after a state began: plain levels, and colours as RRGGBB."""

    ms: int
    plain: tuple[int, int]
    colors: tuple[str, str]


def exchanges() -> list[Exchange]:
    """All of `light_lines.tsv`."""
    return [
        Exchange(_bytes_of(sent), replies.split(" | ") if replies else []) for sent, replies, *_ in _rows("lines")
    ]


def looks() -> dict[str, list[Look]]:
    """All of `light_patterns.tsv`, by the fields that follow the number of a `set`."""
    found: dict[str, list[Look]] = {}
    for state, seat, level, ms, plain0, plain1, *colors in _rows("patterns"):
        look = Look(int(ms), (int(plain0), int(plain1)), (colors[0], colors[1]))
        found.setdefault(f"{state} {seat} {level}", []).append(look)
    return found


def line(payload: str) -> bytes:
    """A payload with its checksum."""
    return b"%s*%04X\n" % (payload.encode(), checksum(payload.encode()))


def _rows(name: str) -> list[list[str]]:
    lines = (DATA / f"light_{name}.tsv").read_text(encoding="utf-8").split("\n")
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def _bytes_of(sent: str) -> bytes:
    raw = sent.encode().decode("unicode_escape").encode("latin-1") + b"\n"
    payload, mark, rest = raw.partition(b"*=")
    if not mark:
        return raw
    payload_of_last_line = payload.split(b"\n")[-1]
    return b"%s*%04X%s" % (payload, checksum(payload_of_last_line), rest)
