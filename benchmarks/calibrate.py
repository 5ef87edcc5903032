"""Fits what the reader's confidences are worth on some scenes, and tells how well either half of them fits the other.

    python -m benchmarks.calibrate FOLDER… --curves curves.json [--out results/calibration] [--seed 1]

The scenes must be others than the reader was trained on. The reader shows its raw confidences, whatever curve it has
by now. The file of curves holds for each kind of claim the points [raw, calibrated] between which to interpolate;
outside of them the nearest one holds.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks import RESULTS
from benchmarks.curves import Curve, calibrated, fit
from benchmarks.marking import Claim
from benchmarks.reading_run import Result, read_and_mark
from benchmarks.reliability import KINDS, claims_of, of_kind, reliability_table
from benchmarks.reliability_diagram import diagram
from benchmarks.scene_truth import scenes_of
from vision.fusing.trust import as_reckoned

FEWEST = 30  # claims from which a curve is fitted


def halves(results: Sequence[Result], seed: int) -> tuple[list[Result], list[Result]]:
    """The results by picture in two halves at random, always alike for a seed whatever their order."""
    names = sorted({result.name for result in results})
    random.Random(seed).shuffle(names)
    first = set(names[: (len(names) + 1) // 2])
    return [one for one in results if one.name in first], [one for one in results if one.name not in first]


def curves_of(claims: Sequence[Claim]) -> dict[str, Curve]:
    """The curve of each kind of claim of which there are enough."""
    enough = [what for what in KINDS if len(of_kind(claims, what)) >= FEWEST]
    return {what: fit(of_kind(claims, what)) for what in enough}


def judged_by_each_other(first: Sequence[Claim], second: Sequence[Claim]) -> list[Claim]:
    """All claims with what their confidences are worth by the curves of those that they are not among."""
    return [*calibrated(first, curves_of(second)), *calibrated(second, curves_of(first))]


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--curves", "target", type=click.Path(path_type=Path), required=True, help="The JSON file to write.")
@click.option("--out", type=click.Path(path_type=Path), default=RESULTS / "calibration", show_default=True)
@click.option("--seed", default=1, show_default=True, help="Of the split in halves.")
@click.option("--threads", default=1, show_default=True, help="How many threads the eyes and OpenCV may use.")
def main(folders: tuple[Path, ...], target: Path, out: Path, seed: int, threads: int) -> None:
    """Reads the scenes in all FOLDERS, fits curves on them and reports in OUT.md and OUT.svg how halves fit."""
    scenes = [scene for folder in folders for scene in scenes_of(folder)]
    names = " ".join(folder.name for folder in folders)
    if len(scenes) < 2:
        raise click.BadParameter(f"There are no two scenes in {names}: render some with python -m scenes render.")
    with as_reckoned():
        results = read_and_mark(scenes, threads)
    first, second = (claims_of(half) for half in halves(results, seed))
    tested, after = [*first, *second], judged_by_each_other(first, second)
    text = (
        f"# Calibration\n\n`python -m benchmarks.calibrate {names}`: {len(scenes)} scenes, split in halves by scene "
        f"(seed {seed}), each judged by the curves of the other; the curves that are kept are of all.\n\n"
        f"Raw:\n\n{reliability_table(tested)}\n\nCalibrated:\n\n{reliability_table(after)}\n\n![]({out.name}.svg)\n"
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(curves_of(tested)) + "\n", encoding="utf-8")
    out.with_name(f"{out.name}.md").write_text(text, encoding="utf-8")
    out.with_name(f"{out.name}.svg").write_text(diagram(after), encoding="utf-8")
    click.echo(text)


if __name__ == "__main__":
    main()
