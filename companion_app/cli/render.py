"""``pyramids render``: a position on the virtual table, as a camera would see it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click

from companion_app.cli.options import SIDES, status_line, writable, write_bytes
from companion_app.errors import AppError


@click.command(short_help="Photograph a position on the virtual table.")
@click.argument("position")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), metavar="X.png", help="The picture (PNG or JPEG)."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another picture for each.")
@click.option(
    "--elevation",
    type=click.FloatRange(20, 90),
    metavar="DEGREES",
    help="Of the camera over the table: 90 looks straight down. From the seed if left out.",
)
@click.option(
    "--south", type=click.Choice(SIDES), help="The side of the picture South sits at. From the seed if left out."
)
@click.option("--table", metavar="NAME", help="The table's top, such as linen or oak. From the seed if left out.")
@click.option(
    "--truth",
    type=click.Path(path_type=Path),
    metavar="OUT.json",
    help="Also write the reading that a perfect reader would give.",
)
def render(
    position: str,
    out: Path,
    seed: int,
    elevation: float | None,
    south: str | None,
    table: str | None,
    truth: Path | None,
) -> None:
    """Photograph a position on the virtual table: perspective, shadows, careless players and all.

    \b
    Examples
      pyramids render "6/6/2g13/6/6/6 S 0" --out board.png
      pyramids render "<0>; South(0,b3y2)g3-; North(1,g1r2)-g3" --out table.png --elevation 50
      pyramids render "6/6/2g13/6/6/6 S 0" --out board.png --south right --table oak --truth board.json
    """
    picture_path = writable(out, ".png", ".jpg", ".jpeg")
    truth_path = writable(truth, ".json") if truth else None
    from companion_app.cli.pictures import write_picture
    from companion_app.notation import parse_position
    from companion_app.reading import reading_of
    from companion_app.samples import layout_of
    from vision.sight import ImageSide
    from vision.virtual import TABLES, View, photograph

    if table is not None and table not in TABLES:
        raise AppError("table_unknown", f"There is no table “{table[:30]}”: choose one of {', '.join(TABLES)}.")
    view = View.random(seed)
    view = replace(
        view,
        elevation_deg=view.elevation_deg if elevation is None else elevation,
        south=view.south if south is None else ImageSide(south),
        table=table or view.table,
    )
    with status_line("Setting the table"):
        picture = photograph(layout_of(parse_position(position)), seed=seed, view=view)
        write_picture(picture_path, picture.image)
    if truth_path:
        reading = reading_of(picture.truth, "settlers" if picture.truth.board else "homeworlds")
        write_bytes(truth_path, (json.dumps(reading.to_json(), indent=1) + "\n").encode())
    click.echo(
        f"{out}: seen from {view.elevation_deg:.0f}° on a table of {view.table}, South at the {view.south.value}"
    )
