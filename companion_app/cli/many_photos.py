"""Many photos, one after the other: a bar meanwhile, and one that cannot be read does not stop the rest."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import click

from companion_app.errors import AppError
from companion_app.photo_folder import LOOK_S, arrivals

_CLEARED = "\r\033[K"


@dataclass(frozen=True)
class Answer:
    """What is said about one photo: *printed* on the output, *aside* on the error stream; either may be empty."""

    printed: str = ""
    aside: str = ""

    def tell(self) -> None:
        """Say it."""
        if self.printed:
            click.echo(self.printed)
        if self.aside:
            click.echo(self.aside, err=True)


Read = Callable[[Path], Answer]
"""Reads one photo; raises AppError where it cannot be read."""


def read_each(photos: Sequence[Path], read: Read, tally: Counter[str], *, as_json: bool) -> None:
    """Read *photos* in turn, tell of each at once, and count in *tally* what was "read" and what "refused"."""
    with _progress(photos) as shown:
        for photo in shown:
            try:
                answer = read(photo)
                tally["read"] += 1
            except AppError as error:
                answer = _refusal(photo, error, as_json=as_json)
                tally["refused"] += 1
            if shown is not photos:
                click.echo(_CLEARED, nl=False, err=True)  # else the next line would stand behind the bar
            answer.tell()


def read_arrivals(folder: Path, read: Read, *, as_json: bool) -> None:
    """Read each photo that is in *folder* or arrives there, until Ctrl-C, and say at the end how many they were."""
    if threading.current_thread() is threading.main_thread():
        # A shell that starts a program in the background makes it deaf to interrupts.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.stderr.isatty():
        click.echo(f"Watching {folder}: each photo is read once it has stopped growing (Ctrl-C ends it).", err=True)
    tally: Counter[str] = Counter()
    try:
        for photos in arrivals(folder, lambda: time.sleep(LOOK_S)):
            read_each(photos, read, tally, as_json=as_json)
    except KeyboardInterrupt:
        refused = f", {tally['refused']} could not be read" if tally["refused"] else ""
        click.echo(f"Stopped watching {folder}: {tally['read']} read{refused}.", err=True)


def _progress(photos: Sequence[Path]) -> AbstractContextManager[Iterable[Path]]:
    """The photos once more; with a bar on a terminal's error stream as they are worked off."""
    if not sys.stderr.isatty():
        return nullcontext(photos)
    return click.progressbar(
        photos, label="Reading", file=sys.stderr, show_pos=True, item_show_func=lambda photo: photo and photo.name
    )


def _refusal(photo: Path, error: AppError, *, as_json: bool) -> Answer:
    problem = {"photo": photo.name, "error": {"code": error.code, "message": error.sentence}}
    return Answer(json.dumps(problem) if as_json else "", f"pyramids: {error.sentence} ({error.code})")
