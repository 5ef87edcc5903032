"""The traps of a serial port that goes away: each is one error with a sentence, and closing raises none."""

from __future__ import annotations

import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes import PtyDevice
from serial import Serial, SerialException

from firmware_bridge import LightsError
from firmware_bridge.serial_port import SerialPort

STUCK_S = 5.0


@pytest.fixture
def device(tmp_path: Path) -> Iterator[PtyDevice]:
    """A device that listens and says nothing."""
    device = PtyDevice(tmp_path / "port")
    yield device
    device.end()


@pytest.fixture
def port(device: PtyDevice) -> Iterator[SerialPort]:
    """Its port, open."""
    port = SerialPort(device.name, threading.Event())
    yield port
    port.close()


def raising(error: Exception) -> Callable[..., Any]:
    def fail(*_: object) -> Any:
        raise error

    return fail


def test_what_is_said_is_heard(device: PtyDevice, port: SerialPort) -> None:
    device.send(b"hello")
    heard = b""
    while len(heard) < 5:
        heard += port.read(STUCK_S)
    assert heard == b"hello"
    assert port.heard == 5
    assert port.read(0) == b""


@pytest.mark.parametrize(
    ("name", "trap"),
    [
        ("read", raising(SerialException("device reports readiness to read but returned no data"))),
        ("in_waiting", property(raising(OSError(5, "Input/output error")))),
        ("timeout", property(lambda _: 0, raising(termios.error(5, "Input/output error")))),
    ],
)
def test_traps_of_reading(
    device: PtyDevice, port: SerialPort, monkeypatch: pytest.MonkeyPatch, name: str, trap: object
) -> None:
    monkeypatch.setattr(Serial, name, trap)
    device.send(b"something")
    with pytest.raises(LightsError) as error:
        port.read(STUCK_S)
    assert error.value.code == "port_lost"
    assert (
        error.value.sentence
        == f"The connection to {device.name} was lost: plug the board in again; it is found by itself."
    )


@pytest.mark.parametrize("trap", [SerialException("write failed"), OSError(5, "gone"), termios.error(5, "gone")])
def test_traps_of_writing_and_closing(port: SerialPort, monkeypatch: pytest.MonkeyPatch, trap: Exception) -> None:
    close = Serial.close
    for name in ("write", "reset_output_buffer", "close"):
        monkeypatch.setattr(Serial, name, raising(trap))
    with pytest.raises(LightsError, match="was lost"):
        port.write(b"x")
    port.close()
    monkeypatch.setattr(Serial, "close", close)


def test_pulled_while_reading(device: PtyDevice, port: SerialPort) -> None:
    puller = threading.Timer(0.05, device.pull)
    puller.start()
    with pytest.raises(LightsError, match="was lost"):
        port.read(STUCK_S)
    with pytest.raises(LightsError, match="was lost"):
        port.write(b"x")


def test_a_device_that_takes_nothing_does_not_hold_up_for_ever(device: PtyDevice, port: SerialPort) -> None:
    with device._guard, pytest.raises(LightsError, match="was lost"):
        port.write(bytes(1_000_000))


def test_waking_ends_reading_and_is_never_stuck(port: SerialPort) -> None:
    for _ in range(200_000):
        port.wake()
    assert port.read(60) == b""
    waker = threading.Timer(0.05, port.wake)
    waker.start()
    assert port.read(60) == b""
    port.close()
    port.wake()


def test_a_port_that_is_to_stop_stops(device: PtyDevice) -> None:
    stop = threading.Event()
    port = SerialPort(device.name, stop)
    threading.Timer(0.05, stop.set).start()
    begun = time.monotonic()
    with pytest.raises(LightsError, match="closed"):
        port.read(60)
    assert time.monotonic() - begun < 30
    port.close()


def test_nobody_else_may_open_it(device: PtyDevice, port: SerialPort) -> None:
    with pytest.raises(LightsError) as error:
        SerialPort(device.name, threading.Event())
    assert error.value.code == "port_busy"
    port.close()
    SerialPort(device.name, threading.Event()).close()
