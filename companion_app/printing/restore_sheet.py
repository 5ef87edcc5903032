"""A sheet that puts a position back on the table: its diagram, every step with a box to tick, and the bank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby

from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from companion_app.diagram import diagram_svg
from companion_app.diagram.pieces import FORWARDS, PAINT, SCALE
from companion_app.printing.paper import Paper, lay_out
from companion_app.printing.pen import BOLD, FAINT, INK, REGULAR, Pen
from companion_app.raster import svg_to_png
from companion_app.restoring.banks import BankRow
from companion_app.restoring.drawing import on_paper
from companion_app.restoring.steps import Plan, Step

TEXT, LEADING = 2.8, 3.7
ROW = 6.6
GUTTER = 6.0
BOX = 3.6
PICTURE_WIDTH, PICTURE_HEIGHT = 150.0, 118.0
FOOT = 9.0


@dataclass(frozen=True)
class _Row:
    """One thing in a column: a heading, a step or a colour of the bank; *keeps* it with the row that follows."""

    words: str
    bold: bool = False
    step: Step | None = None
    boxed: bool = True
    keeps: bool = False


def restore_sheet_pdf(
    plan: Plan, bank: Sequence[BankRow], title: str, facts: Sequence[str], paper: Paper = Paper.A4
) -> bytes:
    """A PDF of one page or more; the same position gives the same bytes.

    *facts* are lines below the heading: who plays, when it was, whose turn it is.
    """
    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=1, pageCompression=1)
    canvas.setTitle(_printable(f"Restore: {title}"))
    canvas.setAuthor("pyramid-companion")
    pen = Pen(canvas, lay_out(paper))
    rows, number = list(_rows(plan, bank)), 0
    while rows:
        number += 1
        canvas.setPageSize((paper.width * mm, paper.height * mm))
        pen.heading(_fitting(f"Restore: {title}", BOLD, 4.2, pen.right - pen.left - 20), f"page {number}")
        top = pen.top - 9
        if number == 1:
            for fact in facts:
                pen.text(pen.left, top, _fitting(fact, REGULAR, 3, pen.right - pen.left), size=3)
                top -= 4.4
            top = _picture(pen, plan, top)
        width = (pen.right - pen.left - GUTTER) / 2
        for left in (pen.left, pen.left + width + GUTTER):
            rows = _column(pen, rows, left, top, width)
        pen.credit()
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _rows(plan: Plan, bank: Sequence[BankRow]) -> Iterator[_Row]:
    for group in plan.groups:
        yield _Row(f"{group.title} {group.hint}".strip(), bold=True, boxed=False, keeps=True)
        for number in group.numbers:
            step = plan.steps[number]
            yield _Row(group.words_of(step), step=step)
    yield _Row("The bank, colour by colour", bold=True, boxed=False, keeps=True)
    for color, same in groupby(bank, key=lambda row: row.piece.color):
        kinds = list(same)
        counts = ", ".join(f"{row.wanted} {row.piece.size.word}" for row in kinds)
        photo = ", ".join(str(row.photo) for row in kinds if row.photo is not None)
        differs = " (not the same)" if any(row.photo_differs for row in kinds) else ""
        yield _Row(f"{color.value.title()}: {counts}{f'; in the photo {photo}{differs}' if photo else ''}")


def _picture(pen: Pen, plan: Plan, top: float) -> float:
    """The diagram below *top*, as large as it may be; answers where it ends."""
    picture = ImageReader(BytesIO(svg_to_png(on_paper(diagram_svg(plan.position)), width=1100)))
    wide, high = picture.getSize()
    scale = min(PICTURE_WIDTH / wide, PICTURE_HEIGHT / high)
    width, height = wide * scale, high * scale
    left = pen.left + (pen.right - pen.left - width) / 2
    pen.canvas.drawImage(picture, left * mm, (top - height) * mm, width * mm, height * mm, mask="auto")
    return top - height - 4


def _column(pen: Pen, rows: Sequence[_Row], left: float, top: float, width: float) -> list[_Row]:
    """Draw as many *rows* as there is room for; answers those that are left."""
    level = top
    for number, row in enumerate(rows):
        room = level - (pen.bottom + FOOT)
        if room < _height(row, width) + (ROW if row.keeps else 0):
            return list(rows[number:])
        _draw_row(pen, row, left, level, width)
        level -= _height(row, width)
    return []


def _height(row: _Row, width: float) -> float:
    return ROW + LEADING * (len(_lines(row, width)) - 1)


def _lines(row: _Row, width: float) -> list[str]:
    room = width - _indent(row)
    lines: list[str] = simpleSplit(_printable(row.words), BOLD if row.bold else REGULAR, TEXT * mm, room * mm)
    return lines


def _indent(row: _Row) -> float:
    return (BOX + 2 if row.boxed else 0) + (7.5 if row.step and row.step.piece else 0)


def _draw_row(pen: Pen, row: _Row, left: float, top: float, width: float) -> None:
    base = top - ROW / 2 - TEXT * 0.36
    if row.boxed:
        pen.frame(left, top - ROW / 2 - BOX / 2, BOX, BOX, line=0.3)
    if row.step and row.step.piece:
        _draw_piece(pen, row.step, (left + BOX + 5, top - ROW / 2))
    for count, words in enumerate(_lines(row, width)):
        at = base - LEADING * count
        pen.text(left + _indent(row), at, words, size=TEXT, font=BOLD if row.bold else REGULAR)
    if row.bold:
        pen.line((left + 0.1, top - ROW + 0.6), (left + width - 0.1, top - ROW + 0.6), color=FAINT, width=0.15)


def _draw_piece(pen: Pen, step: Step, center: tuple[float, float]) -> None:
    """A ship as a triangle that points away from its owner, a star as a square; *center* in mm."""
    assert step.piece is not None
    x, y = center
    size = 5.0 * SCALE[step.piece.size]
    if step.owner is None:
        corners = [(x + dx * size / 2, y + dy * size / 2) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    else:
        ahead_x, ahead_y = FORWARDS[step.owner][0], -FORWARDS[step.owner][1]
        along_and_aside = ((0.58, 0.0), (-0.42, -0.42), (-0.42, 0.42))
        corners = [
            (x + size * (along * ahead_x - aside * ahead_y), y + size * (along * ahead_y + aside * ahead_x))
            for along, aside in along_and_aside
        ]
    pen.polygon(corners, PAINT[step.piece.color][0])
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        pen.line(start, end, width=0.2, color=INK)


def _fitting(words: str, font: str, size: float, width: float) -> str:
    """*words*, cut short where they would be wider than *width* mm."""
    words = _printable(words)
    if stringWidth(words, font, size * mm) <= width * mm:
        return words
    while stringWidth(f"{words}…", font, size * mm) > width * mm:
        words = words[:-1]
    return f"{words}…"


def _printable(words: str) -> str:
    """*words* in the letters that the sheet's font has; others become question marks."""
    return words.encode("cp1252", "replace").decode("cp1252")
