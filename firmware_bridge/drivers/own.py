"""A board that speaks docs/light_protocol.md."""

from __future__ import annotations

import time

from firmware_bridge.asking import ask
from firmware_bridge.driver import not_ours
from firmware_bridge.protocol import (
    NUMBERS,
    VERSION,
    Button,
    Hello,
    LineReader,
    Ok,
    ack_line,
    line,
    message,
    set_line,
)
from firmware_bridge.serial_port import SerialPort
from firmware_bridge.states import ButtonEvent, DeviceState, LightsError, LightState

ASK_FOR = 2.5  # an Arduino starts anew when its port is opened, and takes its time
REFRESH = 1.0
PATIENCE = 0.15  # for the reply to a `set`
SILENCE = 3.0
REMEMBERED = 64


class Receipts:
    """Which presses were taken already. It outlives a connection: a board may send again what we took before."""

    def __init__(self) -> None:
        self._taken: dict[tuple[int, int], None] = {}

    def take(self, button: Button) -> bool:
        """Whether this press is new."""
        key = button.boot, button.event
        if key in self._taken:
            return False
        self._taken[key] = None
        if len(self._taken) > REMEMBERED:
            del self._taken[next(iter(self._taken))]
        return True


class OwnBoard:
    """A board that has said hello."""

    def __init__(self, port: SerialPort, hello: Hello, lines: LineReader, receipts: Receipts) -> None:
        self.name = f"{hello.name} on {port.name}"
        self._port = port
        self._lines = lines
        self._receipts = receipts
        self._number = 0
        self._sent: LightState | None = None
        self._sent_at = 0.0
        self._answered = True
        self._heard_at = time.monotonic()

    def serve(self, state: LightState, now: float) -> float:
        """Sends the state on change and once a second, each after the reply to the one before or in its stead."""
        if now - self._heard_at > SILENCE:
            sentence = f"The board on {self._port.name} does not answer any more: it is asked again by itself."
            raise LightsError("board_silent", sentence)
        overdue = self._sent_at + (REFRESH if self._answered else PATIENCE)
        if now >= overdue or (self._answered and state != self._sent):
            self._send(state, now)
            return PATIENCE
        return overdue - now

    def _send(self, state: LightState, now: float) -> None:
        self._number = (self._number + 1) % NUMBERS
        self._sent, self._sent_at, self._answered = state, now, False
        self._port.write(set_line(self._number, state))

    def listen(self, seconds: float) -> list[ButtonEvent]:
        """Takes replies and presses; acknowledges every copy of a press, and hands on the first."""
        presses = []
        for payload in self._lines.feed(self._port.read(seconds)):
            self._heard_at = time.monotonic()
            match message(payload):
                case Ok(number) if number == self._number:
                    self._answered = True
                case Hello():  # it has started anew, and shows nothing
                    self._sent, self._answered = None, True
                case Button() as button:
                    self._port.write(ack_line(button))
                    if self._receipts.take(button):
                        presses.append(ButtonEvent(button.seat))
        return presses

    def wake(self) -> None:
        """See :class:`Driver`."""
        self._port.wake()

    def close(self) -> None:
        """See :class:`Driver`."""
        self._port.close()


def greet(port: SerialPort, receipts: Receipts) -> OwnBoard | None:
    """Asks who is there until there is an answer; None where there is none.

    Raises:
        LightsError: other_version; port_lost.
    """
    lines = LineReader()

    def hello(data: bytes) -> Hello | None:
        messages = map(message, lines.feed(data))
        return next((message for message in messages if isinstance(message, Hello)), None)

    question = b"\n" + line("?")  # the line feed ends whatever half a line is on its way
    answer = ask(port, question, hello, ASK_FOR)
    return OwnBoard(port, _of_our_version(port, answer), lines, receipts) if answer else None


def greeted(port: SerialPort, receipts: Receipts) -> OwnBoard:
    """The same, where nothing else may be on the port.

    Raises:
        LightsError: not_ours, other_version; port_lost.
    """
    board = greet(port, receipts)
    if board is None:
        raise not_ours(port.name, port.heard, "board with our firmware")
    return board


def _of_our_version(port: SerialPort, hello: Hello) -> Hello:
    if hello.version != VERSION:
        sentence = (
            f"The board on {port.name} speaks version {hello.version} of the light protocol, "
            f"and this program version {VERSION}: put the firmware of this program on it."
        )
        raise LightsError("other_version", sentence, DeviceState.NOT_OURS)
    return hello
