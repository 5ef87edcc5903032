"""Two plain LEDs on pins 9 and 10, and buttons to ground on 2 and 3, of a board with StandardFirmata 2.5.

All colours become brightness; the rhythm tells them apart.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from firmware_bridge.asking import ask
from firmware_bridge.driver import not_ours
from firmware_bridge.frame_clock import FrameClock
from firmware_bridge.serial_port import SerialPort
from firmware_bridge.states import ButtonEvent, LightsError, LightState

LED_PINS = (9, 10)
BUTTON_PINS = (2, 3)
DIGITAL, ANALOG, REPORT_DIGITAL, PIN_MODE, VERSION = 0x90, 0xE0, 0xD0, 0xF4, 0xF9
SYSEX, SYSEX_END, FIRMWARE = 0xF0, 0xF7, 0x79
PWM, PULLUP = 0x03, 0x0B
ASK_FOR = 5.0  # it blinks its version before it listens
ASK_EVERY = 0.5
TICK = 0.04
PROBE_EVERY = 1.0
SILENCE = 4.0
DEBOUNCE = 0.02
LONGEST = 128


class FirmataReader:
    """Cuts what a Firmata board sends into messages: a command byte, then its data bytes."""

    def __init__(self) -> None:
        self._message = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The messages that *data* completes; a sysex is given without its end."""
        for byte in data:
            if byte == SYSEX_END and self._message[:1] == bytes([SYSEX]):
                yield self._taken()
            elif byte >= 0x80:
                self._message = bytearray([byte])
            elif self._message and len(self._message) < LONGEST:
                self._message.append(byte)
                if self._message[0] != SYSEX and len(self._message) == 3:
                    yield self._taken()

    def _taken(self) -> bytes:
        message, self._message = bytes(self._message), bytearray()
        return message


class FirmataBoard:
    """A board that has told its firmware; its pins are set up here."""

    def __init__(self, port: SerialPort, firmware: str) -> None:
        self.name = f"{firmware} on {port.name}"
        self._port = port
        self._reader = FirmataReader()
        self._clock = FrameClock(TICK)
        self._down = [False, False]
        self._changed_at = [0.0, 0.0]
        self._heard_at = self._probed_at = time.monotonic()
        modes = [(pin, PWM) for pin in LED_PINS] + [(pin, PULLUP) for pin in BUTTON_PINS]
        port.write(b"".join(bytes((PIN_MODE, pin, mode)) for pin, mode in modes) + bytes((REPORT_DIGITAL, 1)))

    def serve(self, state: LightState, now: float) -> float:
        """Sends what is due, and asks once a second whether it is still there."""
        if now - self._heard_at > SILENCE:
            sentence = f"The board on {self._port.name} does not answer any more: it is asked again by itself."
            raise LightsError("board_silent", sentence)
        frame, again = self._clock.due(state, now)
        if frame is not None:
            self._port.write(b"".join(map(_light_bytes, LED_PINS, map(max, frame))))
        if now - self._probed_at >= PROBE_EVERY:
            self._probed_at = now
            self._port.write(bytes((VERSION,)))
        return again

    def listen(self, seconds: float) -> list[ButtonEvent]:
        """Makes presses of the levels of the button pins."""
        presses: list[ButtonEvent] = []
        for message in self._reader.feed(self._port.read(seconds)):
            self._heard_at = time.monotonic()
            if message[0] == DIGITAL:
                presses += self._pressed(message[1] | message[2] << 7, self._heard_at)
        return presses

    def _pressed(self, levels: int, now: float) -> Iterator[ButtonEvent]:
        for seat, pin in enumerate(BUTTON_PINS):
            down = not levels >> pin & 1
            if down == self._down[seat]:
                continue
            settled = now - self._changed_at[seat] > DEBOUNCE
            self._down[seat], self._changed_at[seat] = down, now
            if down and settled:
                yield ButtonEvent(seat)

    def wake(self) -> None:
        """See :class:`Driver`."""
        self._port.wake()

    def close(self) -> None:
        """See :class:`Driver`."""
        self._port.close()


def greeted(port: SerialPort) -> FirmataBoard:
    """Asks for the firmware until there is an answer; raises not_ours where there is none."""
    reader = FirmataReader()

    def firmware(data: bytes) -> str | None:
        return next(filter(None, map(_firmware_in, reader.feed(data))), None)

    name = ask(port, bytes((SYSEX, FIRMWARE, SYSEX_END)), firmware, ASK_FOR, ASK_EVERY)
    if name is None:
        raise not_ours(port.name, port.heard, "board with StandardFirmata")
    return FirmataBoard(port, name)


def _firmware_in(message: bytes) -> str | None:
    if message[:2] != bytes((SYSEX, FIRMWARE)) or len(message) < 4:
        return None
    low, high = message[4::2], message[5::2]
    name = "".join(chr(first | second << 7) for first, second in zip(low, high, strict=False))
    return name if name.isprintable() and name else "Firmata"


def _light_bytes(pin: int, level: int) -> bytes:
    return bytes((ANALOG | pin, level & 0x7F, level >> 7))
