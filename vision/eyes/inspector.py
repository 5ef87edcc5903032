"""The second look: each piece that is told is looked at by itself, drawn as large as any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.eyes import answers
from vision.eyes.chances import sigmoid, softmax
from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.eyes.nets import Installed
from vision.eyes.patches import Windows, patches
from vision.solids import Array

AT_ONCE = 64  # patches that are shown together
BLURRIEST = 30.0  # px of a patch

Image = NDArray[np.uint8]


class Inspector(Installed):
    """Says of pieces that were told whether they are there, and what they really are."""

    def __init__(self, threads: int = 1, name: str = "inspector.onnx") -> None:
        super().__init__(threads, name)

    def inspected(self, told: Detections, picture: Halvings) -> Detections:
        """The same pieces as a closer look shows them in the picture, in px of which they are told.

        Their score is then the probability that there is such a piece.
        """
        if not len(told):
            return told
        windows = Windows.around(told.corners)
        said = self._said(patches(picture, windows), windows.inward(told.corners), told.under)
        offsets = said[:, answers.OFFSETS].reshape(-1, answers.CORNERS, 2) * answers.OFFSET_UNIT
        blur = np.minimum(np.exp(said[:, answers.BLUR]), BLURRIEST)
        corners = windows.outward(windows.inward(told.corners) + offsets)
        return replace(
            told,
            score=sigmoid(said[:, answers.THERE]),
            corners=corners,
            corner_blur=blur / windows.scale[:, None],
            lying=sigmoid(said[:, answers.LYING]),
            colors=softmax(said[:, answers.COLOR]),
            sizes=softmax(said[:, answers.SIZE]),
            visible=sigmoid(said[:, answers.VISIBLE]),
            above=sigmoid(said[:, answers.ABOVE]),
        )

    def _said(self, shown: Image, told: Array, under: NDArray[np.bool_]) -> Array:
        parts = []
        for begin in range(0, len(shown), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            question = {
                "image": shown[part],
                "told": told[part].astype(np.float32),
                "under": under[part].astype(np.float32),
            }
            parts.append(self.session.run(["said"], question)[0])
        return np.asarray(np.concatenate(parts), dtype=np.float64)
