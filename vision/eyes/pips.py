"""The third look: how many pips a piece shows along its base, which tells its size whatever its scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.eyes.halvings import Halvings
from vision.eyes.nets import Installed
from vision.eyes.strips import Strips
from vision.solids import Array, Size

AT_ONCE = 64  # strips that are shown together

Image = NDArray[np.uint8]


class PipCounter(Installed):
    """Says how well each size agrees with the pips that pieces show."""

    def __init__(self, threads: int = 1, name: str = "pips.onnx") -> None:
        super().__init__(threads, name)

    def counted(self, corners: Array, lying: NDArray[np.bool_], picture: Halvings) -> Array:
        """(N, 3) log-likelihood of each size by the pips of all faces in sight, 0 for all where none are.

        Args:
            corners: (N, 5, 2) px of the *picture*. lying: (N,) which of the pieces lie.
        """
        strips = Strips.along(corners, lying)
        likely = np.zeros((len(corners), len(Size)))
        np.add.at(likely, strips.piece, self._said(strips.drawn(picture), strips.width))
        return likely

    def _said(self, shown: Image, width: Array) -> Array:
        """(S, 3) logarithms of the probabilities of the sizes, by strips and how many px wide they were."""
        parts = [np.zeros((0, len(Size)))]
        for begin in range(0, len(shown), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            question = {"image": shown[part], "width": width[part].astype(np.float32)}
            parts.append(self.session.run(["said"], question)[0])
        return np.asarray(np.concatenate(parts), dtype=np.float64)
