"""The interface of all lights, and the presses that they hand on."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Protocol

from firmware_bridge.states import ButtonEvent, DeviceState, LightState


class Lights(Protocol):
    """Two lights and two buttons, whatever they are made of. No method raises, and only ``events`` waits."""

    @property
    def device(self) -> DeviceState:
        """How the device is."""

    @property
    def sentence(self) -> str:
        """The same for people, in one sentence."""

    def show(self, state: LightState) -> None:
        """Wants this to be shown from now on. Returns at once; where states come fast, the newest is shown."""

    def events(self, patience: float | None = None) -> Iterator[ButtonEvent]:
        """The presses as they come, each once: until closed, or until none came for *patience* seconds."""

    def close(self) -> None:
        """Darkens the lights and lets go of the device. Once is enough, twice does no harm."""


class Presses:
    """A queue of presses that can be closed."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[ButtonEvent | None] = SimpleQueue()

    def put(self, event: ButtonEvent) -> None:
        """A button was pressed."""
        self._queue.put(event)

    def close(self) -> None:
        """Ends every ``events`` that is being read, once it has given what is left."""
        self._queue.put(None)

    def events(self, patience: float | None = None) -> Iterator[ButtonEvent]:
        """See :meth:`Lights.events`."""
        while True:
            try:
                event = self._queue.get(timeout=patience)
            except Empty:
                return
            if event is None:
                self._queue.put(None)  # for whoever else is reading
                return
            yield event
