"""WLED on a USB cable: JSON lines, and a `v` that it answers with its version."""

from __future__ import annotations

import json
import re
import time

from firmware_bridge.asking import ask
from firmware_bridge.drivers.wled_json import leds_of, state_json
from firmware_bridge.frame_clock import FrameClock
from firmware_bridge.serial_port import SerialPort
from firmware_bridge.states import ButtonEvent, LightsError, LightState

ASK_FOR = 1.0
ASK_STATE_FOR = 2.0
ASK_STATE_EVERY = 0.6  # the answer has some 1,500 bytes
TICK = 0.1
PROBE_EVERY = 1.0
SILENCE = 4.0
_VERSION = re.compile(rb"WLED \S+")


class WledOnSerial:
    """A WLED that has told its version and how many LEDs it has."""

    def __init__(self, port: SerialPort, leds: int) -> None:
        self.name = f"WLED with {leds} LEDs on {port.name}"
        self._port = port
        self._leds = leds
        self._clock = FrameClock(TICK)
        self._heard_at = self._probed_at = time.monotonic()

    def serve(self, state: LightState, now: float) -> float:
        """Sends what is due, and asks once a second whether it is still there."""
        if now - self._heard_at > SILENCE:
            sentence = f"The WLED on {self._port.name} does not answer any more: it is asked again by itself."
            raise LightsError("board_silent", sentence)
        frame, again = self._clock.due(state, now)
        if frame is not None:
            self._port.write(state_json(frame, self._leds).encode() + b"\n")
        if now - self._probed_at >= PROBE_EVERY:
            self._probed_at = now
            self._port.write(b"v")
        return again

    def listen(self, seconds: float) -> list[ButtonEvent]:
        """Only notes that it is there: WLED keeps its buttons to itself."""
        if self._port.read(seconds):
            self._heard_at = time.monotonic()
        return []

    def wake(self) -> None:
        """See :class:`Driver`."""
        self._port.wake()

    def close(self) -> None:
        """See :class:`Driver`."""
        self._port.close()


def greet(port: SerialPort) -> WledOnSerial | None:
    """Asks for the version, then for the LEDs; None where no WLED answers."""
    heard = bytearray()

    def version(data: bytes) -> bool | None:
        heard.extend(data)
        return True if _VERSION.search(heard) else None

    def leds(data: bytes) -> int | None:
        heard.extend(data)
        return next(filter(None, map(_leds_in, heard.split(b"\n"))), None)

    if not ask(port, b"v", version, ASK_FOR):
        return None
    count = ask(port, b'{"v":true}\n', leds, ASK_STATE_FOR, ASK_STATE_EVERY)
    return WledOnSerial(port, count) if count else None


def _leds_in(line: bytes | bytearray) -> int | None:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return leds_of(answer.get("info")) if isinstance(answer, dict) else None
