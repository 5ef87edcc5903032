"""The Settlers board: thirty-six fields, with the marks that help to cut, join, turn and check it."""

from __future__ import annotations

from companion_app.printing.paper import FIELD, FIELDS, Layout
from companion_app.printing.pen import BOLD, FAINT, INK, REGULAR, Pen

DARK = "#c4c4c4"
"""Grey of the dark fields: light on ink, and far from every colour of plastic."""
PALE = "#ececec"
"""The same grey where the glued strip continues the pattern."""
BORDER = 0.35
TAB = 10.0
HALF = FIELDS // 2


def draw_board(pen: Pen, number: str) -> None:
    """The whole board on one page; *number* tells the page."""
    side = FIELDS * pen.layout.field
    x = (pen.layout.paper.width - side) / 2
    y = _foot(pen, side)
    pen.heading("Homeworlds Settlers: the board", number)
    _fields(pen, x, y, range(FIELDS))
    pen.frame(x, y, side, side, line=BORDER)
    _cutting_marks(pen, x, y, side, side)
    _north(pen, x + side, y + side)
    _south(pen, x, y)
    _ruler(pen, _size_note(pen.layout))


def draw_left_half(pen: Pen, number: str) -> None:
    """Files a to c, with a strip beyond them that the other half is glued onto."""
    width, height = HALF * FIELD, FIELDS * FIELD
    x = (pen.layout.paper.width - width - TAB) / 2
    y, seam = _foot(pen, height), x + width
    pen.heading("Homeworlds Settlers: the board, left half", number)
    _strip(pen, seam, y)
    _fields(pen, x, y, range(HALF))
    _three_sides(pen, x, y, width, height, open_side="right")
    pen.line((seam, y), (seam, y + height), color=FAINT)
    _cutting_marks(pen, x, y, width, height)
    words = "Glue the right half onto this strip: its cut edge on the line, field on field."
    pen.text(seam + TAB + 4.4, y + height / 2, words, size=2.8, align="middle", turn=90)
    _south(pen, x, y)
    _ruler(pen, _size_note(pen.layout))


def draw_right_half(pen: Pen, number: str) -> None:
    """Files d to f, to be cut off along their left edge."""
    width, height = HALF * FIELD, FIELDS * FIELD
    x = (pen.layout.paper.width - width) / 2
    y = _foot(pen, height)
    pen.heading("Homeworlds Settlers: the board, right half", number)
    _fields(pen, x, y, range(HALF, FIELDS))
    _three_sides(pen, x, y, width, height, open_side="left")
    _cutting_marks(pen, x, y, width, height)
    pen.line((x - 0.2, y), (x - 0.2, y + height), color=INK, dash=(2, 1.5))
    words = "Cut along this edge, then glue it onto the strip of the left half."
    pen.text(x - 3, y + height / 2, words, size=2.8, align="middle", turn=90)
    _north(pen, x + width, y + height)
    _ruler(pen, _size_note(pen.layout))


def _foot(pen: Pen, height: float) -> float:
    """Lower edge of the board: in the middle of what title, ruler and credit leave free."""
    head, tail = pen.top - 14, pen.bottom + 28
    return tail + (head - tail - height) / 2


def _size_note(layout: Layout) -> str:
    if layout.shrunk:
        return f"Scaled down to fit: a field is {layout.field:.1f} mm instead of {FIELD:.2f} mm."
    return f"A field is {FIELD:.2f} mm (1.35 in) wide, the board {FIELDS * FIELD:.2f} mm (8.1 in)."


def _fields(pen: Pen, x: float, y: float, files: range) -> None:
    """The fields of *files* from (x, y), every name readable from South's seat and in the corner nearest to it."""
    side = pen.layout.field
    for column, file in enumerate(files):
        for rank in range(FIELDS):
            left, low = x + column * side, y + rank * side
            if (file + rank) % 2 == 0:
                pen.fill(left, low, side, side, DARK)
            name = f"{'abcdef'[file]}{rank + 1}"
            pen.text(left + 2.6, low + 2.6, name, size=2.1, color=FAINT, align="middle", turn=-45)


