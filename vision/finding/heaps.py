"""Which stars that ships seem to fly around are only of a heap: a bank pushed together, or spilled pieces.

In a heap something lies beside what stands, as in a system. What tells them apart is what else is around, whether it
hangs together with more, how the pieces lie and how near: small signs, each of which counts by itself.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from vision.finding.axis import turned
from vision.finding.crews import BINARY, Crew, Seeming
from vision.finding.strewn import Strewn
from vision.perceptron import Perceptron, perceptron_of
from vision.solids import Array

FILE = "heaps.json"
HEAP_SIGNS = (
    *(f"{what} beside" for what in ("standing", "lying", "flying")),
    *(f"{what} around" for what in ("standing", "lying")),
    "heap",
    "crews in heap",
    "most turned",
    "mean turned",
    "nearest ship",
    "farthest ship",
    "ships",
    "two stars",
    "more stars",
    "outside",
)
BESIDE, AROUND = 22.0, 60.0  # mm of bare table, between pieces that may hang together, and to what is near


def systems_among(seeming: Seeming) -> list[Crew]:
    """The crews that are systems, after others were struck out one by one, the unlikeliest first.

    The ships of one that is struck out fly with what is nearest then, so that this may become unlikely, too. So many
    are struck out as makes all that is said of those and of the others likeliest. Where nothing else is near there is
    no heap.
    """
    struck, likeliest, found = 0.0, -math.inf, list[Crew]()
    while struck > likeliest:
        signs = heap_signs(seeming)
        logits = np.where(in_heaps(signs), _learnt().logits(signs)[:, 0], np.inf)
        kept = struck - float(np.logaddexp(0.0, -logits).sum())
        if kept > likeliest:
            likeliest, found = kept, seeming.crews
        if not np.isfinite(logits).any():
            break
        unlikeliest = int(logits.argmin())
        struck -= float(np.logaddexp(0.0, logits[unlikeliest]))
        seeming = seeming.without(seeming.crews[unlikeliest].stars)
    return found


def in_heaps(signs: Array) -> NDArray[np.bool_]:
    """(C,) whether anything hangs together with each crew or is about that flies nowhere, by the signs (C, K)."""
    about = [HEAP_SIGNS.index(name) for name in ("heap", "standing around", "lying around")]
    return np.asarray((signs[:, about] > 0).any(axis=1))


def heap_signs(seeming: Seeming) -> Array:
    """(C, K) what tells each crew that is a system from part of a heap, in the order of ``HEAP_SIGNS``."""
    crews, strewn = seeming.crews, seeming.strewn
    if not crews:
        return np.zeros((0, len(HEAP_SIGNS)))
    own = np.array([np.isin(range(len(strewn)), crew.pieces) for crew in crews])
    away = np.array([strewn.apart[crew.pieces].min(axis=0) for crew in crews])
    flying = own.any(axis=0)
    kinds = np.stack([strewn.upright & ~flying, ~strewn.upright & ~flying, flying], axis=1).astype(np.float64)
    beside = (away < BESIDE) & ~own
    heaps = [_hanging_together(begun, ~mine, strewn.apart) for begun, mine in zip(beside, own, strict=True)]
    stars = [float(sum(heap[list(crew.stars)].any() for crew in crews)) for heap in heaps]
    return np.column_stack(
        [
            np.log1p(beside @ kinds),
            np.log1p(((away < AROUND) & ~own) @ kinds[:, :2]),
            np.log1p(np.sum(heaps, axis=1)),
            stars,
            [_lie(crew, strewn, seeming.axis_deg) for crew in crews],
            np.full(len(crews), np.log1p((~flying).sum())),
        ]
    )


def _hanging_together(begun: NDArray[np.bool_], among: NDArray[np.bool_], apart: Array) -> NDArray[np.bool_]:
    """(N,) the pieces *among* which these are that hang together with them: from each to the next little is bare."""
    while True:
        more = begun | ((apart[begun] < BESIDE).any(axis=0) & among)
        if (more == begun).all():
            return begun
        begun = more


def _lie(crew: Crew, strewn: Strewn, axis_deg: float) -> tuple[float, ...]:
    """How the ships lie about their star."""
    ships, stars = list(crew.ships), list(crew.stars)
    off = turned(strewn.headings[ships], axis_deg) / 90
    gap = strewn.apart[np.ix_(stars, ships)].min(axis=0)
    return (
        float(off.max()),
        float(off.mean()),
        float(gap.min()),
        float(gap.max()),
        math.log(len(ships)),
        float(len(stars) == BINARY),
        float(len(stars) > BINARY),
    )


@cache
def _learnt() -> Perceptron:
    """By ``python -m training heaps``; one logit."""
    return perceptron_of(json.loads((files("vision.finding") / FILE).read_text(encoding="utf-8")), HEAP_SIGNS)
