"""QR codes: an address as a pattern that a phone's camera reads, for the terminal and for the page."""

from __future__ import annotations

from itertools import groupby

import cv2
import numpy as np
from numpy.typing import NDArray

QUIET = 4  # light modules around the code, as ISO 18004 wants them

Modules = NDArray[np.bool_]


def modules(text: str) -> Modules:
    """The code of *text*: (n, n), dark modules are true, with the quiet zone around it."""
    drawn = cv2.QRCodeEncoder.create().encode(text) == 0
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    return np.pad(drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], QUIET)


def as_blocks(code: Modules) -> str:
    """The code in half blocks, two rows of modules a line, to be printed dark on light."""
    even = np.pad(code, ((0, len(code) % 2), (0, 0)))
    letters = np.array([" ", "▄", "▀", "█"])[2 * even[0::2] + even[1::2]]
    return "\n".join("".join(line) for line in letters)


def as_path(code: Modules) -> str:
    """The dark modules as an SVG path, a unit each."""
    parts = []
    for y, row in enumerate(code):
        x = 0
        for dark, run in groupby(row):
            length = len(list(run))
            if dark:
                parts.append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    return "".join(parts)
