"""What a PDF page draws, measured in the page's own units and given in mm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from pypdf import PageObject
from pypdf.generic import ContentStream, DictionaryObject
from reportlab.pdfbase.pdfmetrics import stringWidth

MM = 72 / 25.4

Matrix = NDArray[np.float64]
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Mark:
    """One thing on a page.

    Attributes:
        kind: ``"area"``, ``"line"`` or ``"text"``.
        box: left, bottom, right, top in mm, line widths included.
        grey: 0 black to 1 white, the mean of red, green and blue of an area.
        words: those of a text.
    """

    kind: str
    box: tuple[float, float, float, float]
    grey: float = 0.0
    words: str = ""

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def middle(self) -> tuple[float, float]:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True)
class State:
    """What ``q`` saves and ``Q`` brings back."""

    matrix: Matrix
    grey: float = 0.0
    line: float = 1.0
    font: str = "Helvetica"
    size: float = 0.0


def marks_on(page: PageObject) -> Iterator[Mark]:
    """Everything that the page draws, in its order."""
    contents, resources = page.get_contents(), page["/Resources"]
    assert contents is not None
    assert isinstance(resources, DictionaryObject)
    fonts = resources["/Font"]
    assert isinstance(fonts, DictionaryObject)
    names = {name: str(font.get_object()["/BaseFont"])[1:] for name, font in fonts.items()}
    state, saved = State(np.eye(3)), []
    points: Points = []
    words_at = np.eye(3)
    for operands, operator in ContentStream(contents, page.pdf).operations:
        numbers = [float(value) for value in operands if isinstance(value, int | float)]
        match operator.decode():
            case "q":
                saved.append(state)
            case "Q":
                state = saved.pop()
            case "cm":
                state = replace(state, matrix=_matrix(numbers) @ state.matrix)
            case "w":
                state = replace(state, line=numbers[0])
            case "rg":
                state = replace(state, grey=sum(numbers) / 3)
            case "m" | "l" | "c":
                points += zip(numbers[::2], numbers[1::2], strict=True)
            case "re":
                x, y, width, height = numbers
                points += [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
            case "n":
                points = []
            case "S":
                yield Mark("line", _box(points, state.matrix, state.line / 2))
                points = []
            case "f" | "f*":
                yield Mark("area", _box(points, state.matrix), state.grey)
                points = []
            case "Tf":
                state = replace(state, font=names[operands[0]], size=numbers[0])
            case "Tm":
                words_at = _matrix(numbers)
            case "Tj":
                words = operands[0].original_bytes.decode("cp1252")
                width, low, high = (
                    stringWidth(words, state.font, state.size),
                    -0.22 * state.size,
                    0.74 * state.size,
                )
                corners = [(0.0, low), (width, low), (width, high), (0.0, high)]
                yield Mark("text", _box(corners, words_at @ state.matrix), state.grey, words)


def _matrix(numbers: list[float]) -> Matrix:
    """The PDF matrix a b c d e f, for row vectors (x, y, 1)."""
    return np.column_stack([np.reshape(numbers, (3, 2)), (0, 0, 1)])


def _box(points: Points, matrix: Matrix, grow: float = 0.0) -> tuple[float, float, float, float]:
    placed = (np.column_stack([points, np.ones(len(points))]) @ matrix)[:, :2] / MM
    (left, bottom), (right, top) = placed.min(axis=0) - grow / MM, placed.max(axis=0) + grow / MM
    return float(left), float(bottom), float(right), float(top)
