"""Homeworlds Settlers: its board and positions, their notation, what makes one doubtful, and the score."""

from rules.settlers.board import FIELDS, FILES, RANKS, SEATS, Placement, Ship, field_of
from rules.settlers.position import Position
from rules.settlers.scoring import Reason, Score, score
from rules.settlers.status import status_of

__all__ = [
    "FIELDS",
    "FILES",
    "RANKS",
    "SEATS",
    "Placement",
    "Position",
    "Reason",
    "Score",
    "Ship",
    "field_of",
    "score",
    "status_of",
]
