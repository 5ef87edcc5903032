"""Keeps lights going: a thread connects, serves, and after any trouble connects again; the game never waits."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import suppress

from firmware_bridge.driver import Connector, Driver
from firmware_bridge.lights import Presses
from firmware_bridge.states import OFF, ButtonEvent, DeviceState, LightsError, LightState

FIRST_REST = 0.5
LONGEST_REST = 8.0  # with the time that a board takes to start this stays below twelve seconds
LOOK_EVERY = 0.5
JOIN_WITHIN = 3.0
LAST_WORD = 0.03  # seconds for the last line to leave, before the port is closed


class Supervisor:
    """Lights on a device that may come and go.

    Args:
        connector: finds and opens the device.
        device: how it is until the first attempt has ended.
        sentence: the same for people.
    """

    def __init__(self, connector: Connector, device: DeviceState, sentence: str) -> None:
        self._connector = connector
        self._status = (device, sentence)
        self._wanted = OFF
        self._driver: Driver | None = None
        self._presses = Presses()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._supervise, name="lights", daemon=True)
        self._thread.start()

    @property
    def device(self) -> DeviceState:
        """How the device is."""
        return self._status[0]

    @property
    def sentence(self) -> str:
        """The same for people."""
        return self._status[1]

    def show(self, state: LightState) -> None:
        """See :meth:`Lights.show`."""
        self._wanted = state
        self._wake()

    def events(self, patience: float | None = None) -> Iterator[ButtonEvent]:
        """See :meth:`Lights.events`."""
        return self._presses.events(patience)

    def close(self) -> None:
        """See :meth:`Lights.close`; waits some seconds at most."""
        self._stop.set()
        self._wake()
        self._thread.join(JOIN_WITHIN)
        self._presses.close()

    def _wake(self) -> None:
        driver = self._driver  # it may be gone the moment after; waking it then does nothing
        if driver is not None:
            driver.wake()

    def _supervise(self) -> None:
        rest = FIRST_REST
        was_ready = False
        while not self._stop.is_set():
            landscape = self._connector.landscape()
            try:
                driver = self._connector.connect(self._stop)
                rest, was_ready = FIRST_REST, True
                self._serve(driver)
            except LightsError as error:
                lost = was_ready and error.device is DeviceState.SEARCHING
                self._status = (DeviceState.LOST if lost else error.device, error.sentence)
            if self._rest(rest * random.uniform(0.75, 1.0), landscape):
                rest = FIRST_REST
            else:
                rest = min(2 * rest, LONGEST_REST)
        self._status = (DeviceState.NONE, "The lights are closed.")

    def _serve(self, driver: Driver) -> None:
        self._driver = driver
        self._status = (DeviceState.READY, f"Ready: {driver.name}.")
        try:
            while not self._stop.is_set():
                due = driver.serve(self._wanted, time.monotonic())
                for event in driver.listen(due):
                    self._presses.put(event)
        finally:
            self._driver = None
            if self._stop.is_set():
                with suppress(LightsError):
                    driver.serve(OFF, time.monotonic())
                    time.sleep(LAST_WORD)
            driver.close()

    def _rest(self, seconds: float, landscape: Hashable) -> bool:
        """Waits, but no longer than until something is plugged in or out; says whether that was so."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._stop.wait(min(left, LOOK_EVERY)) or self._connector.landscape() != landscape:
                return True
        return False
