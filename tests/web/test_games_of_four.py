"""Three and four players on the page: begun by the form, typed to the end, and no picture pretends to see them."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import LAPTOP, MakeApp, served
from flask import Flask
from flask.testing import FlaskClient
from game_tables import HOMES, JSON, Eyes, Table, a_photo
from playwright.sync_api import Page, expect

from companion_app.web.overhead import Mounted

THREE = {"game": "homeworlds", "players": "3"}
FOUR = {"game": "homeworlds", "players": "4"}
LINE = "<0>; North(0,r2b1)y3g3--; East(1,y1b3)-g1-; South(2,g1b2)--r3"
SET_UP = {
    "North": "homeworld b3 y1 g3 North",
    "East": "homeworld b3 y2 g3 East",
    "South": "homeworld b2 y1 g3 South",
    "West": "homeworld b1 y2 g3 West",
}


@pytest.fixture
def app(make_app: MakeApp, eyes: Eyes) -> Flask:
    """The application with a reader that sees what it is told to."""
    return make_app(READER=eyes.read)


def mover(table: Table) -> str:
    return table.spoken.split("’s turn")[0].rsplit(" ", 1)[-1]


@pytest.mark.parametrize(
    ("terms", "order"),
    [
        (THREE | {"beginner": "north"}, ["North", "East", "South"]),
        (THREE | {"beginner": "south"}, ["South", "North", "East"]),
        (FOUR | {"beginner": "west"}, ["West", "North", "East", "South"]),
    ],
)
def test_all_set_up_and_play_in_turn(
    client: FlaskClient, eyes: Eyes, terms: dict[str, str], order: list[str]
) -> None:
    table = Table(client, eyes, **terms)
    for seat in order:
        assert table.spoken == f"Setting up: {seat} chooses a homeworld."
        assert table.type(SET_UP[seat]).status_code == 200
    for seat in (*order, order[0]):
        assert mover(table) == seat
        assert table.type(f"build g1 {seat}").status_code == 200 or table.type("pass").status_code == 200
    page = client.get(table.path).text
    assert f"{len(order)} players" in page
    assert f"{order[0]} began" in page


def test_names_of_all_and_of_nobody_else(client: FlaskClient, eyes: Eyes) -> None:
    names = {"south": "Ann", "north": "Bo", "east": "Cy", "west": "Di"}
    assert "South – North – East" not in client.get("/games").text
    for terms, title in (
        (THREE, "Ann – Bo – Cy"),
        (FOUR, "Ann – Di – Bo – Cy"),
        ({"game": "homeworlds"}, "Ann – Bo"),
        ({"game": "settlers", "players": "4"}, "Ann – Bo"),
    ):
        page = client.get(Table(client, eyes, **terms, **names).path).text
        assert f"<h1>{title}</h1>" in page


def test_who_is_out_does_not_move_and_the_last_one_wins(client: FlaskClient, eyes: Eyes) -> None:
    table = Table(client, eyes, game="homeworlds", position=LINE)
    assert table.do("resign", seat="east").json["state"] == "turn"
    assert table.type("pass").json["spoken"].endswith("South’s turn.")
    assert "East resigns" not in table.now()["parts"]["moves"]
    over = table.do("resign", seat="north").json
    assert (over["state"], over["spoken"]) == ("over", "South wins: North resigns.")
    assert client.get(f"{table.path}/game.zip").status_code == 200
    assert client.get(f"{table.path}/turns/1/diagram.svg").status_code == 200


def test_sides_are_kept_secret_until_the_end(client: FlaskClient, eyes: Eyes) -> None:
    terms = {"game": "homeworlds", "position": LINE, "victory": "good and evil", "evil_east": "on", "evil_west": "on"}
    table = Table(client, eyes, **terms)
    page = client.get(table.path).text
    assert "Good and evil, in secret" in page
    assert "The sides are secret" in page
    assert "evil_" not in page
    table.do("resign", seat="north")
    assert table.do("resign", seat="south").json["spoken"] == "East wins: South resigns."
    assert "Option: evil = east\n" in client.get(f"{table.path}/game.pyramids").text


def test_with_two_nobody_has_a_secret_side(client: FlaskClient, eyes: Eyes) -> None:
    table = Table(client, eyes, game="homeworlds", position=HOMES, victory="good and evil", evil_south="on")
    assert "Good and evil" not in client.get(table.path).text


WRONG: list[tuple[dict[str, Any], int]] = [
    ({"players": "1"}, 422),
    ({"players": "5"}, 400),
    ({"players": "two"}, 400),
    ({"players": "3", "beginner": "west"}, 422),
    ({"beginner": "east"}, 422),
    ({"players": "3", "junior": "west", "timewarp": "1"}, 422),
    ({"players": "3", "victory": "the loudest"}, 400),
    ({"players": "3", "victory": "good and evil"}, 422),
    ({"players": "3", "victory": "good and evil", "evil_west": "on"}, 422),
    ({"players": "3", "photo": "a photo"}, 400),
]


@pytest.mark.parametrize(("terms", "status"), WRONG)
def test_tables_that_cannot_be(client: FlaskClient, terms: dict[str, Any], status: int) -> None:
    data = {"game": "homeworlds"} | terms
    if "photo" in data:
        data["photo"] = (a_photo(), "table.jpg")
    answer: Any = client.post("/games", data=data, headers=JSON)
    assert (answer.status_code, bool(answer.json["sentence"])) == (status, True)
    assert "No games yet" in client.get("/games").text


def test_no_picture_is_taken_for_one_of_three(client: FlaskClient, eyes: Eyes) -> None:
    table = Table(client, eyes, game="homeworlds", position=LINE)
    moves = table.now()["parts"]["moves"]
    assert "Pictures are read for two players only: with 3, every turn is typed." in moves
    assert 'type="file"' not in moves
    assert "camera" not in table.now()["parts"]["table"]
    before = table.now()
    for where, said in (("/photo", {"photo": (a_photo(), "table.jpg")}), ("/camera", {"camera": "usb:0"})):
        answer = table.post(where, **said)
        assert (answer.status_code, answer.json["error"]) == (422, "look_two_players")
    assert table.now() | {"newest": 0} == before | {"newest": 0}


def test_a_camera_named_at_the_start_is_left_alone(make_app: MakeApp, eyes: Eyes) -> None:
    app = make_app(READER=eyes.read, CAMERA=Mounted("usb:0"))
    table = Table(app.test_client(), eyes, **THREE)
    assert table.state == "setup"
    assert app.extensions["games"].live is None


def test_places_are_changed_between_two_only(client: FlaskClient, eyes: Eyes) -> None:
    terms = {"game": "homeworlds", "junior": "south", "brain_transference": "on"}
    assert "Change places" in Table(client, eyes, position=HOMES, **terms).now()["parts"]["moves"]
    assert "Change places" not in Table(client, eyes, position=LINE, **terms).now()["parts"]["moves"]


@pytest.mark.browser
@pytest.mark.parametrize("page", [LAPTOP, (360, 740)], indirect=True)
def test_the_form_asks_for_those_who_play(page: Page, make_app: MakeApp) -> None:
    page.goto(served(make_app()) + "/games")
    form = page.locator("#new")
    fields = {name: form.locator(f"input[name={name}][maxlength]") for name in ("south", "north", "east", "west")}
    typed = form.get_by_text("pictures and cameras are read for two players only")

    def asked() -> list[str]:
        return [name for name, field in fields.items() if field.is_visible()]

    form.get_by_text("Homeworlds", exact=True).first.click()
    assert (asked(), typed.is_visible()) == (["south", "north"], False)
    form.get_by_label("3", exact=True).check()
    assert (asked(), typed.is_visible()) == (["south", "north", "east"], True)
    form.get_by_label("4", exact=True).check()
    assert (asked(), typed.is_visible()) == (["south", "north", "east", "west"], True)
    form.get_by_label("Who wins?").select_option("good and evil")
    expect(form.locator("[name=evil_west]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    form.get_by_text("Settlers", exact=True).first.click()
    assert (asked(), typed.is_visible()) == (["south", "north"], False)
    form.get_by_text("Homeworlds", exact=True).first.click()
    form.get_by_label("West").nth(1).check()
    form.locator("[name=evil_west]").check()
    form.get_by_role("button", name="Begin").click()
    expect(page.locator("[data-part=verdict]")).to_contain_text("Setting up: West chooses a homeworld.")
