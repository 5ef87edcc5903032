"""The command that damages photos in 20,000 ways, on a few of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).parents[2]


def test_damaged_photos_end_as_a_picture_or_in_a_refusal(tmp_path: Path) -> None:
    table = tmp_path / "fuzz_photos.md"
    command = [sys.executable, "-m", "benchmarks.fuzz_photos", "--cases", "400", "--out", str(table)]
    done = subprocess.run(command, check=False, cwd=HOUSE, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    written = table.read_text()
    assert "Cases: 400 of 400." in written
    for outcome in ("opened", "refused: photo_truncated", "uploaded: 303", "uploaded: 422", "read whole:"):
        assert f"| {outcome}" in written
