"""What the lights say about a reading, in words, and when which of them is on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion_app.lights import IDLE, after_button, in_words, light_of
from companion_app.reading import reading_of
from companion_app.reading_types import Game, Reading, Verdict
from companion_app.rhythms import RHYTHMS, brightness
from firmware_bridge.states import LightState, Pattern, SeatNumber
from vision.sight import Sight

SOUTHS, NORTHS = "6/6/2g13/6/6/6 S 0", "6/6/2g13/6/6/6 N 4"
HOMEWORLDS = "<1>; South(0,b1r2)g3-; North(1,b3y1)-g3"
SOUTH, NORTH = LightState(Pattern.TURN, 0), LightState(Pattern.TURN, 1)


def reading(verdict: Verdict, position: str | None, game: Game = Game.SETTLERS) -> Reading:
    nothing = reading_of(Sight((800, 600)), game)
    return replace(nothing, verdict=verdict, position=position)


@pytest.mark.parametrize(
    ("verdict", "position", "saved", "light"),
    [
        (Verdict.CERTAIN, SOUTHS, False, SOUTH),
        (Verdict.CERTAIN, NORTHS, False, NORTH),
        (Verdict.CERTAIN, NORTHS, True, NORTH),
        (Verdict.CHECK, SOUTHS, False, LightState(Pattern.UNSURE)),
        (Verdict.CHECK, NORTHS, True, NORTH),
        (Verdict.CHECK, None, False, LightState(Pattern.UNSURE)),
        (Verdict.CHECK, None, True, LightState(Pattern.PAUSED)),
        (Verdict.UNREADABLE, None, False, LightState(Pattern.DISAGREE, 0)),
        (Verdict.UNREADABLE, SOUTHS, True, LightState(Pattern.DISAGREE, 0)),
    ],
)
def test_what_a_reading_means(verdict: Verdict, position: str | None, saved: bool, light: LightState) -> None:
    assert light_of(reading(verdict, position), saved=saved) == light


def test_homeworlds_tells_whose_turn_it_is_too() -> None:
    assert light_of(reading(Verdict.CERTAIN, HOMEWORLDS, Game.HOMEWORLDS)) == NORTH


@pytest.mark.parametrize(
    ("before", "seat", "after"),
    [
        (SOUTH, 0, NORTH),
        (NORTH, 1, SOUTH),
        (SOUTH, 1, SOUTH),
        (LightState(Pattern.TURN, 0, 40), 0, LightState(Pattern.TURN, 1, 40)),
        (IDLE, 0, IDLE),
        (LightState(Pattern.OVER, 0), 0, LightState(Pattern.OVER, 0)),
    ],
)
def test_a_button_passes_the_turn_of_its_own_seat_only(
    before: LightState, seat: SeatNumber, after: LightState
) -> None:
    assert after_button(before, seat) == after


@pytest.mark.parametrize("pattern", Pattern)
def test_every_light_has_words_of_its_own(pattern: Pattern) -> None:
    seats: tuple[SeatNumber | None, ...] = (0, 1, None)
    told = [in_words(LightState(pattern, seat)) for seat in seats]
    assert all(told)
    others = {in_words(LightState(other, seat)) for other in Pattern if other is not pattern for seat in seats}
    assert not others & set(told)


@pytest.mark.parametrize("pattern", Pattern)
def test_no_two_patterns_look_alike_without_colour(pattern: Pattern) -> None:
    def seen(one: Pattern) -> list[tuple[float, ...]]:
        light = LightState(one, 0)
        return [tuple(round(brightness(light, lamp, s / 50), 3) for s in range(600)) for lamp in (0, 1)]

    assert [other for other in Pattern if seen(other) == seen(pattern)] == [pattern]


@pytest.mark.parametrize("pattern", [Pattern.ILLEGAL, Pattern.UNSURE, Pattern.OVER, Pattern.TURN])
def test_what_is_about_nobody_is_on_both_lights(pattern: Pattern) -> None:
    both, south, north = LightState(pattern), LightState(pattern, 0), LightState(pattern, 1)
    for tenth in range(40):
        at_s = tenth / 10 + 0.05
        own = brightness(south, 0, at_s)
        assert brightness(both, 0, at_s) == brightness(both, 1, at_s) == brightness(north, 1, at_s) == own
        assert brightness(south, 1, at_s) == brightness(north, 0, at_s) == 0


def test_flashes_are_counted_and_the_level_dims_them() -> None:
    flashes = {Pattern.ILLEGAL: 3, Pattern.UNSURE: 2, Pattern.SETUP: 1, Pattern.DISAGREE: 1, Pattern.OVER: 1}
    for pattern, count in flashes.items():
        light, steps = LightState(pattern, 1), round(RHYTHMS[pattern].period_s * 100)
        lit = [brightness(light, 1, step / 100 + 0.005) > 0 for step in range(steps)]
        assert sum(now and not lit[i - 1] for i, now in enumerate(lit)) == count
    assert brightness(LightState(Pattern.TURN, 0, 51), 0, 0.3) == pytest.approx(0.2)
    assert brightness(LightState(Pattern.JUDGING), 0, 0.25) == pytest.approx(0.5)
