"""A strip that takes Adalight frames: the word `Ada`, how many LEDs, a checksum of that, and their colours."""

from __future__ import annotations

from firmware_bridge.asking import ask
from firmware_bridge.driver import not_ours
from firmware_bridge.frame_clock import FrameClock
from firmware_bridge.patterns import Frame
from firmware_bridge.serial_port import SerialPort
from firmware_bridge.states import ButtonEvent, LightState

WORD = b"Ada"
LISTEN_FOR = 2.5  # it says its word once a second while nothing is sent to it
TICK = 0.05
BYTES_A_SECOND = 10_000  # at 115200 baud, and some rest
LEDS = 2


class AdalightStrip:
    """A strip that has said its word; the first half is South's, the second North's."""

    def __init__(self, port: SerialPort, leds: int = LEDS) -> None:
        self.name = f"Adalight with {leds} LEDs on {port.name}"
        self._port = port
        self._leds = leds
        self._clock = FrameClock(max(TICK, 3 * leds / BYTES_A_SECOND))

    def serve(self, state: LightState, now: float) -> float:
        """Sends what is due."""
        frame, again = self._clock.due(state, now)
        if frame is not None:
            self._port.write(frame_bytes(frame, self._leds))
        return again

    def listen(self, seconds: float) -> list[ButtonEvent]:
        """Only notices when the port is gone: there are no buttons."""
        self._port.read(seconds)
        return []

    def wake(self) -> None:
        """See :class:`Driver`."""
        self._port.wake()

    def close(self) -> None:
        """See :class:`Driver`."""
        self._port.close()


def frame_bytes(frame: Frame, leds: int) -> bytes:
    """One Adalight frame.

    >>> frame_bytes(((255, 140, 0), (0, 0, 0)), 2)
    b'Ada\\x00\\x01T\\xff\\x8c\\x00\\x00\\x00\\x00'
    """
    high, low = divmod(leds - 1, 256)
    south, north = map(bytes, frame)
    half = leds // 2
    return WORD + bytes((high, low, high ^ low ^ 0x55)) + half * south + (leds - half) * north


def greet(port: SerialPort, leds: int = LEDS) -> AdalightStrip | None:
    """Listens for the word; None where it is not said."""
    heard = bytearray()

    def word(data: bytes) -> bool | None:
        heard.extend(data)
        return True if WORD in heard else None

    return AdalightStrip(port, leds) if ask(port, b"", word, LISTEN_FOR) else None


def greeted(port: SerialPort, leds: int) -> AdalightStrip:
    """The same, where nothing else may be on the port; raises not_ours."""
    strip = greet(port, leds)
    if strip is None:
        raise not_ours(port.name, port.heard, "Adalight strip")
    return strip
