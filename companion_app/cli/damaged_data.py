"""At the start of the page: is what is kept still sound? Where it is not, what can be saved is offered."""

from __future__ import annotations

import sqlite3
import sys

import click

from companion_app.errors import AppError


def offer_rescue() -> None:
    """Look through the logs; on a terminal ask whether to go on with a copy of what can be read of a damaged one.

    Elsewhere it is only told. ``AppError`` where the folder cannot be used.
    """
    from companion_app.data_files import damages, using
    from companion_app.rescue import rescue_in_place
    from companion_app.store import data_folder

    folder = data_folder()
    for log, damage in damages(folder).items():
        file = folder / log.database
        click.echo(f"{file} is damaged ({damage}).", err=True)
        if not (sys.stdin.isatty() and click.confirm("Go on with a copy of what can be read of it?", default=True)):
            click.echo(
                "Lists of it may fail until a copy replaces it: start this on a terminal and say yes. "
                "Until then “pyramids backup OUT.zip” saves that much.",
                err=True,
            )
            continue
        try:
            with using(folder, alone=True):
                count, aside = rescue_in_place(file, log.what)
        except (OSError, sqlite3.Error) as error:
            raise AppError("not_written", f"No copy could be written to {folder} ({error}): make room.") from error
        click.echo(f"{count} events were saved; the damaged file is kept as {aside.name}.", err=True)
