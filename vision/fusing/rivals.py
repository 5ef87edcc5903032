"""What else is told in the place of each piece: of two readings of one pyramid only one is there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.fusing.outlines import of_smaller
from vision.solids import Array

RIVALS = ("rival", "alike", "one_foot", "lead", "crowd")
IN_COMMON = 0.15  # of the smaller outline, from which on two are rivals
ONE_FOOT = 0.15  # of the larger diameter: as near are the middles of the bases of one piece told twice
AROUND = 1.5  # diameters around a piece, in which others make a crowd
NOBODY = -8.0  # logit of a rival where there is none; none counts as less


def rivals(seen: Detections, shares: Array, logits: Array) -> Array:
    """(N, 5) what speaks against each piece, in the order of ``RIVALS``.

    The likeliest of those that share its outline, the same among those of its colour and among those on its base; by
    how much it is likelier itself; how many are told around it.

    Args:
        shares: (N, N) as :func:`shared` tells them. logits: (N,) how likely each is there by its own signs.
    """
    own = np.maximum(logits, NOBODY)
    colors = seen.colors.argmax(axis=1)
    feet = seen.corners[:, 1:].mean(axis=1)
    diameters = np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)
    apart = np.linalg.norm(feet[:, None] - feet, axis=2)
    near = shares >= IN_COMMON
    on_one_foot = near & (apart < ONE_FOOT * np.maximum(diameters, diameters[:, None]))
    against = own + np.log(np.maximum(shares, IN_COMMON))
    rival = _most(against, near)
    return np.column_stack(
        [
            rival,
            _most(against, near & (colors[:, None] == colors)),
            _most(np.broadcast_to(own, shares.shape), on_one_foot),
            own - rival,
            (apart < AROUND * diameters[:, None]).sum(axis=1),
        ]
    )


def _most(values: Array, among: NDArray[np.bool_]) -> Array:
    """(N,) the largest of each row of (N, N) *values*, *among* those that are asked."""
    return np.asarray(np.where(among, values, NOBODY).max(axis=1, initial=NOBODY))


def shared(seen: Detections) -> Array:
    """(N, N) the share of two outlines in common, of the smaller of both; 0 of each with itself."""
    hulls = [cv2.convexHull(corners.astype(np.float32)) for corners in seen.corners]
    low, high = seen.corners.min(axis=1), seen.corners.max(axis=1)
    touching = (low[:, None] < high).all(axis=2) & (low < high[:, None]).all(axis=2)
    shares = np.zeros((len(seen), len(seen)))
    for one, other in np.argwhere(np.triu(touching, 1)).tolist():
        shares[one, other] = shares[other, one] = of_smaller(hulls[one], hulls[other])
    return shares
