"""The list of refusals: an example for every code of the engine, and sentences that people can use."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from refusal_list import EXAMPLES, PAGE, Example, page, refusal_of

from rules import RulesError

ENGINE = Path(__file__).parents[2] / "rules"
RULINGS = PAGE.with_name("rulings.md")
ERRORS = {name: name for name in ("IllegalTurn", "InvalidTurn", "AmbiguousTurn")} | {"refuse": "IllegalTurn"}
LONGEST_SENTENCE = 260
NOT_FOR_PEOPLE = re.compile(r"\bNone\b|Traceback|Error|Exception|\bobject\b|\w\(\w+=|\['|<\w+\.|_")

examples = pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"{example.game} {example.code} {example.ruling}" for example in EXAMPLES]
)


@cache
def refused(example: Example) -> RulesError:
    """What the engine says to an example."""
    refusal = refusal_of(example)
    assert refusal is not None, "nothing refuses it"
    return refusal


def codes_in(tree: ast.AST, errors: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The errors that some source can raise, each with its code."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in errors:
            for code in values_of(call.args[0]):
                yield errors[call.func.id], code


def values_of(argument: ast.expr) -> Iterator[str]:
    """What the code of an error can be: written out, or one of two that are; a parameter is told by the callers."""
    if isinstance(argument, ast.IfExp):
        yield from (*values_of(argument.body), *values_of(argument.orelse))
    elif isinstance(argument, ast.Constant):
        yield str(argument.value)
    else:
        assert isinstance(argument, ast.Name), ast.unparse(argument)
        assert argument.id == "code"


def source_codes(game: str) -> set[tuple[str, str]]:
    """What the source of a game can refuse a turn with; a new system's name is refused as it is in positions."""
    trees = [ast.parse(module.read_text(encoding="utf-8")) for module in (ENGINE / game).rglob("*.py")]
    naming = [node for tree in trees for node in ast.walk(tree) if getattr(node, "name", "") == "check_name"]
    return {
        *(found for tree in trees for found in codes_in(tree, ERRORS)),
        *(found for function in naming for found in codes_in(function, {"RulesError": "RulesError"})),
    }


@examples
def test_an_example_is_refused_as_it_says(example: Example) -> None:
    refusal = refused(example)
    assert (type(refusal).__name__, refusal.code, refusal.rule) == (example.error, example.code, example.ruling)


@pytest.mark.parametrize("game", ["homeworlds", "settlers"])
def test_every_code_has_an_example_and_every_example_a_code(game: str) -> None:
    assert {(example.error, example.code) for example in EXAMPLES if example.game == game} == source_codes(game)


@examples
def test_a_sentence_is_for_people(example: Example) -> None:
    sentence = refused(example).sentence
    assert sentence.isprintable()
    assert len(sentence) <= LONGEST_SENTENCE
    assert sentence.endswith(".")
    assert not re.search(r"[.!?] [A-Z]", sentence), "it is more than one"
    assert not NOT_FOR_PEOPLE.search(sentence)


@examples
def test_parameters_are_plain_values(example: Example) -> None:
    parameters = refused(example).parameters
    assert json.loads(json.dumps(parameters)) == parameters


def test_the_page_is_what_the_script_writes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_ruling_is_told() -> None:
    told = re.findall(r"^\| (S?\d+) \|", RULINGS.read_text(encoding="utf-8"), re.MULTILINE)
    assert told == [*(str(number) for number in range(1, 26)), *(f"S{number}" for number in range(1, 24))]
    assert {example.ruling for example in EXAMPLES} - {""} <= set(told)
