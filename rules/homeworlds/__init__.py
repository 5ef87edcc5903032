"""Homeworlds: positions, turns, games, what is ahead, and their notations."""

from rules.homeworlds.options import HANDICAP, Options, SelfElimination, Victory
from rules.homeworlds.position import Position
from rules.homeworlds.steps import (
    Build,
    Capture,
    Catastrophe,
    Discover,
    Homeworld,
    Move,
    Pass,
    Sacrifice,
    Step,
    Trade,
    Turn,
)
from rules.homeworlds.successors import LegalTurns, Summary, legal_turns
from rules.homeworlds.system import System
from rules.homeworlds.turns import PartialTurn, begin

__all__ = [
    "HANDICAP",
    "Build",
    "Capture",
    "Catastrophe",
    "Discover",
    "Homeworld",
    "LegalTurns",
    "Move",
    "Options",
    "PartialTurn",
    "Pass",
    "Position",
    "Sacrifice",
    "SelfElimination",
    "Step",
    "Summary",
    "System",
    "Trade",
    "Turn",
    "Victory",
    "begin",
    "legal_turns",
]
