"""What lights can say, what buttons say, and how the device is: the words of this package."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SEATS = (0, 1)
FULL = 255


class Pattern(StrEnum):
    """What a light tells, by rhythm and colour; docs/light_protocol.md draws them."""

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
    """How the device is; each goes with a sentence."""

    NONE = "none"
    SEARCHING = "searching"
    CONNECTING = "connecting"
    READY = "ready"
    LOST = "lost"
    BUSY = "busy"
    NOT_PERMITTED = "not_permitted"
    NOT_OURS = "not_ours"


class LightsError(Exception):
    """Something about the lights that a person should know.

    Attributes:
        code: stable and for programs, such as ``"port_busy"``.
        sentence: what is wrong and what to do, for people.
        device: the state that the device is in by it.
    """

    def __init__(self, code: str, sentence: str, device: DeviceState = DeviceState.LOST) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.device = device


@dataclass(frozen=True, slots=True)
class LightState:
    """All that both lights show: a pattern, the seat that it is about (None: nobody or both), the brightness.

    >>> LightState(Pattern.TURN, 0)
    LightState(state=<Pattern.TURN: 'turn'>, seat=0, level=255)
    """

    state: Pattern
    seat: int | None = None
    level: int = FULL

    def __post_init__(self) -> None:
        if self.seat is not None and self.seat not in SEATS:
            raise ValueError(f"A seat is 0, 1 or None, not {self.seat!r}.")
        if not 0 <= self.level <= FULL:
            raise ValueError(f"A level is from 0 to {FULL}, not {self.level!r}.")


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """The button of a seat was pressed: 0 for South, 1 for North."""

    seat: int


OFF = LightState(Pattern.OFF)
