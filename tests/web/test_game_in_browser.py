"""The page of a game in a real browser: what is said is said in time, and nothing lies over anything."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("down", [0, 300, 600])
def test_the_board_that_stays_in_sight_covers_nothing(page: Page, address: str, down: int) -> None:
    begin(page, address)
    page.evaluate("(down) => scrollTo(0, down)", down)
    board, below = (page.locator(part).bounding_box() for part in ('[data-part="board"] svg', '[data-part="counts"]'))
    assert board
    assert below
    assert board["y"] + board["height"] <= below["y"]


def test_a_refusal_is_silent_once_the_next_turn_is_legal(browser: Browser, address: str) -> None:
    page = browser.new_page()
    begin(page, address)
    said = page.locator("#said")
    for turn, shown in (("land r1 c3", "toast wrong shown"), ("land g1 c3", "toast wrong")):
        page.get_by_label("Type South’s turn").fill(turn)
        page.get_by_role("button", name="Play it").click()
        expect(said).to_have_class(shown, timeout=4000)
    expect(page.get_by_text("Legal: South lands a small green on c3.").first).to_be_visible()
    page.close()


def begin(page: Page, address: str) -> None:
    """Begin a game of Settlers on the page."""
    page.goto(f"{address}/games")
    page.get_by_text("on the 6 × 6 board").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_role("button", name="The board is empty").click()
    expect(page.get_by_label("Type South’s turn")).to_be_visible()
