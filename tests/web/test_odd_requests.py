"""Real requests of every kind, and what becomes of the page when something is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient
from game_tables import Table

from benchmarks.fuzz_requests import fuzz
from benchmarks.fuzzing import Run
from benchmarks.whole_page import ENDPOINTS, WholePage


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[WholePage]:
    """A page with games in every state."""
    page = WholePage(tmp_path, Random(1))
    page.revive()
    yield page
    page.close()


def test_every_route_that_something_is_sent_to_is_tried(whole: WholePage) -> None:
    taking = {rule.endpoint for rule in whole.app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert taking == set(ENDPOINTS)


def test_the_requests_that_odd_ones_are_made_of_are_real(whole: WholePage) -> None:
    """Each is taken, or refused for what the page is like just then; none for how it is written."""
    taken = set()
    for endpoint in [one for one in ENDPOINTS if "delete" not in one and "put_away" not in one] * 4:
        request = whole.sent(endpoint)
        answer = whole.client.open(
            request.path, method=request.method, headers=request.all_headers, data=request.body
        )
        assert answer.status_code in (200, 303, 400, 404, 409, 422), (request, answer.status)
        taken |= {endpoint} if answer.status_code < 400 else set()
    assert len(taken) > 18


def test_some_odd_requests_break_nothing(tmp_path: Path) -> None:
    run = Run("Requests", seed=4, cases=120, case_limit_s=60, run_limit_s=600)
    states = fuzz(run, tmp_path)
    assert run.is_clean, (run.faults, run.hangs)
    assert len(states) > 5


def test_a_reading_of_another_game_corrects_nothing(client: FlaskClient, settlers: Table, homeworlds: Table) -> None:
    reading = (
        client.post("/virtual", data={"game": "homeworlds", "table": "7"}).headers["Location"].rpartition("/")[2]
    )
    settlers.do("disagree")
    answer = client.post(f"{settlers.path}/correction/{reading}", headers={"Accept": "application/json"})
    assert answer.json
    assert (answer.status_code, answer.json["error"]) == (422, "another_game")
    assert settlers.state == "disagree"
    assert homeworlds.state == "turn"
