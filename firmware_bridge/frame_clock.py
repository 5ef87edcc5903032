"""When to send which colours to a light that has no rhythm of its own."""

from __future__ import annotations

from firmware_bridge.patterns import Frame, begins_anew, is_steady, lights_at
from firmware_bridge.states import LightState

REFRESH = 1.0


class FrameClock:
    """Lets the rhythm of a state run from the moment it began.

    Args:
        tick: seconds between two looks at a pattern that moves.
    """

    def __init__(self, tick: float) -> None:
        self._tick = tick
        self._state: LightState | None = None
        self._since = 0.0
        self._sent: Frame | None = None
        self._sent_at = 0.0

    def due(self, state: LightState, now: float) -> tuple[Frame | None, float]:
        """The colours to send now, None where they are the same as before and fresh; and when to ask again."""
        if begins_anew(self._state, state):
            self._since = now
        self._state = state
        frame = lights_at(state, now - self._since)
        again = REFRESH if is_steady(state) else self._tick
        if frame == self._sent and now - self._sent_at < REFRESH:
            return None, min(again, self._sent_at + REFRESH - now)
        self._sent, self._sent_at = frame, now
        return frame, again
