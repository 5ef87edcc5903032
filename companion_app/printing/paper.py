"""Which paper there is, and how the board comes to lie on it. All lengths in mm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

FIELDS = 6
FIELD = 34.29
"""Side of a field: 1.35 in, so that the board measures 8.1 in."""

MARGIN = 6.0
"""The strip along every edge of the paper that most printers leave white."""


class Paper(StrEnum):
    """A size of paper, used upright."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def label(self) -> str:
        """The name that people know it by."""
        return {"a4": "A4", "letter": "Letter"}[self.value]

    @property
    def width(self) -> float:
        """The short side."""
        return {"a4": 210.0, "letter": 215.9}[self.value]

    @property
    def height(self) -> float:
        """The long side."""
        return {"a4": 297.0, "letter": 279.4}[self.value]


@dataclass(frozen=True)
class Layout:
    """How the board lies on one size of paper.

    Attributes:
        margin: the white strip that nothing is drawn on.
        field: side of a field as printed.
        joined: whether the board is two halves, a page each, to be glued together.
    """

    paper: Paper
    margin: float
    field: float
    joined: bool

    @property
    def board_pages(self) -> int:
        """How many pages the board takes."""
        return 2 if self.joined else 1

    @property
    def pages(self) -> int:
        """How many pages there are in all: the board's and the bank mat."""
        return self.board_pages + 1

    @property
    def shrunk(self) -> bool:
        """Whether the fields are smaller than they should be."""
        return self.field < FIELD

    @property
    def sentence(self) -> str:
        """What comes out of the printer, in words."""
        if self.joined:
            return f"in two halves to be joined, {FIELD:.2f} mm (1.35 in) a field"
        if self.shrunk:
            return f"whole, but scaled down to {self.field:.1f} mm a field instead of {FIELD:.2f} mm (1.35 in)"
        return f"whole, {FIELD:.2f} mm (1.35 in) a field"


def lay_out(paper: Paper, *, fit: bool = False, margin: float = MARGIN) -> Layout:
    """Lay the board on *paper*: whole where it fits between the margins, else as two halves.

    With *fit* it always stays on one page, scaled down to the next tenth of a millimetre where it must be.
    """
    widest = (paper.width - 2 * margin) / FIELDS
    if widest >= FIELD:
        return Layout(paper, margin, FIELD, joined=False)
    if fit:
        return Layout(paper, margin, math.floor(widest * 10 + 1e-6) / 10, joined=False)
    return Layout(paper, margin, FIELD, joined=True)
