"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from companion_app.cli.group import SECTIONS

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = [name for section in SECTIONS.values() for name in section]


def test_examples_hold() -> None:
    assert EXAMPLES
    for number, text in enumerate(EXAMPLES):
        example = doctest.DocTestParser().get_doctest(text, {}, f"README example {number}", "README.md", 0)
        runner = doctest.DocTestRunner()
        runner.run(example)
        assert runner.failures == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_told_of(command: str) -> None:
    assert f"`pyramids {command}" in README


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_links_lead_somewhere(path: str) -> None:
    assert (Path(__file__).parents[1] / path).exists()
