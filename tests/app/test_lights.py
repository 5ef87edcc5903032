"""What the lights say about a reading, in words, and when which of them is on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion_app.lights import IDLE, SEATS, after_button, in_words, light_of, own_lamps
from companion_app.reading import reading_of
from companion_app.reading_types import Game, Reading, Verdict
from firmware_bridge.patterns import lights_at
from firmware_bridge.states import LightState, Pattern
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
        (Verdict.UNREADABLE, None, False, LightState(Pattern.DISAGREE)),
        (Verdict.UNREADABLE, SOUTHS, True, LightState(Pattern.DISAGREE)),
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
def test_a_button_passes_the_turn_of_its_own_seat_only(before: LightState, seat: int, after: LightState) -> None:
    assert after_button(before, seat) == after


@pytest.mark.parametrize("pattern", Pattern)
def test_every_light_has_words_of_its_own(pattern: Pattern) -> None:
    seats: tuple[int | None, ...] = (0, 1, None)
    told = [in_words(LightState(pattern, seat)) for seat in seats]
    assert all(told)
    others = {in_words(LightState(other, seat)) for other in Pattern if other is not pattern for seat in seats}
    assert not others & set(told)


@pytest.mark.parametrize("pattern", Pattern)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_whose_rhythm_a_lamp_has_is_what_the_bridge_shows(pattern: Pattern, seat: int | None) -> None:
    own, other = zip(*(lights_at(LightState(pattern, 0), tenth / 10 + 0.03) for tenth in range(40)), strict=True)
    shown = zip(*(lights_at(LightState(pattern, seat), tenth / 10 + 0.03) for tenth in range(40)), strict=True)
    for lamp, frames in zip(SEATS, shown, strict=True):
        rhythm = own if lamp in own_lamps(LightState(pattern, seat)) else other
        assert [max(color) for color in frames] == [max(color) for color in rhythm]


@pytest.mark.parametrize("pattern", Pattern)
def test_no_two_patterns_look_alike_without_colour(pattern: Pattern) -> None:
    def seen(one: Pattern) -> list[tuple[int, ...]]:
        frames = [lights_at(LightState(one, 0), tenth / 10 + 0.03) for tenth in range(120)]
        return [tuple(max(color) for color in frame) for frame in frames]

    assert [other for other in Pattern if seen(other) == seen(pattern)] == [pattern]
