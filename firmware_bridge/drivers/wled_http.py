"""WLED over Wi-Fi: `GET /json/info` once, then `POST /json/state`."""

from __future__ import annotations

import json
import threading
from collections.abc import Hashable
from http.client import HTTPConnection, HTTPException

from firmware_bridge.drivers.wled_json import leds_of, name_of, state_json
from firmware_bridge.frame_clock import FrameClock
from firmware_bridge.states import ButtonEvent, DeviceState, LightsError, LightState

TIMEOUT = 2.0
TICK = 0.2
LARGEST_ANSWER = 100_000
TROUBLES = (OSError, HTTPException, ValueError, OverflowError, RecursionError)  # whatever is at that address


class WledOverHttp:
    """A WLED that has told how many LEDs it has."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._woken = threading.Event()
        self._clock = FrameClock(TICK)
        try:
            info = json.loads(_request(host, "GET", "/json/info"))
        except TROUBLES as trouble:
            raise _unreachable(host) from trouble
        leds = leds_of(info)
        if leds is None:
            sentence = f"What answers at {host} is no WLED: look for its address in the WLED app."
            raise LightsError("not_ours", sentence, DeviceState.NOT_OURS)
        self._leds = leds
        self.name = f"{name_of(info)} with {leds} LEDs at {host}"

    def serve(self, state: LightState, now: float) -> float:
        """Posts what is due; its answer shows that it is still there."""
        frame, again = self._clock.due(state, now)
        if frame is not None:
            try:
                _request(self._host, "POST", "/json/state", state_json(frame, self._leds))
            except TROUBLES as trouble:
                raise _unreachable(self._host) from trouble
        return again

    def listen(self, seconds: float) -> list[ButtonEvent]:
        """Only waits: WLED keeps its buttons to itself."""
        self._woken.wait(seconds)
        self._woken.clear()
        return []

    def wake(self) -> None:
        """See :class:`Driver`."""
        self._woken.set()

    def close(self) -> None:
        """Nothing stays open between two requests."""


class WledAt:
    """A WLED at one address of the network."""

    def __init__(self, host: str) -> None:
        self._host = host

    def connect(self, stop: threading.Event) -> WledOverHttp:
        """See :class:`Connector`; no request takes long enough to be stopped."""
        del stop
        return WledOverHttp(self._host)

    def landscape(self) -> Hashable:
        """The network is never seen to change."""
        return None


def _request(host: str, method: str, path: str, body: str | None = None) -> bytes:
    connection = HTTPConnection(host, timeout=TIMEOUT)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        answer = response.read(LARGEST_ANSWER)
        if response.status != 200:
            raise HTTPException(f"status {response.status}")
        return answer
    finally:
        connection.close()


def _unreachable(host: str) -> LightsError:
    sentence = f"No WLED answers at {host}: see that it has power and is in the same network."
    return LightsError("wled_unreachable", sentence, DeviceState.SEARCHING)
