"""Options and small habits that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion_app.bounded_files import is_folder, refuse_unwritable, write_whole
from companion_app.errors import AppError

SIDES = ("bottom", "right", "top", "left")
GAMES = ("homeworlds", "settlers")

Corners = tuple[tuple[float, float], ...]


def _corners(ctx: click.Context, param: click.Parameter, given: tuple[str, ...] | None) -> Corners | None:
    """The points that were given as ``x,y`` each."""
    try:
        return tuple((float(x), float(y)) for x, y in (one.split(",") for one in given)) if given else None
    except ValueError:
        raise click.BadParameter("write each corner as x,y in pixels, such as 412,88", ctx, param) from None


def _use_threads(ctx: click.Context, param: click.Parameter, threads: int) -> None:
    """Lets readings use so many cores."""
    del ctx, param
    if threads > 1:
        from companion_app.reading import use_threads

        use_threads(threads)


south_option = click.option(
    "--south",
    type=click.Choice(SIDES),
    default="bottom",
    show_default=True,
    help="The side of the photo that South sits at.",
)
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    expose_value=False,
    callback=_use_threads,
    help="Processor cores that a reading may use; with two it is a fifth faster.",
)
redless_option = click.option(
    "--redless", is_flag=True, help="Settlers without the red pieces: a set of 27 instead of 36."
)
corners_option = click.option(
    "--corners",
    nargs=4,
    callback=_corners,
    metavar="x,y x,y x,y x,y",
    help="Settlers: the outer corners of the fields a1 f1 f6 a6 in pixels, where the board is not found by itself.",
)


def writable(path: Path, *endings: str) -> Path:
    """*path*, once it is clear that a file of that kind can be written there; raises AppError."""
    if path.suffix.lower() not in endings:
        raise AppError("ending_unknown", f"{path.name} should end in {' or '.join(endings)}.")
    if not is_folder(path.parent):
        raise AppError("folder_missing", f"There is no folder {path.parent}: make it first.")
    with _writing(path):
        refuse_unwritable(path)
    return path


def refuse_over_photo(output: Path, photo: Path) -> None:
    """Raise AppError where what is drawn would replace the *photo* that it is drawn on."""
    try:
        is_photo = output.samefile(photo)
    except OSError:  # one of them is not there
        return
    if is_photo:
        raise AppError("drawn_over_photo", f"{output} is the photo itself: give --annotate another name.")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, all of it or nothing; raises AppError where that cannot be."""
    with _writing(path):
        write_whole(path, data)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AppError("not_written", f"{path} cannot be written: {error.strerror}.") from None


@contextmanager
def status_line(words: str) -> Iterator[None]:
    """Shows *words* on a terminal's error stream for as long as the work takes; elsewhere nothing."""
    shown = sys.stderr.isatty()
    if shown:
        click.echo(words + " …", nl=False, err=True)
    try:
        yield
    finally:
        if shown:
            click.echo("\r\033[K", nl=False, err=True)
