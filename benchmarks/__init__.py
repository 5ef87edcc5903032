"""Measurements of the program, each a module that prints its tables and writes them under results/."""

from pathlib import Path

import companion_app  # noqa: F401  sets how many threads linear algebra may use, before NumPy is loaded

RESULTS = Path(__file__).parents[1] / "results"
