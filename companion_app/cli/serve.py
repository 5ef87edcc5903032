"""``pyramids serve`` and ``pyramids demo``: the page."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable

import click

from companion_app.cli.door import door_of, lan_option, new_keys_option, show_codes
from companion_app.cli.options import status_line
from companion_app.errors import AppError

HERE = "127.0.0.1"

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


@click.command(short_help="Serve the page: open photos, correct, save, reopen.")
@host_option
@port_option
@lan_option
@new_keys_option
@lights_option
def serve(host: str | None, port: int | None, lan: bool, new_keys: bool, lights: str) -> None:
    """Serve the page until Ctrl-C: open a photo, see what was read, correct it, save and reopen it.

    Only this computer gets in, unless you say --lan.

    \b
    Examples
      pyramids serve
      pyramids serve --port 8080
      pyramids serve --lan                  and scan a code with your phone
      pyramids serve --lights auto
    """
    _run(host, port, lan, new_keys, lights, lambda url: click.echo(f"The page is at {url}  (Ctrl-C ends it)"))


@click.command(short_help="Open the page with a photo of the virtual table.")
@host_option
@port_option
@lan_option
@new_keys_option
@click.option("--no-browser", is_flag=True, help="Only say where the page is.")
def demo(host: str | None, port: int | None, lan: bool, new_keys: bool, no_browser: bool) -> None:
    """Open the page with a photo of the virtual table, already read, and with virtual lights. Nothing else is needed.

    \b
    Examples
      pyramids demo
      pyramids demo --no-browser --port 8080
      pyramids demo --lan
    """

    def ready(url: str) -> None:
        click.echo(f"The demo is at {url}demo  (Ctrl-C ends it)")
        click.echo(f"Its lights, in another terminal: pyramids lights simulate --page {url}")
        if not no_browser and not webbrowser.open(f"{url}demo"):
            click.echo("No browser could be opened here: open that address yourself.")

    _run(host, port, lan, new_keys, "virtual", ready)


def _run(
    host: str | None, port: int | None, lan: bool, new_keys: bool, lights: str, ready: Callable[[str], None]
) -> None:
    """Serve the page; *ready* is called with its address for this computer."""
    if new_keys and not lan:
        raise click.UsageError("--new-keys goes with --lan.")
    with status_line("Starting"):
        from companion_app.web import create_app, run
        from companion_app.web.app import DEFAULTS
        from companion_app.web.lan import PORT, is_loopback, own_names
        from companion_app.web.serving import EVERYWHERE

        if not lan and not is_loopback(host or HERE):
            raise AppError("lan_wanted", f"At {host} your network gets in: say --lan too, which asks for keys.")
        door = door_of(host, port, new_keys) if lan else None
        names = [*DEFAULTS["TRUSTED_HOSTS"], *([host] if host else []), *(own_names() if lan else [])]
        app = create_app({"TRUSTED_HOSTS": names, "LIGHTS": lights, "DOOR": door})

    def told(url: str) -> None:
        ready(url)
        if door:
            show_codes(door)

    with app.extensions["token"]:
        run(app, EVERYWHERE if door else host or HERE, port or (PORT if door else None), told)
