"""``pyramids serve`` and ``pyramids demo``: the page."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from companion_app.cli.camera import VIRTUAL, camera_option, camera_south_option, mounted_at
from companion_app.cli.damaged_data import offer_rescue
from companion_app.cli.door import door_of, lan_option, new_keys_option, show_codes
from companion_app.cli.options import GAMES, status_line, threads_option
from companion_app.errors import AppError

if TYPE_CHECKING:
    from companion_app.web.overhead import Mounted

HERE = "127.0.0.1"
DEMO = "settlers"

host_option = click.option(
    "--host",
    help=f"The address to listen at, {HERE} if left out; with --lan, this computer's address as the codes name it.",
)
port_option = click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="The port to listen at; if left out any free one, or 8080 with --lan.",
)
lights_option = click.option(
    "--lights",
    default="none",
    show_default=True,
    metavar="LIGHTS",
    help="The lights beside the table: auto, none, virtual (on the page), a port such as /dev/ttyUSB0, "
    "wled://HOST, adalight:PORT or firmata:PORT.",
)


@dataclass(frozen=True)
class Wanted:
    """Where the page is wanted, and for whom."""

    host: str | None
    port: int | None
    lan: bool
    new_keys: bool


@click.command(short_help="Serve the page: open photos, play, correct, save, reopen.")
@host_option
@port_option
@lan_option
@new_keys_option
@lights_option
@camera_option
@camera_south_option
@threads_option
def serve(
    host: str | None, port: int | None, lan: bool, new_keys: bool, lights: str, camera: str | None, south: str
) -> None:
    """Serve the page until Ctrl-C: open a photo, see what was read, correct it, save and reopen it; play games.

    Only this computer gets in, unless you say --lan. The camera looks at each game from its beginning on, and goes on
    with the newest one when the program is started again.

    \b
    Examples
      pyramids serve
      pyramids serve --port 8080
      pyramids serve --lan                  and scan a code with your phone
      pyramids serve --lights auto
      pyramids serve --camera 0             the first camera that is plugged in
      pyramids serve --camera http://192.168.1.20:8080/video
      pyramids serve --camera ~/Pictures/table
      pyramids serve --camera virtual       a table that plays by itself
    """

    def ready(url: str) -> None:
        click.echo(f"The page is at {url}  (Ctrl-C ends it)")

    virtual = camera is not None and camera.lower() == VIRTUAL
    _run(
        Wanted(host, port, lan, new_keys),
        lights,
        ready,
        camera=None if camera is None or virtual else mounted_at(camera, south),
        demo=DEMO if virtual else None,
    )


@click.command(short_help="Watch a virtual table play a whole game; nothing else is needed.")
@host_option
@port_option
@lan_option
@new_keys_option
@click.option("--game", type=click.Choice(GAMES), default=DEMO, show_default=True, help="The game to watch.")
@click.option("--no-browser", is_flag=True, help="Only say where the page is.")
@threads_option
def demo(host: str | None, port: int | None, lan: bool, new_keys: bool, game: str, no_browser: bool) -> None:
    """Watch a virtual table play a whole game: its camera is read as yours would be, and its lights are on the page.

    No camera, no pieces and no lights are needed. The game can be paused there, and be slower and faster.

    \b
    Examples
      pyramids demo
      pyramids demo --game homeworlds
      pyramids demo --no-browser --port 8080
      pyramids demo --lan
    """

    def ready(url: str) -> None:
        click.echo(f"The demo is at {url}demo  (Ctrl-C ends it)")
        click.echo(f"Its lights, in another terminal: pyramids lights simulate --page {url}")
        if not no_browser and not webbrowser.open(f"{url}demo"):
            click.echo("No browser could be opened here: open that address yourself.")

    _run(Wanted(host, port, lan, new_keys), "virtual", ready, demo=game)


def _run(
    wanted: Wanted,
    lights: str,
    ready: Callable[[str], None],
    *,
    camera: Mounted | None = None,
    demo: str | None = None,
) -> None:
    """Serve the page; *ready* is called with its address for this computer.

    The *camera* looks at games; or the virtual table plays the game *demo*.
    """
    if wanted.new_keys and not wanted.lan:
        raise click.UsageError("--new-keys goes with --lan.")
    host, port = wanted.host, wanted.port
    offer_rescue()
    with status_line("Starting"):
        from companion_app.data_files import using
        from companion_app.reading_types import Game
        from companion_app.store import data_folder
        from companion_app.web import create_app, run
        from companion_app.web.app import DEFAULTS
        from companion_app.web.demo import begin_demo
        from companion_app.web.lan import PORT, is_loopback, own_names
        from companion_app.web.live import games
        from companion_app.web.overhead import look_at_newest
        from companion_app.web.serving import EVERYWHERE

        if not wanted.lan and not is_loopback(host or HERE):
            raise AppError("lan_wanted", f"At {host} your network gets in: say --lan too, which asks for keys.")
        door = door_of(host, port, wanted.new_keys) if wanted.lan else None
        names = [*DEFAULTS["TRUSTED_HOSTS"], *([host] if host else []), *(own_names() if wanted.lan else [])]
        app = create_app({"TRUSTED_HOSTS": names, "LIGHTS": lights, "DOOR": door, "CAMERA": camera})

    def told(url: str) -> None:
        ready(url)
        if door:
            show_codes(door)
        with app.app_context():
            if demo:
                begin_demo(Game(demo))
            elif camera:
                look_at_newest()

    with using(data_folder()), _left_at_once(), app.extensions["token"], app.app_context():
        try:
            run(app, EVERYWHERE if door else host or HERE, port or (PORT if door else None), told)
        finally:
            games().watch(None)


@contextmanager
def _left_at_once() -> Iterator[None]:
    """At the end, whoever still works is left alone: a driver that hangs, a reading that takes long.

    Python would end those threads as soon as they come back from OpenCV or the eyes, which aborts the whole program;
    so it would for whoever interrupts the end itself.
    """
    before = set(threading.enumerate())
    status = 0
    try:
        yield
    except KeyboardInterrupt:
        status = 130
        if not set(threading.enumerate()) - before:
            raise
    if set(threading.enumerate()) - before:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
