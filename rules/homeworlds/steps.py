"""The steps that a turn of Homeworlds is made of.

Names of systems are written as the position writes them. A turn is a tuple of steps; an empty turn and a turn
of one :class:`Pass` both pass.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.pieces import Color, Piece
from rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Homeworld:
    """Set up: two stars (one or two in a handicap game) and the first ship, in a new system *name*.

    *extra* are the further ships of a head start.
    """

    stars: tuple[Piece, ...]
    ship: Piece
    name: str
    extra: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Build:
    """Take *piece* from the bank as a ship at *system*."""

    piece: Piece
    system: str


@dataclass(frozen=True, slots=True)
class Trade:
    """Exchange one's ship *piece* at *system* for one of the same size in *color*."""

    piece: Piece
    system: str
    color: Color


@dataclass(frozen=True, slots=True)
class Move:
    """Move one's ship *piece* from *origin* to *target*, which stands already."""

    piece: Piece
    origin: str
    target: str


@dataclass(frozen=True, slots=True)
class Discover:
    """Move one's ship *piece* from *origin* to a new system *name* around *star* from the bank."""

    piece: Piece
    origin: str
    star: Piece
    name: str


@dataclass(frozen=True, slots=True)
class Capture:
    """Turn *owner*'s ship *piece* at *system* around."""

    piece: Piece
    owner: Seat
    system: str


@dataclass(frozen=True, slots=True)
class Sacrifice:
    """Give one's ship *piece* at *system* back for as many actions as it has pips."""

    piece: Piece
    system: str


@dataclass(frozen=True, slots=True)
class Catastrophe:
    """Give all pieces of the overpopulated *color* at *system* back."""

    system: str
    color: Color


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing: the whole turn, or one action of a sacrifice."""


Step = Homeworld | Build | Trade | Move | Discover | Capture | Sacrifice | Catastrophe | Pass
Turn = tuple[Step, ...]
