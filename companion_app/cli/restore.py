"""``pyramids restore``: how to put a position back on the table, step by step, and a sheet of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from companion_app.bounded_files import read_bounded
from companion_app.cli.options import redless_option, writable, write_bytes
from companion_app.cli.standard_streams import whole_input
from companion_app.errors import AppError
from companion_app.json_fields import decoded, read_json
from companion_app.notation import Position
from companion_app.reading_types import Reading
from companion_app.restoring import (
    Comparison,
    Found,
    Mark,
    Plan,
    bank_rows,
    checklist,
    compare,
    plan_of,
    position_of_line,
    position_of_reading,
)
from companion_app.restoring.banks import bank_seen
from rules import Seat

MOST_BYTES = 4_000_000  # many times as long as the reading of a whole set
BOXES = {Mark.OPEN: "[ ]", Mark.DONE: "[x]", Mark.LIKELY: "[?]", Mark.WRONG: "[!]"}


@click.command()
@click.argument("target", metavar="READING|POSITION")
@click.option(
    "--turn", type=click.Choice(["south", "north"]), help="Whose turn it is, where the photo did not show it."
)
@click.option(
    "--table",
    metavar="READING",
    type=click.Path(path_type=Path),
    help="A reading of the table as it is now: what stands right is ticked, what does not is told.",
)
@click.option(
    "--sheet", metavar="OUT.pdf", type=click.Path(path_type=Path), help="Write a sheet to print, with boxes to tick."
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="For the sheet.")
@redless_option
def restore(target: str, turn: str | None, table: Path | None, sheet: Path | None, paper: str, redless: bool) -> None:
    """Tell how to put a position back on the table, piece by piece, the bank last.

    READING is a file that holds what pyramids read --json printed, POSITION a position line of either game; - takes
    either from standard input.

    \b
    Examples
      pyramids restore "<0>; South(0,b3y2)g3-; North(1,g1r2)-g3"
      pyramids restore sunday.json --turn north --sheet sunday.pdf
      pyramids read now.jpg --game homeworlds --json > now.json && pyramids restore sunday.json --table now.json
    """
    if sheet:
        writable(sheet, ".pdf")
    reading, position = _target(target, Seat(turn) if turn else None, redless)
    plan = plan_of(position)
    for check in checklist(reading) if reading else ():
        if not check.good:
            click.echo(f"Note: {check.title.lower()}: {check.sentence}", err=True)
    _tell(plan, compare(plan, _reading(table.name, _text(table))) if table else None)
    if sheet:
        from companion_app.printing.paper import Paper
        from companion_app.printing.restore_sheet import restore_sheet_pdf

        rows = bank_rows(position, bank_seen(reading) if reading else None)
        title = f"{len(position.pieces)} pieces" if target == "-" or not reading else Path(target).stem
        pdf = restore_sheet_pdf(plan, rows, title, [f"{position.to_move.word} to move"], Paper(paper))
        write_bytes(sheet, pdf)
        click.echo(f"{sheet}: {len(plan.steps)} steps")


def _target(target: str, turn: Seat | None, redless: bool) -> tuple[Reading | None, Position]:
    """The reading that was given, if it was one, and its position."""
    path = Path(target)
    if target == "-":
        text, name = whole_input(MOST_BYTES).strip(), "standard input"
    elif path.suffix.lower() == ".json" or _is_there(path):
        text, name = _text(path), path.name
    else:
        text, name = target.strip(), "the position"
    if not text.startswith("{"):
        return None, position_of_line(text, redless=redless, to_move=turn)
    reading = _reading(name, text)
    return reading, position_of_reading(reading, turn)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a position is no name of a file, and may be too long for one
        return False


def _text(path: Path) -> str:
    try:
        content = read_bounded(path, MOST_BYTES)
    except OSError as error:
        raise AppError("not_readable", f"{path} cannot be read: {error.strerror}.") from None
    if len(content) > MOST_BYTES:
        raise AppError("file_too_large", f"{path} is too large to be a reading: at most {MOST_BYTES:,} bytes.")
    try:
        return decoded(content).strip()
    except UnicodeDecodeError:
        raise AppError("not_readable", f"{path} cannot be read: it is no text.") from None


def _reading(name: str, text: str) -> Reading:
    if len(text.splitlines()) > 1 and all(line.startswith("{") for line in text.splitlines()):
        raise AppError("bad_reading", f"{name} holds several readings: save the line of one, and give that.")
    try:
        return Reading.from_json(read_json(text, name))
    except ValueError:
        raise AppError("bad_reading", f"{name} is no reading: give what pyramids read --json printed.") from None


def _tell(plan: Plan, comparison: Comparison | None) -> None:
    """All steps, ticked as far as a look at the table shows them done, and what is too much."""
    found: Sequence[Found | None] = comparison.found if comparison else [None] * len(plan.steps)
    for group in plan.groups:
        click.echo(f"{group.title}{f', {group.hint}' if group.hint else ''}")
        for number in group.numbers:
            step, seen = plan.steps[number], found[number]
            click.echo(f"  {BOXES[seen.mark if seen else Mark.OPEN]} {number + 1:>2}  {group.words_of(step)}")
            if seen and seen.sentence:
                click.echo(f"          {seen.sentence}")
    if comparison:
        for surplus in comparison.surplus:
            click.echo(f"  {'[!]' if surplus.sure else '[?]'}     {surplus.sentence}")
        if comparison.complete:
            click.echo("Everything stands again.")
