"""The third look: how many pips a piece shows along its base, which tells its size whatever its scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.eyes.halvings import Halvings
from vision.eyes.nets import InstalledForMany, Question
from vision.eyes.strips import Strips
from vision.solids import Array, Size


class PipCounter(InstalledForMany):
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
        if len(strips.piece):
            question: Question = {"image": strips.drawn(picture), "width": strips.width.astype(np.float32)}
            np.add.at(likely, strips.piece, self.said(question))
        return likely
