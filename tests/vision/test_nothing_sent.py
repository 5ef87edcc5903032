"""What runs the nets reports to its makers on every run, unless it is told not to before it begins."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).parents[2]
LOOK = "import numpy; from vision.eyes import Detector; Detector().look(numpy.zeros((64, 64, 3), numpy.uint8))"


def test_a_look_leaves_no_report_behind_that_waits_to_be_sent(tmp_path: Path) -> None:
    at_home = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
    }  # what mutes it in tests is not set at people's homes
    subprocess.run([sys.executable, "-c", LOOK], cwd=HOUSE, env=at_home, check=True, timeout=120)
    assert list(tmp_path.rglob("*")) == []
