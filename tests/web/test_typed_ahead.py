"""Two things at once on the page of a game: nothing that is typed or pressed while the companion works is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

TURNS = ("land g1 c3", "land g1 d4", "pass")
SLOW_MS = 700
WAIT = "new Promise((done) => setTimeout(done, MS))"
LINES = {
    "a quick line": "",
    "a slow line": "WAIT.then(() => sent(...request))",
    "slow answers": "sent(...request).then((answer) => WAIT.then(() => answer))",
}
"""What becomes of a command on its way: heard late, or heard at once and answered late."""


def slow(page: Page, line: str) -> None:
    """From now on commands take their time; what the page asks for does not."""
    if LINES[line]:
        how = LINES[line].replace("WAIT", WAIT).replace("MS", str(SLOW_MS))
        page.evaluate(
            "() => { const sent = window.fetch; window.fetch = (...request) =>"
            f" request[1]?.method === 'POST' ? {how} : sent(...request); }}"
        )


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab in which a refusal, which the browser counts as an error, is none."""
    context = browser.new_context()
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert wrong == []


def begin(page: Page, address: str) -> None:
    """Begin a game of Settlers on the page."""
    page.goto(f"{address}/games")
    page.get_by_text("on the 6 × 6 board").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_role("button", name="The board is empty").click()
    expect(page.get_by_label("Type South’s turn")).to_be_visible()


@pytest.mark.parametrize("line", LINES)
def test_turns_that_are_typed_ahead_are_played_in_order(page: Page, address: str, line: str) -> None:
    begin(page, address)
    slow(page, line)
    field = page.locator("input[name=turn]")
    for turn in TURNS:
        field.fill(turn)
        field.press("Enter")
    record = page.locator(".record .told code")
    expect(record).to_have_text(list(reversed(("^ g1 c3", "^ g1 d4", "pass"))), timeout=15_000)
    expect(field).to_have_value("")


@pytest.mark.parametrize("line", ["a slow line", "slow answers"])
def test_what_waited_for_a_turn_that_is_refused_is_told(page: Page, address: str, line: str) -> None:
    begin(page, address)
    slow(page, line)
    field = page.locator("input[name=turn]")
    for turn in ("land r1 c3", "land g1 d4"):
        field.fill(turn)
        field.press("Enter")
    refused = page.locator(".refused")
    expect(refused).to_contain_text("Not played: “land g1 d4”.", timeout=15_000)
    expect(field).to_have_value("land r1 c3")
    expect(page.locator(".record .told code")).to_have_count(0)


@pytest.mark.parametrize("line", LINES)
def test_what_is_being_typed_stays_when_the_answer_comes(page: Page, address: str, line: str) -> None:
    begin(page, address)
    slow(page, line)
    field = page.locator("input[name=turn]")
    field.fill("land g1 c3")
    field.press("Enter")
    field.press_sequentially("land g1 d")
    expect(page.locator(".record .told code")).to_have_text(["^ g1 c3"], timeout=15_000)
    expect(page.get_by_label("Type North’s turn")).to_have_value("land g1 d")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.locator(".record .told code")).to_have_text(["^ g1 d4", "^ g1 c3"], timeout=15_000)


def test_what_is_being_typed_stays_when_somebody_else_does_something(page: Page, address: str) -> None:
    begin(page, address)
    other = page.context.new_page()
    other.goto(page.url)
    field = page.locator("input[name=turn]")
    field.press_sequentially("land g1 ")
    other.get_by_role("button", name="Pause").click()
    expect(page.locator(".verdict").first).to_contain_text("Paused")
    expect(field).to_have_count(0)
    page.keyboard.type(" ")  # the field has gone: this must press nothing
    other.get_by_role("button", name="Go on").click()
    expect(field).to_have_value("land g1 ")


def press_undo(page: Page) -> None:
    page.get_by_role("button", name="Undo").click()


def press_pause(page: Page) -> None:
    page.get_by_role("button", name="Pause").click()


