"""Runs the board's main.py in this Python: its line is standard input and output, its pins are pretended.

A button is held down while there is a file of the name of its pin in the working directory. Each colour that is
written to the strip is a line of the file `strip`, each level of a plain light one of the file `plain`.
"""

from __future__ import annotations

import io
import runpy
import sys
import time
from pathlib import Path
from types import ModuleType

MAIN = Path(__file__).parents[2] / "firmware_bridge" / "firmware" / "micropython" / "main.py"


class Pin:
    """A pin: `machine.Pin`."""

    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number: int, mode: int = IN, pull: int | None = None) -> None:
        self.number = number
        self.pull = pull
        self.mode = mode

    def value(self) -> int:
        """1 while nobody presses."""
        assert (self.mode, self.pull) == (Pin.IN, Pin.PULL_UP)
        return 0 if Path(str(self.number)).exists() else 1


class PWM:
    """A plain light: `machine.PWM`."""

    def __init__(self, pin: Pin, freq: int, duty_u16: int) -> None:
        assert freq >= 100, "that would flicker"
        self._number = pin.number
        self._level = duty_u16

    def duty_u16(self, level: int) -> None:
        """Sets the level, 0 to 65535."""
        assert 0 <= level <= 65535
        if level != self._level:
            note("plain", f"{self._number} {level}")
        self._level = level


class NeoPixel:
    """The strip: `neopixel.NeoPixel`."""

    def __init__(self, pin: Pin, count: int) -> None:
        assert pin.mode == Pin.OUT
        self._colors = [(0, 0, 0)] * count

    def __setitem__(self, light: int, color: tuple[int, int, int]) -> None:
        self._colors[light] = color

    def write(self) -> None:
        """Sends the colours to the lights."""
        note("strip", " ".join(bytes(color).hex().upper() for color in self._colors))


def note(name: str, line: str) -> None:
    """Adds a line to a file."""
    with Path(name).open("a") as file:
        file.write(line + "\n")


def pretend(name: str, **parts: object) -> None:
    """Makes a module of MicroPython."""
    module = ModuleType(name)
    vars(module).update(parts)
    sys.modules[name] = module


def run() -> None:
    """Runs main.py, which never ends."""
    pretend("machine", Pin=Pin, PWM=PWM)
    pretend("neopixel", NeoPixel=NeoPixel)
    pretend("micropython", kbd_intr=lambda _: None)
    ticks = {
        "ticks_ms": lambda: time.monotonic_ns() // 1_000_000 & 0x3FFFFFFF,
        "ticks_diff": lambda later, earlier: (later - earlier + 0x20000000 & 0x3FFFFFFF) - 0x20000000,
        "ticks_add": lambda ticks, ms: ticks + ms & 0x3FFFFFFF,
    }
    vars(time).update(ticks)
    sys.stdin = io.TextIOWrapper(io.FileIO(0))  # a board reads byte by byte
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w"))
    sys.path.insert(0, str(MAIN.parent))
    runpy.run_path(str(MAIN))


if __name__ == "__main__":
    run()
