"""Reads photographs that are for measuring only, path-traced and real, and writes how good the readings are.

    python -m benchmarks.photo_scores [--photos ../shared/photos] [--annotated FOLDER]

The path-traced ones are scored twice: in this process, and by the tool that comes with them, which runs ``pyramids
read``. Of the real ones there are boxes drawn by hand. What people write about each real photograph, between the
marks in results/real_photos.md, stays.
"""

from __future__ import annotations

import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from benchmarks import RESULTS
from benchmarks.marking import PROPERTIES, mark_boxes
from benchmarks.photo_truth import real_photos, rendered_photos
from benchmarks.reading_run import Result, Watcher, read_and_mark, write_rows
from benchmarks.scene_truth import SceneTruth
from benchmarks.score_table import bars, mistake_table, report, stage_table
from companion_app.annotate import annotate
from companion_app.cli.pictures import write_picture
from companion_app.photos import Photo
from companion_app.reading_types import Reading

HOUSE = RESULTS.parent
PHOTOS = HOUSE.parent / "shared" / "photos"
READ = [sys.executable, "-c", "from companion_app.cli import main; main()", "read"]
WORDS = re.compile(r"<!-- words: (?P<name>\S+) -->\n(?P<words>.*?)<!-- end of words -->", re.DOTALL)


@click.command()
@click.option("--photos", type=click.Path(path_type=Path), default=PHOTOS, show_default="../shared/photos")
@click.option("--out", type=click.Path(path_type=Path), default=RESULTS, show_default="results/")
@click.option("--annotated", type=click.Path(path_type=Path), help="A folder outside this one, for drawn readings.")
@click.option("--count", type=click.IntRange(1), help="Only the first so many of each kind.")
@click.option("--threads", default=1, show_default=True, help="How many threads the eyes and OpenCV may use.")
def main(photos: Path, out: Path, annotated: Path | None, count: int | None, threads: int) -> None:
    """Writes OUT/rendered_photos.md, .csv and OUT/real_photos.md."""
    if annotated and annotated.resolve().is_relative_to(HOUSE.resolve()):
        raise click.BadParameter("The photographs are not ours: give a folder outside the project for --annotated.")
    out.mkdir(parents=True, exist_ok=True)
    drawer = _drawer(annotated) if annotated else None
    rendered = rendered_photos(photos / "rendered")[:count]
    if rendered:
        _score_rendered(rendered, photos.parent / "tools" / "score_readings.py", out, threads, drawer)
    else:
        click.echo(f"There are no path-traced photographs in {photos / 'rendered'}: that part is left out.")
    real = real_photos(photos / "real")[:count]
    if real:
        _score_real(real, out / "real_photos.md", threads, drawer)
    else:
        click.echo(f"There are no real photographs in {photos / 'real'}: that part is left out.")


def _drawer(folder: Path) -> Watcher:
    folder.mkdir(parents=True, exist_ok=True)

    def draw(scene: SceneTruth, image: Photo, reading: Reading) -> None:
        write_picture(folder / f"{scene.name}.png", annotate(image, reading))

    return draw


def _score_rendered(
    scenes: Sequence[SceneTruth], tool: Path, out: Path, threads: int, drawer: Watcher | None
) -> None:
    results = read_and_mark(scenes, threads, watcher=drawer)
    write_rows(out / "rendered_photos.csv", results)
    text = (
        "# Path-traced photographs\n\nNothing in this project was learnt from these pictures or tuned with them. "
        f"Read by `python -m benchmarks.photo_scores` in one process, {threads} thread(s).\n\n{report(results)}"
        f"\n## With two threads\n\n{_with_two(scenes)}\n"
        f"\n## By the tool that comes with them\n\n{_by_the_tool(tool, scenes)}\n"
    )
    (out / "rendered_photos.md").write_text(text, encoding="utf-8")
    click.echo(bars(results))


def _with_two(scenes: Sequence[SceneTruth]) -> str:
    """The time that readings then take, ``--threads 2`` as with ``pyramids read``."""
    ms = 1000 * statistics.median(result.seconds for result in read_and_mark(scenes, 2))
    return f"Median of the same readings with two threads instead of one: {ms:.0f} milliseconds."


def _by_the_tool(tool: Path, scenes: Sequence[SceneTruth]) -> str:
    """Its table: every picture is read by a process of its own, and the seconds are those of whole processes."""
    if not tool.exists():
        return "The tool that comes with the photographs is not there, so its table is left out."
    with tempfile.TemporaryDirectory() as folder:
        for scene in scenes:
            for file in (scene.picture, scene.picture.with_suffix(".json")):
                (Path(folder) / file.name).symlink_to(file.resolve())
        command = [sys.executable, str(tool), folder, "--command", shlex.join(READ)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HOUSE)
    return f"Every reading in a process of its own, start-up included.\n\n```\n{done.stdout.rstrip()}\n```"


def _score_real(scenes: Sequence[SceneTruth], target: Path, threads: int, drawer: Watcher | None) -> None:
    results = read_and_mark(scenes, threads, mark_boxes, drawer)
    words = words_kept(target.read_text(encoding="utf-8")) if target.exists() else {}
    parts = [
        "# Real photographs",
        "Held against boxes drawn by hand; sizes and postures of which their maker was not sure are left out, and "
        "pieces of other colours must not be read as ours.",
        bars(results),
        *(_photo_part(result, words) for result in results),
        f"## Where the time goes\n\n{stage_table(results)}",
    ]
    target.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    click.echo(bars(results))


def _photo_part(result: Result, words: Mapping[str, str]) -> str:
    """One photograph: figures, mistakes, and what a person wrote."""
    counts = result.marks.counts
    figures = [f"{counts['found']} of {counts['pieces']} pieces found, {counts['extra']} extra"]
    asked = [what for what in PROPERTIES if counts[f"{what}_of"]]
    figures += [f"{PROPERTIES[what]} {counts[what]} of {counts[f'{what}_of']}" for what in asked]
    if "foreign_of" in counts:
        figures.append(f"{counts['foreign']} of {counts['foreign_of']} pieces of other colours read as ours")
    trouble = f"\n\nIt could not be read: {result.error}." if result.error else ""
    kept = f"<!-- words: {result.name} -->\n{words.get(result.name, '')}<!-- end of words -->"
    head = f"## {result.name}\n\n{'; '.join(figures)}; {result.seconds:.2f} s.{trouble}"
    return f"{head}\n\n{kept}\n\n{mistake_table([result])}"


def words_kept(text: str) -> dict[str, str]:
    """What stands between the marks, by the name of the photograph."""
    return {found["name"]: found["words"] for found in WORDS.finditer(text)}


if __name__ == "__main__":
    main()
