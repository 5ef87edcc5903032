"""A reading on the page: corrected, undone, saved, reopened, taken away and deleted."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from conftest import MakeApp, TruthfulTable, virtual_picture
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from companion_app.photos import Photo
from companion_app.reading import Reading, corrected, reading_of
from companion_app.reading_types import Ask, Game, ReadAlternative
from companion_app.web.edits import BadEdit, applied
from vision.sight import ImageSide, Role, Seat
from vision.solids import Color, Posture, Size

Json = dict[str, Any]


class Page:
    """What the page's scripts do, without a browser."""

    def __init__(self, client: FlaskClient, address: str) -> None:
        self.client, self.address = client, address
        text = client.get(address).text
        start = text.index('<script type="application/json" id="state">') + 43
        self.state: Json = json.loads(text[start : text.index("</script>", start)])

    def send(self, wish: Mapping[str, Any], status: int = 200, base: int | None = None) -> Json:
        seq = self.state["seq"] if base is None else base
        answer = self.client.post(self.address + "/edits", json={"base": seq, **wish})
        assert answer.status_code == status, answer.text
        assert answer.json is not None
        if status == 200:
            self.state = answer.json["state"]
        return dict(answer.json)

    def piece_on(self, field: str) -> int:
        return next(i for i, piece in enumerate(self.state["pieces"]) if piece["field"] == field)

    def empty_field(self) -> str:
        taken = {piece["field"] for piece in self.state["pieces"]}
        return next(file + rank for file in "abcdef" for rank in "123456" if file + rank not in taken)

    def reading(self) -> Reading:
        return Reading.from_json(self.client.get(self.address + "/reading.json").json)


@pytest.fixture
def page(client: FlaskClient, opened: str) -> Page:
    return Page(client, opened)


@pytest.fixture
def stars(client: FlaskClient) -> Page:
    return Page(client, client.post("/virtual", data={"game": "homeworlds", "table": "7"}).headers["Location"])


def test_the_page_shows_photo_diagram_score_and_inventory(client: FlaskClient, opened: str) -> None:
    text = client.get(opened).text
    reading = Page(client, opened).reading()
    assert reading.score is not None
    for seat in Seat:
        assert f'id="{seat}-points">{reading.score[seat]}<' in text
    assert "<strong>36 of 36</strong>" in text
    assert "All 36 pieces accounted for." in text
    assert (
        text.count('data-spot data-index="') == text.count("data-spot\n   data-index=") or 'class="spot piece' in text
    )
    for piece in reading.pieces:
        if piece.field and piece.owner:
            words = f"{piece.size.word} {piece.color} ship of {piece.owner.title()} on {piece.field}"
            assert f'aria-label="{words}"' in text
            assert f'data-place="{piece.field}"' in text


def test_a_correction_changes_the_score(page: Page) -> None:
    before = page.reading()
    index = next(i for i, piece in enumerate(before.pieces) if piece.owner is Seat.SOUTH)
    answer = page.send({"do": "change", "piece": index, "set": {"owner": "north"}})
    after, size = page.reading(), int(before.pieces[index].size)
    assert before.score is not None
    assert after.score == {Seat.SOUTH: before.score[Seat.SOUTH] - size, Seat.NORTH: before.score[Seat.NORTH] + size}
    assert f'id="north-points">{after.score[Seat.NORTH]}<' in answer["parts"]["score"]
    assert "of North on" in answer["said"]


CHANGES: list[tuple[Json, Json]] = [
    ({"color": "blue"}, {"color": "blue"}),
    ({"size": "large"}, {"size": "large"}),
    ({"owner": "south"}, {"owner": "south"}),
    ({"role": "bank"}, {"role": "bank", "owner": None, "field": None}),
    ({"color": "red", "size": "small", "owner": "north"}, {"color": "red", "size": "small", "owner": "north"}),
]


@pytest.mark.parametrize(("change", "expected"), CHANGES, ids=str)
def test_every_property_can_be_corrected_and_undone(page: Page, change: Json, expected: Json) -> None:
    before = page.state["pieces"]
    page.send({"do": "change", "piece": 0, "set": change})
    assert {key: page.state["pieces"][0][key] for key in expected} == expected
    assert page.state["undoable"]
    page.send({"do": "undo"})
    assert page.state["pieces"] == before
    assert not page.state["undoable"]


