"""How a demo is staged: the camera, the pace, and which games are worth watching."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion_app.live.demo import FRAMES_PER_SECOND, REST_S
from companion_app.live.looks import Reader
from companion_app.live.virtual_games import Trouble, VirtualGame
from companion_app.reading_types import Game
from vision.virtual import View

VIEW: Final = View(elevation_deg=62, width=1280, height=960, sloppiness=0.6)
"""As somebody sees a table who stands at it."""

TROUBLE: Final = Trouble(mistakes=0.08, taken_back=0.0, shoves=0.15, bumps=0.0, leans=0.05)
"""Enough goes wrong to see what a referee is for."""

SEEDS: Final[Mapping[Game, Sequence[int]]] = {Game.HOMEWORLDS: (6, 3, 9, 5), Game.SETTLERS: (20, 5, 27, 2)}
"""Games that come to an end before people go: the players play at random, more or less."""


@dataclass(frozen=True)
class Staging:
    """A way of showing demos.

    Attributes:
        reader: who reads the pictures; ``None`` for the reader of real ones.
        rest_s: how long a verdict stands at the usual pace.
        seeds: the games, one demo after the other.
    """

    view: View = VIEW
    trouble: Trouble = TROUBLE
    reader: Callable[[VirtualGame], Reader] | None = None
    rest_s: float = REST_S
    frames_per_second: float = FRAMES_PER_SECOND
    seeds: Mapping[Game, Sequence[int]] = field(default_factory=lambda: SEEDS)

    def game(self, game: Game, number: int) -> VirtualGame:
        """The *number*-th demo; no turn token is drawn, so nobody plays with one."""
        seeds = self.seeds[game]
        return VirtualGame(game, seeds[number % len(seeds)], self.view, self.trouble, token=False)
