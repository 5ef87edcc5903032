"""Imports run one way: `rules` and `vision` know nothing of each other, and nobody below knows the app."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]
ROOMS = {"rules", "vision", "companion_app", "firmware_bridge", "scenes", "training"}
MAY_IMPORT = {
    "rules": {"rules"},
    "vision": {"vision"},
    "firmware_bridge": {"firmware_bridge"},
    "scenes": {"scenes", "vision", "rules"},
    "training": {"training", "vision", "scenes"},
    "companion_app": {"companion_app", "rules", "vision", "firmware_bridge"},
}


def imported(module: Path) -> Iterator[str]:
    """The top-level names that a module imports, at its head or anywhere inside."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are written out in full"
            yield (node.module or "").split(".")[0]


def imports_of(room: str) -> set[str]:
    """All top-level names imported in a room."""
    modules = sorted((HOUSE / room).rglob("*.py"))
    assert modules, f"{room} is empty"
    return {name for module in modules for name in imported(module)}


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_arrows(room: str) -> None:
    assert imports_of(room) & ROOMS <= MAY_IMPORT[room]


def test_rules_need_the_standard_library_only() -> None:
    assert imports_of("rules") - {"rules"} <= sys.stdlib_module_names


def test_one_module_runs_nets_for_it_alone_sees_to_it_that_nothing_is_sent() -> None:
    installed = ROOMS - {"scenes", "training"}
    modules = [module for room in installed for module in (HOUSE / room).rglob("*.py")]
    assert [m.name for m in modules if "onnxruntime" in imported(m)] == ["nets.py"]
