"""The examples in the documentation of `firmware_bridge` say what happens."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import firmware_bridge

MODULES = [found.name for found in pkgutil.walk_packages(firmware_bridge.__path__, "firmware_bridge.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_are_found() -> None:
    assert "firmware_bridge.drivers.adalight" in MODULES
    finder = doctest.DocTestFinder()
    examples = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(examples) > 5
