"""What the running page keeps of the photos that it has read."""

from __future__ import annotations

from pathlib import Path

from left_out import left_out

from benchmarks.memory import MB, measured

MOST_MB = 350  # with photos of 1280×960
GROWTH_MB = 30  # from the tenth reading on


def test_memory_stays_as_it_is_after_some_uploads() -> None:
    if not Path("/proc/self/status").exists():
        left_out("what a program holds is asked of Linux")
    course = measured((1280, 960), uploads=20, seed=1, tables=4)
    held = {held.uploads: held for held in course.held}
    assert held[20].now - held[10].now < GROWTH_MB * MB
    assert held[20].most < MOST_MB * MB
