"""How long `pyramids score` takes as a whole process, start-up included: python -m benchmarks.score_time"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2

from benchmarks import RESULTS
from benchmarks.virtual_readings import take_picture

RUNS = 7
SEED = 7


def main() -> None:
    """Scores one virtual photograph again and again, each time in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "board.jpg"
        picture, view = take_picture("settlers", SEED)
        cv2.imwrite(str(photo), picture.image)
        call = "from companion_app.cli import main; main()"
        command = [sys.executable, "-c", call, "score", str(photo), "--south", view.south.value]
        seconds = [_once(command) for _ in range(RUNS + 1)][1:]
    line = (
        f"`pyramids score` of a 1280×960 photograph, {RUNS} whole processes after one to warm up: "
        f"median {statistics.median(seconds):.2f} s, from {min(seconds):.2f} to {max(seconds):.2f} s.\n"
    )
    print(line, end="")
    (RESULTS / "score_time.md").write_text(line)


def _once(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
