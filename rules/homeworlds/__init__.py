"""Homeworlds: positions, turns, games, what is ahead, and their notations."""

from rules.homeworlds.game import Game, Played, Special
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
from rules.homeworlds.suggestion import Suggestion
from rules.homeworlds.system import System
from rules.homeworlds.turn_notation import read_turn, write_step, write_turn
from rules.homeworlds.turns import PartialTurn, begin
from rules.homeworlds.warnings import Urgency, Warning, warnings
from rules.homeworlds.winning import Danger, Threat, threats, winning_turns

__all__ = [
    "HANDICAP",
    "Build",
    "Capture",
    "Catastrophe",
    "Danger",
    "Discover",
    "Game",
    "Homeworld",
    "LegalTurns",
    "Move",
    "Options",
    "PartialTurn",
    "Pass",
    "Played",
    "Position",
    "Sacrifice",
    "SelfElimination",
    "Special",
    "Step",
    "Suggestion",
    "Summary",
    "System",
    "Threat",
    "Trade",
    "Turn",
    "Urgency",
    "Victory",
    "Warning",
    "begin",
    "legal_turns",
    "read_turn",
    "threats",
    "warnings",
    "winning_turns",
    "write_step",
    "write_turn",
]
