"""A pen over a PDF canvas that thinks in millimetres from the lower left corner of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from companion_app.printing.paper import Layout

REGULAR, BOLD = "Helvetica", "Helvetica-Bold"
INK = "#222222"
FAINT = "#777777"

CREDIT = (
    "Homeworlds Settlers by Bruno Curfs (CC BY-NC-SA 4.0), Homeworlds by John Cooper, pyramids by Looney Labs.",
    "Drawn by pyramid-companion (MIT licence), which is not affiliated with any of them.",
)

Align = Literal["left", "middle", "right"]


class Pen:
    """Draws on one page; the layout says how large the page is and which margin stays white."""

    def __init__(self, canvas: Canvas, layout: Layout) -> None:
        self.canvas = canvas
        self.layout = layout

    @property
    def left(self) -> float:
        """The left edge of the printable area."""
        return self.layout.margin

    @property
    def right(self) -> float:
        """The right edge of the printable area."""
        return self.layout.paper.width - self.layout.margin

    @property
    def bottom(self) -> float:
        """The lower edge of the printable area."""
        return self.layout.margin

    @property
    def top(self) -> float:
        """The upper edge of the printable area."""
        return self.layout.paper.height - self.layout.margin

    def fill(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """A filled rectangle without outline; (x, y) is its lower left corner."""
        self.canvas.setFillColor(color)
        self.canvas.rect(x * mm, y * mm, width * mm, height * mm, stroke=0, fill=1)

    def frame(self, x: float, y: float, width: float, height: float, *, line: float, color: str = INK) -> None:
        """The outline of a rectangle, drawn wholly inside it."""
        self.canvas.setStrokeColor(color)
        self.canvas.setLineWidth(line * mm)
        inset = line / 2
        self.canvas.rect(
            (x + inset) * mm, (y + inset) * mm, (width - line) * mm, (height - line) * mm, stroke=1, fill=0
        )

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        *,
        width: float = 0.2,
        color: str = INK,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """A straight line, dashed if *dash* gives the lengths of stroke and gap."""
        self.canvas.setStrokeColor(color)
        self.canvas.setLineWidth(width * mm)
        self.canvas.setDash(*([length * mm for length in dash], 0) if dash else ())
        self.canvas.line(start[0] * mm, start[1] * mm, end[0] * mm, end[1] * mm)
        self.canvas.setDash()

    def polygon(self, points: Sequence[tuple[float, float]], color: str) -> None:
        """A filled polygon."""
        path = self.canvas.beginPath()
        path.moveTo(points[0][0] * mm, points[0][1] * mm)
        for x, y in points[1:]:
            path.lineTo(x * mm, y * mm)
        path.close()
        self.canvas.setFillColor(color)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def dot(self, x: float, y: float, radius: float, color: str) -> None:
        """A filled circle."""
        self.canvas.setFillColor(color)
        self.canvas.circle(x * mm, y * mm, radius * mm, stroke=0, fill=1)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 3.0,
        font: str = REGULAR,
        color: str = INK,
        align: Align = "left",
        turn: float = 0.0,
    ) -> None:
        """Words on the baseline through (x, y), *size* mm high, turned counter-clockwise by *turn* degrees."""
        width = stringWidth(words, font, size * mm)
        start = {"left": 0.0, "middle": -width / 2, "right": -width}[align]
        self.canvas.saveState()
        self.canvas.translate(x * mm, y * mm)
        self.canvas.rotate(turn)
        self.canvas.setFillColor(color)
        self.canvas.setFont(font, size * mm)
        self.canvas.drawString(start, 0, words)
        self.canvas.restoreState()

    def heading(self, title: str, note: str) -> None:
        """The title of the page at the top left, a note at the top right."""
        self.text(self.left, self.top - 4, title, size=4.2, font=BOLD)
        self.text(self.right, self.top - 4, note, size=3, color=FAINT, align="right")

    def credit(self) -> None:
        """Who made what, at the foot of the page."""
        for row, words in enumerate(reversed(CREDIT)):
            self.text(self.left, self.bottom + 0.8 + 3.1 * row, words, size=2.4, color=FAINT)
