"""The patterns of docs/light_protocol.md as colours at a moment, for lights that have no rhythm of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.states import FULL, LightState, Pattern

RGB = tuple[int, int, int]
Frame = tuple[RGB, RGB]
Rhythm = Callable[[float], float]

DARK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)
OF_SEAT: tuple[RGB, RGB] = ((255, 150, 0), (0, 200, 255))


@dataclass(frozen=True, slots=True)
class _Look:
    """The brightness (0 to 1) of the own and of the other light, by seconds, and their colour (None: the seat's).

    Where the two take turns, South's is the own light of nobody.
    """

    own: Rhythm
    other: Rhythm
    color: RGB | None
    steady: bool = False
    taking_turns: bool = False


def _always(brightness: float) -> Rhythm:
    return lambda _: brightness


def _flashes(period: float, *spans: tuple[float, float]) -> Rhythm:
    """On during these spans of every period, off between."""
    return lambda seconds: float(any(start <= seconds % period < end for start, end in spans))


def _up_and_down(period: float, shift: float = 0.0) -> Rhythm:
    return lambda seconds: 1 - abs(2 * ((seconds / period + shift) % 1) - 1)


_OFF = _always(0)
_LOOKS = {
    Pattern.SETUP: _Look(_flashes(2, (0, 0.12)), _flashes(2, (1, 1.12)), WHITE, taking_turns=True),
    Pattern.TURN: _Look(_always(1), _OFF, None, steady=True),
    Pattern.JUDGING: _Look(_up_and_down(1), _OFF, WHITE),
    Pattern.ILLEGAL: _Look(_flashes(1.2, (0, 0.1), (0.2, 0.3), (0.4, 0.5)), _OFF, (255, 0, 0)),
    Pattern.UNSURE: _Look(_flashes(2, (0, 0.3), (0.6, 0.9)), _OFF, (160, 0, 255)),
    Pattern.DISAGREE: _Look(_flashes(1, (0, 0.5)), _flashes(1, (0.5, 1)), (255, 60, 0), taking_turns=True),
    Pattern.PAUSED: _Look(_always(0.25), _always(0.25), (0, 0, 255), steady=True),
    Pattern.RESTORING: _Look(_up_and_down(1, 0.5), _up_and_down(1), (0, 255, 0), taking_turns=True),
    Pattern.OVER: _Look(_flashes(2, (0, 1.8)), _OFF, None),
    Pattern.OFF: _Look(_OFF, _OFF, WHITE, steady=True),
}


def lights_at(state: LightState, seconds: float) -> Frame:
    """The colours of both lights, South's first, *seconds* after the state began.

    >>> lights_at(LightState(Pattern.TURN, 1), 0.0)
    ((0, 0, 0), (0, 200, 255))
    """
    look = _LOOKS[state.state]
    color = look.color or (WHITE if state.seat is None else OF_SEAT[state.seat])
    own = _scaled(color, look.own(seconds) * state.level / FULL)
    if state.seat is None and not look.taking_turns:
        return own, own
    other = _scaled(color, look.other(seconds) * state.level / FULL)
    return (other, own) if state.seat == 1 else (own, other)


def is_steady(state: LightState) -> bool:
    """Whether the colours stay as they are."""
    return _LOOKS[state.state].steady


def begins_anew(before: LightState | None, state: LightState) -> bool:
    """Whether the rhythm begins: with another brightness it goes on."""
    return before is None or (before.state, before.seat) != (state.state, state.seat)


def _scaled(color: RGB, factor: float) -> RGB:
    red, green, blue = color
    return round(red * factor), round(green * factor), round(blue * factor)
