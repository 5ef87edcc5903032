"""The two lights as text: now, in colour, or their rhythm over time."""

from __future__ import annotations

import click

from companion_app.lights import SEATS, in_words
from firmware_bridge.patterns import RGB, lights_at
from firmware_bridge.states import LightState

SHADES = " ░▒▓█"
"""From dark to bright, for eyes and terminals without colour."""

STEP_S = 0.05
STEPS = 48


def lamps(light: LightState, at_s: float) -> str:
    """Both lights as they are *at_s* seconds after the pattern began, and what they say, on one line."""
    south, north = (_lamp(color) for color in lights_at(light, at_s))
    return f"  South [{south}]   [{north}] North   {in_words(light)}"


def timeline(light: LightState) -> str:
    """The rhythm of both lights over the first seconds, a line each."""
    rows = zip(*(lights_at(light, step * STEP_S + 0.01) for step in range(STEPS)), strict=True)
    return "\n".join(
        f"  {seat.word:6}{''.join(shade(color) for color in row)}".rstrip()
        for seat, row in zip(SEATS, rows, strict=True)
    )


def shade(color: RGB) -> str:
    """One character as bright as *color*."""
    most = max(color)
    return SHADES[max(round(most * (len(SHADES) - 1) / 255), most > 0)]


def _lamp(color: RGB) -> str:
    most = max(color)
    full: RGB = (color[0] * 255 // most, color[1] * 255 // most, color[2] * 255 // most) if most else (0, 0, 0)
    return click.style(shade(color) * 4, fg=full)
