"""Homeworlds: its systems and positions, their notation, and what makes a position doubtful."""

from rules.homeworlds.position import Position
from rules.homeworlds.system import System

__all__ = ["Position", "System"]
