"""Position lines as commands take them: arguments, or one a line on standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click

from companion_app.errors import AppError
from companion_app.notation import Position, parse_position

positions_argument = click.argument("positions", nargs=-1, metavar="[POSITION…]")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")


def given_positions(arguments: tuple[str, ...], *, redless: bool = False) -> Iterator[tuple[str, Position]]:
    """Each line with its position; from standard input where there are no arguments, or where one is ``-``.

    Empty lines and those that begin with ``#`` are passed over. AppError where there is nothing at all.
    """
    count = 0
    for line in _lines(arguments):
        if line and not line.startswith("#"):
            count += 1
            yield line, parse_position(line, redless=redless)
    if not count:
        raise AppError(
            "position_missing", "No position was given: write one in quotes, or one a line on standard input."
        )


def _lines(arguments: tuple[str, ...]) -> Iterator[str]:
    for argument in arguments or ("-",):
        if argument != "-":
            yield argument.strip()
            continue
        if not arguments and sys.stdin.isatty():
            return
        for line in sys.stdin.buffer:
            yield line.decode(errors="replace").strip()


def echo_json(content: object) -> None:
    """One object on one line."""
    click.echo(json.dumps(content, ensure_ascii=False))
