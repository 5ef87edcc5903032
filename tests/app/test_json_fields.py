"""JSON from outside taken apart: each field is what it should be, or refused in a sentence that names it."""

from __future__ import annotations

import doctest

import pytest
from session_scripts import SETTLERS

from companion_app import json_fields
from companion_app.json_fields import BadReading, Fields
from companion_app.session import Terms


def test_examples_are_right() -> None:
    found = doctest.testmod(json_fields)
    assert (found.failed, found.attempted > 0) == (0, True)


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        ({}, False),
        ({"done": None}, False),
        ({"done": False}, False),
        ({"done": True}, True),
        ({"done": 0}, False),
        ({"done": 1}, True),
    ],
)
def test_yes_and_no(data: dict[str, object], answer: bool) -> None:
    assert Fields(data, "step").yes("done") is answer


@pytest.mark.parametrize("value", ["yes", "", "false", 2, -1, 0.5, [], {}, [True]])
def test_what_is_neither_yes_nor_no(value: object) -> None:
    with pytest.raises(BadReading, match="“done” of the step should be true or false"):
        Fields({"done": value}, "step").yes("done")


@pytest.mark.parametrize(("laid", "answer"), [({"lay_out": 1}, True), ({"lay_out": True}, True), ({}, False)])
def test_terms_of_older_logs_say_one_for_yes(laid: dict[str, object], answer: bool) -> None:
    assert Terms.from_json(SETTLERS.to_json() | laid).lay_out is answer
