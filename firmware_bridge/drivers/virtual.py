"""Lights without a device: drawn by whoever looks at them, and none at all."""

from __future__ import annotations

import time
from collections.abc import Iterator

from firmware_bridge.lights import Presses
from firmware_bridge.patterns import Frame, begins_anew, lights_at
from firmware_bridge.states import OFF, ButtonEvent, DeviceState, LightState


class NoLights:
    """No lights are wanted; everything is accepted."""

    device = DeviceState.NONE
    sentence = "No lights are in use."

    def __init__(self) -> None:
        self._presses = Presses()

    def show(self, state: LightState) -> None:
        """Shows nothing."""

    def events(self, patience: float | None = None) -> Iterator[ButtonEvent]:
        """Ends without a press, once closed or out of patience."""
        return self._presses.events(patience)

    def close(self) -> None:
        """Ends ``events``."""
        self._presses.close()


class VirtualLights:
    """Lights for the page and the terminal: ``frame`` is what they look like now, ``press`` their button."""

    device = DeviceState.READY
    sentence = "Ready: the lights are drawn on the screen."

    def __init__(self) -> None:
        self._presses = Presses()
        self._shown = (OFF, time.monotonic())

    @property
    def shown(self) -> LightState:
        """What was last wanted."""
        return self._shown[0]

    def show(self, state: LightState) -> None:
        """See :meth:`Lights.show`."""
        shown, since = self._shown
        self._shown = (state, time.monotonic() if begins_anew(shown, state) else since)

    def frame(self) -> Frame:
        """The colours of both lights at this moment, South's first."""
        state, since = self._shown
        return lights_at(state, time.monotonic() - since)

    def press(self, seat: int) -> None:
        """Presses the button of a seat."""
        self._presses.put(ButtonEvent(seat))

    def events(self, patience: float | None = None) -> Iterator[ButtonEvent]:
        """See :meth:`Lights.events`."""
        return self._presses.events(patience)

    def close(self) -> None:
        """See :meth:`Lights.close`."""
        self.show(OFF)
        self._presses.close()
