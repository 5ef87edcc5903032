"""A frame as WLED wants it: two segments, the first half of its strip for South and the second for North."""

from __future__ import annotations

import json
from collections.abc import Mapping

from firmware_bridge.patterns import RGB, Frame

SOLID = 0


def state_json(frame: Frame, leds: int) -> str:
    """The complete state for a strip of so many LEDs; a single one shows the brighter of both colours."""
    south, north = frame
    half = leds // 2
    parts = [(0, half, south), (half, leds, north)] if half else [(0, leds, max(south, north, key=sum))]
    segments = [_segment(number, *part) for number, part in enumerate(parts)]
    return json.dumps({"on": True, "bri": 255, "tt": 0, "seg": segments}, separators=(",", ":"))


def leds_of(info: object) -> int | None:
    """How many LEDs a WLED's info tells of; None where it is no such info."""
    match info:
        case {"leds": {"count": int(count)}} if count > 0:
            return count
    return None


def name_of(info: object) -> str:
    """The name that its owner gave to it."""
    return str(info.get("name", "WLED")) if isinstance(info, Mapping) else "WLED"


def _segment(number: int, start: int, stop: int, color: RGB) -> dict[str, object]:
    place = {"id": number, "start": start, "stop": stop}
    return place | {"on": True, "bri": 255, "fx": SOLID, "col": [color]}
