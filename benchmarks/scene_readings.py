"""Reads our own rendered scenes and holds every reading against their exact truth.

    python -m benchmarks.scene_readings FOLDER [--count 200] [--out results/scenes]

Writes the table with what is wanted beside it, the same by light, table, plastic, elevation and size in pixels, a CSV
row a picture, and a reliability diagram: is what the reader calls 99 % sure right 99 times in a hundred?
"""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks import RESULTS
from benchmarks.reading_run import read_and_mark, write_rows
from benchmarks.reliability import claims_of, reliability_table
from benchmarks.reliability_diagram import diagram
from benchmarks.scene_truth import scenes_of
from benchmarks.score_table import bars, report, troubles


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--count", type=click.IntRange(1), help="Only so many scenes, evenly from the whole folder.")
@click.option("--out", type=click.Path(path_type=Path), default=RESULTS / "scenes", show_default="results/scenes")
@click.option("--threads", default=1, show_default=True, help="How many threads the eyes and OpenCV may use.")
def main(folder: Path, count: int | None, out: Path, threads: int) -> None:
    """Reads the scenes in FOLDER and writes OUT.md, OUT.csv and OUT_reliability.svg."""
    scenes = scenes_of(folder)
    if not scenes:
        raise click.BadParameter(f"There are no scenes in {folder}: render some with python -m scenes render.")
    if count and count < len(scenes):
        scenes = [scenes[index * len(scenes) // count] for index in range(count)]
    results = read_and_mark(scenes, threads)
    claims = claims_of(results)
    drawing = out.with_name(f"{out.name}_reliability.svg")
    text = report(results) + f"\n## What confidence is worth\n\n{reliability_table(claims)}\n\n![]({drawing.name})\n"
    out.parent.mkdir(parents=True, exist_ok=True)
    intro = f"# Readings of scenes\n\n`python -m benchmarks.scene_readings {folder.name}`, {threads} thread(s).\n\n"
    out.with_name(f"{out.name}.md").write_text(intro + text, encoding="utf-8")
    write_rows(out.with_name(f"{out.name}.csv"), results)
    drawing.write_text(diagram(claims), encoding="utf-8")
    click.echo(f"{bars(results)}\n\n{troubles(results)}".strip())


if __name__ == "__main__":
    main()
