"""Fits what the reader's confidences are worth, on one half of some scenes, and tests it on the other half.

    python -m benchmarks.calibrate FOLDER --curves curves.json [--out results/calibration] [--seed 1]

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

from benchmarks.curves import calibrated, fit
from benchmarks.reading_run import Result, read_and_mark
from benchmarks.reliability import KINDS, claims_of, of_kind, reliability_table
from benchmarks.reliability_diagram import diagram
from benchmarks.scene_truth import scenes_of
from benchmarks.virtual_readings import RESULTS
from vision.fusing.trust import as_reckoned

FEWEST = 30  # claims from which a curve is fitted


def halves(results: Sequence[Result], seed: int) -> tuple[list[Result], list[Result]]:
    """The results by picture in two halves at random, always alike for a seed whatever their order."""
    names = sorted({result.name for result in results})
    random.Random(seed).shuffle(names)
    first = set(names[: (len(names) + 1) // 2])
    return [one for one in results if one.name in first], [one for one in results if one.name not in first]


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--curves", "target", type=click.Path(path_type=Path), required=True, help="The JSON file to write.")
@click.option("--out", type=click.Path(path_type=Path), default=RESULTS / "calibration", show_default=True)
@click.option("--seed", default=1, show_default=True, help="Of the split in halves.")
@click.option("--threads", default=1, show_default=True, help="How many threads the eyes and OpenCV may use.")
def main(folder: Path, target: Path, out: Path, seed: int, threads: int) -> None:
    """Reads the scenes in FOLDER, fits curves on one half and reports on the other in OUT.md and OUT.svg."""
    scenes = scenes_of(folder)
    if len(scenes) < 2:
        raise click.BadParameter(f"There are no two scenes in {folder}: render some with python -m scenes render.")
    with as_reckoned():
        results = read_and_mark(scenes, threads)
    learned, tested = (claims_of(half) for half in halves(results, seed))
    enough = [what for what in KINDS if len(of_kind(learned, what)) >= FEWEST]
    curves = {what: fit(of_kind(learned, what)) for what in enough}
    after = calibrated(tested, curves)
    text = (
        f"# Calibration\n\n`python -m benchmarks.calibrate {folder.name}`: curves fitted on one half of "
        f"{len(scenes)} scenes (split by scene, seed {seed}), figures from the other half.\n\n"
        f"Raw:\n\n{reliability_table(tested)}\n\nCalibrated:\n\n{reliability_table(after)}\n\n![]({out.name}.svg)\n"
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(curves) + "\n", encoding="utf-8")
    out.with_name(f"{out.name}.md").write_text(text, encoding="utf-8")
    out.with_name(f"{out.name}.svg").write_text(diagram(after), encoding="utf-8")
    click.echo(text)


if __name__ == "__main__":
    main()
