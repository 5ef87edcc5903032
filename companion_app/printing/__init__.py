"""Things to print: the Settlers board in its true size, and a mat for the bank."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion_app.printing.bank_mat import draw_bank_mat
from companion_app.printing.board import draw_board, draw_left_half, draw_right_half
from companion_app.printing.paper import FIELD, FIELDS, MARGIN, Layout, Paper, lay_out
from companion_app.printing.pen import Pen

__all__ = ["FIELD", "FIELDS", "MARGIN", "Layout", "Paper", "board_pdf", "lay_out"]


def board_pdf(layouts: Sequence[Layout]) -> bytes:
    """A PDF of the board and the bank mat for every layout in turn; the same layouts give the same bytes."""
    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=1, pageCompression=1)
    canvas.setTitle("Homeworlds Settlers: board and bank mat")
    canvas.setAuthor("pyramid-companion")
    canvas.setSubject("Print at 100 % and check the ruler on the page")
    for layout in layouts:
        halves = (draw_left_half, draw_right_half) if layout.joined else (draw_board,)
        for number, draw in enumerate((*halves, draw_bank_mat), start=1):
            canvas.setPageSize((layout.paper.width * mm, layout.paper.height * mm))
            draw(Pen(canvas, layout), f"{layout.paper.label}, page {number} of {layout.pages}")
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()
