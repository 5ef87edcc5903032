"""Where pieces lie, roughly, under cameras that are roughly known: their corners traced back to the table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.fusing.arrow import Corners
from vision.fusing.slopes import Looks
from vision.poses import body_of
from vision.solids import Array, Posture, Size

RAISED = 0.02  # weight of corners over the table, while nobody knows how high


def righted(corners: Corners, lying: NDArray[np.bool_]) -> Array:
    """(N, 5, 2) px with the base corners the right way round, where they were told the wrong way.

    Seen from above, the square of an upright piece runs counter-clockwise, and so does the face on which one lies.
    """
    base = corners.pixels[:, 1:]
    wrong = (
        np.where(lying, _turning(corners, [0, 1, 2]), _turning(corners, [1, 2, 3, 4])) > 0
    )  # y runs down in a picture
    turned = np.where(lying[:, None, None], base[:, [1, 0, 3, 2]], base[:, ::-1])
    return np.concatenate([corners.pixels[:, :1], np.where(wrong[:, None, None], turned, base)], axis=1)


def first_places(looks: Looks, corners: Corners, bodies: Array) -> Array:
    """(G, N, 4) places and scales that bring (N, 5, 3) *bodies* near their corners.

    Corners are traced to the table, at first as if all lay on it, then to the heights that follow; there a turn,
    a shift and a scale that fit best are one complex division.
    """
    rays = looks.rays(corners.pixels)
    body = bodies[..., 0] + 1j * bodies[..., 1]
    raised = bodies[..., 2] > 1e-6
    weights = np.where(raised, RAISED, 1.0) * corners.precision
    level = np.ones(rays.shape[:-1])
    for _ in range(3):
        ground = (rays[..., 0] + 1j * rays[..., 1]) * level
        total = weights.sum(-1)
        middle, center = (weights * ground).sum(-1) / total, (weights * body).sum(-1) / total
        spokes = body - center[..., None]
        turn = (weights * spokes.conj() * (ground - middle[..., None])).sum(-1)
        turn = turn / np.maximum((weights * np.abs(spokes) ** 2).sum(-1), 1e-12)
        level = 1 - np.clip(np.abs(turn)[..., None] * bodies[..., 2], 0, 0.5)
        weights = np.broadcast_to(corners.precision, weights.shape)
    place = middle - turn * center
    return np.stack([np.log(np.maximum(np.abs(turn), 1e-9)), place.real, place.imag, np.angle(turn)], axis=-1)


def bodies_of(size: Size, lying: NDArray[np.bool_]) -> Array:
    """(N, 5, 3) mm, of pieces of one size that lie or stand."""
    return np.where(lying[:, None, None], body_of(size, Posture.LYING), body_of(size, Posture.UPRIGHT))


def _turning(corners: Corners, order: list[int]) -> Array:
    """(N,) twice the signed area of the polygon of these corners; 0 where not all of them were seen."""
    points = corners.pixels[:, order]
    after = np.roll(points, -1, axis=1)
    area = (points[..., 0] * after[..., 1] - after[..., 0] * points[..., 1]).sum(-1)
    return np.where((corners.precision[:, order] > 0).all(axis=1), area, 0.0)
