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
    seat_width,
)
from companion_app.diagram.pieces import Numbers
from companion_app.diagram.star_map import arranged
from companion_app.diagram.svg import Element, text
from companion_app.diagram.system import SystemBox
from rules import Seat
from rules.homeworlds import Position

GAP = 18.0
WIDEST = 860.0
"""A row that would be wider than this goes on in a second line."""

PILL = 24.0

Line = Sequence[SystemBox]


def draw_homeworlds(position: Position, numbers: Numbers, *, over: bool = False) -> Element:
    """The map with each player's name beside the home, and the bank below; nobody is to move when the game is *over*.

    The names of North and South stand at the ends of the map, where their homes are, those of West and East to the
    left and to the right of theirs; of one without a home at that side of the map.
    """
    to_move = None if over else position.to_move
    lines = [line for row in arranged(position.systems) for line in _lines([SystemBox(one) for one in row])]
    beside = {seat: seat_width(seat.word) + GAP for seat in (Seat.WEST, Seat.EAST) if seat in position.seats}
    margin = PADDING + max(beside.values(), default=0.0)
    width = max([LEAST_WIDTH, *(_width(line) + 2 * margin for line in lines)])
    top = HEADING + PADDING + PILL + GAP
    map_height = sum(_height(line) + GAP for line in lines) - GAP if lines else 2 * PILL
    foot = top + map_height + GAP
    height = foot + PILL + 1.25 * PADDING + BANK_HEIGHT
    svg = open_card(width, height, "homeworlds", "Homeworlds", to_move)
    middle = top + map_height / 2
    places = {
        Seat.NORTH: (width / 2, top - GAP - PILL / 2),
        Seat.SOUTH: (width / 2, foot + PILL / 2),
        Seat.WEST: (margin / 2, middle),
        Seat.EAST: (width - margin / 2, middle),
    }
    if not lines:
        text(svg, (width / 2, top + PILL), "No star systems", size=14, fill=ACCENT)
    for line in lines:
        left = (width - _width(line)) / 2
        for box in line:
            box.draw(svg, (left, top + (_height(line) - box.height) / 2), numbers)
            if box.home in beside:
                aside = beside[box.home] / 2 + GAP / 2
                x = left - aside if box.home is Seat.WEST else left + box.width + aside
                places[box.home] = (x, top + _height(line) / 2)
            left += box.width + GAP
        top += _height(line) + GAP
    for seat in position.seats:
        draw_seat(svg, places[seat], seat, to_move=seat is to_move)
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
