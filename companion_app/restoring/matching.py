"""What is wanted matched with what is there, at the least cost: pieces of a system, and whole systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment

W = TypeVar("W")
S = TypeVar("S")


class Matching(NamedTuple):
    """The cheapest way to match.

    Attributes:
        cost: of all pairs and of all that stay alone.
        partners: for each thing wanted the number of its partner among those seen, or ``None``.
        left: the numbers of those seen that have no partner.
    """

    cost: float
    partners: tuple[int | None, ...]
    left: tuple[int, ...]


def matched(
    wanted: Sequence[W],
    seen: Sequence[S],
    misfit: Callable[[W, S], float],
    alone: Callable[[W | S], float] = lambda _: 1.0,
) -> Matching:
    """Match each thing *wanted* with at most one *seen*; what stays *alone* costs too, on either side."""
    rows, columns = len(wanted), len(seen)
    # To the right and below, a thing may be matched with its own absence.
    costs = np.full((rows + columns, columns + rows), np.inf)
    costs[rows:, columns:] = 0.0
    for row, one in enumerate(wanted):
        costs[row, :columns] = [misfit(one, other) for other in seen]
        costs[row, columns + row] = alone(one)
    for column, other in enumerate(seen):
        costs[rows + column, column] = alone(other)
    chosen = linear_sum_assignment(costs)
    partners = tuple(int(column) if column < columns else None for column in chosen[1][:rows])
    left = tuple(column for column in range(columns) if column not in partners)
    return Matching(float(costs[chosen].sum()), partners, left)