def test_pieces_are_added_moved_and_removed(page: Page) -> None:
    count, field = len(page.state["pieces"]), page.empty_field()
    page.send({"do": "add", "set": {"color": "green", "size": "medium", "owner": "north", "field": field}})
    index = page.piece_on(field)
    assert index == count
    other = page.empty_field()
    page.send({"do": "change", "piece": index, "set": {"field": other}})
    assert page.piece_on(other) == index
    page.send({"do": "remove", "piece": index})
    assert len(page.state["pieces"]) == count


def test_a_new_piece_lies_where_its_field_is_on_the_photo(page: Page) -> None:
    reading = page.reading()
    field = page.empty_field()
    page.send({"do": "add", "set": {"color": "green", "size": "small", "field": field}})
    x, y = page.reading().pieces[-1].center
    xs, ys = zip(*reading.board, strict=True)
    assert min(xs) < x < max(xs)
    assert min(ys) < y < max(ys)


def test_in_homeworlds_stars_ships_systems_and_homes_can_be_corrected(stars: Page) -> None:
    systems = len(stars.state["systems"])
    stars.send({"do": "add", "set": {"color": "red", "size": "large", "role": "star", "system": 0}})
    assert len(stars.state["systems"]) == systems + 1
    new = stars.state["systems"][-1]["id"]
    stars.send({"do": "add", "set": {"color": "blue", "size": "small", "owner": "north", "system": new}})
    piece = stars.reading().pieces[-1]
    assert (piece.role, piece.posture, piece.owner, piece.system) == (Role.SHIP, Posture.LYING, Seat.NORTH, new)
    stars.send({"do": "change", "piece": len(stars.state["pieces"]) - 1, "set": {"role": "star"}})
    piece = stars.reading().pieces[-1]
    assert (piece.role, piece.posture, piece.owner, piece.system) == (Role.STAR, Posture.UPRIGHT, None, new)
    stars.send({"do": "home", "system": new, "home": "south"})
    assert [system["id"] for system in stars.state["systems"] if system["home"] == "south"] == [new]
    stars.send({"do": "home", "system": new, "home": None})
    assert "south" not in [system["home"] for system in stars.state["systems"]]


