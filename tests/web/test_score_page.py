"""The scorer of Settlers: one photo, both totals, and who wins a tie."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeApp, served
from flask import Flask
from flask.testing import FlaskClient
from game_tables import Eyes, a_photo
from playwright.sync_api import Page, Route, expect


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


@pytest.mark.browser
@pytest.mark.parametrize("page", [(360, 740)], indirect=True)
def test_a_board_is_scored_with_a_tap_and_corrected(page: Page, app: Flask, eyes: Eyes, tmp_path: Path) -> None:
    eyes.line = "6/6/2g13/3R32/6/6 S 0"
    shot = tmp_path / "board.jpg"
    shot.write_bytes(a_photo().getvalue())
    page.goto(served(app) + "/games")
    page.get_by_role("link", name="Just score a Settlers board").click()
    page.locator("input[name=photo]").set_input_files(shot)
    expect(page.locator(".result")).to_have_text("North wins, 3 points to 1.")
    expect(page.locator(".side-score.winner .points")).to_have_text("3")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Correct the pieces").click()
    page.locator('[data-part="diagram"] [data-spot][data-owner="north"]').click()
    page.get_by_role("dialog").locator(".segment", has_text="South").click()
    expect(page.locator("#south-points")).to_have_text("4")
    page.goto(page.url.replace("/readings/", "/score/"))
    expect(page.locator(".result")).to_have_text("South wins, 4 points to 0.")


@pytest.mark.browser
def test_a_photo_taken_before_the_script_has_come_is_sent_all_the_same(
    page: Page, app: Flask, eyes: Eyes, tmp_path: Path
) -> None:
    eyes.line = "6/6/2g13/3R32/6/6 S 0"
    shot = tmp_path / "board.jpg"
    shot.write_bytes(a_photo().getvalue())
    late: list[Route] = []

    def held(route: Route) -> None:
        late.append(route)

    page.route("**/game_score.js", held)
    with page.expect_request("**/game_score.js"):
        page.goto(served(app) + "/score", wait_until="commit")
    page.locator("input[name=photo]").set_input_files(shot)
    for route in late:
        route.continue_()
    expect(page.locator(".result")).to_have_text("North wins, 3 points to 1.")


def test_a_table_of_homeworlds_has_no_score(client: FlaskClient) -> None:
    reading = client.post("/virtual", data={"game": "homeworlds", "table": "7"}).headers["Location"]
    assert client.get(f"/score/{reading.rpartition('/')[2]}").status_code == 400
