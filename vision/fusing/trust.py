"""How far a confidence may be believed: measured on scenes that no net was trained on, told as a curve.

``trust.json`` beside this module holds the points of the curve; ``python -m benchmarks.calibrate`` makes it. Without
it, and while :func:`as_reckoned` holds, confidences are told as they are reckoned.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np

from vision.fusing.judging import Judged
from vision.solids import Array

FILE = "trust.json"
_RECKONED = ContextVar("reckoned", default=False)


@contextmanager
def as_reckoned() -> Iterator[None]:
    """Lets confidences be told as they are reckoned: who measures how far to believe them must see those."""
    before = _RECKONED.set(True)
    try:
        yield
    finally:
        _RECKONED.reset(before)


def trusted(judged: Judged) -> Judged:
    """The same piece with a confidence that is right as often as it says; its other readings share the rest."""
    if _RECKONED.get():
        return judged
    reckoned = judged.confidence
    confidence = float(np.interp(reckoned, *_curve()))
    rest = (1 - confidence) / max(1 - reckoned, 1e-9)
    others = tuple(replace(other, probability=other.probability * rest) for other in judged.alternatives)
    return replace(judged, confidence=confidence, alternatives=others)


@cache
def _curve() -> tuple[Array, Array]:
    """(P,) confidences as they are reckoned, and (P,) as they turned out."""
    file = files("vision.fusing") / FILE
    if not file.is_file():
        return np.array([0.0, 1.0]), np.array([0.0, 1.0])
    points = np.array(json.loads(file.read_text(encoding="utf-8"))["piece"], dtype=np.float64)
    return points[:, 0], points[:, 1]
