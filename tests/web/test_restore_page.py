"""A position restored on the page: from a photo or a line, by ticks, by looks at the table, and by keys alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from conftest import MakeApp, served, virtual_picture
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from companion_app.photos import Photo
from companion_app.pictures import jpeg
from companion_app.reading import Reading, reading_of
from companion_app.reading_types import Game, ReadPiece
from companion_app.samples import layout_of
from rules import homeworlds
from vision.sight import ImageSide, Role, Sight
from vision.virtual import Picture, View, photograph

PHONE, LAPTOP = (360, 740), (1280, 800)
LINE = "<1>; South(0,b3y2)g3-; North(1,g1r2)-g3; Vega(g2)r1-y1"
NEARLY = "<1>; South(0,b3y2)g3-; North(1,g1r2)-g3; Vega(g2)-y1r1b1"
"""The same with South's red turned round, and a blue too much."""
STEPS = 11
VIEW = View(elevation_deg=65, width=640, height=480)


def table_of(line: str) -> Picture:
    """A photograph of a position on the virtual table."""
    return photograph(layout_of(homeworlds.Position.parse(line)), seed=5, view=VIEW)


class Table:
    """A table that can be photographed, and a reader that reads it without a fault."""

    def __init__(self) -> None:
        self.now = table_of(NEARLY)
        self.hidden: tuple[str, ...] = ()

    def read(self, image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
        """What stands there now, whatever the picture shows."""
        assert isinstance(south, ImageSide)
        assert lens is None
        trouble = None if image.mean() > 1 else "It is too dark."
        height, width = image.shape[:2]
        sight = Sight((width, height), trouble=trouble) if trouble else self.now.truth
        reading = reading_of(sight, game, redless=redless)
        return replace(reading, pieces=tuple(without(reading.pieces, self.hidden)))


def without(pieces: Iterable[ReadPiece], hidden: Sequence[str]) -> Iterator[ReadPiece]:
    """The pieces that are seen where one of each of these kinds is hidden in a stack of the bank."""
    left = list(hidden)
    for piece in pieces:
        if piece.role is Role.BANK and piece.code in left:
            left.remove(piece.code)
        else:
            yield piece


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def client(make_app: MakeApp, table: Table) -> FlaskClient:
    return make_app(READER=table.read).test_client()


@pytest.fixture
def begun(client: FlaskClient) -> str:
    """The address of a restoration."""
    return client.post("/restore", data={"position": LINE, "title": "Our final"}).headers["Location"]


def photo(image: Photo | None = None) -> dict[str, object]:
    """The form of a look."""
    picture = np.full((480, 640, 3), 200, np.uint8) if image is None else image
    return {"photo": (BytesIO(jpeg(picture)), "table.jpg"), "south": "bottom"}


def look(client: FlaskClient, address: str, status: int = 303) -> str:
    """Look at the table as it is; the page afterwards."""
    answer = client.post(f"{address}/look", data=photo())
    assert answer.status_code == status, answer.text
    return client.get(address).text


def ticked(client: FlaskClient, address: str, **form: object) -> str:
    """Press a button of the page, without scripts; the page afterwards."""
    answer = client.post(f"{address}/ticks", data=form)
    assert answer.status_code == 303, answer.text
    return client.get(address).text


def verdict(page: str) -> str:
    found = re.search(r'<p class="verdict.*?</span>(.*?)</p>', page)
    assert found
    return found[1]


def test_a_line_is_restored_by_ticks_without_scripts(client: FlaskClient, begun: str) -> None:
    page = client.get(begun).text
    assert "<h1>Our final</h1>" in page
    assert verdict(page) == f"0 of {STEPS} steps done."
    assert "South’s home: stand up a medium yellow star, 2 pips." in page
    page = ticked(client, begun, done="0")
    assert verdict(page) == f"1 of {STEPS} steps done."
    assert 'aria-pressed="true"' in page
    page = ticked(client, begun, open="0")
    assert verdict(page) == f"0 of {STEPS} steps done."
    page = ticked(client, begun, done=" ".join(map(str, range(STEPS))))
    assert verdict(page) == "Everything stands again: it is North’s turn."
    assert "Every step is ticked." in page


def test_a_tick_in_the_list_leads_back_to_it(client: FlaskClient, begun: str) -> None:
    assert client.post(f"{begun}/ticks", data={"done": "4", "list": "1"}).headers["Location"].endswith("#step-4")
    assert "#" not in client.post(f"{begun}/ticks", data={"done": "5"}).headers["Location"]


def test_a_look_ticks_what_stands_and_tells_what_does_not(client: FlaskClient, begun: str, table: Table) -> None:
    page = look(client, begun)
    assert verdict(page) == f"8 of {STEPS} steps done, 1 to put right, 1 too much."
    assert "Take away the small blue ship of North at Vega: it belongs in the bank." in page
    assert "The small red points the wrong way: turn it, so that it points away from South." in page
    assert 'class="flaw wrong"' in page
    assert ">✕</text>" in page
    assert ">+</text>" in page
    assert client.get(f"{begun}/look.jpg").mimetype == "image/jpeg"
    table.now = table_of(LINE)
    page = look(client, begun)
    assert verdict(page) == f"{STEPS - 1} of {STEPS} steps done."
    assert "Lay the turn token before North" in page
    assert "differs" not in page
    assert verdict(ticked(client, begun, done=str(STEPS - 2))) == "Everything stands again: it is North’s turn."


HIDDEN = ("r2", "y3", "b1", "g1", "b2")


def bank_of(page: str) -> list[str]:
    """The numbers of the reader's bank, each with its mark."""
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", page, re.DOTALL)
    return [re.sub(r"<.*?>", "", re.findall(r"<td.*?</td>", row, re.DOTALL)[-1]).strip() for row in rows]


def test_what_is_hidden_in_a_stack_is_not_wrong(client: FlaskClient, begun: str, table: Table) -> None:
    table.now, table.hidden = table_of(LINE), HIDDEN
    page = look(client, begun)
    assert "Not seen in the bank: 1 medium red" in page
    assert sum("?, not all are seen" in count for count in bank_of(page)) == len(HIDDEN)
    assert not re.search(r'class="(differs|unlike)"', page)
    page = ticked(client, begun, done=f"{STEPS - 2} {STEPS - 1}")
    assert verdict(page) == "Everything stands again: it is North’s turn."
    assert sum("✓, counted by hand" in count for count in bank_of(page)) == len(HIDDEN)
    assert not re.search(r'class="(differs|unlike|hidden)"|≠', page)


def test_the_bank_agrees_as_soon_as_somebody_has_counted_it(client: FlaskClient, begun: str, table: Table) -> None:
    table.now, table.hidden = table_of(LINE), HIDDEN
    look(client, begun)
    answer = client.post(
        f"{begun}/ticks", data={"done": f"{STEPS - 2} {STEPS - 1}"}, headers={"Accept": "application/json"}
    )
    assert answer.json
    assert "counted by hand" in answer.json["parts"]["bank"]


def test_a_piece_that_has_still_to_be_laid_is_another_number_so_far(
    client: FlaskClient, begun: str, table: Table
) -> None:
    table.now = table_of(LINE.replace("Vega(g2)r1-y1", "Vega(g2)r1-"))
    assert [count for count in bank_of(look(client, begun)) if "≠" in count] == ["3 ≠, another number so far"]


def test_what_was_put_right_by_hand_is_right(client: FlaskClient, begun: str) -> None:
    page = look(client, begun)
    away = re.search(r'name="away" value="(\d+)"', page)
    wrong = re.search(r'name="done" value="(\d+)" data-edit="right', page)
    assert away
    assert wrong
    ticked(client, begun, away=away[1])
    page = ticked(client, begun, done=wrong[1])
    assert "To put right</h2>" not in page
    assert verdict(page) == f"9 of {STEPS} steps done."


def test_a_look_that_cannot_be_read_changes_nothing(client: FlaskClient, begun: str) -> None:
    ticked(client, begun, done="3")
    dark = client.post(f"{begun}/look", data=photo(np.zeros((480, 640, 3), np.uint8)))
    assert dark.status_code == 422
    assert "This picture of the table could not be read. It is too dark." in dark.text
    assert client.post(f"{begun}/look", data={"south": "bottom"}).status_code == 400
    assert verdict(client.get(begun).text) == f"1 of {STEPS} steps done."
    assert client.get(f"{begun}/look.jpg").status_code == 404


def test_scripts_get_the_parts_that_change(client: FlaskClient, begun: str) -> None:
    answer = client.post(f"{begun}/ticks", data={"done": "0"}, headers={"Accept": "application/json"})
    assert answer.json is not None
    assert answer.json["said"] == f"1 of {STEPS} steps done."
    assert set(answer.json["parts"]) == {"next", "wrong", "steps", "diagram", "bank"}
    assert 'data-mark="done"' in answer.json["parts"]["diagram"]


NO_STEPS = [(key, value) for key in ("done", "open", "away") for value in ("x", "-1", "99999", "١", "1 x", "1000000")]


@pytest.mark.parametrize(("key", "value"), [*NO_STEPS, ("done", str(STEPS))])
def test_what_is_no_step_is_refused(client: FlaskClient, begun: str, key: str, value: str) -> None:
    answer = client.post(f"{begun}/ticks", data={key: value}, headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert answer.json == {
        "error": "bad_form",
        "sentence": "There is no such step: open the page anew and try again.",
    }


LINES = [
    ("", "position_unknown"),
    ("nonsense", "position_unknown"),
    ("<0>; South(0,b3b3b3b3)g3-", "too_many_of_a_kind"),
    ("<0>; South(0,", None),
]


@pytest.mark.parametrize(("line", "code"), LINES, ids=[line for line, _ in LINES])
def test_lines_that_cannot_be_restored(client: FlaskClient, line: str, code: str | None) -> None:
    answer = client.post("/restore", data={"position": line}, headers={"Accept": "application/json"})
    assert answer.status_code == 422
    assert answer.json is not None
    assert code in (None, answer.json["error"])
    assert answer.json["sentence"].endswith(".")


@given(position=st.text(max_size=60), done=st.text(max_size=12), away=st.text(max_size=6))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_that_is_sent_breaks_it(client: FlaskClient, begun: str, position: str, done: str, away: str) -> None:
    for path, form in (
        ("/restore", {"position": position, "title": done}),
        (f"{begun}/ticks", {"done": done}),
        (f"{begun}/ticks", {"away": away}),
    ):
        assert client.post(path, data=form).status_code in (303, 400, 422)
    assert client.get(begun).status_code == 200


def test_a_photo_is_checked_before_it_is_restored(client: FlaskClient, table: Table) -> None:
    table.now = table_of(LINE)
    reading = client.post("/readings", data={"game": "homeworlds", **photo()}).headers["Location"]
    check = reading.replace("/readings/", "/restore/of/")
    assert f'href="{check}"' in client.get(reading).text
    page = client.get(check).text
    assert page.count('<li class="good">') == 3
    assert "Not in the picture: say whose turn it is" in page
    nobody = client.post(check, headers={"Accept": "application/json"})
    assert nobody.json is not None
    assert nobody.json["error"] == "turn_unknown"
    assert client.post(check, data={"turn": "east"}).status_code == 400
    begun = client.post(check, data={"turn": "north"}).headers["Location"]
    page = client.get(begun).text
    assert "North to move" in page
    assert "The bank in the photo" in page
    assert f"{reading}/photo.jpg" in page
    client.post(f"{reading}/delete")
    assert f"{reading}/photo.jpg" not in client.get(begun).text


def test_the_sheet_and_the_print_view_have_every_step(client: FlaskClient, begun: str) -> None:
    text = client.get(f"{begun}/print").text
    assert text.count('<span class="box" aria-hidden="true">') == STEPS
    for paper, width in (("a4", 595), ("letter", 612)):
        answer = client.get(f"{begun}/sheet.pdf?paper={paper}")
        assert answer.mimetype == "application/pdf"
        page = PdfReader(BytesIO(answer.data)).pages[0]
        assert round(float(page.mediabox.width)) == width


def test_only_the_last_restorations_are_kept(client: FlaskClient, begun: str) -> None:
    for _ in range(20):
        client.post("/restore", data={"position": LINE})
    assert client.get(begun).status_code == 404
    assert client.get("/restore").text.count('<li><a class="panel"') == 20


def test_a_restoration_is_forgotten_with_its_photos(client: FlaskClient, begun: str, tmp_path: Path) -> None:
    look(client, begun)
    photos = tmp_path / "restoring" / "photos"
    assert list(photos.iterdir())
    assert client.post(f"{begun}/delete").status_code == 303
    assert client.get(begun).status_code == 404
    assert not list(photos.iterdir())


def test_it_goes_on_after_the_program_ended(make_app: MakeApp, begun: str, client: FlaskClient) -> None:
    ticked(client, begun, done="0 1 2")
    again = make_app().test_client()
    assert verdict(again.get(begun).text) == f"3 of {STEPS} steps done."
    assert "Our final" in again.get("/restore").text


def no_sideways(page: Page) -> bool:
    page.wait_for_load_state()  # before its styles have come, a page may be any width
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.browser
@pytest.mark.parametrize("page", [LAPTOP], indirect=True)
def test_by_keys_alone(page: Page, make_app: MakeApp) -> None:
    page.goto(served(make_app()) + "/restore")
    page.get_by_label("Position").focus()
    page.keyboard.type(LINE)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    line = page.locator(".verdict")
    expect(line).to_contain_text(f"0 of {STEPS} steps done")
    for done in range(1, STEPS):
        expect(page.locator("[data-edit=next]")).to_be_focused()  # it has the focus once drawn, and keeps it
        page.keyboard.press("Enter")
        expect(line).to_contain_text(f"{done} of {STEPS} steps done")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(line).to_contain_text(f"{STEPS - 2} of {STEPS} steps done")
    expect(page.locator("#said")).to_contain_text(f"{STEPS - 2} of {STEPS}")
    step = page.get_by_role("button", name="Lay the turn token before North")
    step.focus()
    page.keyboard.press("Space")
    expect(step).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.activeElement.getAttribute('data-edit')") == f"step-{STEPS - 2}"
    page.get_by_role("button", name="Compare the bank").focus()
    page.keyboard.press("Enter")
    expect(line).to_contain_text("Everything stands again: it is North’s turn.")


@pytest.mark.browser
@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_on_a_phone_with_photos(page: Page, make_app: MakeApp, table: Table, tmp_path: Path) -> None:
    """Documented by a photo, taken off the table, and restored to the last piece by looking at it."""
    shot = tmp_path / "table.jpg"

    def lay(line: str) -> None:
        table.now = table_of(line)
        shot.write_bytes(jpeg(table.now.image))

    lay(LINE)
    page.goto(served(make_app(READER=table.read)))
    page.locator("input[type=file]").last.set_input_files(shot)
    page.locator(".game", has_text="Homeworlds").click()
    page.get_by_role("button", name="Read the table").click()
    page.get_by_role("link", name="Restore this position").click()
    assert no_sideways(page)
    page.get_by_label("North").check()
    page.get_by_role("button", name="Put it back on the table").click()
    lay(NEARLY)
    page.get_by_label("Photo", exact=True).set_input_files(shot)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("1 to put right, 1 too much")
    expect(page.locator(".fault")).to_have_count(2)
    assert no_sideways(page)
    lay(LINE)
    page.get_by_label("Photo", exact=True).set_input_files(shot)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator(".fault")).to_have_count(0)
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("Everything stands again")
    expect(page.locator("td.differs")).to_have_count(0)
    page.get_by_role("link", name="Print", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Restore: Homeworlds, 9 pieces")
    assert no_sideways(page)


@pytest.mark.browser
def test_without_scripts_the_buttons_do_the_same(make_app: MakeApp, page: Page) -> None:
    context = page.context.browser
    assert context is not None
    plain = context.new_context(java_script_enabled=False).new_page()
    plain.goto(served(make_app()) + "/restore")
    plain.get_by_label("Position").fill(LINE)
    plain.get_by_role("button", name="Begin").click()
    plain.get_by_role("button", name="Done", exact=True).click()
    expect(plain.locator(".verdict")).to_contain_text(f"1 of {STEPS} steps done")
    plain.get_by_role("button", name="Tick all of Vega").click()
    expect(plain.locator(".verdict")).to_contain_text(f"4 of {STEPS} steps done")
    plain.context.close()


def test_the_demo_can_be_restored_field_by_field(make_app: MakeApp) -> None:
    client = make_app().test_client()
    reading = client.get("/demo/photo").headers["Location"]
    begun = client.post(reading.replace("/readings/", "/restore/of/"), data={"turn": "south"}).headers["Location"]
    page = client.get(begun).text
    truth = virtual_picture(Game.SETTLERS, 7).truth
    fields = {"abcdef"[piece.cell[0]] + str(piece.cell[1] + 1) for piece in truth.pieces if piece.cell}
    assert len(re.findall(r'id="step-\d+"', page)) == len(fields) + 2
    assert all(f'data-field="{field}"' in page and f"<span>{field}: lay a " in page for field in fields)
    assert Image.open(BytesIO(client.get(f"{reading}/photo.jpg").data)).width == 800
