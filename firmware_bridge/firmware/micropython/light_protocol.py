"""The board's side of the light protocol, version 1 (docs/light_protocol.md), without any hardware.

Plain Python that MicroPython and CPython both run: `main.py` connects it to pins, the tests to a table. Times are
milliseconds of any clock that only goes forward.
"""

LONGEST_LINE = 64
SILENCE_MS = 5000  # without a good line for so long there is no host
RESEND_MS = 250  # between two copies of an event
MOST_EVENTS = 8
DEBOUNCE_MS = 20
BLINK_MS = 150  # a pressed button: first dark, then white

STATES = ("setup", "turn", "judging", "illegal", "unsure", "disagree", "paused", "restoring", "over", "off")
SEATS = ("0", "1", "-")
NOBODY = 2

WHITE = (255, 255, 255)
RED = (255, 0, 0)
VIOLET = (160, 0, 255)
ORANGE = (255, 60, 0)
BLUE = (0, 0, 255)
GREEN = (0, 255, 0)
SEAT_COLORS = ((255, 150, 0), (0, 200, 255), WHITE)


def checksum(payload: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    crc = 0xFFFF
    for byte in payload:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def framed(payload: str) -> bytes:
    """The line of a payload."""
    return f"{payload}*{checksum(payload.encode()):04X}\n".encode()


def number(field: str, most: int = 65535) -> int:
    """A number of at most five digits; ValueError where it is none, or too large."""
    if not field.isdigit() or len(field) > 5 or int(field) > most:
        raise ValueError
    return int(field)


class BadLine(Exception):
    """A line that is dropped, with the word for it."""


class LineReader:
    """Lines, read byte by byte."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._overlong = False

    def add(self, byte: int) -> str | None:
        """The payload of the line that this byte has ended, if any; BadLine where it has ended a bad one."""
        if byte == 13:
            return None
        if byte != 10:
            if len(self._line) < LONGEST_LINE:
                self._line.append(byte)
            else:
                self._overlong = True
            return None
        line, overlong = bytes(self._line), self._overlong
        self._line = bytearray()
        self._overlong = False
        if overlong:
            raise BadLine("long")
        if line in (b"", b"?"):
            return line.decode() or None
        if not all(32 <= each <= 126 for each in line) or line[-5:-4] != b"*":
            raise BadLine("checksum")
        if line[-4:].decode().upper() != f"{checksum(line[:-5]):04X}":
            raise BadLine("checksum")
        return line[:-5].decode()


def fade(ms: int) -> int:
    """Up to 255 and down to 0 again, in one second."""
    t = ms % 1000
    return (t if t < 500 else 1000 - t) * 255 // 500


def rhythm(state: str, seat: int, light: int, ms: int) -> int:
    """How bright a light is, 0 to 255, so many ms after the state began."""
    own = seat in (NOBODY, light)
    first = light == 0 if seat == NOBODY else own  # where the two always differ, light 0 leads for nobody
    lit = False
    if state == "judging":
        return fade(ms) if own else 0
    if state == "restoring":
        return 255 - fade(ms) if first else fade(ms)
    if state == "paused":
        return 64
    if state == "setup":
        lit = (ms if first else ms + 1000) % 2000 < 120
    elif state == "turn":
        lit = own
    elif state == "illegal":
        lit = own and ms % 1200 < 600 and ms % 1200 % 200 < 100
    elif state == "unsure":
        lit = own and ms % 2000 < 1200 and ms % 2000 % 600 < 300
    elif state == "disagree":
        lit = (ms % 1000 < 500) == first
    elif state == "over":
        lit = own and ms % 2000 < 1800
    elif state == "no host":
        lit = ms % 3000 < 50
    return 255 if lit else 0


def color(state: str, seat: int) -> tuple[int, int, int]:
    """Red, green and blue of a state at full brightness."""
    colors = {
        "illegal": RED,
        "unsure": VIOLET,
        "disagree": ORANGE,
        "paused": BLUE,
        "restoring": GREEN,
        "no host": RED,
        "turn": SEAT_COLORS[seat],
        "over": SEAT_COLORS[seat],
    }
    return colors.get(state, WHITE)


class Button:
    """A button that bounces."""

    def __init__(self) -> None:
        self._down = True  # one that is held while the board starts does not count
        self._changed_at = -1

    def pressed(self, is_down: bool, now: int) -> bool:
        """Whether it has just gone down, and stayed so for 20 ms; asked every few ms."""
        if is_down == self._down:
            self._changed_at = -1
        elif self._changed_at < 0:
            self._changed_at = now
        elif now - self._changed_at >= DEBOUNCE_MS:
            self._changed_at = -1
            self._down = is_down
            return is_down
        return False


class Token:
    """The whole board: bytes, presses and time go in; bytes to send and two lights come out."""

    def __init__(self, boot: int, name: str, now: int) -> None:
        self.outgoing = bytearray()  # for the serial line; whoever sends it clears it
        self._boot = boot
        self._name = name
        self._reader = LineReader()
        self._state, self._seat, self._level = "off", NOBODY, 64
        self._since = self._heard_at = now
        self._events: list[int] = []  # the seats of the events that were not acknowledged yet
        self._oldest = 1  # the number of the first of them
        self._sent_at = now
        self._pressed_at = [-1, -1]
        self._say_hello()

    def receive(self, data: bytes, now: int) -> None:
        """Takes bytes of the serial line."""
        for byte in data:
            try:
                payload = self._reader.add(byte)
                if payload is not None:
                    self._answer(payload.split(" "), now)
                    self._heard_at = now
            except BadLine as bad:
                self._say("no " + bad.args[0])
            except ValueError:
                self._say("no field")

    def press(self, seat: int, now: int) -> None:
        """A button was pressed; with eight events in the queue it is not felt."""
        if len(self._events) == MOST_EVENTS:
            return
        self._events.append(seat)
        self._pressed_at[seat] = now
        if len(self._events) == 1:
            self._send_oldest(now)

    def tick(self, now: int) -> None:
        """Lets time pass; called every few ms."""
        if self._events and now - self._sent_at >= RESEND_MS:
            self._send_oldest(now)
        if self._state != "no host" and now - self._heard_at >= SILENCE_MS:
            self._state, self._seat, self._since = "no host", NOBODY, now

    def brightness(self, light: int, now: int) -> int:
        """How bright a light is now, 0 to 255."""
        blinking = self._blinking(light, now)
        bright = rhythm(self._state, self._seat, light, now - self._since)
        if blinking:
            bright = 0 if now - self._pressed_at[light] < BLINK_MS // 2 else 255
        return bright * self._level // 255

    def color(self, light: int, now: int) -> tuple[int, int, int]:
        """Red, green and blue of a light now, its brightness included."""
        red, green, blue = WHITE if self._blinking(light, now) else color(self._state, self._seat)
        bright = self.brightness(light, now)
        return red * bright // 255, green * bright // 255, blue * bright // 255

    def _blinking(self, light: int, now: int) -> bool:
        return self._pressed_at[light] >= 0 and now - self._pressed_at[light] < BLINK_MS

    def _answer(self, fields: list[str], now: int) -> None:
        command = fields.pop(0)
        if command == "set":
            self._set(fields, now)
        elif command == "ack":
            boot, event = map(number, fields)
            self._acknowledge(boot, event, now)
        elif command == "?":
            if fields:
                raise ValueError
            self._say_hello()
        else:
            raise BadLine("unknown")

    def _set(self, fields: list[str], now: int) -> None:
        name, state, seat, level = fields
        if state not in STATES or seat not in SEATS:
            raise ValueError
        n = number(name)
        self._level = number(level, 255)
        wanted = (state, SEATS.index(seat))
        if wanted != (self._state, self._seat):
            self._since = now
        self._state, self._seat = wanted
        self._say(f"ok {n}")

    def _acknowledge(self, boot: int, event: int, now: int) -> None:
        self._say("ok ack")
        if self._events and (boot, event) == (self._boot, self._oldest):
            self._events.pop(0)
            self._oldest = (self._oldest + 1) & 0xFFFF
            if self._events:
                self._send_oldest(now)

    def _send_oldest(self, now: int) -> None:
        self._say(f"button {self._boot} {self._oldest} {self._events[0]}")
        self._sent_at = now

    def _say_hello(self) -> None:
        self._say(f"hello 1 {self._boot} 2 2 {self._name}")

    def _say(self, payload: str) -> None:
        self.outgoing += framed(payload)
