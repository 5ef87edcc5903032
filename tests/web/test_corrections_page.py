"""The page says whether corrections are kept, and has the switch: by form, by keys, and without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import MakeApp
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from companion_app.corrections import Switch
from companion_app.store import Store
from companion_app.web.record import load

KEPT, NOT_KEPT = "What you correct is kept", "Corrections are not kept"


def turn(client: FlaskClient, address: str, keep: str) -> None:
    answer = client.post(address + "/corrections", data={"keep": keep})
    assert answer.status_code == 303
    assert answer.headers["Location"].endswith("#corrections")


def work(client: FlaskClient, address: str, tmp_path: Path, deed: str) -> None:
    """Correct, undo or save, as the page does."""
    seq = load(Store(tmp_path), address.rsplit("/", 1)[1]).seq
    if deed == "save":
        assert client.post(address + "/save", data={"name": "kept"}).status_code == 303
        return
    wish = {"do": "undo"} if deed == "undo" else {"do": "remove", "piece": 0}
    assert client.post(address + "/edits", json={"base": seq, **wish}).status_code == 200


def test_the_page_says_what_holds_and_the_switch_changes_it(client: FlaskClient, opened: str, tmp_path: Path) -> None:
    assert KEPT in client.get(opened).text
    turn(client, opened, "no")
    assert NOT_KEPT in client.get(opened).text
    assert not Switch(tmp_path).on, "the command line sees the same"
    turn(client, opened, "yes")
    assert KEPT in client.get(opened).text
    Switch(tmp_path).turn(False)
    assert NOT_KEPT in client.get(opened).text


@pytest.mark.parametrize("deed", ["correct", "undo", "save"])
def test_what_is_done_while_it_is_off_is_done_but_marked(
    client: FlaskClient, opened: str, tmp_path: Path, deed: str
) -> None:
    name = opened.rsplit("/", 1)[1]
    if deed == "undo":
        work(client, opened, tmp_path, "correct")
    assert not load(Store(tmp_path), name).withheld
    turn(client, opened, "no")
    work(client, opened, tmp_path, deed)
    turn(client, opened, "yes")
    record = load(Store(tmp_path), name)
    assert record.withheld
    assert bool(record.edits) == (deed == "correct")
    assert record.saved == (deed == "save")
    assert "This reading stays out of it" in client.get(opened).text


def test_what_is_done_while_it_is_on_is_not_marked(client: FlaskClient, opened: str, tmp_path: Path) -> None:
    for deed in ("correct", "undo", "correct", "save"):
        work(client, opened, tmp_path, deed)
    record = load(Store(tmp_path), opened.rsplit("/", 1)[1])
    assert not record.withheld
    assert record.corrected is not None
    assert record.corrected.counts == {"removed": 1}
    assert "stays out" not in client.get(opened).text


@pytest.mark.parametrize("form", [{}, {"keep": "maybe"}])
def test_the_switch_is_only_on_or_off(client: FlaskClient, opened: str, form: dict[str, str]) -> None:
    answer = client.post(opened + "/corrections", data=form)
    assert answer.status_code == 400
    assert "<code>bad_form</code>" in answer.text


def test_no_other_site_can_turn_it(client: FlaskClient, opened: str) -> None:
    headers = {"Origin": "http://elsewhere.example"}
    assert client.post(opened + "/corrections", data={"keep": "no"}, headers=headers).status_code == 403
    assert KEPT in client.get(opened).text


def test_a_folder_that_cannot_be_written_is_a_clear_answer(make_app: MakeApp, tmp_path: Path) -> None:
    client = make_app().test_client()
    opened = client.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"]
    (tmp_path / "corrections-off.txt").mkdir()
    answer = client.post(opened + "/corrections", data={"keep": "yes"})
    assert answer.status_code == 507
    assert "<code>not_written</code>" in answer.text


@pytest.mark.browser
def test_the_switch_is_turned_by_keys(page: Page, address: str) -> None:
    page.goto(address + "/demo/photo")
    switch = page.locator("#corrections")
    expect(switch).to_contain_text(KEPT)
    button = switch.get_by_role("button", name="Do not keep for export")
    expect(button).to_have_accessible_description(re.compile(KEPT))
    for _ in range(60):
        if button.evaluate("one => one === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(switch).to_contain_text(NOT_KEPT)
    expect(switch).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(switch.get_by_role("button", name="Keep for export")).to_be_focused()
    page.keyboard.press("Space")
    expect(switch).to_contain_text(KEPT)


@pytest.mark.browser
def test_the_switch_needs_no_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "/demo/photo")
    page.get_by_role("button", name="Do not keep for export").click()
    expect(page.locator("#corrections")).to_contain_text(NOT_KEPT)
    context.close()
