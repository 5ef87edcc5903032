"""The turn token of the table on a Raspberry Pi Pico or an ESP32: copy this file and light_protocol.py to the board.

Whatever is not connected is not missed. A board that shall be programmed again is started with South's button held
down: then nothing here runs.
"""

import os
import select
import sys
import time

import machine
import micropython
import neopixel
from light_protocol import Button, Token

if sys.platform == "rp2":
    LIGHT_PINS = (14, 15)  # plain lights, South and North, each with a resistor to ground
    STRIP_PIN = 16  # two WS2812, South first
    BUTTON_PINS = (2, 3)  # to ground
else:
    LIGHT_PINS = (25, 26)
    STRIP_PIN = 27
    BUTTON_PINS = (32, 33)

REFRESH_MS = 1000  # the strip is written again, for one that was plugged in late


def main() -> None:
    """Runs the token until there is no more power."""
    pins = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in BUTTON_PINS]
    if not pins[0].value():
        return
    micropython.kbd_intr(-1)  # noise on the line must not stop this program
    lights = [machine.PWM(machine.Pin(pin), freq=1000, duty_u16=0) for pin in LIGHT_PINS]
    strip = neopixel.NeoPixel(machine.Pin(STRIP_PIN, machine.Pin.OUT), 2)
    buttons = [Button(), Button()]
    incoming = select.poll()
    incoming.register(sys.stdin, select.POLLIN)

    now = 0
    ticks = time.ticks_ms()
    token = Token(int.from_bytes(os.urandom(2), "little"), "pyramids-light-" + sys.platform, now)
    shown, written_at = None, now
    while True:
        incoming.poll(1)
        passed = time.ticks_diff(time.ticks_ms(), ticks)
        ticks = time.ticks_add(ticks, passed)
        now += passed
        for _ in range(64):
            if not incoming.poll(0):
                break
            token.receive(sys.stdin.buffer.read(1), now)
        for seat in (0, 1):
            if buttons[seat].pressed(not pins[seat].value(), now):
                token.press(seat, now)
        token.tick(now)
        if token.outgoing:
            sys.stdout.buffer.write(token.outgoing)
            token.outgoing = bytearray()
        colors = [token.color(light, now) for light in (0, 1)]
        if colors != shown or now - written_at >= REFRESH_MS:
            shown, written_at = colors, now
            for light in (0, 1):
                lights[light].duty_u16(token.brightness(light, now) * 257)
                strip[light] = colors[light]
            strip.write()


main()
