"""Patches and answers in a mirror: a mirrored pyramid is a pyramid, of which the net should say the same.

What it says of a patch and of its mirror image errs in different ways, and the mean of both errs less (A. Krizhevsky
et al., "ImageNet Classification with Deep Convolutional Neural Networks", 2012, section 4.1).
"""

from __future__ import annotations

import numpy as np

from vision.eyes import answers
from vision.eyes.nets import Question
from vision.eyes.patches import SIDE
from vision.solids import Array

MIRRORED = [0, 2, 1, 4, 3]
"""The corner that each corner becomes: those on the table change places, and so do those of the rim (``lying``)."""


def in_the_mirror(asked: Question) -> Question:
    """What is *asked* of the inspector, left and right exchanged."""
    told = asked["told"][:, MIRRORED].copy()
    told[..., 0] = SIDE - 1 - told[..., 0]
    return {**asked, "image": np.ascontiguousarray(asked["image"][:, :, ::-1]), "told": told}


def mirrored(said: Array) -> Array:
    """(N, 27) what is *said* of patches in the mirror, as it is meant outside it."""
    back = said.copy()
    offsets = said[:, answers.OFFSETS].reshape(-1, answers.CORNERS, 2)[:, MIRRORED] * (-1, 1)
    back[:, answers.OFFSETS] = offsets.reshape(len(said), -1)
    back[:, answers.BLUR] = said[:, answers.BLUR][:, MIRRORED]
    return back
