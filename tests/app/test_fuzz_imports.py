"""Games that are no games, taken in: a few cases of benchmarks.fuzz_imports."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

from benchmarks.import_cases import Games


def test_no_import_breaks_the_page(tmp_path: Path) -> None:
    table = tmp_path / "table.md"
    run = [sys.executable, "-m", "benchmarks.fuzz_imports", "--cases", "60", "--seed", "7", "--out", str(table)]
    done = subprocess.run(run, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = table.read_text()
    assert "Cases: 60 of 60. Faults (exceptions, answers 500): 0." in text
    assert re.search(r"zip taken in, shown, written out, taken in again, deleted \| \d", text)
    assert re.search(r"zip refused: 422 not_a_game \| \d", text)


def test_the_same_seed_gives_the_same_cases() -> None:
    first, second = (Games(Random(3)) for _ in range(2))
    for _ in range(30):
        assert first.as_zip() == second.as_zip()
        assert first.as_json() == second.as_json()
