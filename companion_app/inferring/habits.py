"""How people play: how likely a turn of Homeworlds is before anybody looks at the table.

The shares are those of published games, rounded. All weights are logarithms against the average turn of one action
that can be played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import log
from typing import Final

from rules import Color, Size
from rules.homeworlds import Homeworld
from rules.homeworlds.packed import BLUE, COLOR_OF, GREEN, RED, SIZE_OF, YELLOW
from rules.homeworlds.search import (
    BUILD,
    CAPTURE,
    CATASTROPHE,
    DISCOVER,
    MOVE,
    SACRIFICE,
    TRADE,
    Link,
    Node,
    links_from,
)
from rules.homeworlds.table import Table

_SHARES: Final = {BUILD: 0.4, TRADE: 0.2, MOVE: 0.17, DISCOVER: 0.13, CAPTURE: 0.3}
"""How often each action is what is played where it can be."""
_PASSES: Final = 3e-3
"""How often somebody passes."""
_SACRIFICED: Final = {
    RED: (log(0.1), log(0.1), log(0.1)),
    GREEN: (log(0.05), log(0.1), log(0.1)),
    YELLOW: (log(0.02), log(0.02), log(0.02)),
    BLUE: (log(0.01), log(0.01), log(0.01)),
}
"""Those of small, medium and large ships, if they are used. Red and green buy few actions to choose from, yellow and
blue many."""
_BUILT_AGAIN: Final = log(5)
"""How much likelier a sacrifice is that builds a ship like the one sacrificed: so large greens are used as a rule."""
_NEEDLESS: Final = log(5e-3)
"""A sacrifice for the sake of one action that can be done without."""
_NOT_USED: Final = log(0.1)
"""Each action of a sacrifice that is let go."""
_NONE_USED: Final = log(2e-4)
"""All of them: in 36,561 turns with 5,302 sacrifices nobody did that."""
_DECLARED: Final = log(0.5)
"""A catastrophe that can be declared is."""

DESERTED: Final = log(1e-4)
"""Somebody gives up the own home, and with it the game: rather it was not seen."""

_HANDICAP: Final = log(1e-3)
"""A home is set up with one star, or with a smaller ship, even where that is allowed."""
_ALIKE: Final = log(0.02)
"""Two of its pieces have a colour in common, or its stars a size."""
OPENED_WITH: Final = {Color.GREEN: log(0.7), Color.YELLOW: log(0.15), Color.BLUE: log(0.1), Color.RED: log(0.05)}
"""The colours of first ships."""


class Habits:
    """How likely the turns of the player to move are at one table."""

    def __init__(self, table: Table) -> None:
        links = list(links_from(Node.of(table), table.to_move, table.players))
        self._able = {_deed(link) for link in links}
        numbers = Counter(link.action for link in links)
        shares = {action: share for action, share in _SHARES.items() if numbers[action]}
        plain = sum(numbers[action] for action in shares)
        whole = sum(shares.values())
        self._weights = {action: log(share / whole * plain / numbers[action]) for action, share in shares.items()}
        self.passed = log(_PASSES * max(plain, 1))

    def weight(self, links: Sequence[Link]) -> float:
        """How likely people play a turn of these steps."""
        declared = _DECLARED * sum(link.action == CATASTROPHE for link in links)
        done = [link for link in links if link.action < SACRIFICE]
        for link in links:
            if link.action == SACRIFICE:
                return declared + self._of_sacrifice(link, done)
        return declared + (self._of_action(done[0]) if done else self.passed)

    def _of_action(self, link: Link) -> float:
        return self._weights.get(link.action, 0.0)  # nothing is known of what a catastrophe has made possible

    def _of_sacrifice(self, link: Link, done: Sequence[Link]) -> float:
        if not done:
            return _NONE_USED
        if len(done) == 1 and _deed(done[0]) in self._able:
            return _NEEDLESS + self._of_action(done[0])
        bought = SIZE_OF[link.kind]
        built_again = any(one.action == BUILD and one.kind == link.kind for one in done)
        weight = _SACRIFICED[COLOR_OF[link.kind]][bought - 1] + _NOT_USED * (bought - len(done))
        return weight + _BUILT_AGAIN * built_again


def _deed(link: Link) -> tuple[int, ...]:
    """What is done, whatever else stands there."""
    return link.action, link.kind, link.other, link.first, link.second


def weight_of_home(home: Homeworld) -> float:
    """How likely people set up a home like this: two sizes, three colours and a large ship, as a rule a green one."""
    weight = OPENED_WITH[home.ship.color]
    weight += _HANDICAP * ((len(home.stars) == 1) + (home.ship.size is not Size.LARGE))
    weight += _ALIKE * any(one.color is other.color for one, other in combinations((*home.stars, home.ship), 2))
    return weight + _ALIKE * any(one.size is other.size for one, other in combinations(home.stars, 2))
