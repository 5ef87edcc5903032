"""The two games, Homeworlds and Homeworlds Settlers, in plain Python. Standard library only.

This package holds what both games share; :mod:`rules.homeworlds` and :mod:`rules.settlers` hold the games.
"""

from rules.bank import Bank, Pieces, full_set
from rules.errors import AmbiguousTurn, IllegalTurn, InvalidTurn, RulesError, quoted
from rules.findings import Finding, Severity
from rules.frozen import FrozenMap
from rules.outcomes import Outcome, Termination
from rules.pieces import KINDS, Color, Piece, Size
from rules.seats import Seat, seats_for

__all__ = [
    "KINDS",
    "AmbiguousTurn",
    "Bank",
    "Color",
    "Finding",
    "FrozenMap",
    "IllegalTurn",
    "InvalidTurn",
    "Outcome",
    "Piece",
    "Pieces",
    "RulesError",
    "Seat",
    "Severity",
    "Size",
    "Termination",
    "full_set",
    "quoted",
    "seats_for",
]
