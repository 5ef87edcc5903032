"""Which serial ports may have lights, and what is on each: likely ones first, then each is asked."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

from serial.tools.list_ports import comports

from firmware_bridge.driver import Driver, not_ours
from firmware_bridge.drivers import adalight, own, wled_serial
from firmware_bridge.serial_port import SerialPort
from firmware_bridge.states import DeviceState, LightsError

BY_ID = Path("/dev/serial/by-id")
CHANCES = 3  # to ask opens a port, and that starts a stranger's Arduino anew: not for ever
BOARD_MAKERS = {
    0x0403: "FTDI",
    0x10C4: "Silicon Labs",
    0x16C0: "Teensy",
    0x1A86: "CH340",
    0x2341: "Arduino",
    0x239A: "Adafruit",
    0x2A03: "Arduino",
    0x2E8A: "Raspberry Pi Pico",
    0x303A: "Espressif",
}


@dataclass(frozen=True, slots=True)
class PortInfo:
    """A serial port on USB.

    Attributes:
        name: how to open it; a name that stays the same from plug to plug where there is one.
        words: what it says about itself.
        likely: whether its maker is one of those who make such boards.
    """

    name: str
    words: str
    likely: bool


def serial_ports() -> list[PortInfo]:
    """The serial ports on USB, likely ones first; built-in ports and modems without USB are never touched."""
    lasting = {str(link.resolve()): str(link) for link in BY_ID.glob("*")} if BY_ID.is_dir() else {}
    ports = [
        PortInfo(
            lasting.get(port.device, port.device),
            port.product or BOARD_MAKERS.get(port.vid, port.description),
            port.vid in BOARD_MAKERS,
        )
        for port in comports()
        if port.vid is not None
    ]
    return sorted(ports, key=lambda port: (not port.likely, port.name))


def fingerprint(name: str) -> Hashable:
    """Changes when the device behind a name is plugged in or out; None where there is none."""
    try:
        found = Path(name).stat()
    except (OSError, ValueError):
        return None
    return found.st_rdev, found.st_ino, found.st_ctime_ns


def asked(port: SerialPort, receipts: own.Receipts) -> Driver:
    """Asks an open port for one kind of lights after the other; raises not_ours."""
    driver = own.greet(port, receipts) or wled_serial.greet(port) or adalight.greet(port)
    if driver is None:
        raise not_ours(port.name, port.heard, "light of a kind that we know")
    return driver


Greeting = Callable[[SerialPort], Driver]


class OnPort:
    """Lights on one port.

    Args:
        name: the port, or a link to it.
        greeting: asks what is there.
    """

    def __init__(self, name: str, greeting: Greeting) -> None:
        self._name = name
        self._greeting = greeting

    def connect(self, stop: threading.Event) -> Driver:
        """See :class:`Connector`."""
        port = SerialPort(self._name, stop)
        try:
            return self._greeting(port)
        except BaseException:
            port.close()
            raise

    def landscape(self) -> Hashable:
        """See :class:`Connector`."""
        return fingerprint(self._name)


class OnAnyPort:
    """Lights on whichever port they are; a port that does not answer is asked a few times, and then left alone.

    Args:
        greeting: asks what is there.
        ports: lists the ports to ask, in this order.
    """

    def __init__(self, greeting: Greeting, ports: Callable[[], Sequence[PortInfo]] = serial_ports) -> None:
        self._greeting = greeting
        self._ports = ports
        self._refusals: Counter[Hashable] = Counter()
        self._ours: str | None = None

    def connect(self, stop: threading.Event) -> Driver:
        """See :class:`Connector`; the port that had the lights before is asked first."""
        troubles = []
        for name in sorted(self._names(), key=lambda name: name != self._ours):
            key = name, fingerprint(name)
            if self._refusals[key] >= CHANCES and name != self._ours:
                continue
            try:
                driver = OnPort(name, self._greeting).connect(stop)
            except LightsError as trouble:
                self._refusals[key] += trouble.device is DeviceState.NOT_OURS
                troubles.append(trouble)
            else:
                self._ours = name
                return driver
        raise _most_telling(troubles)

    def landscape(self) -> Hashable:
        """See :class:`Connector`."""
        return tuple((name, fingerprint(name)) for name in self._names())

    def _names(self) -> list[str]:
        return [port.name for port in self._ports()]


def _most_telling(troubles: Sequence[LightsError]) -> LightsError:
    for code in ("closed", "other_version", "port_not_permitted", "port_busy"):
        for trouble in troubles:
            if trouble.code == code:
                return trouble
    sentence = "No lights were found: plug a board in; it is found by itself."
    return LightsError("none_found", sentence, DeviceState.SEARCHING)
