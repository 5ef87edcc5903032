"""``pyramids read``: what is on the table, from photos."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion_app.bounded_files import is_folder
from companion_app.cli.many_photos import Answer, read_arrivals, read_each
from companion_app.cli.options import (
    GAMES,
    Corners,
    corners_option,
    redless_option,
    refuse_over_photo,
    south_option,
    status_line,
    threads_option,
    writable,
)
from companion_app.errors import AppError
from companion_app.photo_folder import photos_in

if TYPE_CHECKING:
    from companion_app.photos import Photo
    from companion_app.reading import Reading


@click.command(short_help="Read pieces, position, bank and inventory from photos.")
@click.argument("photos", metavar="PHOTO...|FOLDER", nargs=-1, required=True, type=click.Path(path_type=Path))
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
@click.option("--watch", is_flag=True, help="Go on reading what arrives in the FOLDER, until Ctrl-C.")
@threads_option
@click.pass_context
def read(
    ctx: click.Context,
    photos: tuple[Path, ...],
    game: str,
    south: str,
    redless: bool,
    corners: Corners | None,
    as_json: bool,
    drawn: Path | None,
    stages: bool,
    watch: bool,
) -> None:
    """Read pieces, position, bank and inventory from photos, or from all photos in a folder.

    \b
    Examples
      pyramids read table.jpg --game homeworlds
      pyramids read board.jpg --game settlers --south right --annotate seen.png
      pyramids read evening/ --game homeworlds --json > readings.jsonl
      pyramids read evening/ --game homeworlds --watch          each new photo once it is whole
      pyramids read *.jpg --game settlers --annotate drawn/     drawn/NAME.png for each

    A photo that shows no readable table is still an answer (verdict "unreadable", exit status 0);
    a file that is no photo is an error (exit status 2). Of many photos the others are read all the same, and with
    --json each object begins with the photo's name:
      {"photo": "9.jpg", "game": …}  or  {"photo": "9.jpg", "error": {"code": …, "message": …}}
    Folders in the folder, hidden files and files that are still being downloaded are passed over.
    """
    if redless and game != "settlers":
        raise AppError("redless_homeworlds", "Only Settlers is played without reds: leave out --redless.")
    if corners and game != "settlers":
        raise AppError("corners_homeworlds", "Only Settlers has a board: leave out --corners.")
    folder = _folder_among(photos)
    if watch and folder is None:
        raise AppError("watch_wants_folder", f"{photos[0]} is no folder: --watch reads what arrives in one.")
    if folder and drawn and is_folder(drawn) and drawn.samefile(folder):
        raise AppError("drawn_among_photos", f"{drawn} holds the photos: give --annotate another folder.")
    many = folder is not None or len(photos) > 1
    reader = _Reader(game, south, redless, corners, as_json, stages, many, _Drawings(drawn, many))
    if folder and watch:
        read_arrivals(folder, reader.answer, as_json=as_json)
    elif many:
        given = photos_in(folder) if folder else list(photos)
        if not given:
            raise AppError("folder_empty", f"There is no photo in {folder}: put some there, or add --watch and wait.")
        reader.drawings.refuse_twins(given)
        tally: Counter[str] = Counter()
        read_each(given, reader.answer, tally, as_json=as_json)
        ctx.exit(2 if tally["refused"] else 0)
    else:
        with status_line(f"Reading {photos[0].name}"):
            answer = reader.answer(photos[0])
        answer.tell()


def _folder_among(paths: Sequence[Path]) -> Path | None:
    """The folder that was given, or ``None`` where photos were; raises AppError where it is not given alone."""
    folder = next((path for path in paths if is_folder(path)), None)
    if folder and len(paths) > 1:
        raise AppError("folder_not_alone", f"{folder} is a folder: give it alone, or give photos one by one.")
    return folder


class _Drawings:
    """Where drawings go: to the file *drawn*, or into the folder *drawn* under the name of the photo."""

    def __init__(self, drawn: Path | None, many: bool) -> None:
        self._drawn = drawn
        self._photos: dict[str, Path] = {}
        if drawn and not is_folder(drawn):
            if many:
                raise AppError(
                    "folder_wanted",
                    f"With several photos --annotate needs a folder that exists, and {drawn} is none: make it first.",
                )
            writable(drawn, ".png", ".jpg", ".jpeg")

    def place(self, photo: Path) -> Path | None:
        """The file for the drawing of *photo*; raises AppError where another photo is drawn there."""
        if self._drawn is None or not is_folder(self._drawn):
            return self._drawn
        name = f"{photo.stem}.png"
        if self._photos.setdefault(name, photo) != photo:
            raise _clash(name)
        return self._drawn / name

    def refuse_twins(self, photos: Sequence[Path]) -> None:
        """Raise AppError where two of *photos* would be drawn in one place."""
        names = Counter(f"{photo.stem}.png" for photo in photos)
        twice = next((name for name, count in names.items() if count > 1), None)
        if twice and self._drawn:
            raise _clash(twice)


def _clash(name: str) -> AppError:
    return AppError("names_clash", f"Two photos would both be drawn as {name}: give them one by one.")


@dataclass(frozen=True)
class _Reader:
    """Reads photos as the options say; *named* when each answer begins with its photo's name."""

    game: str
    south: str
    redless: bool
    corners: Corners | None
    as_json: bool
    stages: bool
    named: bool
    drawings: _Drawings = field(repr=False)

    def answer(self, path: Path) -> Answer:
        """Read one photo, and draw the reading where that is wanted; raises AppError."""
        from companion_app.cli.summary import timing
        from companion_app.lens import lens_of
        from companion_app.photos import decode_photo, photo_bytes
        from companion_app.reading import reading_of, see_photo

        output = self.drawings.place(path)
        if output:
            refuse_over_photo(output, path)
        data = photo_bytes(path)
        image, lens = decode_photo(data, name=path.name), lens_of(data)
        sight = see_photo(image, self.game, self.south, redless=self.redless, corners=self.corners, lens=lens)
        reading = reading_of(sight, self.game, redless=self.redless)
        if output:
            _draw(output, image, reading)
        return Answer(self._printed(path, reading), timing(path.name, sight.seconds) if self.stages else "")

    def _printed(self, path: Path, reading: Reading) -> str:
        from companion_app.cli.summary import summary

        if not self.as_json:
            return summary(reading, title=click.format_filename(path.name) if self.named else None)
        return json.dumps(({"photo": path.name} if self.named else {}) | reading.to_json())


def _draw(output: Path, image: Photo, reading: Reading) -> None:
    from companion_app.annotate import annotate
    from companion_app.cli.pictures import write_picture

    write_picture(output, annotate(image, reading))
