"""Homeworlds Settlers: its board, positions and turns, their notation, and how a game is played and scored.

>>> from rules import Piece
>>> game = Game()
>>> game.push((Land(Piece.parse("g1"), "c3"),)).line
'6/6/6/2g13/6/6 N 1'
>>> game.legal_turns().count()
36
"""

from rules.settlers.board import FIELDS, FILES, RANKS, SEATS, Placement, Ship, field_of
from rules.settlers.compact import BORDERING
from rules.settlers.game import Game, Played
from rules.settlers.lookahead import Possibility, Threat, anybody_can_act, conquerable, landings, possibilities
from rules.settlers.options import Options
from rules.settlers.position import Position
from rules.settlers.scoring import Reason, Score, score
from rules.settlers.status import status_of
from rules.settlers.steps import Build, Choose, Conquer, Land, Move, Pass, Step, Trade, Transfer, Turn, Upgrade
from rules.settlers.successors import LegalTurns, legal_turns
from rules.settlers.turn_notation import read_turn, write_turn
from rules.settlers.turns import PartialTurn, begin, is_pass

__all__ = [
    "BORDERING",
    "FIELDS",
    "FILES",
    "RANKS",
    "SEATS",
    "Build",
    "Choose",
    "Conquer",
    "Game",
    "Land",
    "LegalTurns",
    "Move",
    "Options",
    "PartialTurn",
    "Pass",
    "Placement",
    "Played",
    "Position",
    "Possibility",
    "Reason",
    "Score",
    "Ship",
    "Step",
    "Threat",
    "Trade",
    "Transfer",
    "Turn",
    "Upgrade",
    "anybody_can_act",
    "begin",
    "conquerable",
    "field_of",
    "is_pass",
    "landings",
    "legal_turns",
    "possibilities",
    "read_turn",
    "score",
    "status_of",
    "write_turn",
]
