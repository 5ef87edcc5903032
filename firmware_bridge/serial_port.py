"""A serial port with the traps of pyserial behind it: every trouble is a LightsError, and a reader can be woken.

After unplugging, `read` raises SerialException, `in_waiting` a bare OSError, and flushing a `termios.error`, which is
no OSError; closing waits for what was never sent; and each of them may come at any time.
"""

from __future__ import annotations

import errno
import threading
import time
from contextlib import suppress

from serial import Serial, SerialException

from firmware_bridge.states import DeviceState, LightsError

try:
    import termios
except ImportError:  # Windows has none
    TROUBLES: tuple[type[Exception], ...] = (OSError, SerialException)
else:
    TROUBLES = (OSError, SerialException, termios.error)

BAUD = 115200
WRITE_TIMEOUT = 1.0
LONGEST_WAIT = 0.25  # so that a port which is to stop stops soon
OPENING_TROUBLES: tuple[type[Exception], ...] = (*TROUBLES, ValueError)  # ValueError: a name that no file can have
_IN_USE = {errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK}
_FORBIDDEN = {errno.EACCES, errno.EPERM}


class SerialPort:
    """An open serial port that nobody else may use meanwhile.

    Args:
        name: such as ``/dev/ttyUSB0`` or ``COM3``.
        stop: once set, reading ends with an error.

    Raises:
        LightsError: port_missing, port_busy, port_not_permitted or port_unusable.
    """

    def __init__(self, name: str, stop: threading.Event, baud: int = BAUD) -> None:
        self.name = name
        self.heard = 0  # bytes so far
        self._stop = stop
        self._guard = threading.Lock()
        self._woken = False
        self._open = True
        serial = Serial(timeout=LONGEST_WAIT, write_timeout=WRITE_TIMEOUT, exclusive=True, baudrate=baud)
        serial.port = name
        try:
            serial.open()
        except OPENING_TROUBLES as trouble:
            raise _why_not_opened(name, trouble) from trouble
        self._serial = serial

    def read(self, seconds: float) -> bytes:
        """What arrives; waits up to *seconds* for the first byte, or until woken.

        Raises:
            LightsError: port_lost, or closed where it is to stop.
        """
        end = time.monotonic() + seconds
        while True:
            data = self._read(min(LONGEST_WAIT, max(0.0, end - time.monotonic())))
            woken, self._woken = self._woken, False
            if self._stop.is_set():
                raise LightsError("closed", "The lights are closed.", DeviceState.NONE)
            if data or woken or time.monotonic() >= end:
                self.heard += len(data)
                return data

    def _read(self, seconds: float) -> bytes:
        try:
            wait = round(seconds, 2)
            if self._serial.timeout != wait:
                self._serial.timeout = wait
            first = self._serial.read(1)
            return first + self._serial.read(self._serial.in_waiting) if first else b""
        except TROUBLES as trouble:
            raise self._lost() from trouble

    def write(self, data: bytes) -> None:
        """Sends all of *data*, or raises port_lost."""
        try:
            self._serial.write(data)
        except TROUBLES as trouble:
            raise self._lost() from trouble

    def wake(self) -> None:
        """Lets the reader return at once; for any thread, never waits."""
        with self._guard:
            if self._open and not self._woken:
                self._woken = True
                self._serial.cancel_read()

    def close(self) -> None:
        """Lets go of the port, without waiting for what could not be sent."""
        with self._guard:
            self._open = False
        with suppress(*TROUBLES):  # it may be gone already
            self._serial.reset_output_buffer()
        with suppress(*TROUBLES):
            self._serial.close()

    def _lost(self) -> LightsError:
        sentence = f"The connection to {self.name} was lost: plug the board in again; it is found by itself."
        return LightsError("port_lost", sentence)


def _why_not_opened(name: str, trouble: BaseException) -> LightsError:
    number = getattr(trouble, "errno", None)
    text = str(trouble)  # all that Windows gives
    if number in _FORBIDDEN:
        return LightsError(
            "port_not_permitted",
            f"You may not use {name}: add yourself to the group dialout: sudo usermod -aG dialout $USER, "
            "then log in again.",
            DeviceState.NOT_PERMITTED,
        )
    if number in _IN_USE or "PermissionError" in text:
        sentence = f"Another program is using {name}: close it (a serial monitor, for example)."
        return LightsError("port_busy", sentence, DeviceState.BUSY)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFoundError" in text:
        sentence = f"There is no {name}: plug the board in; it is found by itself."
        return LightsError("port_missing", sentence, DeviceState.SEARCHING)
    sentence = f"{name} cannot be used as a serial port: name another one, or unplug the board and plug it in again."
    return LightsError("port_unusable", sentence, DeviceState.NOT_OURS)