def _strip(pen: Pen, x: float, y: float) -> None:
    """The strip to be glued: the first centimetre of file d, paler, so that a gap would not show."""
    for rank in range(FIELDS):
        if (HALF + rank) % 2 == 0:
            pen.fill(x, y + rank * FIELD, TAB, FIELD, PALE)
        pen.line((x, y + rank * FIELD), (x + TAB, y + rank * FIELD), color=FAINT, width=0.1)
    top = y + FIELDS * FIELD
    pen.line((x, top), (x + TAB, top), color=FAINT, width=0.1)
    pen.line((x + TAB, y), (x + TAB, top), color=INK, dash=(2, 1.5))


def _three_sides(pen: Pen, x: float, y: float, width: float, height: float, *, open_side: str) -> None:
    """The border of a half, leaving out the side where it is joined."""
    inset = BORDER / 2
    edge = x + inset if open_side == "right" else x + width - inset
    pen.line((edge, y), (edge, y + height), width=BORDER)
    for level in (y + inset, y + height - inset):
        pen.line((x, level), (x + width, level), width=BORDER)


def _cutting_marks(pen: Pen, x: float, y: float, width: float, height: float) -> None:
    """Short lines outside the corners along which to cut; only where they stay on the printable area."""
    gap, length, thin = 1.0, 4.0, 0.2
    for corner_x, outwards in ((x, -1), (x + width, 1)):
        for corner_y, upwards in ((y, -1), (y + height, 1)):
            inside_x, inside_y = corner_x - outwards * thin / 2, corner_y - upwards * thin / 2
            near, far = corner_y + upwards * gap, corner_y + upwards * (gap + length)
            pen.line((inside_x, near), (inside_x, far), width=thin, color=FAINT)
            near, far = corner_x + outwards * gap, corner_x + outwards * (gap + length)
            if pen.left + thin <= far <= pen.right - thin:
                pen.line((near, inside_y), (far, inside_y), width=thin, color=FAINT)


def _south(pen: Pen, x: float, y: float) -> None:
    """South's mark below the dark corner a1."""
    pen.polygon([(x + 1.6, y - 1.4), (x + 5.6, y - 2.9), (x + 3.1, y - 5.4)], INK)
    pen.text(x + 7, y - 5, "South sits at this corner", size=3, font=BOLD)


def _north(pen: Pen, x: float, y: float) -> None:
    """North's mark above the dark corner f6, to be read from there."""
    pen.polygon([(x - 1.6, y + 1.4), (x - 5.6, y + 2.9), (x - 3.1, y + 5.4)], INK)
    pen.text(x - 7, y + 5, "North sits at this corner", size=3, font=BOLD, turn=180)


def _ruler(pen: Pen, size_note: str) -> None:
    """A line of 100 mm with one of 4 in below it, and what to do with them."""
    x, y = pen.left + 1, pen.bottom + 14
    pen.line((x, y), (x + 4 * 25.4, y))
    for step in range(21):
        pen.line((x + 5 * step, y), (x + 5 * step, y + (2.6 if step % 2 == 0 else 1.5)))
    for tens in range(0, 101, 20):
        label = f"{tens} mm" if tens == 100 else str(tens)
        pen.text(x + tens, y + 3.2, label, size=2.2, align="middle")
    for quarters in range(17):
        pen.line((x + 6.35 * quarters, y), (x + 6.35 * quarters, y - (2.6 if quarters % 4 == 0 else 1.5)))
    for inches in range(5):
        label = f"{inches} in" if inches == 4 else str(inches)
        pen.text(x + 25.4 * inches, y - 5, label, size=2.2, align="middle")
    notes = (
        ("Print at 100 % (“actual size”, no fitting).", BOLD),
        ("Check with a ruler: 100 mm above, 4 in below.", REGULAR),
        (size_note, REGULAR),
    )
    for row, (words, font) in enumerate(notes):
        pen.text(x + 110, y + 3.2 - 3.8 * row, words, size=2.7, font=font)
    pen.credit()
