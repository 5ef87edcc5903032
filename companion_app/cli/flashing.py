"""How the firmware gets onto a board, with the paths where it lies on this computer."""

from __future__ import annotations

from importlib.resources import files

TEXT = """\
Arduino Uno or Nano (ATmega328P)
  The sketch lies in
    {sketch}
  1. Install the Arduino IDE from your system or from arduino.cc, and open it.
  2. File > Open, and choose pyramids_light.ino in that folder. No library is needed.
  3. Plug the board in. Tools > Board > Arduino AVR Boards > Arduino Uno, or Arduino Nano.
     A Nano that refuses: Tools > Processor > ATmega328P (Old Bootloader).
  4. Tools > Port: the one that appeared when you plugged it in.
  5. Sketch > Upload. Afterwards close the serial monitor: a port has one user at a time.

Raspberry Pi Pico, or an ESP32 (MicroPython)
  The two files lie in
    {micropython}
  1. Put MicroPython on the board as micropython.org/download says for it: a Pico is plugged in with its
     BOOTSEL button held, and the .uf2 file copied onto the drive that appears.
  2. Copy both files onto the board, for example with mpremote (pip install mpremote):
       mpremote cp "{protocol}" :light_protocol.py
       mpremote cp "{main}" :main.py
       mpremote reset
     In Thonny: open each, File > Save as > MicroPython device, under the same name.
     A board that has the program already does not listen to them: start it with South's button held down.

Then
  A very short flash every 3 seconds says that the board lives and hears nobody yet.
    pyramids lights test
  Parts, wiring and help: docs/hardware.md.
"""


def instructions() -> str:
    """All of it, for a person at a terminal."""
    firmware = files("firmware_bridge") / "firmware"
    python = firmware / "micropython"
    return TEXT.format(
        sketch=firmware / "pyramids_light",
        micropython=python,
        protocol=python / "light_protocol.py",
        main=python / "main.py",
    ).rstrip()
