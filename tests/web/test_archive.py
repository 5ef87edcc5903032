"""The archive: any turn of a game by its own address, everything taken away, taken in again, and forgotten."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeApp, served
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

JSON = {"Accept": "application/json"}
GAMES = Path(__file__).parents[1] / "app" / "data" / "games"
TURNS = ("land g1 c3", "land g1 d4", "G c3: g1 d3")


def answered(client: FlaskClient, path: str) -> Any:
    """The JSON at a path."""
    return client.get(path, headers=JSON).json


def play(client: FlaskClient) -> str:
    """The path of a game of Settlers of three turns."""
    path = client.post("/games", data={"game": "settlers", "south": "Ann"}).headers["Location"]
    for where, said in [("/as-recorded", {}), *(("/turn", {"turn": turn}) for turn in TURNS)]:
        base = answered(client, f"{path}/parts")["seq"]
        answer = client.post(path + where, data={"base": base} | said, headers=JSON)
        assert answer.status_code == 200, answer.json
    return path


@pytest.fixture
def played(client: FlaskClient) -> str:
    """Such a game."""
    return play(client)


SEEN = [(0, "The beginning.", "South to move"), (1, "South lands", "North to move"), (3, "builds", "North to move")]


@pytest.mark.parametrize(("number", "told", "moving"), SEEN)
def test_every_turn_has_its_address(client: FlaskClient, played: str, number: int, told: str, moving: str) -> None:
    page = client.get(f"{played}/turns/{number}").text
    assert told in page
    assert moving in page
    part = answered(client, f"{played}/turns/{number}")["parts"]["moment"]
    assert part in page


def test_once_the_game_is_over_nobody_is_to_move(client: FlaskClient, played: str) -> None:
    base = answered(client, f"{played}/parts")["seq"]
    client.post(f"{played}/do", data={"base": base, "do": "resign", "seat": "north"}, headers=JSON)
    drawn = [answered(client, f"{played}/parts")["parts"]["board"], client.get(f"{played}/turns/4/diagram.svg").text]
    with zipfile.ZipFile(BytesIO(client.get(f"{played}/game.zip").data)) as all_of_it:
        drawn.append(all_of_it.read("position.svg").decode())
    for diagram in drawn:
        assert "the game is over" in diagram
        assert "to move" not in diagram
    assert "North to move" in client.get(f"{played}/turns/3/diagram.svg").text


def test_the_slider_works_without_scripts(client: FlaskClient, played: str) -> None:
    assert client.get(f"{played}/turns?number=2").headers["Location"] == f"{played}/turns/2"


@pytest.mark.parametrize("address", ["/turns/4", "/turns?number=x", "/turns/4/diagram.svg", "/photos/none.jpg"])
def test_what_is_not_there(client: FlaskClient, played: str, address: str) -> None:
    assert client.get(played + address).status_code == 404


def test_an_earlier_turn_is_gone_on_from(client: FlaskClient, played: str) -> None:
    base = answered(client, f"{played}/parts")["seq"]
    answer: Any = client.post(f"{played}/do", data={"base": base, "do": "take back", "to": "1"}, headers=JSON)
    assert answer.json["spoken"] == "North’s turn."
    assert "/turns/2" not in answer.json["parts"]["history"]


KINDS = [
    ("game.json", "application/json", b'"format": "pyramid-companion game 1"'),
    ("game.pyramids", "text/plain", b"Game: settlers"),
    ("game.zip", "application/zip", b"PK"),
    ("turns/2/diagram.svg", "image/svg+xml", b"<svg"),
    ("turns/2/diagram.png", "image/png", b"\x89PNG"),
]


@pytest.mark.parametrize(("name", "kind", "begin"), KINDS)
def test_taken_away(client: FlaskClient, played: str, name: str, kind: str, begin: bytes) -> None:
    answer = client.get(f"{played}/{name}")
    assert answer.mimetype == kind
    assert "attachment" in answer.headers["Content-Disposition"]
    assert begin in answer.data


@pytest.mark.parametrize("name", ["game.json", "game.pyramids", "game.zip"])
def test_what_was_taken_away_is_taken_in_again(client: FlaskClient, played: str, name: str) -> None:
    data = client.get(f"{played}/{name}").data
    again = client.post("/games/import", data={"file": (BytesIO(data), name)}).headers["Location"]
    assert again != played
    records = [client.get(f"{path}/game.pyramids").text for path in (played, again)]
    assert records[0] == records[1]
    if name == "game.zip":
        told = json.loads(zipfile.ZipFile(BytesIO(data)).read("game.json"))
        assert told["names"] == {"south": "Ann"}


def test_a_transcript_is_taken_in(client: FlaskClient) -> None:
    data = (GAMES / "build.txt").read_bytes()
    path = client.post("/games/import", data={"file": (BytesIO(data), "build.txt")}).headers["Location"]
    assert client.get(f"{path}/turns/6").status_code == 200


@pytest.mark.parametrize(
    ("name", "turns", "names"),
    [
        ("site.raw", 6, {"south": "ann", "north": "Jon-42"}),
        ("abstractplay.json", 6, {"north": "ann", "south": "Zoë"}),
    ],
)
def test_a_game_from_elsewhere_is_taken_in_with_its_players(
    client: FlaskClient, name: str, turns: int, names: dict[str, str]
) -> None:
    data = (GAMES / name).read_bytes()
    path = client.post("/games/import", data={"file": (BytesIO(data), name)}).headers["Location"]
    assert client.get(f"{path}/turns/{turns}").status_code == 200
    assert answered(client, f"{path}/game.json")["names"] == names


NO_GAMES = [b"", b"nothing of the sort", b"PK\x03\x04 damaged", b'{"format": "another"}', b"[" * 100_000]


@pytest.mark.parametrize("data", NO_GAMES)
def test_what_is_no_game_is_refused(client: FlaskClient, data: bytes) -> None:
    assert client.post("/games/import", data={"file": (BytesIO(data), "game")}).status_code == 422
    assert "No games yet" in client.get("/games").text


def test_a_game_is_deleted_after_a_question(client: FlaskClient, played: str) -> None:
    assert "Delete this game?" in client.get(f"{played}/delete").text
    assert client.post(f"{played}/delete").headers["Location"] == "/games"
    for address in ("", "/parts", "/events", "/turns/0", "/game.zip", "/delete"):
        assert client.get(played + address).status_code == 404
    assert client.post(f"{played}/do", data={"base": "1", "do": "pause"}).status_code == 404


def test_games_outlast_the_program(make_app: MakeApp) -> None:
    path = play(make_app().test_client())
    page = make_app().test_client().get(path).text
    assert "North’s turn." in page


def test_the_list_goes_on_after_twenty(client: FlaskClient) -> None:
    for _ in range(21):
        client.post("/games", data={"game": "homeworlds"})
    assert client.get("/games").text.count("Setting up: South") == 20
    assert client.get("/games?page=1").text.count("Setting up: South") == 1


# In a browser


@pytest.mark.browser
@pytest.mark.parametrize("page", [(360, 740)], indirect=True)
def test_a_game_is_played_watched_and_replayed(page: Page, make_app: MakeApp) -> None:
    app = make_app()
    address, path = served(app), play(app.test_client())
    page.goto(address + path)
    watching = page.context.new_page()
    watching.goto(address + path)
    page.get_by_label("Type North’s turn").fill("pass")
    page.get_by_role("button", name="Play it").click()
    for tab in (page, watching):
        expect(tab.get_by_role("status").first).to_contain_text("Legal: North passes. South’s turn.")
    expect(page.get_by_label("Type South’s turn")).to_have_value("")
    watching.get_by_role("link", name="Replay").click()
    expect(watching.locator("#shown")).to_have_text("4 / 4")
    watching.wait_for_load_state()  # the keys are listened to by then
    watching.keyboard.press("ArrowLeft")
    expect(watching.locator("#shown")).to_have_text("3 / 4")
    expect(watching.locator(".moment-told")).to_contain_text("3. South")
    assert watching.url.endswith(f"{path}/turns/3")
    assert watching.evaluate("document.documentElement.scrollWidth <= innerWidth")
    watching.close()
