"""The steps that a turn of Settlers is made of: one choice or one action each.

A turn is a tuple of steps: :class:`Choose` the action piece, then its actions; or one :class:`Land`; or nothing,
or one :class:`Pass`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.pieces import Color, Piece


@dataclass(frozen=True, slots=True)
class Choose:
    """Take one's piece on *field* as the action piece: its colour is the action, its pips are how many."""

    field: str


@dataclass(frozen=True, slots=True)
class Build:
    """Green: take *piece* from the bank and lay it on the empty *field* beside the building Green."""

    piece: Piece
    field: str


@dataclass(frozen=True, slots=True)
class Transfer:
    """Green: go on building with one's other Green on *field*, with all its pips."""

    field: str


@dataclass(frozen=True, slots=True)
class Land:
    """Lay the Green *piece* from the bank on any empty *field*; the turn is over then."""

    piece: Piece
    field: str


@dataclass(frozen=True, slots=True)
class Conquer:
    """Red: turn the opponent's piece on *field* around."""

    field: str


@dataclass(frozen=True, slots=True)
class Move:
    """Yellow: move the piece on the first field of *path* over all the others, one pip for each."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trade:
    """Blue: exchange one's piece on *field* for one of the same size in *color*."""

    field: str
    color: Color


@dataclass(frozen=True, slots=True)
class Upgrade:
    """Blue: exchange one's piece on *field* for one of the same colour, one size larger."""

    field: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing this turn."""


Step = Choose | Build | Transfer | Land | Conquer | Move | Trade | Upgrade | Pass
Turn = tuple[Step, ...]
