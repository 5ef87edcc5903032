"""How turns are typed on the page, told by examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from rules.records import GameKind


class Example(NamedTuple):
    """A turn as it is typed, and what it says."""

    turn: str
    meaning: str


EXAMPLES: Final[Mapping[GameKind, tuple[Example, ...]]] = {
    GameKind.SETTLERS: (
        Example("land g1 c3", "the first piece: the smallest green of the bank lands on c3"),
        Example("G c3: r1 d4", "the green on c3 builds a small red on d4"),
        Example("Y c3: c3-c4", "the yellow on c3 moves to c4"),
        Example("R c3: x d4", "the red on c3 conquers d4"),
        Example("B c3: c3=g", "the blue on c3 becomes a green"),
        Example("pass", "nothing is done"),
    ),
    GameKind.HOMEWORLDS: (
        Example("homeworld b3 y1 g3", "the set-up: two stars, then the first ship"),
        Example("build g1 South", "a small green is built in the system South, which is South’s home"),
        Example("trade g3 South y", "the large green there becomes a large yellow"),
        Example("discover g3 South r1 Mira", "it goes to a new star, a small red, which is called Mira"),
        Example("move g3 South Vega", "it goes to Vega, which is there already"),
        Example("capture y1 Vega", "the opponent’s small yellow at Vega changes sides"),
        Example("sacrifice y2 Vega; move g3 South Vega; move g2 South Vega", "steps go in a row"),
        Example("catastrophe Mira b", "four blues or more at Mira go back to the bank"),
        Example("pass", "nothing is done"),
    ),
}
"""The kinds of turns, each with an example of which every word can be replaced."""
