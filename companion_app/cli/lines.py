"""Position lines as commands take them: arguments, or one a line on standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click

from companion_app.cli.standard_streams import input_lines
from companion_app.errors import AppError
from companion_app.notation import Position, parse_position
from rules import RulesError
from rules.findings import Severity

positions_argument = click.argument("positions", nargs=-1, metavar="[POSITION…]")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")


def given_positions(arguments: tuple[str, ...], *, redless: bool = False) -> Iterator[tuple[str, Position]]:
    """Each line with its position; from standard input where there are no arguments, or where one is ``-``.

    Empty lines and those that begin with ``#`` are passed over. AppError where a line is no possible position, or
    where there is nothing at all.
    """
    count = 0
    for line, where in _lines(arguments):
        if line and not line.startswith("#"):
            count += 1
            try:
                position = _possible(parse_position(line, redless=redless))
            except (AppError, RulesError) as error:
                raise AppError(error.code, where + error.sentence) from None
            yield line, position
    if not count:
        raise AppError(
            "position_missing", "No position was given: write one in quotes, or one a line on standard input."
        )


def _possible(position: Position) -> Position:
    """The *position*; an AppError where it cannot be, such as one of more pieces than there are."""
    for finding in position.status():
        if finding.severity is Severity.IMPOSSIBLE:
            raise AppError(finding.code, finding.sentence)
    return position


def _lines(arguments: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each line, and where it stands, for use before a sentence."""
    for argument in arguments or ("-",):
        if argument != "-":
            yield argument.strip(), ""
            continue
        if not arguments and sys.stdin.isatty():
            return
        for number, line in enumerate(input_lines(), 1):
            yield line.removeprefix("\ufeff").strip(), f"Line {number}: "


def echo_json(content: object) -> None:
    """One object on one line."""
    click.echo(json.dumps(content, ensure_ascii=False))
