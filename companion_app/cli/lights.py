"""``pyramids lights``: which boards there are, whether they work, and how to make one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from companion_app.cli.flashing import instructions
from companion_app.cli.simulate import simulate_alone, simulate_page, tour
from companion_app.errors import AppError
from companion_app.lights import in_words
from companion_app.turn_token import TurnToken
from firmware_bridge.finding import serial_ports
from firmware_bridge.states import DeviceState, LightState, Pattern

LOOK_S = 0.05
READY_WITHIN_S = 15.0
NO_PORT = "There is no serial port on USB: plug the board in, with a cable that carries data."


@click.group(short_help="Lights and buttons beside the table.")
def lights() -> None:
    """Two lights and two buttons beside the table: whose turn it is, and "my turn is done".

    \b
    Examples
      pyramids lights simulate                  see the lights without having any
      pyramids lights flash-help                make your own for some 5 euros
      pyramids lights test                      find the board and try everything
      pyramids serve --lights auto              use it
    """


where_argument = click.argument("where", default="auto", metavar="[LIGHTS]")


@lights.command(name="list", short_help="Tell which serial ports there are.")
def list_ports() -> None:
    """Tell which serial ports there are on USB, the likely ones first. Nothing is opened or written.

    \b
    Examples
      pyramids lights list
    """
    ports = serial_ports()
    for port in ports:
        click.echo(f"{port.name}  {port.words}{'' if port.likely else ' (not likely)'}")
    if not ports:
        click.echo(NO_PORT)


@lights.command(short_help="Show everything that the lights can show.")
@where_argument
@click.option(
    "--seconds", type=click.FloatRange(0, 60), default=3.0, show_default=True, help="How long each is shown."
)
def test(where: str, seconds: float) -> None:
    """Show everything that the lights can show, one after the other, and tell which buttons were pressed.

    LIGHTS is a port such as /dev/ttyUSB0 or COM3, wled://HOST, adalight:PORT, firmata:PORT, virtual, or auto.

    \b
    Examples
      pyramids lights test
      pyramids lights test /dev/ttyUSB0 --seconds 1
      pyramids lights test wled://192.168.1.40
    """
    searches = where == "auto"
    if searches and not serial_ports():
        raise AppError("no_port", NO_PORT)
    with TurnToken(where) as token:
        click.echo(_ready(token, {DeviceState.CONNECTING} | ({DeviceState.SEARCHING} if searches else set())))
        pressed = 0
        for light in tour():
            token.show(light)
            click.echo(f"  {light.state.value:10} {in_words(light)}")
            time.sleep(seconds)
            view = token.view()
            if view.presses > pressed and view.last:
                click.echo(f"  {'':10} the button of {view.last.word} was pressed")
            pressed = view.presses


@lights.command(short_help="Tell what happens: the board, its buttons.")
@where_argument
@click.option("--seconds", type=click.FloatRange(0), help="End after so long; else Ctrl-C ends it.")
def monitor(where: str, seconds: float | None) -> None:
    """Tell what happens, a line each: how the board is, and the buttons. A button passes the turn.

    \b
    Examples
      pyramids lights monitor
      pyramids lights monitor /dev/ttyUSB0
    """
    with TurnToken(where) as token, _until_interrupted():
        token.show(LightState(Pattern.TURN, 0))
        end = None if seconds is None else time.monotonic() + seconds
        known: tuple[str, ...] = ()
        presses = 0
        while True:
            view = token.view()
            if known != (told := (view.device.value, view.sentence)):
                _log(*told)
                known = told
            if view.presses > presses and view.last:
                _log("button", f"{view.last.word}: my turn is done. {view.words}.")
                presses = view.presses
            if end is not None and time.monotonic() >= end:
                return
            time.sleep(LOOK_S)


@lights.command(short_help="Draw the two lights in this terminal.")
@click.option(
    "--page", metavar="ADDRESS", help="Show the lights of the page that is served there, such as the demo's."
)
def simulate(page: str | None) -> None:
    """Draw the two lights in this terminal, with their rhythm; the keys 1 and 2 are the buttons.

    Where the output goes to a file, each pattern is written as a line over time instead.

    \b
    Examples
      pyramids lights simulate
      pyramids lights simulate --page http://127.0.0.1:8080
    """
    with _until_interrupted():
        simulate_page(page) if page else simulate_alone()


@lights.command(name="flash-help", short_help="Tell how to put the firmware on a board.")
def flash_help() -> None:
    """Tell what to click in the Arduino IDE, and what to copy to a Raspberry Pi Pico or an ESP32.

    \b
    Examples
      pyramids lights flash-help
    """
    click.echo(instructions())


def _ready(token: TurnToken, worth_waiting: set[DeviceState]) -> str:
    """That the board is there, once it is; raises AppError with the reason where that is not *worth_waiting* for."""
    end = time.monotonic() + READY_WITHIN_S
    while (view := token.view()).device is not DeviceState.READY:
        if time.monotonic() >= end or view.device not in worth_waiting:
            raise AppError(f"lights_{view.device.value}", view.sentence)
        time.sleep(LOOK_S)
    return view.sentence


def _log(word: str, sentence: str) -> None:
    click.echo(f"{time.strftime('%H:%M:%S')}  {word:14}{sentence}")


@contextmanager
def _until_interrupted() -> Iterator[None]:
    """Ctrl-C is how this ends, no accident."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo()
