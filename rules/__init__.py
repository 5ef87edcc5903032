"""The two games, Homeworlds and Homeworlds Settlers, in plain Python. Standard library only.

This package holds what both games share; :mod:`rules.homeworlds` and :mod:`rules.settlers` hold the games.
"""

from rules.bank import Bank, Pieces, full_set
from rules.errors import RulesError, quoted
from rules.findings import Finding, Severity
from rules.frozen import FrozenMap
from rules.pieces import KINDS, Color, Piece, Size
from rules.seats import Seat, seats_for

__all__ = [
    "KINDS",
    "Bank",
    "Color",
    "Finding",
    "FrozenMap",
    "Piece",
    "Pieces",
    "RulesError",
    "Seat",
    "Severity",
    "Size",
    "full_set",
    "quoted",
    "seats_for",
]
