"""One photo at a time, on one thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from contextvars import ContextVar

import pytest

from companion_app.errors import AppError
from companion_app.web.gate import Busy, Gate

WHO: ContextVar[str] = ContextVar("who", default="nobody")
LONG_S = 20.0


@pytest.fixture
def gate() -> Iterator[Gate]:
    with closing(Gate(waiting=4, patience_s=LONG_S)) as gate:
        yield gate


def test_everybodys_work_is_done_on_one_thread(gate: Gate) -> None:
    all_here = threading.Barrier(4)

    def ask(_number: int) -> tuple[int, int]:
        all_here.wait(LONG_S)
        return threading.get_ident(), gate.do(threading.get_ident)

    with ThreadPoolExecutor(4) as people:
        asked_by, done_by = map(set, zip(*people.map(ask, range(4)), strict=True))
    assert len(asked_by) == 4
    assert len(done_by) == 1


def test_work_knows_who_asked_for_it(gate: Gate) -> None:
    WHO.set("somebody")
    assert gate.do(WHO.get) == "somebody"


def test_what_work_raises_comes_to_who_asked_and_the_next_is_let_in(gate: Gate) -> None:
    def wrong() -> None:
        raise AppError("photo_empty", "This file is empty: copy or upload it again.")

    with pytest.raises(AppError, match="is empty"):
        gate.do(wrong)
    assert gate.do(lambda: "next") == "next"


def test_who_waits_in_vain_is_sent_away_and_nothing_is_done_for_them() -> None:
    inside, leave, done = threading.Event(), threading.Event(), list[str]()

    def first() -> None:
        inside.set()
        leave.wait(LONG_S)

    with closing(Gate(waiting=4, patience_s=0.05)) as gate, ThreadPoolExecutor(1) as people:
        working = people.submit(gate.do, first)
        assert inside.wait(LONG_S)
        with pytest.raises(Busy):
            gate.do(lambda: done.append("second"))
        leave.set()
        working.result(LONG_S)
        gate.do(lambda: done.append("third"))
    assert done == ["third"]
