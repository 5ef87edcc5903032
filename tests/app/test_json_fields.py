"""JSON from outside taken apart: each field is what it should be, or refused in a sentence that names it."""

from __future__ import annotations

import doctest
import json
from types import ModuleType

import pytest
from session_scripts import SETTLERS

from companion_app import json_fields, plain_text
from companion_app.json_fields import MAX_DEPTH, BadReading, Fields, read_json
from companion_app.plain_text import BadText
from companion_app.session import Terms


@pytest.mark.parametrize("module", [json_fields, plain_text])
def test_examples_are_right(module: ModuleType) -> None:
    found = doctest.testmod(module)
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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_json_is_read_in_any_encoding_and_with_a_mark(encoding: str) -> None:
    told = {"name": "Zoë", "lines": "one\ntwo"}
    data = json.dumps(told, ensure_ascii=False)
    assert read_json(data.encode(encoding), "this") == told
    assert read_json(f"\ufeff{data}", "this") == told


DEEP = "[" * MAX_DEPTH + "]" * MAX_DEPTH
NO_JSON = [b"", b"{", b"NaN", b'{"x": -Infinity}', b'"\xff"', b"1" * 5000, b"[" * 100_000, f"[{DEEP}]".encode()]


@pytest.mark.parametrize("data", NO_JSON, ids=lambda data: repr(data[:20]))
def test_what_is_no_json(data: bytes) -> None:
    assert read_json(DEEP, "this")
    with pytest.raises(ValueError, match=r"[a-z]"):
        read_json(data, "this")


@pytest.mark.parametrize("data", [rb'["\ud800"]', rb'{"\u202e": 1}', b'{"a": [{"b": "\xed\xa0\x80"}]}', rb'"\u0000"'])
def test_a_character_that_spoils_a_text_in_json_is_refused(data: bytes) -> None:
    with pytest.raises(BadText, match=r"^A text in this reading has .* in it: take that out and try again\.$"):
        read_json(data, "this reading")


@pytest.mark.parametrize("value", [10**400, float("nan"), float("inf"), True, "1", None])
def test_what_is_no_number(value: object) -> None:
    with pytest.raises(BadReading, match="should be a number"):
        Fields({"at": value}, "piece").number("at")
