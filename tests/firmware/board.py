"""A simulated board: the sketch, compiled as the Arduino IDE does it, on an ATmega328P in simavr."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SKETCH = HERE.parents[1] / "firmware_bridge" / "firmware" / "pyramids_light" / "pyramids_light.ino"
ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")
PATIENCE_S = 30  # for anything that comes at once on a machine with nothing else to do

FLAGS = ["-mmcu=atmega328p", "-DF_CPU=16000000L", "-DARDUINO=10819", "-DARDUINO_AVR_UNO", "-DARDUINO_ARCH_AVR"]
FLAGS += ["-DDECIMAL_DIG=__DECIMAL_DIG__", "-Os", "-ffunction-sections", "-fdata-sections", "-flto"]
FOLDERS = [f"-I{ARDUINO / folder}" for folder in ("cores/arduino", "variants/standard", "libraries/EEPROM/src")]
CPP = ["-std=gnu++11", "-fpermissive", "-fno-exceptions", "-fno-threadsafe-statics"]


def missing_tools() -> list[str]:
    """The Debian packages that a simulated board needs and that are not here."""
    found = {
        "gcc-avr": shutil.which("avr-g++"),
        "avr-libc": Path("/usr/lib/avr/include/avr/io.h").exists(),
        "arduino-core-avr": ARDUINO.exists(),
        "gcc": shutil.which("gcc"),
        "libsimavr-dev": Path("/usr/include/simavr/sim_avr.h").exists(),
        "libelf-dev": Path("/usr/include/libelf.h").exists(),
    }
    return [package for package, there in found.items() if not there]


@dataclass(frozen=True)
class Programs:
    """The compiled sketch, and the simulator that runs it."""

    firmware: Path
    host: Path


def compile_programs(folder: Path) -> Programs:
    """Compiles the sketch and the simulator; takes two seconds."""

    def call(*words: str | Path) -> None:
        done = subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    core = ARDUINO / "cores/arduino"
    call("avr-gcc", *FLAGS, *FOLDERS, "-w", "-c", *sorted(core.glob("*.c")))
    call("avr-g++", *FLAGS, *FOLDERS, *CPP, "-w", "-c", *sorted(core.glob("*.cpp")))
    warnings = ("-Wall", "-Wextra", "-Werror")
    call("avr-g++", *FLAGS, *FOLDERS, *CPP, *warnings, "-include", "Arduino.h", "-x", "c++", "-c", SKETCH)
    call("avr-gcc", *FLAGS, "-Wl,--gc-sections", *sorted(folder.glob("*.o")), "-lm", "-o", "sketch.elf")
    call("gcc", "-O2", "-Wall", "-Wextra", HERE / "simavr_host.c", "-o", "simavr_host", "-lsimavr", "-lelf")
    return Programs(folder / "sketch.elf", folder / "simavr_host")


class Board:
    """A running board. Its times are simulated microseconds since it got power; each change also has the real second
    (`time.monotonic`) in which it was noticed."""

    def __init__(self, programs: Programs, folder: Path, speed: int = 1) -> None:
        """Gives a board power. Its memory and a link to its port are in the folder; `speed` is 1 for a real one's."""
        self.port = str(folder / "port")
        self.said: list[tuple[int, str]] = []  # the lines that the board sent, with their checksums
        self.faults: list[str] = []
        self.noticed: list[tuple[float, str]] = []  # every line of the simulator, by real time
        self._lights: dict[str, tuple[list[int], list[tuple[str, ...]]]] = {
            "led 0": ([-1], [("0",)]),
            "led 1": ([-1], [("0",)]),
            "pixels": ([-1], [("000000", "000000")]),
        }
        self._asked = self._done = 0  # commands
        self._news = threading.Condition()
        self._process = subprocess.Popen(
            [programs.host, programs.firmware, self.port, folder / "eeprom", str(speed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.until(lambda: bool(self.said), "the board starts")
        self.run_ms(30)  # now it knows that its buttons are up

    def leds(self, at_us: int | None = None) -> tuple[int, int]:
        """The levels of the plain lights, 0 to 255: now, or as they were."""
        return int(self._light("led 0", at_us)[0]), int(self._light("led 1", at_us)[0])

    def colors(self, at_us: int | None = None) -> tuple[str, str]:
        """The colours of the strip as RRGGBB, in capitals: now, or as they were."""
        south, north = self._light("pixels", at_us)
        return south, north

    def press(self, button: int, hold_ms: int = 60) -> None:
        """Presses a button and lets it go again."""
        self._command(f"press {button}", f"wait {hold_ms}", f"release {button}")

    def hold(self, button: int) -> None:
        """Presses a button."""
        self._command(f"press {button}")

    def release(self, button: int) -> None:
        """Lets a button go."""
        self._command(f"release {button}")

    def unplug(self) -> None:
        """Pulls the serial line; the board keeps its power."""
        self._command("unplug")

    def plug(self) -> None:
        """Gives the serial line back."""
        self._command("plug")

    def restart(self) -> None:
        """Presses the reset button."""
        self._command("restart")

    def lose(self, per_mille: int) -> None:
        """From now on so many of a thousand bytes get lost, either way."""
        self._command(f"lose {per_mille}")

    def run_ms(self, ms: int) -> None:
        """Lets so much simulated time pass."""
        self._command(f"wait {ms}")

    def until(self, happened: Callable[[], bool], what: str) -> None:
        """Waits for something that this board must do."""
        with self._news:
            assert self._news.wait_for(happened, PATIENCE_S), f"waited in vain until {what}: {self.noticed[-20:]}"

    def close(self) -> None:
        """Takes the power away; what is in its memory lasts."""
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()
        self._process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        if self._process.stdout:
            self._process.stdout.close()

    def _light(self, name: str, at_us: int | None) -> tuple[str, ...]:
        with self._news:
            times, values = self._lights[name]
            return values[-1] if at_us is None else values[bisect_right(times, at_us) - 1]

    def bounce(self, button: int) -> None:
        """Touches a button for 8 ms, five times with 3 ms in between."""
        self._command(*[f"press {button}", "wait 8", f"release {button}", "wait 3"] * 5)

    def _command(self, *commands: str) -> None:
        assert self._process.stdin
        self._asked += len(commands)
        self._process.stdin.write("".join(command + "\n" for command in commands))
        self._process.stdin.flush()
        self.until(lambda: self._done == self._asked, f"{commands} are obeyed")

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            with self._news:
                self._note(line.rstrip("\n"))
                self._news.notify_all()

    def _note(self, line: str) -> None:
        stamp, _, news = line.partition(" ")
        if not stamp.isdigit():  # simavr has a few words of its own
            return
        at_us = int(stamp)
        word, _, rest = news.partition(" ")
        self.noticed.append((time.monotonic(), line))
        if word == "says":
            self.said.append((at_us, rest))
        elif word == "fault":
            self.faults.append(line)
        elif word == "done":
            self._done += 1
        elif word in ("led", "pixels"):
            name = word if word == "pixels" else news[:5]
            times, values = self._lights[name]
            times.append(at_us)
            values.append(tuple(news[len(name) + 1 :].split(" ")))


MakeBoard = Callable[..., Board]
