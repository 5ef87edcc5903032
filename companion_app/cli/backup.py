"""``pyramids backup`` and ``pyramids restore-backup``: all that is kept, in one file and back."""

from __future__ import annotations

from pathlib import Path

import click

from companion_app.cli.options import status_line, writable


@click.command(short_help="Write all that is kept to a zip file; the page may be running.")
@click.argument("target", metavar="OUT.zip", type=click.Path(path_type=Path))
def backup(target: Path) -> None:
    """Write all games, readings and restorations with their photos to a new zip file, as they are at this moment.

    The page may be running meanwhile. Keys for the network are not in it. Of a damaged file it
    saves what can be read.

    \b
    Examples
      pyramids backup games-2026.zip
    """
    from companion_app.backup import back_up
    from companion_app.store import data_folder

    with status_line("Writing"):
        kept = back_up(data_folder(), writable(target, ".zip"))
    click.echo(f"Written to {target}: {kept.words}.")
    for name in kept.damaged:
        click.echo(f"{name} is damaged: what can be read of it is in the backup, the rest is not.", err=True)


@click.command(short_help="Put such a backup back; what is kept already is moved aside.")
@click.argument("source", metavar="IN.zip", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Put it in the place of what is kept already, which is moved aside.")
def restore_backup(source: Path, replace: bool) -> None:
    """Put a backup back: all of it, or nothing where it is damaged. End the page first.

    Where something is kept already, that is refused; with --replace it is moved to a folder replaced-1 beside it.

    \b
    Examples
      pyramids restore-backup games-2026.zip
      PYRAMIDS_DATA=elsewhere pyramids restore-backup games-2026.zip
      pyramids restore-backup games-2026.zip --replace
    """
    from companion_app.backup_restoring import restore_backup as put_back
    from companion_app.store import data_folder

    folder = data_folder()
    with status_line("Reading"):
        kept = put_back(source, folder, replace=replace)
    click.echo(f"Put into {folder}: {kept.words}.")
