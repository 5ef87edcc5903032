"""The card that a diagram is drawn on: its background, its heading, and the bank along its foot."""

from __future__ import annotations

from companion_app.diagram.pieces import draw_star
from companion_app.diagram.svg import Element, Point, add, root, text
from rules import Bank, Color, Piece, Seat, Size

CARD = "#151b30"
PANEL = "#222a47"
EDGE = "#3a4670"
INK = "#eef1ff"
FAINT = "#a9b3d6"
ACCENT = "#ffd166"

PADDING = 24.0
HEADING = 34.0
BANK_HEIGHT = 86.0
LEAST_WIDTH = 580.0

_CELL, _GAP = 39.0, 16.0


def open_card(width: float, height: float, game: str, title: str, to_move: Seat | None) -> Element:
    """A card with its heading: the game, and who is to move; ``None`` where the game is over."""
    turn = f"{to_move.word} to move" if to_move else "the game is over"
    svg = root(width, height, f"{title}: {turn}", game)
    add(svg, "rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=16, fill=CARD, stroke=EDGE)
    text(svg, (PADDING, 28), title, size=15, fill=INK, font_weight="bold", text_anchor="start")
    text(svg, (width - PADDING, 28), turn, size=14, fill=ACCENT, text_anchor="end")
    return svg


def seat_width(words: str) -> float:
    """How wide the name of a player with these *words* is drawn."""
    return 20 + 8.6 * len(words)


def draw_seat(parent: Element, at: Point, seat: Seat, *, to_move: bool, note: str = "") -> None:
    """A player's name at the edge of the table, with a light when it is their turn."""
    words = f"{seat.word} {note}".strip()
    width = seat_width(words)
    group = add(parent, "g", data_seat=seat.value)
    add(
        group,
        "rect",
        x=at[0] - width / 2,
        y=at[1] - 12,
        width=width,
        height=24,
        rx=12,
        fill=ACCENT if to_move else PANEL,
        stroke=ACCENT if to_move else EDGE,
    )
    text(group, at, words, size=13, fill=CARD if to_move else INK, font_weight="bold")


def draw_bank(parent: Element, bank: Bank, center: float, top: float) -> None:
    """What is left of the twelve kinds: red, yellow, green, blue, each from large to small, with their numbers."""
    group = add(parent, "g", data_bank="")
    width = 12 * _CELL + 3 * _GAP
    left = center - width / 2
    add(group, "line", x1=left, y1=top, x2=left + width, y2=top, stroke=EDGE)
    text(group, (left, top + 14), f"Bank: {bank.total}", size=12, fill=FAINT, text_anchor="start")
    for block, color in enumerate(Color):
        for place, size in enumerate(sorted(Size, reverse=True)):
            x = left + (block * 3 + place + 0.5) * _CELL + block * _GAP
            _draw_kind(group, Piece(color, size), bank[Piece(color, size)], (x, top + 44))


def _draw_kind(parent: Element, piece: Piece, count: int, at: Point) -> None:
    group = add(parent, "g", data_bank_piece=piece.code, data_count=count)
    add(group, "title", f"Bank: {count} {piece.words}")
    draw_star(add(group, "g", opacity=None if count else 0.35), piece, at, 34)
    text(group, (at[0], at[1] + 27), f"×{count}", size=13, fill=INK if count else FAINT, font_weight="bold")
