"""Boards that exist only as a program at the far end of a pty, written from the documentation of the real ones.

Each runs in a thread, can be unplugged (`pull`) and plugged in again under its name, and its line can lose bytes.
"""

from __future__ import annotations

import json
import os
import pty
import random
import select
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from firmware_bridge.protocol import LineReader, line

TICK = 0.02


class Noise:
    """A line that loses this share of all bytes, by a die of its own."""

    def __init__(self, loss: float, seed: int = 1) -> None:
        self._loss = loss
        self._die = random.Random(seed)

    def __call__(self, data: bytes) -> bytes:
        if not self._loss:
            return data
        return bytes(byte for byte in data if self._die.random() >= self._loss)


class PtyDevice:
    """Something on a serial port; *name* is a link that points to the pty of the moment."""

    def __init__(self, name: Path, loss: float = 0.0) -> None:
        self.name = str(name)
        self.noise = Noise(loss)
        self._guard = threading.RLock()
        self._master = self._slave = -1
        self._ending = False
        self.plug()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def plug(self) -> None:
        """A new pty under the same name; the board starts anew."""
        with self._guard:
            self._master, self._slave = pty.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            link = Path(self.name)
            link.unlink(missing_ok=True)
            link.symlink_to(os.ttyname(self._slave))
            self.started()

    def pull(self) -> None:
        """Unplugs it, in the middle of whatever is being said."""
        with self._guard:
            Path(self.name).unlink(missing_ok=True)
            for end in (self._master, self._slave):
                if end >= 0:
                    os.close(end)
            self._master = self._slave = -1

    def end(self) -> None:
        """Unplugs it for good."""
        self._ending = True
        self._thread.join(2)
        self.pull()

    def send(self, data: bytes) -> None:
        """Says something, less what the noise takes."""
        with self._guard, suppress(OSError):
            if self._master >= 0:
                os.write(self._master, self.noise(data))

    def started(self) -> None:
        """It has power, from now on."""

    def received(self, data: bytes) -> None:
        """The host has said something."""

    def passed(self, now: float) -> None:
        """A little time has passed."""

    def _live(self) -> None:
        while not self._ending:
            time.sleep(0) if self._hear() else time.sleep(TICK)
            with self._guard:
                self.passed(time.monotonic())

    def _hear(self) -> bool:
        with self._guard:
            if self._master < 0:
                return False
            ready, _, _ = select.select([self._master], [], [], 0)
            if not ready:
                return False
            with suppress(OSError):
                self.received(self.noise(os.read(self._master, 4096)))
            return True


class OwnFake(PtyDevice):
    """A board that keeps to docs/light_protocol.md."""

    version = 1

    def started(self) -> None:
        self.boot = random.randrange(65536)
        self.sets: list[str] = []
        self.acknowledged: list[tuple[int, int]] = []
        self.greetings = 0
        self.mute = False
        self._reader = LineReader()
        self._event = 0
        self._pressed: list[tuple[int, int]] = []
        self._again_at = 0.0
        self.say(self._hello())

    def say(self, payload: str) -> None:
        """Sends a line."""
        self.send(line(payload))

    def press(self, seat: int) -> None:
        """Presses a button."""
        with self._guard:
            self._event += 1
            self._pressed.append((self._event, seat))

    @property
    def shown(self) -> str:
        """State, seat and level of the last `set`."""
        return self.sets[-1] if self.sets else ""

    def received(self, data: bytes) -> None:
        if self.mute:
            return
        for payload in self._reader.feed(data):
            match payload.split():
                case ["?"]:
                    self.greetings += 1
                    self.say(self._hello())
                case ["set", number, *state]:
                    self.sets.append(" ".join(state))
                    self.say(f"ok {number}")
                case ["ack", boot, event]:
                    self.acknowledged.append((int(boot), int(event)))
                    self._pressed = [pressed for pressed in self._pressed if pressed[0] != int(event)]
                    self._again_at = 0.0
                    self.say("ok ack")

    def passed(self, now: float) -> None:
        if self._pressed and now >= self._again_at:
            event, seat = self._pressed[0]
            self.say(f"button {self.boot} {event} {seat}")
            self._again_at = now + 0.25

    def _hello(self) -> str:
        return f"hello {self.version} {self.boot} 2 2 fake"


class OtherVersion(OwnFake):
    """A board of times to come."""

    version = 2


class Stranger(PtyDevice):
    """Something else that talks all the time, or our board at another speed: nothing that can be read."""

    def passed(self, now: float) -> None:  # noqa: ARG002
        self.send(bytes(random.randrange(256) for _ in range(8)))


