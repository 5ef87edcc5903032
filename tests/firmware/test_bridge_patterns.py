"""The patterns as colours: the table of the protocol's page, moment by moment."""

from __future__ import annotations

import pytest

from firmware_bridge.frame_clock import FrameClock
from firmware_bridge.patterns import RGB, is_steady, lights_at
from firmware_bridge.states import FULL, LightState, Pattern

DARK = (0, 0, 0)


def lit(state: LightState, seconds: float) -> tuple[bool, bool]:
    south, north = lights_at(state, seconds)
    return south != DARK, north != DARK


@pytest.mark.parametrize(
    ("pattern", "moments"),
    [
        (Pattern.SETUP, {0.05: "10", 0.5: "00", 1.05: "01", 1.5: "00", 2.05: "10"}),
        (Pattern.TURN, {0.0: "10", 0.7: "10", 99.3: "10"}),
        (Pattern.JUDGING, {0.5: "10", 1.0: "00", 1.5: "10"}),
        (Pattern.ILLEGAL, {0.05: "10", 0.15: "00", 0.25: "10", 0.35: "00", 0.45: "10", 0.55: "00", 1.1: "00"}),
        (Pattern.UNSURE, {0.1: "10", 0.45: "00", 0.7: "10", 1.0: "00", 1.9: "00"}),
        (Pattern.DISAGREE, {0.2: "10", 0.7: "01", 1.2: "10"}),
        (Pattern.PAUSED, {0.0: "11", 5.0: "11"}),
        (Pattern.RESTORING, {0.0: "10", 0.25: "11", 0.5: "01", 1.0: "10"}),
        (Pattern.OVER, {0.0: "10", 1.7: "10", 1.9: "00"}),
        (Pattern.OFF, {0.0: "00", 1.0: "00"}),
    ],
)
def test_rhythms(pattern: Pattern, moments: dict[float, str]) -> None:
    for seconds, lights in moments.items():
        south, north = (light == "1" for light in lights)
        assert lit(LightState(pattern, 0), seconds) == (south, north)
        assert lit(LightState(pattern, 1), seconds) == (north, south)


@pytest.mark.parametrize("pattern", Pattern)
def test_about_nobody_is_alike_for_both_unless_they_take_turns(pattern: Pattern) -> None:
    moments = [step / 20 for step in range(60)]
    if pattern in (Pattern.SETUP, Pattern.DISAGREE, Pattern.RESTORING):
        assert [lights_at(LightState(pattern), moment) for moment in moments] == [
            lights_at(LightState(pattern, 0), moment) for moment in moments
        ]
    else:
        assert all(len(set(lights_at(LightState(pattern), moment))) == 1 for moment in moments)


def test_every_rhythm_is_another() -> None:
    moments = [step / 20 for step in range(120)]

    def rhythm(pattern: Pattern) -> tuple[object, ...]:
        return tuple(tuple(max(color) for color in lights_at(LightState(pattern, 0), moment)) for moment in moments)

    assert len({rhythm(pattern) for pattern in Pattern}) == len(Pattern)


@pytest.mark.parametrize("pattern", Pattern)
def test_what_is_steady_stays(pattern: Pattern) -> None:
    frames = {lights_at(LightState(pattern, 0), step / 20) for step in range(60)}
    assert is_steady(LightState(pattern, 0)) == (len(frames) == 1)


def test_level_dims() -> None:
    def scaled(color: RGB, level: int) -> RGB:
        red, green, blue = color
        return round(red * level / FULL), round(green * level / FULL), round(blue * level / FULL)

    full, _ = lights_at(LightState(Pattern.TURN, 0), 0)
    for level in range(256):
        assert lights_at(LightState(Pattern.TURN, 0, level), 0) == (scaled(full, level), DARK)


@pytest.mark.parametrize(("seat", "level"), [(2, 0), (-1, 0), (0, -1), (0, 256)])
def test_there_are_no_other_seats_and_levels(seat: int, level: int) -> None:
    with pytest.raises(ValueError, match=r"seat|level"):
        LightState(Pattern.TURN, seat, level)


def test_a_frame_is_due_when_it_changes_and_every_second() -> None:
    clock = FrameClock(0.1)
    south, north = LightState(Pattern.TURN, 0), LightState(Pattern.TURN, 1)
    assert clock.due(south, 10.0) == (lights_at(south, 0), 1.0)
    assert clock.due(south, 10.25) == (None, 0.75)
    assert clock.due(north, 10.5) == (lights_at(north, 0), 1.0)
    assert clock.due(north, 11.5) == (lights_at(north, 0), 1.0)


def test_a_rhythm_goes_on_when_only_the_brightness_changes() -> None:
    clock = FrameClock(0.1)
    bright, dim = LightState(Pattern.OVER, 0), LightState(Pattern.OVER, 0, 9)
    clock.due(bright, 10.0)
    assert clock.due(dim, 11.9) == ((DARK, DARK), 0.1)
    assert clock.due(bright, 12.05) == (lights_at(bright, 0), 0.1)
    assert clock.due(LightState(Pattern.OVER, 1), 13.9)[0] == lights_at(LightState(Pattern.OVER, 1), 0)