def test_who_began_decides_a_tie(make_app: MakeApp) -> None:
    table = TruthfulTable()

    def tied(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
        reading = table.read(image, game, south, redless, lens)
        ships = [piece for piece in reading.pieces if piece.on_table][:2]
        return corrected(
            reading, [replace(ship, size=Size.LARGE, owner=seat) for ship, seat in zip(ships, Seat, strict=True)]
        )

    client = make_app(READER=tied, VIRTUAL_TABLE=table.picture).test_client()
    page = Page(client, client.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"])
    assert "say who began" in client.get(page.address).text
    answer = page.send({"do": "began", "seat": "south"})
    assert "North wins the tie" in answer["parts"]["score"]
    page.send({"do": "undo"})
    assert "say who began" in client.get(page.address).text


BAD_EDITS: dict[str, Json] = {
    "nothing": {},
    "unknown": {"do": "explode"},
    "no piece": {"do": "remove"},
    "negative piece": {"do": "remove", "piece": -1},
    "piece beyond": {"do": "remove", "piece": 999},
    "piece as text": {"do": "remove", "piece": "0"},
    "color": {"do": "change", "piece": 0, "set": {"color": "purple"}},
    "size": {"do": "change", "piece": 0, "set": {"size": 3}},
    "set": {"do": "change", "piece": 0, "set": []},
    "field": {"do": "change", "piece": 0, "set": {"field": "g7"}},
    "star": {"do": "change", "piece": 0, "set": {"role": "star"}},
    "system": {"do": "change", "piece": 0, "set": {"system": 44}},
    "incomplete": {"do": "add", "set": {"color": "red"}},
    "nowhere": {"do": "add", "set": {"color": "red", "size": "small"}},
    "answer": {"do": "answer", "piece": 0, "ask": "photo", "value": "red"},
    "seat": {"do": "began", "seat": "west"},
}


@pytest.mark.parametrize("name", BAD_EDITS)
def test_corrections_that_make_no_sense_change_nothing(page: Page, name: str) -> None:
    answer = page.send(BAD_EDITS[name], status=400)
    assert answer["error"] == "bad_edit"
    assert answer["sentence"].endswith(".")
    assert page.send({"do": "undo"}, status=422)["error"] == "nothing_to_undo"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"text"', b"null", b'{"base": "1", "do": "undo"}'])
def test_what_is_no_correction_is_refused(client: FlaskClient, opened: str, body: bytes) -> None:
    answer = client.post(opened + "/edits", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["sentence"]
    assert client.post(opened + "/edits", data={"do": "undo"}).status_code == 415


def test_an_occupied_field_takes_no_second_piece(page: Page) -> None:
    field = next(piece["field"] for piece in page.state["pieces"] if piece["field"])
    answer = page.send({"do": "add", "set": {"color": "red", "size": "small", "field": field}}, status=400)
    assert field in answer["sentence"]


def test_who_is_late_gets_the_newer_state(client: FlaskClient, opened: str) -> None:
    one, other = Page(client, opened), Page(client, opened)
    one.send({"do": "change", "piece": 0, "set": {"color": "red"}})
    answer = other.send({"do": "change", "piece": 0, "set": {"color": "blue"}}, status=409)
    assert answer["error"] == "stale"
    assert answer["state"] == one.state
    assert answer["parts"].keys() >= {"overlay", "diagram", "score", "inventory"}
    assert one.reading().pieces[0].color is Color.RED


def test_saved_and_reopened_by_another_program(make_app: MakeApp) -> None:
    first = make_app().test_client()
    page = Page(first, first.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"])
    page.send({"do": "remove", "piece": 0})
    names = {"name": "The <b>final</b>", "south": "Ann", "north": "Bo", "date": "2025-07-14"}
    assert first.post(page.address + "/save", data=names).status_code == 303
    again = make_app().test_client()
    listed = again.get("/").text
    assert "The &lt;b&gt;final&lt;/b&gt;" in listed
    assert "Ann and Bo" in listed
    assert page.address in listed
    assert "2025-07-14" in again.get(page.address).text
    assert Page(again, page.address).state["pieces"] == page.state["pieces"]
    assert again.get(page.address + "/small.jpg").mimetype == "image/jpeg"


@pytest.mark.parametrize(
    "form",
    [{}, {"name": "  "}, {"name": "x" * 81}, {"name": "x", "date": "14.7.2025"}, {"name": "x", "south": "y" * 99}],
)
def test_names_and_dates_are_checked(client: FlaskClient, opened: str, form: Json) -> None:
    answer = client.post(opened + "/save", data=form)
    assert answer.status_code == 400
    assert "<code>bad_form</code>" in answer.text


def test_deleting_asks_first_and_then_forgets(client: FlaskClient, app: Flask, opened: str) -> None:
    assert "go for good" in client.get(opened + "/delete").text
    assert client.get(opened).status_code == 200
    assert client.post(opened + "/delete").status_code == 303
    for address in ("", "/photo.jpg", "/reading.json", "/delete"):
        assert client.get(opened + address).status_code == 404
    assert list(app.extensions["store"].photos.iterdir()) == []


@pytest.mark.parametrize("game", list(Game))
def test_everything_can_be_taken_away(client: FlaskClient, game: Game) -> None:
    address = client.post("/virtual", data={"game": game.value, "table": "3"}).headers["Location"]
    svg = client.get(address + "/diagram.svg")
    assert svg.mimetype == "image/svg+xml"
    assert svg.text.startswith("<svg")
    for name, kind in (("diagram.png", "PNG"), ("annotated.jpg", "JPEG"), ("photo.jpg", "JPEG")):
        assert Image.open(BytesIO(client.get(f"{address}/{name}").data)).format == kind
    answer = client.get(address + "/reading.json")
    assert answer.json is not None
    assert answer.json["game"] == game.value
    assert "attachment" in answer.headers["Content-Disposition"]


def test_the_demo_is_made_once(client: FlaskClient) -> None:
    first = client.get("/demo/photo").headers["Location"]
    assert client.get("/demo/photo").headers["Location"] == first
    assert client.get(first).status_code == 200


def test_drafts_do_not_pile_up_but_saved_readings_stay(client: FlaskClient) -> None:
    kept = client.post("/virtual", data={"game": "settlers", "table": "1"}).headers["Location"]
    client.post(kept + "/save", data={"name": "kept"})
    addresses = [
        client.post("/virtual", data={"game": "settlers", "table": "1"}).headers["Location"] for _ in range(21)
    ]
    assert client.get(addresses[0]).status_code == 404
    assert client.get(addresses[1]).status_code == 200
    assert client.get(kept + "/photo.jpg").status_code == 200


def doubtful(reading: Reading) -> Reading:
    """The reading with doubts about its first piece, a medium ship: its size, and by a little its colour too."""
    first = replace(
        reading.pieces[0],
        size=Size.MEDIUM,
        color=Color.RED,
        owner=Seat.SOUTH,
        confidence=0.5,
        alternatives=(
            ReadAlternative(Color.RED, Size.LARGE, Posture.LYING, Seat.SOUTH, 0.2),
            ReadAlternative(Color.YELLOW, Size.LARGE, Posture.LYING, Seat.SOUTH, 0.15),
            ReadAlternative(Color.RED, Size.MEDIUM, Posture.LYING, Seat.NORTH, 0.15),
        ),
    )
    whole = replace(reading, pieces=(first, *reading.pieces[1:]))
    return corrected(whole, whole.pieces)


@pytest.fixture
def unsure(make_app: MakeApp) -> Page:
    table = TruthfulTable()

    def read(image: Photo, game: Game, south: ImageSide, redless: bool, lens: float | None) -> Reading:
        return doubtful(table.read(image, game, south, redless, lens))

    client = make_app(READER=read, VIRTUAL_TABLE=table.picture).test_client()
    return Page(client, client.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"])


ANSWERS: list[tuple[str, str, Json]] = [
    ("size", "large", {"size": Size.LARGE, "color": Color.RED, "owner": Seat.SOUTH}),
    ("size", "medium", {"size": Size.MEDIUM, "color": Color.RED, "owner": Seat.SOUTH}),
    ("owner", "north", {"size": Size.MEDIUM, "color": Color.RED, "owner": Seat.NORTH}),
]


@pytest.mark.parametrize(("ask", "value", "expected"), ANSWERS, ids=str)
def test_an_answer_settles_its_question_alone(unsure: Page, ask: str, value: str, expected: Json) -> None:
    asked = {question.ask for question in unsure.reading().questions if question.piece == 0}
    assert {Ask.SIZE, Ask.OWNER, Ask.COLOR} == asked
    unsure.send({"do": "answer", "piece": 0, "ask": ask, "value": value})
    piece = unsure.reading().pieces[0]
    assert {key: getattr(piece, key) for key in expected} == expected
    left = {question.ask for question in unsure.reading().questions if question.piece == 0}
    assert left < asked
    assert Ask(ask) not in left
    total = piece.confidence + sum(other.probability for other in piece.alternatives)
    assert total == pytest.approx(1, abs=0.001)


def test_questions_come_with_buttons_that_answer_them(unsure: Page) -> None:
    for _ in range(12):
        text = unsure.client.get(unsure.address).text
        buttons = [json.loads(unescape(edit)) for edit in re.findall(r'data-edit="([^"]*)"', text)]
        answers = [edit for edit in buttons if edit["do"] in ("answer", "confirm")]
        if not answers:
            break
        unsure.send(answers[-1])
    assert not [question for question in unsure.reading().questions if question.piece is not None]


def test_pieces_that_were_not_seen_can_be_put_in_the_bank(page: Page) -> None:
    banked = next(i for i, piece in enumerate(page.state["pieces"]) if piece["role"] == "bank")
    answer = page.send({"do": "remove", "piece": banked})
    assert "The rest is in the bank" in answer["parts"]["questions"]
    answer = page.send({"do": "rest-in-bank"})
    assert "All 36 pieces accounted for." in answer["parts"]["verdict"]


words = {"color": [*Color], "size": [size.word for size in Size], "owner": [*Seat], "role": ["ship", "bank"]}
wishes = st.fixed_dictionaries({}, optional={key: st.sampled_from(values) for key, values in words.items()})
corrections = st.one_of(
    st.builds(lambda piece, wish: {"do": "change", "piece": piece, "set": wish}, st.integers(0, 40), wishes),
    st.builds(lambda piece: {"do": "remove", "piece": piece}, st.integers(0, 40)),
    st.builds(
        lambda field, wish: {"do": "add", "set": {"color": "red", "size": "small", **wish, "field": field}},
        st.sampled_from([file + rank for file in "abcdef" for rank in "123456"]),
        wishes,
    ),
    st.just({"do": "rest-in-bank"}),
)


@settings(max_examples=30)
@given(st.integers(1, 3), st.lists(corrections, max_size=8))
def test_no_row_of_corrections_breaks_a_reading(seed: int, edits: list[Json]) -> None:
    reading = reading_of(virtual_picture(Game.SETTLERS, seed).truth, Game.SETTLERS)
    for edit in edits:
        with suppress(BadEdit):
            reading = applied(reading, edit)
    assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading
    fields = [piece.field for piece in reading.pieces if piece.field]
    assert len(fields) == len(set(fields))
    seen = reading.inventory.set - len(reading.inventory.unseen) + len(reading.inventory.surplus)
    assert seen == reading.inventory.seen == len(reading.pieces)
