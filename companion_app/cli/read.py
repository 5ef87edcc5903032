"""``pyramids read``: what is on the table, from photos."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion_app.cli.options import (
    GAMES,
    Corners,
    corners_option,
    redless_option,
    south_option,
    status_line,
    writable,
)
from companion_app.errors import AppError

if TYPE_CHECKING:
    from companion_app.photos import Photo
    from companion_app.reading import Reading


@click.command(short_help="Read pieces, position, bank and inventory from photos.")
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--game", type=click.Choice(GAMES), required=True, help="Which game is on the table.")
@south_option
@redless_option
@corners_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a photo, each on a line.")
@click.option(
    "--annotate",
    "drawn",
    type=click.Path(path_type=Path),
    metavar="OUT.png",
    help="Draw the reading on a copy of the photo (PNG or JPEG). With several photos, give a folder.",
)
@click.option("--stages", is_flag=True, help="Print how long each stage took, on the error stream.")
def read(
    photos: tuple[Path, ...],
    game: str,
    south: str,
    redless: bool,
    corners: Corners | None,
    as_json: bool,
    drawn: Path | None,
    stages: bool,
) -> None:
    """Read pieces, position, bank and inventory from photos.

    \b
    Examples
      pyramids read table.jpg --game homeworlds
      pyramids read board.jpg --game settlers --south right --annotate seen.png
      pyramids read *.jpg --game homeworlds --json > readings.jsonl
      pyramids read *.jpg --game settlers --annotate drawn/     drawn/NAME.png for each

    A photo that shows no readable table is still an answer (verdict "unreadable", exit status 0);
    a file that is no photo is an error (exit status 2).
    """
    from companion_app.cli.summary import summary, timing
    from companion_app.photos import open_photo
    from companion_app.reading import reading_of, see_photo

    if redless and game != "settlers":
        raise AppError("redless_homeworlds", "Only Settlers is played without reds: leave out --redless.")
    if corners and game != "settlers":
        raise AppError("corners_homeworlds", "Only Settlers has a board: leave out --corners.")
    outputs = _outputs(photos, drawn)
    for number, (path, output) in enumerate(zip(photos, outputs, strict=True), 1):
        with status_line(f"Reading {path.name} ({number} of {len(photos)})"):
            image = open_photo(path)
            sight = see_photo(image, game, south, redless=redless, corners=corners)
            reading = reading_of(sight, game, redless=redless)
            if output:
                _draw(output, image, reading)
        if as_json:
            click.echo(json.dumps(reading.to_json(), separators=(", ", ": ")))
        else:
            click.echo(summary(reading, title=path.name if len(photos) > 1 else None))
        if stages:
            click.echo(timing(path.name, sight.seconds), err=True)


def _outputs(photos: tuple[Path, ...], drawn: Path | None) -> list[Path | None]:
    """Where each photo's drawing goes: one photo to a file, or any number into a folder under their own names."""
    if drawn is None:
        return [None] * len(photos)
    if drawn.is_dir():
        names = [f"{path.stem}.png" for path in photos]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise AppError("names_clash", f"Two photos would both be drawn as {twice}: give them one by one.")
        return [drawn / name for name in names]
    if len(photos) > 1:
        raise AppError(
            "folder_wanted",
            f"With several photos --annotate needs a folder that exists, and {drawn} is none: make it first.",
        )
    return [writable(drawn, ".png", ".jpg", ".jpeg")]


def _draw(output: Path, image: Photo, reading: Reading) -> None:
    from companion_app.annotate import annotate
    from companion_app.cli.pictures import write_picture

    write_picture(output, annotate(image, reading))
