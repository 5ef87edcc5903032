"""The Settlers board as South sees it: a diamond, the dark corner a1 at the bottom, f6 at the top."""

from __future__ import annotations

from collections.abc import Mapping

from companion_app.diagram.card import (
    BANK_HEIGHT,
    EDGE,
    HEADING,
    LEAST_WIDTH,
    PADDING,
    draw_bank,
    draw_seat,
    open_card,
)
from companion_app.diagram.pieces import Numbers, draw_ship, piece_group
from companion_app.diagram.svg import Element, Point, add, points, text
from rules import Seat
from rules.settlers import FILES, Position

LIGHT, DARK = "#46527f", "#2c3557"
NAME = "#8d99c6"
STEP = 43.0
"""Half the diagonal of a field."""


_SIDE = len(FILES)


def draw_settlers(position: Position, numbers: Numbers, score: Mapping[Seat, int], *, over: bool = False) -> Element:
    """The board, the bank below it, and the *score* beside the players' names where it is given.

    Nobody is to move when the game is *over*.
    """
    to_move = None if over else position.to_move
    reach = 2 * _SIDE * STEP
    width = max(LEAST_WIDTH, reach + 2 * PADDING)
    head = HEADING + PADDING
    height = head + reach + BANK_HEIGHT + 1.5 * PADDING
    svg = open_card(width, height, "settlers", "Homeworlds Settlers", to_move)
    foot = (width / 2, head + reach)
    board = add(svg, "g", data_board="")
    _draw_edge(board, foot)
    for file in range(_SIDE):
        for rank in range(_SIDE):
            _draw_field(board, file, rank, _center(file, rank, foot), position)
    for name, ship in sorted(position.board.items()):
        center = _center(FILES.index(name[0]), int(name[1]) - 1, foot)
        group = piece_group(board, ship.piece, ship.owner, name, numbers)
        group.set("data-field", name)
        draw_ship(group, ship.piece, center, ship.owner, STEP * 1.14)
    for seat, at in _seats(foot).items():
        note = f"{score[seat]}" if seat in score else ""
        draw_seat(svg, at, seat, to_move=seat is to_move, note=note)
    draw_bank(svg, position.bank, width / 2, foot[1] + PADDING)
    return svg


def _center(file: int, rank: int, foot: Point) -> Point:
    """Middle of a field: files go up to the right, ranks up to the left."""
    return foot[0] + (file - rank) * STEP, foot[1] - (file + rank + 1) * STEP


def _draw_edge(parent: Element, foot: Point) -> None:
    reach, edge = _SIDE * STEP, 5.0
    corners = _diamond((foot[0], foot[1] - reach), reach + edge)
    add(parent, "polygon", points=points(corners), fill=EDGE, stroke=EDGE, stroke_width=6, stroke_linejoin="round")


def _draw_field(parent: Element, file: int, rank: int, center: Point, position: Position) -> None:
    """A field with its name in the corner nearest to South; it says so when it is empty."""
    name = f"{FILES[file]}{rank + 1}"
    group = add(parent, "g", data_field=name)
    if name not in position.board:
        add(group, "title", f"{name}, empty")
    fill = DARK if (file + rank) % 2 == 0 else LIGHT
    add(group, "polygon", points=points(_diamond(center, STEP)), fill=fill)
    text(group, (center[0], center[1] + STEP * 0.8), name, size=9, fill=NAME)


def _diamond(center: Point, reach: float) -> list[Point]:
    x, y = center
    return [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]


def _seats(foot: Point) -> dict[Seat, Point]:
    """The players' names: beside their corners, on the right hand of each."""
    reach = _SIDE * STEP
    return {
        Seat.SOUTH: (foot[0] + reach * 0.62, foot[1] - 12),
        Seat.NORTH: (foot[0] - reach * 0.62, foot[1] - 2 * reach + 12),
    }
