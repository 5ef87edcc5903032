"""The examples in the documentation of `rules` say what happens."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import rules

MODULES = ["rules", *(found.name for found in pkgutil.walk_packages(rules.__path__, "rules."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_are_found() -> None:
    finder = doctest.DocTestFinder()
    examples = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(examples) > 5
