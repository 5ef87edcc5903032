"""Which kind each piece is, all pieces together: no more of a kind than the set has.

Each piece by itself has a probability for every kind. A whole reading gives each piece a kind; its probability is the
product, and readings that need a fourth of a kind of which there are three cannot be. The likeliest reading is an
assignment problem, the next ones come by partition (K. G. Murty, "An algorithm for ranking all the assignments in
order of increasing cost", 1968).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.solids import Array

FLOOR = 1e-3  # probability that nothing seen rules out
FORBIDDEN = 1e6  # log-likelihood of what cannot be
UNPLACED = 50.0  # log-likelihood that a piece beyond the set costs


@dataclass(frozen=True)
class Reading:
    """One way to read all pieces.

    Attributes:
        kinds: (N,) index of each piece's kind; -1 for a piece for which the set has none left.
        cost: negative log-likelihood; only differences between readings mean something.
    """

    kinds: tuple[int, ...]
    cost: float


def best_readings(probabilities: Array, limits: Sequence[int], number: int) -> list[Reading]:
    """The *number* likeliest readings, the best first; fewer where there are no more.

    Args:
        probabilities: (N, K) of each of K kinds, for each of N pieces.
        limits: (K,) how many there are of each kind.

    >>> rows = np.array([[0.9, 0.1], [0.8, 0.2]])
    >>> [reading.kinds for reading in best_readings(rows, [1, 2], 3)]
    [(0, 1), (1, 0), (1, 1)]
    """
    costs = -np.log(np.maximum(probabilities, FLOOR))
    return list(islice(_ranked(costs, np.asarray(limits)), number))


def marginals(readings: Sequence[Reading], kinds: int) -> Array:
    """(N, K) how likely each kind of each piece is, over these *readings* weighed by their likelihood."""
    weights = np.exp(-np.array([reading.cost - readings[0].cost for reading in readings]))
    shares = np.zeros((len(readings[0].kinds), kinds))
    for reading, weight in zip(readings, weights / weights.sum(), strict=True):
        for piece, kind in enumerate(reading.kinds):
            if kind >= 0:
                shares[piece, kind] += weight
    return shares


def _ranked(costs: Array, limits: NDArray[np.int_]) -> Iterator[Reading]:
    """All readings, the likeliest first.

    Each reading given out leaves behind the readings that differ from it in one piece and agree before it. Which of
    those is best is only worked out when none that is cheaper can be left: each piece by itself tells a cost that no
    reading of them can undercut.
    """
    order = count()
    waiting: list[tuple[float, int, Reading | None, Array]] = [(float(_each(costs).sum()), next(order), None, costs)]
    while waiting:
        _, _, best, allowed = heapq.heappop(waiting)
        if best is None:
            found = _solved(allowed, limits)
            if found.cost < FORBIDDEN:
                heapq.heappush(waiting, (found.cost, next(order), found, allowed))
            continue
        yield best
        without = allowed.copy()  # rows of pieces beyond the set, whose kind is -1, are not asked for
        without[np.arange(len(without)), np.array(best.kinds, dtype=np.intp)] = FORBIDDEN
        agreeing, differing = _each(allowed), _each(without)
        fixed = allowed
        for piece, kind in enumerate(best.kinds):
            if kind < 0:
                continue
            others = fixed.copy()
            others[piece] = without[piece]
            least = float(agreeing.sum() - agreeing[piece] + differing[piece])
            heapq.heappush(waiting, (max(best.cost, least), next(order), None, others))
            fixed = _held(fixed, piece, kind)
            agreeing[piece] = costs[piece, kind]


def _each(costs: Array) -> Array:
    """(N,) what each piece costs at the least, by itself."""
    return np.asarray(np.minimum(costs.min(axis=1, initial=FORBIDDEN), _beyond(costs)))


def _beyond(costs: Array) -> Array:
    """(N,) what it costs each piece to find no place in the set; pieces held to one kind must have it."""
    held = (costs >= FORBIDDEN).sum(axis=1) >= max(1, costs.shape[1] - 1)
    return np.where(held, FORBIDDEN, UNPLACED)


def _held(costs: Array, piece: int, kind: int) -> Array:
    """The costs when a piece must be of that kind."""
    held = costs.copy()
    held[piece] = FORBIDDEN
    held[piece, kind] = costs[piece, kind]
    return held


def _solved(costs: Array, limits: NDArray[np.int_]) -> Reading:
    """The likeliest reading: pieces against single places of each kind, and places beyond the set."""
    pieces, kinds = costs.shape
    places = np.repeat(np.arange(kinds), limits)
    beyond = np.where(np.eye(pieces, dtype=bool), _beyond(costs)[:, None], FORBIDDEN)
    matrix = np.hstack([costs[:, places], beyond])
    rows, columns = linear_sum_assignment(matrix)
    chosen = np.where(columns < len(places), places[np.minimum(columns, max(len(places) - 1, 0))], -1)
    return Reading(tuple(int(kind) for kind in chosen), float(matrix[rows, columns].sum()))
