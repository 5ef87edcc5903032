"""What the two lights say about a reading, and what a light says in words."""

from __future__ import annotations

from collections.abc import Mapping

from companion_app.notation import parse_position
from companion_app.reading_types import Reading, Verdict
from firmware_bridge.states import LightState, Pattern
from rules import Seat

SEATS = (Seat.SOUTH, Seat.NORTH)
"""The seats by the number of their light."""

IDLE = LightState(Pattern.PAUSED)
JUDGING = LightState(Pattern.JUDGING)

_PATTERNS: Mapping[tuple[Verdict, bool], Pattern] = {
    # what was read, and whether a person has saved it: who saves a reading vouches for it
    (Verdict.CERTAIN, False): Pattern.TURN,
    (Verdict.CERTAIN, True): Pattern.TURN,
    (Verdict.CHECK, False): Pattern.UNSURE,
    (Verdict.CHECK, True): Pattern.TURN,
    (Verdict.UNREADABLE, False): Pattern.DISAGREE,
    (Verdict.UNREADABLE, True): Pattern.DISAGREE,
}

_WORDS: Mapping[Pattern, tuple[str, str]] = {
    # about a seat, about nobody
    Pattern.SETUP: ("Setting up", "Setting up"),
    Pattern.TURN: ("{}’s turn", "Both may play"),
    Pattern.JUDGING: ("Looking at {}’s turn", "Looking at the table"),
    Pattern.ILLEGAL: ("{}’s turn is not legal", "Not legal"),
    Pattern.UNSURE: ("Not sure: please check", "Not sure: please check"),
    Pattern.DISAGREE: ("Picture and game disagree", "Picture and game disagree"),
    Pattern.PAUSED: ("Paused", "Paused"),
    Pattern.RESTORING: ("Putting the game back", "Putting the game back"),
    Pattern.OVER: ("{} has won", "A draw"),
    Pattern.OFF: ("Off", "Off"),
}

_TAKING_TURNS = {Pattern.SETUP, Pattern.DISAGREE, Pattern.RESTORING}


def light_of(reading: Reading, *, saved: bool = False) -> LightState:
    """What the lights show while *reading* lies open; *saved* is whether a person has kept it as it is."""
    pattern = _PATTERNS[reading.verdict, saved]
    if pattern is not Pattern.TURN:
        return LightState(pattern)
    if reading.position is None:  # saved, but somewhere a piece still has no place or no owner
        return IDLE
    to_move = parse_position(reading.position, redless=reading.redless).to_move
    return LightState(Pattern.TURN, number_of(to_move))


def own_lamps(light: LightState) -> tuple[Seat, ...]:
    """The lamps with the rhythm of the seat that it is about; the rest have the other one."""
    if light.seat is None:
        return SEATS[:1] if light.state in _TAKING_TURNS else SEATS
    return (SEATS[light.seat],)


def after_button(light: LightState, seat: int) -> LightState:
    """What the lights show once *seat* has said that its turn is done: the turn of the other, if it was its turn.

    >>> after_button(LightState(Pattern.TURN, 0), 0)
    LightState(state=<Pattern.TURN: 'turn'>, seat=1, level=255)
    """
    if light.state is not Pattern.TURN or light.seat != seat:
        return light
    return LightState(Pattern.TURN, 0 if seat else 1, light.level)


def in_words(light: LightState) -> str:
    """The light in a few words.

    >>> in_words(LightState(Pattern.TURN, 1))
    'North’s turn'
    """
    about_seat, about_nobody = _WORDS[light.state]
    return about_nobody if light.seat is None else about_seat.format(SEATS[light.seat].word)


def number_of(seat: Seat) -> int:
    """The number of a seat's light."""
    return 1 if seat is Seat.NORTH else 0
