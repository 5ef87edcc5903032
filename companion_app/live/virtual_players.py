"""Players for virtual games: they choose legal turns at random, as people rather do than not; seeded."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

from rules import Seat, Size, homeworlds, settlers

Step = TypeVar("Step")
Turn = homeworlds.Turn | settlers.Turn

_LIKED: Mapping[type, float] = {
    homeworlds.Build: 6,
    homeworlds.Trade: 2,
    homeworlds.Discover: 4,
    homeworlds.Move: 3,
    homeworlds.Capture: 8,
    homeworlds.Catastrophe: 6,
    homeworlds.Sacrifice: 0.7,
    homeworlds.Pass: 0.02,
    settlers.Build: 4,
    settlers.Land: 1,
    settlers.Conquer: 6,
    settlers.Choose: 4,
    settlers.Pass: 0.02,
}
"""How much each kind of step is liked; 1 where nothing is said."""
_STOPS_EARLY = 0.15
_TRIES = 30
_COMPARED = 4
"""So many turns come to a player's mind before the best of them is played."""
_OVERPOPULATED = 4
_DANGER = 40.0


def take_turn(game: homeworlds.Game | settlers.Game, dice: random.Random) -> Turn:
    """Plays a turn for the player to move, and tells it; a pass only where nothing else was found, or seldom."""
    if isinstance(game, homeworlds.Game):
        game.push(turn := _homeworlds(game, dice))
        return turn
    game.push(moves := _settlers(game, dice))
    return moves


def _homeworlds(game: homeworlds.Game, dice: random.Random) -> homeworlds.Turn:
    """The best of a few; nobody gives the own home up."""
    begun = game.begin()
    if begun.is_set_up:
        return (_home(list(begun.legal_steps()), dice),)
    thought: list[homeworlds.PartialTurn] = []
    for _ in range(_TRIES):
        turn = begun
        while steps := list(turn.legal_steps()):
            if turn.steps and turn.can_end and dice.random() < _STOPS_EARLY:
                break
            turn = turn.apply(_liked(steps, dice))
        if turn.can_end and not turn.gives_up_home and _makes_sense(turn):
            thought.append(turn)
        if len(thought) == _COMPARED:
            break
    best = max(thought, key=lambda turn: _worth(turn.end(), game.to_move), default=None)
    return best.steps if best else ()


def _makes_sense(turn: homeworlds.PartialTurn) -> bool:
    """Whether a sacrifice is used up, and the table is another one afterwards."""
    wasted = turn.sacrificed >= 0 and turn.actions_left > 0
    return not wasted and homeworlds.Pass() not in turn.steps and turn.table.key != turn.start.key


def _worth(position: homeworlds.Position, seat: Seat) -> float:
    """What a player would say of a table: ships are good, those of others not, and a crowd at home is dangerous."""
    worth = 0.0
    for system in position.systems:
        for owner, ships in system.ships.items():
            worth += (1 if owner is seat else -1) * sum(1 + ship.size for ship in ships)
        crowd = max(Counter(piece.color for piece in system.pieces).values(), default=0)
        if system.home is seat:
            worth -= _DANGER if crowd >= _OVERPOPULATED else 0
            worth -= 8 if max((ship.size for ship in system.ships[seat]), default=0) < Size.LARGE else 0
    return worth


def _home(steps: Sequence[homeworlds.Step], dice: random.Random) -> homeworlds.Step:
    """A home with stars of two sizes, a large ship, and no colour twice, if there is one."""
    homes = [step for step in steps if isinstance(step, homeworlds.Homeworld)]
    good = [home for home in homes if _is_good(home)]
    return dice.choice(good or homes)


def _is_good(home: homeworlds.Homeworld) -> bool:
    pieces = (*home.stars, home.ship)
    colors = {piece.color for piece in pieces}
    return (
        home.ship.size is Size.LARGE
        and len({star.size for star in home.stars}) == len(home.stars)
        and len(colors) == len(pieces)
        and "green" in {color.value for color in colors}
    )


def _settlers(game: settlers.Game, dice: random.Random) -> settlers.Turn:
    begun = game.begin()
    for _ in range(_TRIES):
        turn = begun
        while steps := list(turn.legal_steps()):
            if not turn.is_pass and dice.random() < _STOPS_EARLY:
                break
            turn = turn.apply(_liked(steps, dice))
        if not turn.is_pass:
            return turn.steps
    return ()


def _liked(steps: Sequence[Step], dice: random.Random) -> Step:
    """One of the steps: first which kind, by how much it is liked, then any of it."""
    kinds = sorted({type(step) for step in steps}, key=lambda kind: kind.__name__)
    kind = dice.choices(kinds, [_LIKED.get(kind, 1.0) for kind in kinds])[0]
    return dice.choice([step for step in steps if type(step) is kind])
