"""Many scenes into a folder: seeded, resumable, several at a time."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2

from scenes.scene import render


@dataclass(frozen=True)
class Wish:
    """What all scenes of a batch shall be like; see :func:`scenes.scene.render`."""

    look: str
    kind: str | None = None
    scale: float = 1.0


Job = tuple[Path, int, Wish]


def name_of(seed: int) -> str:
    """The file name, without its ending, of a scene."""
    return f"scene_{seed:07d}"


def missing(folder: Path, count: int, seed: int) -> list[int]:
    """The seeds of the scenes that are not finished; a scene is when its JSON is there."""
    return [one for one in range(seed, seed + count) if not (folder / f"{name_of(one)}.json").exists()]


def render_many(folder: Path, count: int, seed: int, wish: Wish, workers: int) -> None:
    """Renders what is missing of *count* scenes from *seed* on, with a progress bar, and logs the settings."""
    folder.mkdir(parents=True, exist_ok=True)
    todo = missing(folder, count, seed)
    line = {**asdict(wish), "seed": seed, "count": count, "workers": workers, "missing": len(todo)}
    with (folder / "settings.log").open("a", encoding="utf-8") as log:
        log.write(time.strftime("%Y-%m-%d %H:%M:%S ") + json.dumps(line) + "\n")
    jobs = [(folder, one, wish) for one in todo]
    start, spent = time.monotonic(), 0.0
    with _results(jobs, workers) as results:
        for done, seconds in enumerate(results, start=1):
            spent += seconds
            left = (time.monotonic() - start) / done * (len(todo) - done)
            _show(count - len(todo) + done, count, spent / done, left)
    sys.stderr.write("\n")


@contextlib.contextmanager
def _results(jobs: list[Job], workers: int) -> Iterator[Iterator[float]]:
    if workers < 2:
        yield map(render_one, jobs)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield pool.imap_unordered(render_one, jobs)


def render_one(job: Job) -> float:
    """One scene, picture first and truth last, each under its name only when complete; its CPU-seconds."""
    folder, seed, wish = job
    cv2.setNumThreads(1)
    start = time.process_time()
    scene = render(seed, wish.look, scale=wish.scale, kind=wish.kind)
    ok, jpeg = cv2.imencode(".jpg", scene.picture[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, scene.jpeg])
    assert ok
    seconds = time.process_time() - start
    _write(folder / f"{name_of(seed)}.jpg", jpeg.tobytes())
    _write(folder / f"{name_of(seed)}.json", json.dumps(scene.truth).encode())
    return seconds


def _write(path: Path, content: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(content)
    draft.replace(path)


def _show(done: int, count: int, seconds: float, left: float) -> None:
    bar = "█" * (30 * done // count)
    end = "\r" if sys.stderr.isatty() else "\n"
    if end == "\r" or done % 20 == 0 or done == count:
        minutes = f"{int(left // 60)}:{int(left % 60):02d} left"
        sys.stderr.write(f"{bar:░<30} {done}/{count}, {seconds:.1f} CPU-s a scene, {minutes}  {end}")
        sys.stderr.flush()
