"""The sheet that puts a position back, measured in the PDF's own units; and the command that writes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from pdf_marks import Mark, marks_on
from pypdf import PdfReader
from restoring_tables import reading_of_table
from typed import HUGE, pyramids, refused

from companion_app.notation import Position, parse_position
from companion_app.printing.paper import MARGIN, Paper
from companion_app.printing.restore_sheet import restore_sheet_pdf
from companion_app.reading_types import Reading
from companion_app.restoring import bank_rows, plan_of
from companion_app.samples import random_homeworlds, random_settlers

LINE = "<1>; South(0,b3y2)g3-; North(1,g1r2)-g3; Vega(g2)r1-y1"
SAMPLES: list[Position] = [
    parse_position(LINE),
    parse_position(HUGE),
    parse_position("<0>; A(b1)g3--"),
    parse_position("6/6/6/6/6/6 S 0"),
    random_homeworlds(3),
    random_settlers(5),
]


def pages_of(
    position: Position, facts: Sequence[str] = (), title: str = "A game", paper: Paper = Paper.A4
) -> list[list[Mark]]:
    pdf = restore_sheet_pdf(plan_of(position), bank_rows(position), title, facts, paper)
    return [list(marks_on(page)) for page in PdfReader(BytesIO(pdf)).pages]


def words_of(pages: list[list[Mark]]) -> list[str]:
    return [mark.words for page in pages for mark in page if mark.words]


@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("position", SAMPLES, ids=range(len(SAMPLES)))
def test_every_step_is_on_the_paper_and_nothing_on_its_margin(position: Position, paper: Paper) -> None:
    pages = pages_of(position, ["W" * 80 + " (South) and " + "W" * 80 + " (North)", "2026-01-04"], "W" * 80, paper)
    flat = " ".join(words_of(pages))
    plan = plan_of(position)
    for group in plan.groups:
        assert all(group.words_of(plan.steps[number]) in flat for number in group.numbers)
    for mark in (mark for page in pages for mark in page):
        left, bottom, right, top = mark.box
        assert min(left, bottom) >= MARGIN - 0.001, mark
        assert right <= paper.width - MARGIN + 0.001, mark
        assert top <= paper.height - MARGIN + 0.001, mark


@pytest.mark.parametrize("position", SAMPLES, ids=range(len(SAMPLES)))
def test_words_do_not_lie_on_each_other(position: Position) -> None:
    for page in pages_of(position, ["A fact"]):
        texts = [mark for mark in page if mark.kind == "text"]
        for index, one in enumerate(texts):
            for other in texts[index + 1 :]:
                apart_x = one.box[2] <= other.box[0] or other.box[2] <= one.box[0]
                apart_y = one.box[3] <= other.box[1] or other.box[3] <= one.box[1]
                assert apart_x or apart_y, (one.words, other.words)


def test_any_title_can_be_printed() -> None:
    words = words_of(pages_of(parse_position(LINE), ["Ольга (South)", "x" * 80], "決勝 — “finale” ☃"))
    assert "Restore: ?? — “finale” ?" in words


def test_the_bank_of_the_photo_stands_beside_what_should_be() -> None:
    position = parse_position(LINE)
    counts = {piece.code: count for piece, count in position.bank.items()} | {"b3": 0}
    pdf = restore_sheet_pdf(plan_of(position), bank_rows(position, counts), "A game", [])
    text = PdfReader(BytesIO(pdf)).pages[0].extract_text()
    assert "Red: 2 small, 2 medium, 3 large; in the photo 2, 2, 3\n" in text
    assert "Blue: 3 small, 3 medium, 2 large; in the photo 3, 3, 0 (not the same)" in text


def test_the_same_position_gives_the_same_bytes() -> None:
    position = parse_position(LINE)
    one, other = (restore_sheet_pdf(plan_of(position), bank_rows(position), "A game", []) for _ in range(2))
    assert one == other


def kept(folder: Path, name: str, reading: Reading) -> Path:
    path = folder / name
    path.write_text(json.dumps(reading.to_json()), encoding="utf-8")
    return path


def test_the_command_tells_every_step() -> None:
    done = pyramids("restore", LINE)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[:2] == [
        "South’s home, on South’s side of the table",
        "  [ ]  1  Stand up a medium yellow star, 2 pips.",
    ]
    assert done.stdout.count("[ ]") == 11
    board = pyramids("restore", "-", given="6/6/2g13/6/6/6 N 3\n").stdout
    assert "  [ ]  1  c4: lay a small green ship, 1 pip, pointing away from South." in board
    assert "North’s turn" in board


def test_the_command_compares_with_a_table(tmp_path: Path) -> None:
    target = kept(tmp_path, "sunday.json", replace(reading_of_table(parse_position(LINE)), turn_token=None))
    nearly = kept(tmp_path, "now.json", reading_of_table(parse_position(LINE.replace("g2)r1-y1", "g2)-y1r1b1"))))
    same = kept(tmp_path, "same.json", reading_of_table(parse_position(LINE)))
    done = pyramids("restore", target, "--turn", "north", "--table", nearly)
    assert "  [!]  8  Lay a small red ship, 1 pip, pointing away from South." in done.stdout
    assert "Take away the small blue ship of North at Alcor" in done.stdout
    assert "Note: the turn token: Not in the picture" in done.stderr
    assert "Everything stands again." in pyramids("restore", target, "--turn", "north", "--table", same).stdout
    assert "whose turn it is" in refused(pyramids("restore", target))


def test_the_command_writes_the_sheet(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.pdf"
    done = pyramids("restore", LINE, "--sheet", sheet, "--paper", "letter")
    assert done.stdout.endswith(f"{sheet}: 11 steps\n")
    assert round(float(PdfReader(sheet).pages[0].mediabox.width)) == 612


REFUSALS = [
    (["nothing.json"], "cannot be read"),
    (["nonsense"], "is not a position"),
    (["<0>; South(0,b3b3b3b3)g3-"], "the set has only 3"),
    ([LINE, "--sheet", "sheet.txt"], "should end in .pdf"),
    (["-"], "is not a position"),
    ([LINE, "--table", "nothing.json"], "cannot be read"),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSALS, ids=[" ".join(words) for words, _ in REFUSALS])
def test_what_the_command_cannot_use(words: list[str], sentence: str) -> None:
    assert sentence in refused(pyramids("restore", *words, given=""))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_reading_may_begin_with_a_byte_order_mark(encoding: str, tmp_path: Path) -> None:
    path = kept(tmp_path, "sunday.json", reading_of_table(parse_position(LINE)))
    path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
    assert "[ ] 11" in pyramids("restore", path, "--turn", "north").stdout


NO_READINGS = ["{", "[1]", "{}", '{"game": "chess"}', '{"a":' * 9999, '{"game": "\\ud800"}', '{"x": NaN}']


@pytest.mark.parametrize("text", NO_READINGS, ids=lambda text: text[:20])
def test_a_file_that_is_no_reading(text: str, tmp_path: Path) -> None:
    path = tmp_path / "reading.json"
    path.write_text(text)
    refused(pyramids("restore", path))
