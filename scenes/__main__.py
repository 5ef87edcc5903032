"""The commands of the generator: python -m scenes render|sheet|overlay."""

from __future__ import annotations

from pathlib import Path

import click
import cv2

from scenes.batch import Wish, render_many
from scenes.looks import LOOKS
from scenes.scene import KINDS, ON_REQUEST
from scenes.show import overlay, sheet


@click.group()
def main() -> None:
    """Scenes of pyramids on tables, with their truth."""


@main.command("render")
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--count", default=50, show_default=True, help="How many scenes the folder shall hold.")
@click.option("--seed", default=1, show_default=True, help="Seed of the first; the next has the next.")
@click.option("--look", type=click.Choice(sorted(LOOKS)), default="training", show_default=True)
@click.option("--kind", type=click.Choice([*KINDS, *ON_REQUEST]), help="Only scenes of this kind; default: of any.")
@click.option("--workers", default=1, show_default=True, help="Processes at a time.")
def render_command(out: Path, count: int, seed: int, look: str, kind: str | None, workers: int) -> None:
    """Render scenes into OUT; those that are there already are kept."""
    render_many(out, count, seed, Wish(look, kind), workers)


@main.command("sheet")
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", "target", type=click.Path(path_type=Path), default=Path("sheet.jpg"), show_default=True)
@click.option("--count", default=50, show_default=True)
@click.option("--quality", default=80, show_default=True, help="Of the JPEG.")
def sheet_command(out: Path, target: Path, count: int, quality: int) -> None:
    """A contact sheet of the first scenes in OUT."""
    cv2.imwrite(str(target), sheet(sorted(out.glob("*.jpg"))[:count]), [cv2.IMWRITE_JPEG_QUALITY, quality])


@main.command("overlay")
@click.argument("picture", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", "target", type=click.Path(path_type=Path), default=Path("overlay.png"), show_default=True)
def overlay_command(picture: Path, target: Path) -> None:
    """PICTURE with its truth drawn over it."""
    cv2.imwrite(str(target), overlay(picture))


if __name__ == "__main__":
    main()
