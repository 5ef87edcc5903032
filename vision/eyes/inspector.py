"""The second look: each piece that is told is looked at by itself, drawn as large as any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.eyes import answers
from vision.eyes.chances import sigmoid, softmax
from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.eyes.nets import InstalledForMany, Question
from vision.eyes.patches import Windows, patches

BLURRIEST = 30.0  # px of a patch


class Inspector(InstalledForMany):
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
        shown = windows.inward(told.corners)
        question: Question = {
            "image": patches(picture, windows),
            "told": shown.astype(np.float32),
            "under": told.under.astype(np.float32),
        }
        said = self.said(question)
        offsets = said[:, answers.OFFSETS].reshape(-1, answers.CORNERS, 2) * answers.OFFSET_UNIT
        blur = np.minimum(np.exp(said[:, answers.BLUR]), BLURRIEST)
        corners = windows.outward(shown + offsets)
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
