"""Games begun on the page: on all terms that it offers, from a position, from a photo; and what begins nothing."""

from __future__ import annotations

import pytest
from conftest import MakeApp
from flask import Flask
from flask.testing import FlaskClient
from game_tables import HOMES, Eyes, Table, a_photo


@pytest.fixture
def app(make_app: MakeApp, eyes: Eyes) -> Flask:
    """The application with a reader that sees what it is told to."""
    return make_app(READER=eyes.read)


def test_the_list_leads_to_a_game_and_back(client: FlaskClient, settlers: Table) -> None:
    assert "/games" in client.get("/").text
    listed = client.get("/games").text
    assert settlers.path in listed
    assert "Ann – Bo" in listed
    assert "South’s turn." in listed
    page = client.get(settlers.path).text
    assert "Ann is South" in page


TERMS = [
    ({"game": "settlers", "redless": "on"}, "redless"),
    ({"game": "settlers", "junior": "north", "large_landing": "on"}, "North lands a large first"),
    ({"game": "settlers", "beginner": "north"}, "North began"),
    (
        {"game": "homeworlds", "junior": "south", "extra_ships": "two small", "timewarp": "1"},
        "South has a head start: small and small extra ships, 1 extra turn",
    ),
    (
        {"game": "homeworlds", "red_alert_north": "on", "red_alert_south": "on"},
        "South and North are warned of danger",
    ),
    ({"game": "homeworlds", "junior": "north", "tactical_computer": "2"}, "North has a head start: advice (2)"),
    ({"game": "homeworlds", "repetition_claim": "on"}, "the third time of a position may be claimed as a draw"),
    ({"game": "homeworlds", "any_first_ship": "on"}, "the first ship is small or medium or large"),
    ({"game": "homeworlds", "one_star": "on"}, "homes have one star or two"),
    ({"game": "homeworlds", "self_elimination": "forbidden"}, "to leave one’s own home empty is not legal"),
    ({"game": "settlers", "yellow_moves_any": "on"}, "Yellow moves any piece"),
    ({"game": "settlers", "quiet_limit": "20"}, "20 turns without a conquest end it"),
    ({"game": "homeworlds", "position": HOMES}, "South’s turn."),
    ({"game": "homeworlds", "position": HOMES, "lay_out": "on"}, "Putting a position back"),
]


@pytest.mark.parametrize(("terms", "shown"), TERMS)
def test_terms(client: FlaskClient, eyes: Eyes, terms: dict[str, str], shown: str) -> None:
    assert shown in client.get(Table(client, eyes, **terms).path).text


WRONG_TERMS = [
    ({}, 400),
    ({"game": "chess"}, 400),
    ({"game": "settlers", "beginner": "up"}, 400),
    ({"game": "settlers", "junior": "east"}, 422),
    ({"game": "settlers", "position": HOMES}, 400),
    ({"game": "settlers", "quiet_limit": "0"}, 422),
    ({"game": "settlers", "quiet_limit": "1000"}, 400),
    ({"game": "homeworlds", "self_elimination": "perhaps"}, 400),
    ({"game": "homeworlds", "position": "nonsense"}, 422),
    ({"game": "homeworlds", "extra_ships": "ten"}, 400),
    ({"game": "homeworlds", "extra_ships": "small"}, 422),
    ({"game": "homeworlds", "timewarp": "-1", "junior": "south"}, 400),
    ({"game": "homeworlds", "south": "x" * 200}, 400),
]


@pytest.mark.parametrize(("terms", "status"), WRONG_TERMS)
def test_wrong_terms_begin_nothing(client: FlaskClient, terms: dict[str, str], status: int) -> None:
    assert client.post("/games", data=terms).status_code == status
    assert "No games yet" in client.get("/games").text


def test_a_game_begins_with_what_a_photo_shows(client: FlaskClient, eyes: Eyes) -> None:
    table = Table(client, eyes, game="homeworlds", beginner="north", photo=(a_photo(), "table.jpg"))
    assert table.state == "turn"
    assert table.spoken == "North’s turn."
