"""Demos for tests: small pictures, a reader that makes no mistakes, and hands that are faster than eyes."""

from __future__ import annotations

from companion_app.live.staging import Staging
from companion_app.live.virtual_games import Trouble
from companion_app.reading_types import Game
from vision.virtual import View

TURNS = 9
"""So many are played in the game of Homeworlds."""
SEEDS = {Game.HOMEWORLDS: (73,), Game.SETTLERS: (5,)}
QUICK = Staging(
    View(elevation_deg=62, width=160, height=120),
    Trouble(mistakes=0.08, taken_back=0.0, shoves=0.15, bumps=0.0, leans=0.05),
    reader=lambda game: game,
    rest_s=0.1,
    frames_per_second=40.0,
    seeds=SEEDS,
)
