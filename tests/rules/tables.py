"""Reads the data tables of these tests."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[list[str]]:
    """The tab-separated cells of each line of a table, but for comments."""
    lines = (DATA / name).read_text(encoding="utf-8").split("\n")
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
