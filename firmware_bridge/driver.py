"""What the supervisor asks of a driver: a light that is connected and has answered."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from typing import Protocol

from firmware_bridge.states import ButtonEvent, DeviceState, LightsError, LightState


class Driver(Protocol):
    """One connection to one light. All but ``wake`` are called by one thread; they raise LightsError at its end."""

    name: str

    def serve(self, state: LightState, now: float) -> float:
        """Sends what is due to show *state*, and tells in how many seconds something is due again."""

    def listen(self, seconds: float) -> Sequence[ButtonEvent]:
        """Waits for presses, for so long at most, or until woken."""

    def wake(self) -> None:
        """Ends ``listen`` early; for any thread, never waits."""

    def close(self) -> None:
        """Lets go of the device; never raises."""


class Connector(Protocol):
    """Knows where lights may be."""

    def connect(self, stop: threading.Event) -> Driver:
        """Opens a light and waits for its answer, some seconds at most; raises LightsError."""

    def landscape(self) -> Hashable:
        """Changes when something was plugged in or out, so that it is worth trying again at once."""


def not_ours(name: str, heard: int, what: str) -> LightsError:
    """Nothing on the port answered as *what*; *heard* is how many bytes came all the same."""
    how = "says nothing that we understand" if heard else "says nothing"
    sentence = f"What is on {name} {how}: it is no {what}, or not at 115200 baud."
    return LightsError("not_ours", sentence, DeviceState.NOT_OURS)
