"""``pyramids draw``: the diagram of a position."""

from __future__ import annotations

from pathlib import Path

import click

from companion_app.cli.options import redless_option, writable, write_bytes
from companion_app.cli.standard_streams import LONGEST_LINE, whole_input
from companion_app.diagram import diagram_svg
from companion_app.notation import parse_position


@click.command()
@click.argument("position")
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The picture to write; it ends in .svg or .png.",
)
@click.option(
    "--width",
    metavar="PX",
    type=click.IntRange(16, 4000),
    default=1200,
    show_default=True,
    help="Width of a PNG in pixels, 16 to 4000; the height follows.",
)
@redless_option
def draw(position: str, out: Path, width: int, redless: bool) -> None:
    """Draw the diagram of POSITION as SVG or PNG.

    POSITION is a position line of either game, or - to read it from standard input.

    \b
    Examples
      pyramids draw "<0>; South(0,b3y2)g3-; North(1,g1r2)-g3" --out start.svg
      pyramids draw "6/6/2g13/6/6/6 S 0" --out board.png --width 1200
      pyramids read board.jpg --game settlers --json | jq -r .position | pyramids draw - --out board.svg
    """
    writable(out, ".svg", ".png")
    line = whole_input(LONGEST_LINE) if position == "-" else position
    parsed = parse_position(line.strip(), redless=redless)
    svg = diagram_svg(parsed)
    if out.suffix.lower() == ".svg":
        write_bytes(out, (svg + "\n").encode())
    else:
        from companion_app.raster import svg_to_png

        write_bytes(out, svg_to_png(svg, width))
    click.echo(f"{out}: {parsed.to_move.word} to move, {parsed.bank.total} pieces in the bank")
