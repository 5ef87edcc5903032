"""What both readers do around their stages: take the time, and shrink a picture that is larger than needed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.finding.colors import Image


@dataclass
class Stopwatch:
    """Seconds by the name of the stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = round(time.perf_counter() - start, 4)


def shrunk(image: Image, factor: float) -> Image:
    """The picture at *factor* times its size, or itself when that is 1."""
    if factor == 1:
        return image
    smaller = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, dtype=np.uint8)
