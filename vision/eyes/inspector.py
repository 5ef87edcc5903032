"""The second look: each piece that is told is looked at by itself, drawn as large as any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.eyes import answers
from vision.eyes.chances import sigmoid, softmax
from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.eyes.mirror import in_the_mirror, mirrored
from vision.eyes.nets import InstalledForMany, Question
from vision.eyes.patches import Windows, patches
from vision.solids import Array

BLURRIEST = 30.0  # px of a patch
PERHAPS = -3.0  # logit from which on it is worth asking again whether a piece is there


class Inspector(InstalledForMany):
    """Says of pieces that were told whether they are there, and what they really are.

    Attributes:
        both_sides: whether what may be there is asked about in the mirror as well, which is slower and errs less.
    """

    def __init__(self, threads: int = 1, name: str = "inspector.onnx", *, both_sides: bool = False) -> None:
        super().__init__(threads, name)
        self.both_sides = both_sides

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
        said = self._of_both_sides(question) if self.both_sides else self.said(question)
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

    def _of_both_sides(self, question: Question) -> Array:
        """(N, 27) what is said; of what is there perhaps the mean of that and of what is said of it in the mirror."""
        said = self.said(question)
        again = np.flatnonzero(said[:, answers.THERE] > PERHAPS)
        if len(again):
            other = self.said(in_the_mirror({name: asked[again] for name, asked in question.items()}))
            said[again] = (said[again] + mirrored(other)) / 2
        return said
