"""The turn token of the table: what its lights show now, and what its buttons have said."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from companion_app.errors import AppError
from companion_app.lights import IDLE, JUDGING, SEATS, after_button, in_words, light_of, number_of
from companion_app.reading_types import Reading
from firmware_bridge.drivers.virtual import VirtualLights
from firmware_bridge.lights import Lights
from firmware_bridge.opening import open_lights
from firmware_bridge.states import DeviceState, LightsError, LightState
from rules import Seat

FELT_WITHIN_S = 2.0
A_GAME: Final = object()
"""What the lights of a game that is played are about: there a button is heard, and the game says what is shown."""


@dataclass(frozen=True)
class TokenView:
    """The token as a page shows it.

    Attributes:
        light: what is shown.
        words: the same in words.
        device, sentence: how it stands with the board, for programs and in one sentence.
        virtual: whether there is no board and the page is the light.
        presses: how many times a button was pressed.
        last: whose button it was last.
        passed_on: whether the lights were such that the turn passes with the button alone, as those of a reading do.
    """

    light: LightState
    words: str
    device: DeviceState
    sentence: str
    virtual: bool
    presses: int
    last: Seat | None
    passed_on: bool = False

    @property
    def trouble(self) -> str:
        """Why the board does not show it, in one sentence; empty while all is well."""
        return "" if self.device is DeviceState.READY else self.sentence


class TurnToken:
    """Two lights and two buttons: on a board, on the page, or not there at all. Any thread may call.

    >>> with TurnToken("none") as token:
    ...     token.there
    False
    """

    def __init__(self, wanted: str = "none") -> None:
        """Open the lights that are *wanted*, see ``open_lights``; ``AppError`` for words that name none."""
        self._guard = threading.Condition()
        self._light = IDLE
        self._about: object = None
        self._passes = self._passed_on = False
        self._presses = 0
        self._last: Seat | None = None
        self._lights = opened(wanted)
        self._lights.show(IDLE)
        if self.there:
            threading.Thread(target=self._listen, name="buttons", daemon=True).start()

    def __enter__(self) -> TurnToken:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def there(self) -> bool:
        """Whether there are lights at all."""
        return self._lights.device is not DeviceState.NONE

    @property
    def virtual(self) -> bool:
        """Whether the page is the light."""
        return isinstance(self._lights, VirtualLights)

    def show(self, light: LightState, about: object = None) -> None:
        """Show *light*. What is shown already *about* the same thing stays, with the turns that were passed since.

        The button of the player to move passes the turn on by itself, unless it is about :data:`A_GAME`.
        """
        with self._guard:
            if about is None or (about, light) != self._about:
                self._about, self._passes = (about, light), about is not A_GAME
                self._put(light)

    def show_reading(self, reading_id: str, reading: Reading, *, saved: bool) -> None:
        """Show what a reading means, while a person looks at it."""
        self.show(light_of(reading, saved=saved), reading_id)

    @contextmanager
    def judging(self) -> Iterator[None]:
        """Show that the table is being looked at; afterwards what was shown before, unless there is news by then."""
        with self._guard:
            before = self._light
            self._put(JUDGING)
        try:
            yield
        finally:
            with self._guard:
                if self._light == JUDGING:
                    self._put(before)

    def press(self, seat: Seat) -> None:
        """Press a button of the virtual lights, and see it felt; ``AppError`` where there are none."""
        if not isinstance(self._lights, VirtualLights):
            raise AppError("no_virtual_lights", "There are no buttons on this page: press the one on the table.")
        with self._guard:
            before = self._presses
            self._lights.press(number_of(seat))
            self._guard.wait_for(lambda: self._presses > before, FELT_WITHIN_S)

    def view(self) -> TokenView:
        """Everything that a page shows."""
        with self._guard:
            return TokenView(
                self._light,
                in_words(self._light),
                self._lights.device,
                self._lights.sentence,
                self.virtual,
                self._presses,
                self._last,
                self._passed_on,
            )

    def close(self) -> None:
        """Let go of the board."""
        self._lights.close()

    def _listen(self) -> None:
        """Take the presses as they come, until the lights are closed."""
        for event in self._lights.events():
            with self._guard:
                self._presses += 1
                self._last, self._passed_on = SEATS[event.seat], self._passes
                if self._passes:
                    self._put(after_button(self._light, event.seat))
                self._guard.notify_all()

    def _put(self, light: LightState) -> None:
        self._light = light
        self._lights.show(light)


def opened(wanted: str) -> Lights:
    """The lights that are *wanted*; ``AppError`` for words that name none."""
    try:
        return open_lights(wanted)
    except LightsError as error:
        raise AppError(error.code, error.sentence) from error
