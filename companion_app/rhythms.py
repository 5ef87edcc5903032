"""When which light is on: the rhythm of every pattern, for drawing lights where there are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_bridge.states import FULL, LightState, Pattern, SeatNumber

Wave = tuple[tuple[float, float], ...]
"""Brightness, 0 to 1, from a second on. It holds until the next, or glides there."""

ON: Wave = ((0.0, 1.0),)
OFF: Wave = ((0.0, 0.0),)
QUARTER: Wave = ((0.0, 0.25),)


@dataclass(frozen=True)
class Rhythm:
    """A pattern that repeats.

    Attributes:
        period_s: after how many seconds.
        own, other: the light of the seat that it is about, and the other one.
        glides: whether brightness changes softly from one value to the next.
    """

    period_s: float
    own: Wave
    other: Wave = OFF
    glides: bool = False


RHYTHMS: Mapping[Pattern, Rhythm] = {
    Pattern.SETUP: Rhythm(2, ((0, 1), (0.12, 0)), ((0, 0), (1, 1), (1.12, 0))),
    Pattern.TURN: Rhythm(1, ON),
    Pattern.JUDGING: Rhythm(1, ((0, 0), (0.5, 1)), glides=True),
    Pattern.ILLEGAL: Rhythm(1.2, ((0, 1), (0.12, 0), (0.24, 1), (0.36, 0), (0.48, 1), (0.6, 0))),
    Pattern.UNSURE: Rhythm(2, ((0, 1), (0.4, 0), (0.8, 1), (1.2, 0))),
    Pattern.DISAGREE: Rhythm(1, ((0, 1), (0.5, 0)), ((0, 0), (0.5, 1))),
    Pattern.PAUSED: Rhythm(1, QUARTER, QUARTER),
    Pattern.RESTORING: Rhythm(1, ((0, 1), (0.5, 0)), ((0, 0), (0.5, 1)), glides=True),
    Pattern.OVER: Rhythm(2, ((0, 1), (1.8, 0))),
    Pattern.OFF: Rhythm(1, OFF),
}


def brightness(light: LightState, lamp: SeatNumber, at_s: float) -> float:
    """How bright a lamp is, 0 to 1, *at_s* seconds after *light* was first shown.

    >>> light = LightState(Pattern.DISAGREE, 0)
    >>> [brightness(light, 0, s) for s in (0.1, 0.6, 1.1)], brightness(light, 1, 0.6)
    ([1.0, 0.0, 1.0], 1.0)
    """
    rhythm = RHYTHMS[light.state]
    wave = rhythm.own if light.seat in (None, lamp) else rhythm.other
    return _value(wave, rhythm, at_s % rhythm.period_s) * light.level / FULL


def _value(wave: Wave, rhythm: Rhythm, at_s: float) -> float:
    ends = [*(start for start, _ in wave[1:]), rhythm.period_s]
    after = [*wave[1:], wave[0]]
    for (start, value), end, (_, following) in zip(wave, ends, after, strict=True):
        if at_s < end:
            return value + (following - value) * (at_s - start) / (end - start) if rhythm.glides else value
    return wave[-1][1]
