"""``pyramids serve`` and ``pyramids demo``: the page."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable

import click

from companion_app.cli.options import status_line

host_option = click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at. By default only this computer gets in; "
    "with its address in your network, everybody there may open and change readings.",
)
port_option = click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="The port to listen at; any free one if left out.",
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
@lights_option
def serve(host: str, port: int | None, lights: str) -> None:
    """Serve the page until Ctrl-C: open a photo, see what was read, correct it, save and reopen it.

    \b
    Examples
      pyramids serve
      pyramids serve --port 8080
      pyramids serve --lights auto
    """
    _run(host, port, lights, lambda url: click.echo(f"The page is at {url}  (Ctrl-C ends it)"))


@click.command(short_help="Open the page with a photo of the virtual table.")
@host_option
@port_option
@click.option("--no-browser", is_flag=True, help="Only say where the page is.")
def demo(host: str, port: int | None, no_browser: bool) -> None:
    """Open the page with a photo of the virtual table, already read, and with virtual lights. Nothing else is needed.

    \b
    Examples
      pyramids demo
      pyramids demo --no-browser --port 8080
    """

    def ready(url: str) -> None:
        click.echo(f"The demo is at {url}demo  (Ctrl-C ends it)")
        click.echo(f"Its lights, in another terminal: pyramids lights simulate --page {url}")
        if not no_browser and not webbrowser.open(f"{url}demo"):
            click.echo("No browser could be opened here: open that address yourself.")

    _run(host, port, "virtual", ready)


def _run(host: str, port: int | None, lights: str, ready: Callable[[str], None]) -> None:
    with status_line("Starting"):
        from companion_app.web import create_app, run
        from companion_app.web.app import DEFAULTS

        app = create_app({"TRUSTED_HOSTS": [*DEFAULTS["TRUSTED_HOSTS"], host], "LIGHTS": lights})
    with app.extensions["token"]:
        run(app, host, port, ready)
