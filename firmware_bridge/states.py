"""The words between the game and its lights: what to show, what a button says, and how the device is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

SeatNumber = Literal[0, 1]
"""The number of a light and its button: 0 for South, 1 for North."""

FULL = 255


class Pattern(StrEnum):
    """What the lights can show; the values are the words of the protocol, the rhythms stand there too."""

    SETUP = "setup"
    TURN = "turn"
    JUDGING = "judging"
    ILLEGAL = "illegal"
    UNSURE = "unsure"
    DISAGREE = "disagree"
    PAUSED = "paused"
    RESTORING = "restoring"
    OVER = "over"
    OFF = "off"


class DeviceState(StrEnum):
    """How it stands with the device."""

    NONE = "none"
    SEARCHING = "searching"
    CONNECTING = "connecting"
    READY = "ready"
    LOST = "lost"
    BUSY = "busy"
    NOT_PERMITTED = "not_permitted"
    NOT_OURS = "not_ours"


@dataclass(frozen=True)
class LightState:
    """Everything that the lights show: a pattern, the seat it is about or ``None``, and the brightness, 0 to 255.

    >>> LightState(Pattern.TURN, 1)
    LightState(state=<Pattern.TURN: 'turn'>, seat=1, level=255)
    """

    state: Pattern
    seat: SeatNumber | None = None
    level: int = FULL


@dataclass(frozen=True)
class ButtonEvent:
    """The button of a seat was pressed: "my turn is done"."""

    seat: SeatNumber


class LightsError(Exception):
    """Lights that cannot be used.

    Attributes:
        code: stable and short, for programs and tests.
        sentence: what was wrong and what to do, for people.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
