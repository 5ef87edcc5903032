"""The printed board, measured in the PDF's own units."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdf_marks import MM, Mark, marks_on
from pypdf import PdfReader

from companion_app.cli import main
from companion_app.printing import Layout, Paper, board_pdf, lay_out

FIELD = 34.29
SHEETS = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4)}
LAYOUTS = {
    f"{paper.value}-{'fit' if fit else 'true'}-{margin:g}": lay_out(paper, fit=fit, margin=margin)
    for paper, fit, margin in product(Paper, (False, True), (0.0, 2.0, 5.0, 6.0, 10.0))
}


@cache
def pages_of(*layouts: Layout) -> list[list[Mark]]:
    return [list(marks_on(page)) for page in PdfReader(BytesIO(board_pdf(layouts))).pages]


def dark_fields(page: list[Mark]) -> list[Mark]:
    """The areas in the grey of the dark fields; the glued strip's grey is paler, arrows are darker."""
    return [mark for mark in page if mark.kind == "area" and 0.6 < mark.grey < 0.9]


def words_on(page: list[Mark]) -> str:
    return " ".join(mark.words for mark in page)


def places(fields: list[Mark], side: float, left: float, bottom: float) -> set[tuple[int, int]]:
    """(file, rank) of each field, after checking that it lies on the grid that starts at (left, bottom)."""
    found = set()
    for field in fields:
        assert field.width == pytest.approx(side, abs=0.01)
        assert field.height == pytest.approx(side, abs=0.01)
        file, rank = (field.box[0] - left) / side, (field.box[1] - bottom) / side
        assert file == pytest.approx(round(file), abs=0.01 / side)
        assert rank == pytest.approx(round(rank), abs=0.01 / side)
        found.add((round(file), round(rank)))
    return found


DARK = {(file, rank) for file in range(6) for rank in range(6) if (file + rank) % 2 == 0}


@pytest.mark.parametrize(("paper", "margin"), [(Paper.A4, 2.0), (Paper.LETTER, 5.0), (Paper.A4, 0.0)])
def test_whole_board_in_true_size_where_the_margin_lets_it(paper: Paper, margin: float) -> None:
    layout = lay_out(paper, margin=margin)
    board, _ = pages_of(layout)
    fields = dark_fields(board)
    assert places(fields, FIELD, fields[0].box[0], fields[0].box[1]) == DARK
    assert not layout.shrunk


@pytest.mark.parametrize("paper", Paper)
def test_two_halves_make_the_board_in_true_size(paper: Paper) -> None:
    left, right, _ = pages_of(lay_out(paper))
    left_fields, right_fields = dark_fields(left), dark_fields(right)
    a1 = left_fields[0].box
    assert places(left_fields, FIELD, a1[0], a1[1]) == {place for place in DARK if place[0] < 3}
    d2 = min(right_fields, key=lambda field: (round(field.box[0]), field.box[1])).box
    d1 = (d2[0] - 3 * FIELD, d2[1] - FIELD)
    assert places(right_fields, FIELD, *d1) == {place for place in DARK if place[0] >= 3}
    assert a1[1] == pytest.approx(d1[1], abs=0.01)  # both halves lie equally high, field on field


@pytest.mark.parametrize("paper", Paper)
def test_glued_strip_goes_on_with_the_pattern(paper: Paper) -> None:
    left, _, _ = pages_of(lay_out(paper))
    a1 = dark_fields(left)[0].box
    strip = [mark for mark in left if mark.kind == "area" and mark.grey >= 0.9]
    assert [round((piece.box[1] - a1[1]) / FIELD, 3) for piece in strip] == [1, 3, 5]  # d2, d4, d6
    assert all(piece.box[0] == pytest.approx(a1[0] + 3 * FIELD, abs=0.01) for piece in strip)