class WledSerialFake(PtyDevice):
    """WLED's serial handler: bytes are commands, a `{` begins an object of the JSON API."""

    leds = 30

    def started(self) -> None:
        self.states: list[dict[str, Any]] = []
        self._rest = b""

    def received(self, data: bytes) -> None:
        self._rest += data
        while self._rest:
            if self._rest[:1] != b"{":
                if self._rest[:1] == b"v":
                    self.send(b"WLED 2410270\r\n")
                self._rest = self._rest[1:]
                continue
            try:
                value, end = json.JSONDecoder().raw_decode(self._rest.decode("latin-1"))
            except ValueError:
                if b"\n" in self._rest:  # half an object: dropped
                    self._rest = self._rest.partition(b"\n")[2]
                    continue
                return
            self._rest = self._rest[end:]
            self._take(value)

    def _take(self, value: dict[str, Any]) -> None:
        if value.pop("v", False):
            answer = {"state": {"on": True}, "info": {"ver": "0.15.0", "leds": {"count": self.leds}, "name": "WLED"}}
            self.send(json.dumps(answer).encode() + b"\r\n")
        if value:
            self.states.append(value)


class AdalightFake(PtyDevice):
    """The receiving end of Adalight: says its word once a second while nothing comes, then takes frames."""

    leds = 2

    def started(self) -> None:
        self.frames: list[bytes] = []
        self._rest = b""
        self._quiet_since = 0.0

    def passed(self, now: float) -> None:
        if now - self._quiet_since >= 1:
            self._quiet_since = now
            self.send(b"Ada\n")

    def received(self, data: bytes) -> None:
        self._quiet_since = time.monotonic()
        self._rest += data
        while (start := self._rest.find(b"Ada")) >= 0 and len(self._rest) >= start + 6 + 3 * self.leds:
            high, low, check = self._rest[start + 3 : start + 6]
            body = self._rest[start + 6 : start + 6 + 3 * self.leds]
            if check == high ^ low ^ 0x55 and high << 8 | low == self.leds - 1:
                self.frames.append(body)
            self._rest = self._rest[start + 6 + len(body) :]


class FirmataFake(PtyDevice):
    """StandardFirmata 2.5: modes, PWM, port reports, and the two questions."""

    def started(self) -> None:
        self.modes: dict[int, int] = {}
        self.levels: dict[int, int] = {}
        self.reported: set[int] = set()
        self._port = 0b1100  # pulled up
        self._message = b""
        self._introduce()

    def _introduce(self) -> None:
        name = b"".join(bytes((letter & 0x7F, letter >> 7)) for letter in b"StandardFirmata.ino")
        self.send(bytes((0xF9, 2, 5)) + bytes((0xF0, 0x79, 2, 5)) + name + b"\xf7")

    def button(self, seat: int, down: bool) -> None:
        """Holds a button down, or lets it go."""
        with self._guard:
            bit = 1 << (2 + seat)
            self._port = self._port & ~bit if down else self._port | bit
            self._report()

    def _report(self) -> None:
        if 0 in self.reported:
            self.send(bytes((0x90, self._port & 0x7F, self._port >> 7)))

    def received(self, data: bytes) -> None:
        for byte in data:
            self._message = bytes([byte]) if byte >= 0x80 and byte != 0xF7 else self._message + bytes([byte])
            self._act(self._message)

    def _act(self, message: bytes) -> None:
        match list(message):
            case [0xF9]:
                self.send(bytes((0xF9, 2, 5)))
            case [0xF0, 0x79, 0xF7]:
                self._introduce()
            case [0xF4, pin, mode]:
                self.modes[pin] = mode
            case [command, low, high] if command & 0xF0 == 0xE0 and self.modes.get(command & 0x0F) == 3:
                self.levels[command & 0x0F] = low | high << 7
            case [command, wanted] if command & 0xF0 == 0xD0 and wanted:
                self.reported.add(command & 0x0F)
                self._report()


class WledHttpFake:
    """WLED's JSON API on the network."""

    def __init__(self) -> None:
        self.states: list[dict[str, Any]] = []
        self.info: object = {"ver": "0.15.0", "name": "Table", "leds": {"count": 10}}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.host = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(TICK,), daemon=True).start()

    def end(self) -> None:
        """Pulls its plug."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/json/info":
                    self._answer(fake.info)
                else:
                    self.send_error(404)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path == "/json/state":
                    fake.states.append(body)
                    self._answer({"success": True})
                else:
                    self.send_error(404)

            def _answer(self, value: object) -> None:
                data = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                """Says nothing on the terminal."""

        return Handler


def eventually(is_so: Callable[[], object], seconds: float = 12.0) -> bool:
    """Waits until something is so; how long it takes at most is not what is tested."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True
