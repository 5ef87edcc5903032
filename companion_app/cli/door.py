"""``--lan``: the page for phones and spectators in the same network, and the codes that let them in."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from companion_app.errors import AppError

if TYPE_CHECKING:
    from companion_app.web.lan import Door

lan_option = click.option(
    "--lan",
    is_flag=True,
    help="Let phones and computers in your network in, each with a key: "
    "shows a QR code for the referee and one for spectators.",
)
new_keys_option = click.option(
    "--new-keys", is_flag=True, help="With --lan: new keys; whoever came in with the old ones has to scan anew."
)


def door_of(host: str | None, port: int | None, new_keys: bool) -> Door:
    """The door whose codes name *host*, or else this computer's address in its network.

    ``AppError`` where there is no network, or where the keys cannot be kept.
    """
    from companion_app.store import data_folder
    from companion_app.web.keys import kept_keys
    from companion_app.web.lan import PORT, Door, own_addresses
    from companion_app.web.serving import EVERYWHERE

    named = [host] if host not in (None, EVERYWHERE) else own_addresses()
    if not named:
        raise AppError("no_network", "This computer is in no network: connect it to the one of the phones first.")
    return Door(kept_keys(data_folder(), new=new_keys), f"http://{named[0]}:{port or PORT}/")


def show_codes(door: Door) -> None:
    """Print the invitations; on a terminal with their QR codes, dark on light whatever its own colours are."""
    from companion_app.web import qr
    from companion_app.web.keys import Role

    words = {Role.REFEREE: "For the referee’s phone", Role.SPECTATOR: "For spectators, who can only look"}
    for role, text in words.items():
        click.echo(f"\n{text}: {door.invitation(role)}")
        if sys.stdout.isatty():
            for line in qr.as_blocks(qr.modules(door.invitation(role))).splitlines():
                click.secho(f"  {click.style(line, fg=16, bg=231)}")
    click.echo("\nWhoever has a code gets in again next time, until you start with --lan --new-keys.")
