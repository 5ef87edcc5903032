"""How sure each reading of a field is, and what a set of pieces with so many of each kind allows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from vision.finding.colors import COLORS
from vision.finding.fields_scene import Guess
from vision.finding.fields_shapes import Cell
from vision.solids import Color, Size

Kind = tuple[Color, Size]

DOUBT = 0.07  # difference of worth that makes a guess e times as likely
FLOOR = 1e-3  # nothing is surer than this


def kind_of(guess: Guess) -> Kind:
    """Colour and size."""
    return COLORS[guess.color], guess.pose.size


def chances(guesses: Sequence[Guess]) -> list[float]:
    """The probability of each guess; what is missing to 1 is that the field is empty or something else lies there."""
    odds = [math.exp(min(60.0, guess.worth / DOUBT)) for guess in guesses]
    total = sum(odds) + 1.0
    return [(1 - FLOOR) * chance / total for chance in odds]


def within_kit(fields: Mapping[Cell, Sequence[Guess]], kit: Mapping[Kind, int]) -> dict[Cell, list[Guess]]:
    """The guesses with the chosen one first, changed where more of a kind were chosen than there are.

    The piece that loses least by being something else becomes that, as long as any has another guess.
    """
    settled = {cell: list(guesses) for cell, guesses in fields.items()}
    while True:
        counts = Counter(kind_of(guesses[0]) for guesses in settled.values())
        crowded = {kind for kind, count in counts.items() if count > kit.get(kind, 0)}
        ways = [
            (guesses[0].worth - other.worth, cell, rank)
            for cell, guesses in settled.items()
            if kind_of(guesses[0]) in crowded
            for rank, other in enumerate(guesses[1:], start=1)
            if counts[kind_of(other)] < kit.get(kind_of(other), 0)
        ]
        if not ways:
            return settled
        _, cell, rank = min(ways)
        guesses = settled[cell]
        settled[cell] = [guesses[rank], *guesses[:rank], *guesses[rank + 1 :]]
