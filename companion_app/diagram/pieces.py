"""How a piece looks from above: upright it is a star, lying it is a ship that points away from its owner.

Colour is never the only mark: every piece bears its code, a letter for the colour and a numeral for the size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion_app.diagram.svg import Element, Point, add, points, text
from rules import Color, Piece, Seat, Size

PAINT = {
    Color.RED: ("#d8363d", "#ffffff"),
    Color.YELLOW: ("#f7cf2e", "#1a1600"),
    Color.GREEN: ("#38b26b", "#04160b"),
    Color.BLUE: ("#2f72e0", "#ffffff"),
}
"""Fill of each colour, and a colour for text that can be read on it."""

OUTLINE = "#f4f6ff"
SCALE = {Size.SMALL: 0.62, Size.MEDIUM: 0.8, Size.LARGE: 1.0}

Key = tuple[str, str | None, str]
"""Place (field or name of the system), owner ("south", …, ``None`` for a star) and code ("g3") of a piece."""


@dataclass
class Numbers:
    """Hands out the caller's numbers of pieces; pieces that are alike take theirs in turn."""

    indices: Mapping[Key, Sequence[int]]
    _used: dict[Key, int] = field(default_factory=dict)

    def next(self, key: Key) -> int | None:
        """The number of the next piece of this place, owner and code, if there is one."""
        numbers, used = self.indices.get(key, ()), self._used.get(key, 0)
        self._used[key] = used + 1
        return numbers[used] if used < len(numbers) else None


def piece_group(parent: Element, piece: Piece, owner: Seat | None, place: str, numbers: Numbers) -> Element:
    """An empty group for one piece, with everything that a page or a screen reader must know of it."""
    index = numbers.next((place, owner and owner.value, piece.code))
    group = add(
        parent,
        "g",
        data_piece=piece.code,
        data_owner=owner and owner.value,
        data_place=place,
        data_index=index,
    )
    add(group, "title", f"{piece.words.capitalize()}, {f'{owner.word}’s' if owner else 'star'}, {place}")
    return group


def draw_ship(group: Element, piece: Piece, center: Point, owner: Seat, unit: float) -> None:
    """A triangle around *center*, a large one *unit* long, its tip away from its owner's seat."""
    length = unit * SCALE[piece.size]
    half, low, high = 0.42 * length, -0.42 * length, 0.58 * length

    def place(along: float, aside: float) -> Point:
        """From "forwards, to the right" of the ship to the drawing."""
        forwards = FORWARDS[owner]
        return center[0] + along * forwards[0] - aside * forwards[1], center[1] + along * forwards[
            1
        ] + aside * forwards[0]

    fill, ink = PAINT[piece.color]
    tip, left, right = place(high, 0), place(low, -half), place(low, half)
    add(
        group,
        "polygon",
        points=points((tip, left, right)),
        fill=fill,
        stroke=OUTLINE,
        stroke_width=unit * 0.035,
        stroke_linejoin="round",
    )
    add(group, "polygon", points=points((tip, place(low, 0), right)), fill="#000000", fill_opacity=0.12)
    text(
        group,
        place(low + 0.23 * length, 0),
        piece.code,
        size=0.29 * length + 0.035 * unit,
        fill=ink,
        font_weight="bold",
    )


def draw_star(group: Element, piece: Piece, center: Point, unit: float) -> None:
    """A pyramid seen from above around *center*: a square with crossing diagonals, a large one *unit* wide."""
    half = unit * SCALE[piece.size] / 2
    fill, ink = PAINT[piece.color]
    corners = [(center[0] + x * half, center[1] + y * half) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    add(group, "polygon", points=points(corners), fill=fill)
    for (start, end), (shade, opacity) in zip(_edges(corners), _FACETS, strict=True):
        add(group, "polygon", points=points((start, end, center)), fill=shade, fill_opacity=opacity)
    for start, end in ((corners[0], corners[2]), (corners[1], corners[3])):
        add(
            group,
            "polyline",
            points=points((start, end)),
            stroke=OUTLINE,
            stroke_width=unit * 0.02,
            stroke_opacity=0.8,
        )
    plate = half * 0.56
    add(
        group,
        "rect",
        x=center[0] - plate,
        y=center[1] - plate,
        width=2 * plate,
        height=2 * plate,
        rx=plate * 0.25,
        fill=fill,
    )
    add(
        group,
        "polygon",
        points=points(corners),
        fill="none",
        stroke=OUTLINE,
        stroke_width=unit * 0.04,
        stroke_linejoin="round",
    )
    text(group, center, piece.code, size=half * 0.78, fill=ink, font_weight="bold")


FORWARDS: Mapping[Seat, Point] = {
    Seat.SOUTH: (0.0, -1.0),
    Seat.NORTH: (0.0, 1.0),
    Seat.EAST: (-1.0, 0.0),
    Seat.WEST: (1.0, 0.0),
}
"""Which way a player's ships point on the drawing (x right, y down)."""

_FACETS = (("#ffffff", 0.22), ("#000000", 0.08), ("#000000", 0.2), ("#ffffff", 0.08))


def _edges(corners: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    yield from zip(corners, [*corners[1:], corners[0]], strict=True)
