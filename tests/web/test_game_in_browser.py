"""The page of a game in a real browser: what is said is said in time, and nothing lies over anything."""

from __future__ import annotations

import pytest
from conftest import LAPTOP
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


@pytest.mark.parametrize("page", [LAPTOP, (360, 740)], indirect=True)
def test_warnings_are_switched_off_and_on_by_key_and_by_touch_and_it_is_kept(page: Page, address: str) -> None:
    page.goto(f"{address}/games")
    page.locator("#new").get_by_text("stars and fleets").click()
    page.get_by_text("From what stands on the table").click()
    page.get_by_label("Or a position line").fill("<1>; South(0,r1y2)g3-; North(1,b1r2)-b2y1; A(y3)b3-")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_label("Type North’s turn").fill("sacrifice y1 North; pass")
    page.get_by_role("button", name="Play it").click()
    told, switch = page.get_by_text("Bluebird: all ships at North"), page.get_by_role("button", name="Warnings")
    expect(told).to_be_visible()
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.focus()
    page.keyboard.press("Enter")
    expect(told).to_be_hidden()
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.get_by_role("link", name="Replay", exact=True).click()
    expect(page.get_by_text("sacrifices").first).to_be_visible()
    expect(told).to_be_hidden()
    page.reload()
    expect(told).to_be_hidden()
    (switch.tap if page.viewport_size and page.viewport_size["width"] < 500 else switch.click)()
    expect(told).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def begin(page: Page, address: str) -> None:
    """Begin a game of Settlers on the page."""
    page.goto(f"{address}/games")
    page.get_by_text("on the 6 × 6 board").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_role("button", name="The board is empty").click()
    expect(page.get_by_label("Type South’s turn")).to_be_visible()
