"""``pyramids corrections``: what was corrected on the page, as data for whoever wants to learn from it."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion_app.errors import AppError

if TYPE_CHECKING:
    from companion_app.corrections import CorrectedReading, Switch
    from companion_app.store import Store


@click.group(short_help="What was corrected on the page: list, export, on, off.")
def corrections() -> None:
    """What you corrected on the page, kept with its photos on this computer so that you can export it.

    A reading counts once you corrected or saved it, and until you delete it. Nothing is sent anywhere.

    \b
    Examples
      pyramids corrections list
      pyramids corrections export corrections.zip
      pyramids corrections off                  keep none from now on
    """


@corrections.command(name="list", short_help="Tell how many corrections are kept.")
def list_kept() -> None:
    """Tell how many corrections are kept, reading by reading, each under the name that it has in an export.

    \b
    Examples
      pyramids corrections list
    """
    store, switch = _opened()
    readings, withheld = _kept(store)
    total: Counter[str] = Counter()
    for reading in readings:
        total += reading.counts
        click.echo(f"{reading.fingerprint}  {reading.read.game.value:10}  {_counted(reading.counts)}")
    click.echo(f"{_number(len(readings), 'reading')}: {_counted(total)}." if readings else "Nothing is kept yet.")
    if withheld:
        click.echo(f"Not among them: {_number(withheld, 'reading')} that you worked on while corrections were off.")
    if not switch.on:
        click.echo(switch.sentence)


@corrections.command(name="export", short_help="Write them to a zip file or a folder.")
@click.argument("target", metavar="OUT.zip|FOLDER", type=click.Path(path_type=Path))
def export_kept(target: Path) -> None:
    """Write every corrected reading with its photo to a zip file, or to a new folder.

    A README.txt inside says what everything means. No names, dates or titles are in it; the photos show whatever was
    in the picture.

    \b
    Examples
      pyramids corrections export corrections.zip
      pyramids corrections export corrections/
    """
    from companion_app.corrections import export

    store, switch = _opened()
    if not switch.on:
        raise AppError("corrections_off", "Corrections are switched off: say pyramids corrections on, then export.")
    readings, _ = _kept(store)
    there = [reading for reading in readings if (store.photos / reading.photo).is_file()]
    if not there:
        raise AppError("nothing_to_export", "No reading was corrected or saved yet: do that on the page first.")
    with _progress(len(there)) as bar:
        export(there, store.photos, target, bar and bar.update)
    total = sum((reading.counts for reading in there), Counter[str]())
    click.echo(f"{_number(len(there), 'reading')} written to {target}: {_counted(total)}.")
    click.echo("The photos show whatever was in the picture: look through them before you give them to anybody.")
    if len(there) < len(readings):
        click.echo(f"Left out: {_number(len(readings) - len(there), 'reading')} whose photo is gone.", err=True)


@corrections.command(short_help="Keep corrections for export; so it is until you say off.")
def on() -> None:
    """Keep corrections for export from now on. So it is until you say off.

    \b
    Examples
      pyramids corrections on
    """
    _turn(True)


@corrections.command(short_help="Keep no corrections for export from now on.")
def off() -> None:
    """Keep no corrections for export from now on.

    The page corrects and saves readings as before, but those that you work on meanwhile are never exported, and
    nothing is exported until you say on.

    \b
    Examples
      pyramids corrections off
    """
    _turn(False)


@corrections.command(short_help="Tell whether corrections are kept.")
def status() -> None:
    """Tell whether corrections are kept for export.

    \b
    Examples
      pyramids corrections status
    """
    _, switch = _opened()
    click.echo(switch.sentence)


def _turn(wanted: bool) -> None:
    _, switch = _opened()
    switch.turn(wanted)
    click.echo(switch.sentence)


def _opened() -> tuple[Store, Switch]:
    from companion_app.corrections import Switch
    from companion_app.store import Store, data_folder

    folder = data_folder()
    return Store(folder), Switch(folder)


def _kept(store: Store) -> tuple[list[CorrectedReading], int]:
    """The corrected readings by their names, and how many there are beside them that are not to be exported."""
    from companion_app.corrections import distinct
    from companion_app.web.record import load_all

    records = list(load_all(store))
    damaged = len(store.shelves()) - len(records)
    if damaged > 0:
        click.echo(f"Left out: {_number(damaged, 'reading')} that cannot be opened any more.", err=True)
    corrected = [(one, record.withheld) for record in records if (one := record.corrected)]
    return distinct(one for one, withheld in corrected if not withheld), sum(withheld for _, withheld in corrected)


def _progress(length: int) -> AbstractContextManager[Any]:
    """A bar on a terminal's error stream; elsewhere nothing."""
    return (
        click.progressbar(length=length, label="Writing", file=sys.stderr) if sys.stderr.isatty() else nullcontext()
    )


def _counted(counts: Counter[str]) -> str:
    """Such as ``"2 changed, 1 added"``."""
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing was wrong"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
