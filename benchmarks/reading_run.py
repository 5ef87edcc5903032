"""Reads pictures one by one in one process, by the same door as ``pyramids read``, and marks each reading."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
import cv2

from benchmarks.marking import Marks, mark
from benchmarks.scene_truth import SceneTruth
from companion_app.lens import lens_of
from companion_app.photos import Photo, decode_photo, photo_bytes
from companion_app.reading import reading_of, see_photo, use_threads
from companion_app.reading_types import Game, Reading

Marker = Callable[[SceneTruth, Reading], Marks]
Watcher = Callable[[SceneTruth, Photo, Reading], object]


@dataclass(frozen=True)
class Result:
    """One picture, read and marked.

    Attributes:
        seconds: from the file to the reading. stages: parts of it, by name.
        error: empty, or what went wrong; such a reading counts as an empty one.
    """

    name: str
    labels: Mapping[str, str]
    marks: Marks
    seconds: float
    stages: Mapping[str, float] = field(default_factory=dict)
    error: str = ""


def read_and_mark(
    scenes: Sequence[SceneTruth], threads: int = 1, marker: Marker = mark, watcher: Watcher | None = None
) -> list[Result]:
    """Reads and marks all *scenes*, with a progress bar, the first one once before to warm up.

    Args:
        threads: how many the eyes and OpenCV may use.
        watcher: is shown every picture that could be read, with its reading.
    """
    cv2.setNumThreads(threads)
    use_threads(threads)
    for scene in scenes[:1]:
        _read(scene, marker, None)
    with click.progressbar(scenes, label="reading", show_pos=True, file=sys.stderr) as bar:
        return [_read(scene, marker, watcher) for scene in bar]


def _read(scene: SceneTruth, marker: Marker, watcher: Watcher | None) -> Result:
    game = scene.game or Game.HOMEWORLDS
    error, stages, reading = "", {}, Reading(game, (0, 0))
    start = time.perf_counter()
    try:
        data = photo_bytes(scene.picture)
        image = decode_photo(data, name=scene.picture.name)
        stages["open"] = time.perf_counter() - start
        sight = see_photo(image, game, scene.south, lens=lens_of(data))
        stages |= sight.seconds
        reading = reading_of(sight, game)
    except Exception as problem:  # whatever it is, it is counted, and the other pictures are still read
        error = f"{type(problem).__name__}: {problem}"
    seconds = time.perf_counter() - start
    if watcher and not error:
        watcher(scene, image, reading)
    return Result(scene.name, scene.labels, marker(scene, reading), seconds, stages, error)


def write_rows(path: Path, results: Sequence[Result]) -> None:
    """Writes one CSV row a picture: labels, counts, seconds, each stage's seconds, error."""
    rows = [
        {
            "name": result.name,
            **result.labels,
            **result.marks.counts,
            "seconds": round(result.seconds, 3),
            **{f"{stage} s": round(seconds, 4) for stage, seconds in result.stages.items()},
            "error": result.error,
        }
        for result in results
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(key for row in rows for key in row)), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
