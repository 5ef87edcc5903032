"""A person at the page: a real Chromium opens, corrects, saves and reopens, by pointer, by touch and by keys."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from conftest import MakeApp, TruthfulTable, served, virtual_picture
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from companion_app.pictures import jpeg
from companion_app.reading_types import Game

pytestmark = pytest.mark.browser

PHONE, LAPTOP = (360, 740), (1280, 800)


def points(page: Page) -> tuple[int, int]:
    south, north = (page.locator(f"#{seat}-points").inner_text() for seat in ("south", "north"))
    return int(south), int(north)


def no_sideways(page: Page) -> bool:
    page.wait_for_load_state()  # before its styles have come, a page may be any width
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def on_photo(page: Page, words: str) -> Locator:
    return page.locator(f'#photo [data-spot][aria-label="{words}"]')


@pytest.mark.parametrize("page", [LAPTOP], indirect=True)
def test_the_demo_is_corrected_saved_and_reopened(page: Page, address: str) -> None:
    page.goto(address + "/demo/photo")
    before = points(page)
    ship = page.locator('[data-part="diagram"] [data-spot][data-owner="south"]').first
    field, size = ship.get_attribute("data-field"), int((ship.get_attribute("data-piece") or "?0")[1])
    ship.click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    sheet.locator(".segment", has_text="North").click()
    expect(page.locator("#north-points")).to_have_text(str(before[1] + size))
    assert points(page) == (before[0] - size, before[1] + size)
    expect(page.locator("#said")).to_contain_text(f"of North on {field}")
    sheet.get_by_role("button", name="Done").click()
    expect(sheet).to_be_hidden()
    page.get_by_label("Name").fill("Our final")
    page.get_by_role("textbox", name="South").fill("Ann")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Our final")
    page.get_by_role("link", name="Saved").click()
    page.get_by_role("link", name=re.compile("Our final.*Ann and North")).click()
    assert points(page) == (before[0] - size, before[1] + size)
    expect(page.locator("#undo")).to_be_enabled()
    page.locator("#undo").click()
    expect(page.locator("#south-points")).to_have_text(str(before[0]))


def test_the_same_by_keys_alone(page: Page, address: str) -> None:
    page.goto(address + "/demo/photo")
    before = points(page)

    def tab_to(selector: str) -> None:
        for _ in range(60):
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            page.keyboard.press("Tab")
        pytest.fail(f"Tab never reaches {selector}")

    tab_to("#photo [data-spot]")
    for _ in range(40):
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        if "of South on" in label:
            break
        page.keyboard.press(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown"][_ % 4])
    size = {"small": 1, "medium": 2, "large": 3}[label.split()[0]]
    page.keyboard.press("n")
    expect(page.locator("#north-points")).to_have_text(str(before[1] + size))
    assert "of North on" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("3")
    expect(page.locator("#north-points")).to_have_text(str(before[1] + 3))
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert "large" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Delete")
    expect(page.locator("#north-points")).to_have_text(str(before[1]))
    assert "empty" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("r")
    page.keyboard.press("2")
    page.keyboard.press("s")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#south-points")).to_have_text(str(before[0] - size + 2))
    assert "medium red ship of South" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    for _ in range(4):
        page.keyboard.press("Control+z")
    expect(page.locator("#undo")).to_be_disabled()
    assert points(page) == before
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    tab_to("input[name=name]")
    page.keyboard.type("By keys")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("By keys")
    tab_to("nav a[href$='#kept']")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Saved")).to_be_visible()
    tab_to(".card a")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("By keys")
    assert points(page) == before


@pytest.mark.parametrize("page", [PHONE], indirect=True)
@pytest.mark.parametrize("game", ["Homeworlds", "Settlers"])
def test_nothing_is_wider_than_a_phone(page: Page, address: str, game: str) -> None:
    page.goto(address)
    assert no_sideways(page)
    page.get_by_label("Table number").fill("5")
    page.get_by_role("button", name=f"Try {game}").tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text(game)
    assert no_sideways(page)
    page.locator('[data-part="diagram"] [data-spot][data-owner="south"]').first.tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert no_sideways(page)
    sheet = page.get_by_role("dialog").bounding_box()
    assert sheet is not None
    assert sheet["height"] < 0.6 * PHONE[1]
    other = page.locator(".segment:has(input[name=color]:not(:checked))").first
    color = other.inner_text().split()[-1].lower()
    other.tap()
    expect(page.locator("#said")).to_contain_text(color)
    page.get_by_label("Name").fill("W" * 80)
    page.get_by_label("Name").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("WWW")
    assert no_sideways(page)
    page.goto(address)
    assert no_sideways(page)


def test_a_photo_from_this_computer_is_opened(page: Page, make_app: MakeApp, tmp_path: Path) -> None:
    table = TruthfulTable()
    address = served(make_app(READER=table.read))
    file = tmp_path / "table.jpg"
    file.write_bytes(jpeg(virtual_picture(Game.SETTLERS, 7).image))
    page.goto(address)
    page.get_by_role("button", name="Read the table").click()
    assert page.url.rstrip("/") == address
    page.locator("input[type=file]").last.set_input_files(file)
    expect(page.get_by_alt_text("The photo you chose")).to_be_visible()
    expect(page.get_by_label("Redless")).to_be_hidden()
    page.get_by_text("Settlers", exact=True).click()
    expect(page.get_by_label("Redless")).to_be_visible()
    page.get_by_label("Bottom").check()
    page.get_by_role("button", name="Read the table").click()
    expect(page.get_by_role("heading", name="Photo")).to_be_visible()
    assert page.evaluate("document.querySelector('#photo image').getBBox().width") == 800


def test_another_window_is_told_what_changed(page: Page, address: str) -> None:
    page.goto(address + "/demo/photo")
    other = page.context.new_page()
    other.goto(page.url)
    ship = 'g[data-spot][data-owner="south"]'
    page.locator(ship).first.focus()
    page.keyboard.press("n")
    expect(page.locator("#said")).to_contain_text("of North")
    other.locator(ship).first.focus()
    other.keyboard.press("Delete")
    expect(other.locator("#said")).to_contain_text("another window")
    assert points(other) == points(page)


def test_in_homeworlds_a_new_system_is_founded(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Try Homeworlds").click()
    systems = page.locator("g[data-system]")
    expect(page.get_by_role("heading", name="Diagram")).to_be_visible()
    count = systems.count()
    page.get_by_role("button", name="Add a piece", exact=True).click()
    sheet = page.get_by_role("dialog")
    sheet.locator(".segment", has_text="Star").click()
    sheet.get_by_role("combobox", name=re.compile("^System")).select_option(label="a new system")
    sheet.get_by_role("button", name="Add").click()
    expect(systems).to_have_count(count + 1)
    expect(page.locator(".verdict")).to_contain_text("check")


def test_no_press_is_lost_before_the_script_has_come(page: Page, address: str) -> None:
    late: list[Route] = []

    def held(route: Route) -> None:
        late.append(route)

    page.route("**/correcting.js", held)
    with page.expect_request("**/correcting.js"):
        page.goto(address + "/demo/photo", wait_until="commit")
    for name in ("Add a piece", "Help", "Closer", "Undo"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    for route in late:
        route.continue_()
    page.get_by_role("button", name="Add a piece", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("button[data-waits]")).to_have_count(0)


def test_every_piece_and_field_says_what_it_is(page: Page, address: str) -> None:
    page.goto(address + "/demo/photo")
    for area in ("#photo", '[data-part="diagram"]'):
        spots = page.locator(f"{area} [data-spot]")
        assert spots.count() >= 36
        labels = spots.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
        assert all(labels)
        assert page.locator(f'{area} [data-spot][tabindex="0"]').count() == 1
        fields = {label.split(",")[0] for label in labels if label.endswith("empty")}
        taken = set(
            page.locator(f"{area} [data-spot][data-index][data-field]").evaluate_all(
                "all => all.map(one => one.dataset.field)"
            )
        )
        assert fields | taken == {file + rank for file in "abcdef" for rank in "123456"}


def test_what_is_taken_away_can_be_opened(page: Page, address: str) -> None:
    page.goto(address + "/demo/photo")
    with page.expect_download() as download:
        page.get_by_role("link", name="Diagram, PNG").click()
    data = Path(download.value.path()).read_bytes()
    assert Image.open(BytesIO(data)).width == 1200
