"""``pyramids board``: the Settlers board and the bank mat, to print."""

from __future__ import annotations

from pathlib import Path

import click

from companion_app.cli.options import writable, write_bytes
from companion_app.printing import MARGIN, Paper, board_pdf, lay_out


@click.command()
@click.option(
    "--out",
    required=True,
    metavar="FILE.pdf",
    type=click.Path(path_type=Path),
    help="The PDF to write.",
)
@click.option(
    "--paper",
    type=click.Choice([*(paper.value for paper in Paper), "both"], case_sensitive=False),
    default="both",
    show_default=True,
    help="The paper in your printer; with both, print only the pages of yours.",
)
@click.option("--fit", is_flag=True, help="Keep the board on one page, scaled down as far as needed.")
@click.option(
    "--margin",
    metavar="MM",
    type=click.FloatRange(0, 10),
    default=MARGIN,
    show_default=True,
    help="The white edge your printer cannot print on, in mm, 0 to 10. With 5 on Letter or 2 on A4 the whole "
    "board fits in its true size.",
)
def board(out: Path, paper: str, fit: bool, margin: float) -> None:
    """Draw the Homeworlds Settlers board and a bank mat, to print.

    A field measures 34.29 mm (1.35 in). The board is a little too wide for what most printers print on A4 or
    Letter, so it comes as two halves to be glued together, or with --fit on one page and a little smaller.
    Every page of it has a ruler to check that the printer did not scale it.
    """
    writable(out, ".pdf")
    papers = tuple(Paper) if paper == "both" else (Paper(paper),)
    layouts = [lay_out(one, fit=fit, margin=margin) for one in papers]
    write_bytes(out, board_pdf(layouts))
    first = 1
    for layout in layouts:
        last = first + layout.board_pages - 1
        pages = f"page {first}" if first == last else f"pages {first} and {last}"
        click.echo(f"{layout.paper.label}: the board on {pages}, {layout.sentence}; the bank mat on page {last + 1}.")
        first = last + 2
    click.echo(f"{out}: print it at 100 % (actual size) and check the ruler on the page.")
