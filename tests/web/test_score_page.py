"""The scorer of Settlers: one photo, both totals, and who wins a tie."""

from __future__ import annotations

import pytest
from conftest import MakeApp
from flask import Flask
from flask.testing import FlaskClient
from game_tables import Eyes, a_photo


@pytest.fixture
def app(make_app: MakeApp, eyes: Eyes) -> Flask:
    """The application with a reader that sees what it is told to."""
    return make_app(READER=eyes.read)


def test_the_scorer_reads_a_board_in_one_go(client: FlaskClient, eyes: Eyes) -> None:
    eyes.line = "6/6/2g13/3R32/6/6 S 0"
    answer = client.post("/score", data={"photo": (a_photo(), "board.jpg")})
    result = client.get(answer.headers["Location"])
    assert "North wins, 3 points to 1." in result.text


def test_a_tie_is_decided_by_who_began(client: FlaskClient, eyes: Eyes) -> None:
    eyes.line = "6/6/2g13/3Y12/6/6 S 0"
    result = client.post("/score", data={"photo": (a_photo(), "board.jpg")}).headers["Location"]
    assert "North wins the tie" in client.get(f"{result}?began=south").text
    assert "South wins the tie" in client.get(f"{result}?began=north").text


def test_a_table_of_homeworlds_has_no_score(client: FlaskClient) -> None:
    reading = client.post("/virtual", data={"game": "homeworlds", "table": "7"}).headers["Location"]
    assert client.get(f"/score/{reading.rpartition('/')[2]}").status_code == 400
