"""``pyramids lights simulate``: the two lights in a terminal, with two keys as their buttons."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Protocol

import click

from companion_app.cli.drawn_lights import lamps, timeline
from companion_app.cli.keyboard import keys
from companion_app.cli.page_lights import PageLights
from companion_app.lights import SEATS, in_words
from companion_app.turn_token import TurnToken
from firmware_bridge.states import LightState, Pattern
from rules import Seat

FRAME_S = 0.05
HINT = "  1 South is done · 2 North is done · {}q ends"


class Source(Protocol):
    """Whoever knows what the lights show."""

    def light(self) -> LightState:
        """What they show."""

    def press(self, seat: Seat) -> None:
        """A button was pressed."""


class OwnLights:
    """Lights that nobody else sees, and all that they can show, one after the other."""

    def __init__(self, token: TurnToken) -> None:
        self._token = token
        self._tour = cycle(tour())
        token.show(LightState(Pattern.TURN, 0))

    def light(self) -> LightState:
        """What they show."""
        return self._token.view().light

    def press(self, seat: Seat) -> None:
        """The button of *seat*."""
        self._token.press(seat)

    def step(self) -> None:
        """Show the next pattern of the tour that is not shown already."""
        shown = self.light()
        self._token.show(next(light for light in self._tour if light != shown))


def tour() -> Iterator[LightState]:
    """Everything that the lights can show, a light each: the turns first."""
    for pattern in (Pattern.TURN, Pattern.ILLEGAL, Pattern.OVER):
        yield from (LightState(pattern, 0), LightState(pattern, 1))
    yield LightState(Pattern.OVER)
    for pattern in Pattern:
        if pattern not in (Pattern.TURN, Pattern.ILLEGAL, Pattern.OVER):
            yield LightState(pattern)


def simulate_page(address: str) -> None:
    """Show what the page at *address* shows; ``AppError`` where there is no page."""
    with PageLights(address) as source:
        if sys.stdin.isatty() and sys.stdout.isatty():
            _watch(source, HINT.format(""))
        else:
            _tell(source.light())


def simulate_alone() -> None:
    """Show lights of our own; where there is no terminal, the rhythm of each pattern."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        for light in tour():
            _tell(light)
        return
    with TurnToken("virtual") as token:
        _watch(OwnLights(token), HINT.format("space shows the next pattern · "))


def _tell(light: LightState) -> None:
    click.echo(f"{in_words(light)} ({light.state.value})\n{timeline(light)}")


def _watch(source: Source, hint: str) -> None:
    """Draw until the key q or Ctrl-C."""
    click.echo(hint)
    shown, since, drawn = source.light(), time.monotonic(), ""
    with keys() as next_key:
        try:
            while (key := next_key(FRAME_S)).lower() != "q":
                if key in ("1", "2"):
                    source.press(SEATS[int(key) - 1])
                elif key == " " and isinstance(source, OwnLights):
                    source.step()
                if (light := source.light()) != shown:
                    shown, since = light, time.monotonic()
                if (line := lamps(shown, time.monotonic() - since)) != drawn:
                    click.echo(f"\r{line}\033[K", nl=False)
                    drawn = line
        finally:
            click.echo()
