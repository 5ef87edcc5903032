"""The bank mat: twelve places for upright pieces, so that a glance or a photo shows what is left."""

from __future__ import annotations

from companion_app.printing.pen import BOLD, INK, Pen

COLORS = (("red", "#c62828"), ("yellow", "#b8860b"), ("green", "#2e7d32"), ("blue", "#1f5fbf"))
SIZES = (("large", 3, 25.4), ("medium", 2, 25.4 * 25 / 32), ("small", 1, 25.4 * 9 / 16))
"""Word, pips and base side in mm, from the back row to the front one."""
SLACK = 4.0
ROW = 54.0
HEAD = 14.0
SIDE = 12.0


def draw_bank_mat(pen: Pen, number: str) -> None:
    """The mat on its page: red, yellow, green, blue from left to right, large at the back."""
    pen.heading("The bank: a place for each of the twelve kinds", number)
    width, height = pen.right - pen.left, HEAD + ROW * len(SIZES)
    top = pen.top - 10
    pen.frame(pen.left, top - height, width, height, line=0.35)
    first, column = pen.left + SIDE, (width - SIDE - 4) / len(COLORS)
    for index, (color, ink) in enumerate(COLORS):
        middle = first + column * (index + 0.5)
        pen.text(middle, top - 10, color, size=4.5, font=BOLD, color=ink, align="middle")
    for row, (size, pips, base) in enumerate(SIZES):
        center = top - HEAD - ROW * (row + 0.5)
        pen.text(pen.left + 8, center, size, size=4.5, font=BOLD, align="middle", turn=90)
        for index, (color, ink) in enumerate(COLORS):
            _place(pen, first + column * (index + 0.5), center, base + SLACK, f"{color[0]}{pips}", pips, ink)
    notes = (
        "Stack the pieces of a kind upright on their place. Large stands at the back, seen from South's seat.",
        "Two players: 3 of each kind, 36 pieces; 27 without red. Each further player adds one of each kind.",
    )
    for row, words in enumerate(notes):
        pen.text(pen.left, top - height - 6 - 4.6 * row, words, size=3.2)
    pen.credit()


def _place(pen: Pen, x: float, y: float, side: float, code: str, pips: int, ink: str) -> None:
    """One place around (x, y): a square a little larger than the piece, its code, and its pips below."""
    low = y - side / 2 + 4
    pen.frame(x - side / 2, low, side, side, line=0.6, color=ink)
    for corner_x, corner_y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        reach = side / 2 - 0.6
        pen.line(
            (x + corner_x * reach, low + side / 2 + corner_y * reach),
            (x + corner_x * reach * 0.55, low + side / 2 + corner_y * reach * 0.55),
            color=ink,
        )
    pen.text(x, low + side / 2 - 2, code, size=5.5, font=BOLD, color=ink, align="middle")
    for pip in range(pips):
        center = x + (pip - (pips - 1) / 2) * 4
        pen.dot(center, low - 3.6, 1.1, INK)
