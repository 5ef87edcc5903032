"""``pyramids turns``: the legal turns of a position."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import click

from companion_app.cli.lines import echo_json, given_positions, json_option, positions_argument
from companion_app.cli.options import redless_option
from companion_app.notation import Position
from rules import homeworlds, settlers


@click.command()
@positions_argument
@click.option("--count", "counts", is_flag=True, help="Only count the distinct positions at the end of the turn.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Stop after N turns of a position.")
@json_option
@redless_option
def turns(positions: tuple[str, ...], counts: bool, limit: int | None, as_json: bool, redless: bool) -> None:
    """List or count the legal turns of each POSITION, of either game.

    Each distinct position at the end of the turn comes once, with a shortest turn that leads there. Positions are
    arguments or lines on standard input.

    \b
    Examples
      pyramids turns "<0>; South(0,b1r2)g3-; North(1,b3y1)-g3"
      pyramids turns "6/6/2g13/6/6/6 S 0" --limit 5
      pyramids turns --count --json < positions.txt

    \b
    With --json, one object a line:
      {"turn": "build g1 South", "position": "<1>; …"}
      {"distinct": 6, "not_self_eliminating": 5, "wins": 0, "draws": 0}     with --count, Homeworlds
      {"distinct": 36}                                                      with --count, Settlers
    """
    for line, position in given_positions(positions, redless=redless):
        if counts:
            _count(line, position, as_json)
        else:
            _list(position, limit, as_json)


def _count(line: str, position: Position, as_json: bool) -> None:
    if isinstance(position, homeworlds.Position):
        found = homeworlds.legal_turns(position).summary()
        numbers = {
            "distinct": found.distinct,
            "not_self_eliminating": found.not_self_eliminating,
            "wins": found.wins,
            "draws": found.draws,
        }
    else:
        numbers = {"distinct": settlers.legal_turns(position).count()}
    if as_json:
        echo_json(numbers)
    else:
        words = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in numbers.items())
        click.echo(f"{words}   {line}")


def _list(position: Position, limit: int | None, as_json: bool) -> None:
    for turn, end in islice(_written(position), limit):
        if as_json:
            echo_json({"turn": turn, "position": end})
        else:
            click.echo(turn)


def _written(position: Position) -> Iterator[tuple[str, str]]:
    """Each legal turn in strict notation, with the line of the position that it leads to."""
    if isinstance(position, homeworlds.Position):
        begun = homeworlds.begin(position)
        for turn, end in homeworlds.legal_turns(position):
            yield homeworlds.write_turn(turn, begun), end.line
    else:
        for moves, after in settlers.legal_turns(position):
            yield settlers.write_turn(moves, position), after.line
