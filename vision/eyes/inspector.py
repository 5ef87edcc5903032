"""The second look: each piece that is told is looked at by itself, drawn as large as any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.eyes import answers
from vision.eyes.chances import sigmoid, softmax
from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.eyes.mirror import in_the_mirror, mirrored
from vision.eyes.nets import Installed, InstalledForMany, Question
from vision.eyes.patches import Windows, patches
from vision.solids import Array

FIRST = "inspector.onnx"
EVENING = "inspector_evening.onnx"  # the same taught further, also on scenes in one low red light
BLURRIEST = 30.0  # px of a patch
PERHAPS = -3.0  # logit from which on it is worth asking again whether a piece is there


class Inspector:
    """Says of pieces that were told whether they are there, and what they really are.

    Attributes:
        first: the net that is asked about everything that was told.
        second: who is asked about the mirror image of what may be there as well, which is slower and errs less: the
            same net or another one; None if nobody is.
    """

    def __init__(self, first: InstalledForMany | None = None, second: InstalledForMany | None = None) -> None:
        self.first = first or InstalledForMany(1, FIRST)
        self.second = second

    @classmethod
    def of_two(cls) -> Inspector:
        """Two nets, each of which sees another side: best on free tables."""
        return cls(second=InstalledForMany(1, EVENING))

    @classmethod
    def of_both_sides(cls, net: InstalledForMany | None = None) -> Inspector:
        """One net, by itself the first, which sees both sides: best on boards."""
        net = net or InstalledForMany(1, FIRST)
        return cls(net, net)

    @property
    def nets(self) -> tuple[Installed, ...]:
        """Each net that is asked, once."""
        return (self.first,) if self.second in (None, self.first) else (self.first, self.second)

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
        said = self._of_both(question)
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

    def _of_both(self, question: Question) -> Array:
        """(N, 27) what is said; of what may be there the mean of that and of what the second says in the mirror."""
        said = self.first.said(question)
        again = np.flatnonzero(said[:, answers.THERE] > PERHAPS)
        if self.second and len(again):
            other = self.second.said(in_the_mirror({name: asked[again] for name, asked in question.items()}))
            said[again] = (said[again] + mirrored(other)) / 2
        return said