@pytest.mark.parametrize("press", [press_undo, press_pause])
def test_what_is_pressed_while_a_turn_is_on_its_way_is_answered(
    page: Page, address: str, press: Callable[[Page], None]
) -> None:
    begin(page, address)
    field = page.locator("input[name=turn]")
    field.fill("land g1 c3")
    field.press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    slow(page, "a slow line")
    field.fill("land g1 d4")
    field.press("Enter")
    press(page)
    expect(page.locator("#said")).to_contain_text("Not done: what was pressed before is still on its way.")
    expect(page.locator(".record .told code")).to_have_text(["^ g1 d4", "^ g1 c3"], timeout=15_000)


def test_a_turn_that_never_arrived_is_in_its_field_again(page: Page, address: str) -> None:
    begin(page, address)
    page.route(re.compile(r"/turn$"), lambda route: route.abort())
    field = page.locator("input[name=turn]")
    field.fill("land g1 c3")
    field.press("Enter")
    expect(page.locator("#said")).to_contain_text("does not answer")
    expect(field).to_have_value("land g1 c3")


def test_the_address_of_a_camera_stays_while_the_game_goes_on(page: Page, address: str) -> None:
    begin(page, address)
    page.get_by_text("Put a camera over this table").click()
    camera = page.get_by_label("Camera", exact=True)
    camera.fill("folder:/home/ann/pho")
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("input[name=turn]").fill("land g1 c3")
    other.locator("input[name=turn]").press("Enter")
    expect(page.locator(".record .told code")).to_have_text(["^ g1 c3"])
    expect(camera).to_be_focused()
    page.keyboard.type("tos")
    expect(camera).to_have_value("folder:/home/ann/photos")


def test_steps_that_are_ticked_one_after_the_other_are_all_ticked(page: Page, address: str) -> None:
    begin(page, address)
    page.locator("input[name=turn]").fill("land g1 c3")
    page.locator("input[name=turn]").press("Enter")
    expect(page.locator(".record .told code")).to_have_text(["^ g1 c3"])
    page.get_by_role("button", name="Put it back on the table").click()
    ticks = page.locator(".tick-step")
    expect(ticks.first).to_be_visible()
    count = ticks.count()
    assert count > 1
    slow(page, "a slow line")
    for number in range(count):
        ticks.nth(number).click()
    expect(page.locator('.tick-step[aria-pressed="true"]')).to_have_count(count, timeout=15_000)


def test_a_correction_never_hits_a_piece_that_was_numbered_anew(page: Page, address: str) -> None:
    page.goto(address + "/demo/photo")
    ships = page.locator('[data-part="diagram"] [data-spot][data-owner]')
    one, other = (ship.get_attribute("aria-label") for ship in (ships.first, ships.nth(1)))
    slow(page, "a slow line")
    count = ships.count()
    numbers = sorted((int(ships.nth(at).get_attribute("data-index") or ""), at) for at in (0, 1))
    for _, at in numbers:
        ships.nth(at).focus()
        page.keyboard.press("Delete")
    expect(page.locator("#said")).to_contain_text("the pieces have changed since", timeout=10_000)
    expect(ships).to_have_count(count - 1)
    left = other if numbers[0][1] == 0 else one
    expect(page.locator(f'[data-part="diagram"] [data-spot][aria-label="{left}"]')).to_have_count(1)


def test_a_new_piece_is_added_once(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Try Homeworlds").click()
    systems = page.locator("g[data-system]")
    expect(page.get_by_role("heading", name="Diagram")).to_be_visible()
    count = systems.count()
    slow(page, "a slow line")
    page.get_by_role("button", name="Add a piece", exact=True).click()
    sheet = page.get_by_role("dialog")
    sheet.locator(".segment", has_text="Star").click()
    sheet.get_by_role("combobox", name=re.compile("^System")).select_option(label="a new system")
    sheet.get_by_role("button", name="Add").click()
    expect(sheet.get_by_role("button", name="Adding …")).to_be_disabled()
    page.keyboard.press("Enter")
    expect(sheet).to_be_hidden(timeout=10_000)
    expect(systems).to_have_count(count + 1)
