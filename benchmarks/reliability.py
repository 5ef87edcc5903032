"""Is a confidence worth what it says? Claims in bins, each with what was said and how often it was right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from benchmarks.marking import PROPERTIES, Claim
from benchmarks.reading_run import Result

EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 1.0)
"""Of the bins: narrow where much is claimed, for 99 % and 99.9 % are not the same promise."""

KINDS = {"piece": "piece", "reading": "reading", **PROPERTIES}
"""What can be claimed, and what it is called."""

_95_PERCENT = 1.96  # standard deviations


@dataclass(frozen=True)
class Bin:
    """Claims of like confidence: how many, their mean confidence, and how many were right."""

    count: int
    confidence: float
    right: int

    @property
    def share(self) -> float:
        """How many of one were right."""
        return self.right / self.count

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % (Wilson's interval)."""
        n, p, z = self.count, self.share, _95_PERCENT
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - reach), min(1.0, middle + reach)


def claims_of(results: Iterable[Result]) -> list[Claim]:
    """Everything that was claimed in many readings."""
    return [claim for result in results for claim in result.marks.claims]


def of_kind(claims: Iterable[Claim], what: str) -> list[Claim]:
    """The claims about one property, about pieces or about whole readings."""
    return [claim for claim in claims if claim.what == what]


def bins_of(claims: Sequence[Claim], edges: Sequence[float] = EDGES) -> list[Bin]:
    """The bins that are not empty, the least confident first; the last one includes its upper edge."""
    bins = []
    for low, high in pairwise(edges):
        inside = [one for one in claims if low <= one.confidence < high or one.confidence == high == edges[-1]]
        if inside:
            mean = sum(one.confidence for one in inside) / len(inside)
            bins.append(Bin(len(inside), mean, sum(one.right for one in inside)))
    return bins


def calibration_error(claims: Sequence[Claim]) -> float:
    """Expected calibration error: how far confidence and share are apart in a bin, on average over the claims."""
    apart = sum(one.count * abs(one.confidence - one.share) for one in bins_of(claims))
    return apart / len(claims) if claims else 0.0


def log_loss(claims: Sequence[Claim], least: float = 1e-4) -> float:
    """Mean surprise in nats; confidences are taken as at least *least* away from 0 and 1."""
    said = [min(1 - least, max(least, one.confidence)) for one in claims]
    surprise = [math.log(p if one.right else 1 - p) for p, one in zip(said, claims, strict=True)]
    return -sum(surprise) / len(claims) if claims else 0.0


def reliability_table(claims: Sequence[Claim]) -> str:
    """For each kind of claim what was said and what was so, as a Markdown table."""
    lines = [
        "| claims about | number | mean confidence | right | expected calibration error | log loss |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for what in KINDS:
        some = of_kind(claims, what)
        if some:
            said, right = (100 * sum(values) / len(some) for values in _said_and_right(some))
            errors = f"{100 * calibration_error(some):.2f} % | {log_loss(some):.4f}"
            lines.append(f"| {KINDS[what]} | {len(some)} | {said:.2f} % | {right:.2f} % | {errors} |")
    return "\n".join(lines)


def _said_and_right(claims: Sequence[Claim]) -> tuple[list[float], list[float]]:
    return [one.confidence for one in claims], [float(one.right) for one in claims]