@pytest.mark.parametrize(("paper", "field"), [(Paper.A4, 33.0), (Paper.LETTER, 33.9)])
def test_fitted_board_is_one_page_and_says_its_size(paper: Paper, field: float) -> None:
    board, _ = pages_of(lay_out(paper, fit=True))
    fields = dark_fields(board)
    assert places(fields, field, fields[0].box[0], fields[0].box[1]) == DARK
    assert f"a field is {field:.1f} mm instead of 34.29 mm" in words_on(board)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_nothing_is_drawn_on_the_margin(layout: Layout) -> None:
    width, height = SHEETS[layout.paper]
    slack = 0.001
    for page in pages_of(layout):
        for mark in page:
            left, bottom, right, top = mark.box
            assert left >= layout.margin - slack, mark
            assert bottom >= layout.margin - slack, mark
            assert right <= width - layout.margin + slack, mark
            assert top <= height - layout.margin + slack, mark


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_words_do_not_lie_on_each_other(layout: Layout) -> None:
    for page in pages_of(layout):
        texts = [mark for mark in page if mark.kind == "text"]
        for index, one in enumerate(texts):
            for other in texts[index + 1 :]:
                apart_x = one.box[2] <= other.box[0] or other.box[2] <= one.box[0]
                apart_y = one.box[3] <= other.box[1] or other.box[3] <= one.box[1]
                assert apart_x or apart_y, (one, other)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_pages_have_the_size_of_the_paper(layout: Layout) -> None:
    reader = PdfReader(BytesIO(board_pdf([layout])))
    assert len(reader.pages) == layout.pages
    for page in reader.pages:
        size = (float(page.mediabox.width) / MM, float(page.mediabox.height) / MM)
        assert size == pytest.approx(SHEETS[layout.paper], abs=0.01)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_every_page_of_the_board_has_a_ruler(layout: Layout) -> None:
    for page in pages_of(layout)[:-1]:
        place = {mark.words: mark.middle[0] for mark in page if mark.kind == "text"}
        zero = [mark for mark in page if mark.words == "0"]
        assert len(zero) == 2
        assert place["100 mm"] - zero[0].middle[0] == pytest.approx(100, abs=0.01)
        assert place["4 in"] - zero[1].middle[0] == pytest.approx(101.6, abs=0.01)
        ruler = [mark for mark in page if mark.kind == "line" and mark.width == pytest.approx(101.6, abs=0.3)]
        assert ruler[0].box[0] == pytest.approx(zero[0].middle[0], abs=0.2)
        assert "Print at 100 %" in words_on(page)


def test_players_sit_at_the_dark_corners() -> None:
    board, _ = pages_of(lay_out(Paper.A4, fit=True))
    corners = {mark.words: mark.middle for mark in board if mark.words.endswith("sits at this corner")}
    names = {mark.words: mark.middle for mark in board if mark.words[:1] in {*"abcdef"} and len(mark.words) == 2}
    assert len(names) == 36
    south, north = corners["South sits at this corner"], corners["North sits at this corner"]
    assert south[1] < names["a1"][1] < names["a6"][1] < north[1]
    assert abs(south[0] - names["a1"][0]) < abs(south[0] - names["f1"][0])
    assert abs(north[0] - names["f6"][0]) < abs(north[0] - names["a6"][0])


@pytest.mark.parametrize("paper", Paper)
def test_bank_mat_has_twelve_places_in_the_order_of_the_bank(paper: Paper) -> None:
    mat = pages_of(lay_out(paper))[-1]
    place = {mark.words: mark.middle for mark in mat if len(mark.words) == 2}
    assert sorted(place) == sorted(f"{color}{size}" for color in "rygb" for size in "123")
    for size in "123":
        across = [place[color + size][0] for color in "rygb"]
        assert across == sorted(across)
    for color in "rygb":
        upwards = [place[color + size][1] for size in "123"]
        assert upwards == sorted(upwards)
    bases = {"1": 14.29, "2": 19.84, "3": 25.4}
    squares = [mark for mark in mat if mark.kind == "line" and mark.width > 15]
    for code, (x, y) in place.items():
        around = [square for square in squares if square.box[0] < x < square.box[2] and abs(square.middle[1] - y) < 3]
        assert len(around) == 1
        assert bases[code[1]] + 2 < around[0].width < bases[code[1]] + 6


def test_same_board_is_the_same_file() -> None:
    layouts = [lay_out(paper) for paper in Paper]
    assert board_pdf(layouts) == board_pdf(layouts)


def test_credits_stand_on_every_page() -> None:
    for page in pages_of(*(lay_out(paper) for paper in Paper)):
        for words in ("Bruno Curfs", "John Cooper", "Looney Labs", "not affiliated", "MIT"):
            assert words in words_on(page)


@pytest.mark.parametrize(
    ("arguments", "pages", "said"),
    [
        ([], 6, "Letter: the board on pages 4 and 5, in two halves to be joined, 34.29 mm"),
        (["--paper", "a4"], 3, "A4: the board on pages 1 and 2, in two halves to be joined, 34.29 mm"),
        (["--paper", "letter", "--fit"], 2, "on page 1, whole, but scaled down to 33.9 mm a field instead of 34.29"),
        (["--paper", "a4", "--margin", "2"], 2, "A4: the board on page 1, whole, 34.29 mm (1.35 in) a field"),
    ],
)
def test_command_writes_the_board(tmp_path: Path, arguments: list[str], pages: int, said: str) -> None:
    out = tmp_path / "board.pdf"
    result = CliRunner().invoke(main, ["board", "--out", str(out), *arguments])
    assert result.exit_code == 0, result.output
    assert said in result.stdout
    assert "100 %" in result.stdout
    assert len(PdfReader(out).pages) == pages


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("board.png", [], "board.png should end in .pdf"),
        ("nowhere/board.pdf", [], "There is no folder"),
        ("board.pdf", ["--margin", "30"], "30.0 is not in the range"),
        ("board.pdf", ["--paper", "a3"], "'a3' is not one of"),
    ],
)
def test_command_refuses_in_one_sentence(tmp_path: Path, name: str, arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["board", "--out", str(tmp_path / name), *arguments])
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / name).exists()
