"""``pyramids score``: who has won a game of Settlers, from one photo."""

from __future__ import annotations

from pathlib import Path

import click

from companion_app.cli.options import (
    Corners,
    corners_option,
    redless_option,
    refuse_over_photo,
    south_option,
    status_line,
    threads_option,
    writable,
)


@click.command(short_help="Settlers: the board, both totals, who has won and why.")
@click.argument("photo", type=click.Path(path_type=Path))
@south_option
@click.option(
    "--began",
    type=click.Choice(("south", "north")),
    help="Who made the first move of the game: it decides a tie.",
)
@redless_option
@corners_option
@click.option(
    "--annotate",
    "drawn",
    type=click.Path(path_type=Path),
    metavar="OUT.png",
    help="Draw what was read, and both totals, on a copy of the photo (PNG or JPEG).",
)
@threads_option
def score(
    photo: Path,
    south: str,
    began: str | None,
    redless: bool,
    corners: Corners | None,
    drawn: Path | None,
) -> None:
    """Score a game of Settlers from a photo of its board.

    \b
    Examples
      pyramids score board.jpg
      pyramids score board.jpg --south left --began north
      pyramids score board.jpg --annotate scored.png

    The pips of a player's pieces on the board are the player's points.
    On a tie the player who did not begin wins.
    """
    from companion_app.cli.scoreboard import scoreboard
    from companion_app.photos import open_photo
    from companion_app.reading import read_photo

    output = writable(drawn, ".png", ".jpg", ".jpeg") if drawn else None
    if output:
        refuse_over_photo(output, photo)
    with status_line(f"Reading {photo.name}"):
        image = open_photo(photo)
        reading = read_photo(image, "settlers", south, redless=redless, corners=corners)
        if output:
            from companion_app.annotate import annotate
            from companion_app.cli.pictures import write_picture

            write_picture(output, annotate(image, reading))
    click.echo(scoreboard(reading, began))
