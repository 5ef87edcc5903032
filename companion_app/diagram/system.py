"""One star system: its stars in the middle, each player's ships on that player's right-hand side, its name below."""

from __future__ import annotations

from collections.abc import Sequence

from companion_app.diagram.card import ACCENT, EDGE, INK, PANEL
from companion_app.diagram.pieces import SCALE, Numbers, draw_ship, draw_star, piece_group
from companion_app.diagram.svg import Element, Point, add, points, text
from rules import Piece, Seat
from rules.homeworlds import System

UNIT = 48.0
"""Side of a large star and length of a large ship."""

ABREAST = 4
"""How many ships of a player lie side by side before they form a second rank."""

LONGEST_NAME = 18

_BETWEEN = 5.0
_PADDING = 11.0
_NAME = 24.0
_HOUSE = ((-6, 0), (0, -6), (6, 0), (4, 0), (4, 5), (-4, 5), (-4, 0))


class SystemBox:
    """A system with the room that it takes on the drawing, and all that is needed to draw it there."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._stars = _Stars(system.stars)
        self._fleets = {seat: _Fleet(seat, system.ships.get(seat, ())) for seat in Seat}
        north, east, south, west = (self._fleets[seat] for seat in Seat)
        self._middle = max(self._stars.width, east.width, west.width)
        self._across = north.width + self._middle + south.width
        column, beside = east.height + self._stars.height + west.height, max(north.height, south.height)
        self.width = max(self._across, 9.2 * len(self._short_name)) + 2 * _PADDING
        self.height = max(column, beside) + _NAME + 2 * _PADDING

    @property
    def home(self) -> Seat | None:
        """Whose home it is."""
        return self._system.home

    def draw(self, parent: Element, corner: Point, numbers: Numbers) -> None:
        """The system with its upper left corner at *corner*."""
        group = add(parent, "g", data_system=self._system.name)
        add(group, "title", self._title)
        home = self._system.home is not None
        add(
            group,
            "rect",
            x=corner[0],
            y=corner[1],
            width=self.width,
            height=self.height,
            rx=12,
            fill=PANEL,
            stroke=ACCENT if home else EDGE,
            stroke_opacity=0.6 if home else None,
        )
        north, east, south, west = (self._fleets[seat] for seat in Seat)
        x = corner[0] + (self.width - self._across) / 2 + north.width + self._middle / 2
        y = corner[1] + (self.height - _NAME + east.height - west.height) / 2
        beside, half = self._middle / 2, self._stars.height / 2
        place = self._system.name
        self._stars.draw(group, (x, y), place, numbers)
        north.draw(group, (x - beside - north.width / 2, y), place, numbers)
        east.draw(group, (x, y - half - east.height / 2), place, numbers)
        south.draw(group, (x + beside + south.width / 2, y), place, numbers)
        west.draw(group, (x, y + half + west.height / 2), place, numbers)
        middle = corner[0] + self.width / 2
        foot = (middle, corner[1] + self.height - _PADDING - 6)
        text(group, foot, self._short_name, size=13, fill=INK, font_weight="bold")
        if home:
            self._draw_house(group, (middle, corner[1]))

    @property
    def _short_name(self) -> str:
        name = self._system.name
        return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"

    @property
    def _title(self) -> str:
        home = self._system.home
        return f"{self._system.name}, {home.word}’s home" if home else self._system.name

    def _draw_house(self, group: Element, at: Point) -> None:
        """The badge of a home, on the upper edge of its frame."""
        add(group, "circle", cx=at[0], cy=at[1], r=11, fill=PANEL, stroke=ACCENT)
        add(group, "polygon", points=points((at[0] + x, at[1] + y) for x, y in _HOUSE), fill=ACCENT)


class _Stars:
    """The stars of a system, one above the other."""

    def __init__(self, stars: Sequence[Piece]) -> None:
        self._stars = stars
        self.width = UNIT + 2 * _BETWEEN
        self.height = sum((UNIT * SCALE[star.size] + _BETWEEN for star in stars), _BETWEEN)

    def draw(self, group: Element, center: Point, place: str, numbers: Numbers) -> None:
        """All of them, centred."""
        y = center[1] - self.height / 2 + _BETWEEN
        for star in self._stars:
            side = UNIT * SCALE[star.size]
            draw_star(piece_group(group, star, None, place, numbers), star, (center[0], y + side / 2), UNIT)
            y += side + _BETWEEN


class _Fleet:
    """One player's ships in a system, side by side."""

    def __init__(self, owner: Seat, ships: Sequence[Piece]) -> None:
        self._owner = owner
        ranks = [ships[start : start + ABREAST] for start in range(0, len(ships), ABREAST)]
        self._ranks = ranks
        wide, long = UNIT * 0.84 + _BETWEEN, UNIT + _BETWEEN
        self._cell = (wide, long) if owner in (Seat.NORTH, Seat.SOUTH) else (long, wide)
        self.width = self._cell[0] * max(map(len, ranks), default=0)
        self.height = self._cell[1] * len(ranks)

    def draw(self, group: Element, center: Point, place: str, numbers: Numbers) -> None:
        """All of them, centred."""
        y = center[1] - self.height / 2 + self._cell[1] / 2
        for rank in self._ranks:
            x = center[0] - self._cell[0] * (len(rank) - 1) / 2
            for ship in rank:
                draw_ship(piece_group(group, ship, self._owner, place, numbers), ship, (x, y), self._owner, UNIT)
                x += self._cell[0]
            y += self._cell[1]
