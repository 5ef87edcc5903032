"""The star map of Homeworlds as South sees it, each system with its stars, its ships and its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion_app.diagram.card import (
    ACCENT,
    BANK_HEIGHT,
    HEADING,
    LEAST_WIDTH,
    PADDING,
    draw_bank,
    draw_seat,
    open_card,
)
from companion_app.diagram.pieces import Numbers
from companion_app.diagram.star_map import arranged
from companion_app.diagram.svg import Element, Point, text
from companion_app.diagram.system import SystemBox
from rules import Seat
from rules.homeworlds import Position

GAP = 18.0
WIDEST = 860.0
"""A row that would be wider than this goes on in a second line."""

PILL = 24.0

Line = Sequence[SystemBox]


def draw_homeworlds(position: Position, numbers: Numbers, *, over: bool = False) -> Element:
    """The map with a player's name at each side, and the bank below it; nobody is to move when the game is *over*."""
    to_move = None if over else position.to_move
    lines = [line for row in arranged(position.systems) for line in _lines([SystemBox(one) for one in row])]
    width = max([LEAST_WIDTH, *(_width(line) + 2 * PADDING for line in lines)])
    head = HEADING + PADDING + PILL
    map_height = sum(_height(line) + GAP for line in lines) - GAP if lines else 2 * PILL
    foot = head + GAP + map_height + GAP
    height = foot + PILL + 1.25 * PADDING + BANK_HEIGHT
    svg = open_card(width, height, "homeworlds", "Homeworlds", to_move)
    top = head + GAP
    for line in lines:
        left = (width - _width(line)) / 2
        for box in line:
            box.draw(svg, (left, top + (_height(line) - box.height) / 2), numbers)
            left += box.width + GAP
        top += _height(line) + GAP
    if not lines:
        text(svg, (width / 2, head + GAP + PILL), "No star systems", size=14, fill=ACCENT)
    for seat, at in _seats(width, head - PILL / 2, foot + PILL / 2).items():
        if seat in position.seats:
            draw_seat(svg, at, seat, to_move=seat is to_move)
    draw_bank(svg, position.bank, width / 2, foot + PILL + PADDING * 0.75)
    return svg


def _lines(row: Sequence[SystemBox]) -> Iterator[Line]:
    """A row of systems cut where it would be too wide."""
    line: list[SystemBox] = []
    for box in row:
        if line and _width([*line, box]) > WIDEST:
            yield line
            line = []
        line.append(box)
    yield line


def _width(line: Line) -> float:
    return sum(box.width for box in line) + GAP * (len(line) - 1)


def _height(line: Line) -> float:
    return max(box.height for box in line)


def _seats(width: float, top: float, bottom: float) -> dict[Seat, Point]:
    return {
        Seat.NORTH: (width / 2, top),
        Seat.SOUTH: (width / 2, bottom),
        Seat.WEST: (PADDING + 40, bottom),
        Seat.EAST: (width - PADDING - 40, top),
    }
