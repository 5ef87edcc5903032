"""The list of what may go wrong names tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (HOUSE / "docs" / "robustness.md").read_text(encoding="utf-8"))


def test_every_trouble_has_a_proof() -> None:
    rows = [
        line for line in (HOUSE / "docs" / "robustness.md").read_text(encoding="utf-8").split("\n") if "| **" in line
    ]
    assert rows
    assert all("tests/" in row for row in rows)


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_proof_is_there(file: str, name: str) -> None:
    tree = ast.parse((HOUSE / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
