"""Laying pieces on a known table: the place and heading that bring each one's corners to where they are seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.poses import Pose, body_of
from vision.solids import Array, Posture, Size

STEPS = 8
NUDGE = 1e-3  # mm and rad
FAR_OFF = 6.0  # px, from where on a corner pulls no harder


@dataclass(frozen=True, eq=False)
class Laid:
    """M pieces laid out, each as it was asked for.

    Attributes:
        places: (M, 3) mm, mm and radians.
        off: (M, 5, 2) px from where the corners are seen; 0 where they are not.
        cost: (M,) px², half the sum of the squares of ``off``, far ones counted mildly; infinite in the sky.
    """

    places: Array
    off: Array
    cost: Array


def lay(
    camera: Camera, corners: Array, weights: Array, sizes: Sequence[Size], postures: Sequence[Posture], lifts: Array
) -> Laid:
    """Lays M pieces of given size and posture so that their corners come nearest to those seen.

    Args:
        corners: (M, 5, 2) px, tip first; those of upright pieces counter-clockwise, beginning anywhere.
        weights: (M, 5) how much each corner counts.
        lifts: (M,) mm that each piece stands above the table.
    """
    bodies = np.array([body_of(size, posture) for size, posture in zip(sizes, postures, strict=True)])
    bodies = bodies + np.array([0.0, 0.0, 1.0]) * lifts[:, None, None]
    places = _first_places(camera, corners, bodies, postures)
    good = np.isfinite(places).all(axis=1)
    places[~good] = 0.0
    damping = np.full(len(places), 1e-3)
    off = _off(camera, bodies, places, corners)
    cost = _cost(off, weights)
    for _ in range(STEPS):
        slopes = np.stack(
            [(_off(camera, bodies, places + NUDGE * axis, corners) - off) / NUDGE for axis in np.eye(3)], axis=-1
        )
        pull = weights / np.sqrt(1 + ((off / FAR_OFF) ** 2).sum(-1))
        normal = np.einsum("mci,mcki,mckj->mij", np.broadcast_to(pull[..., None], (*pull.shape, 3)), slopes, slopes)
        gradient = np.einsum("mc,mcki,mck->mi", pull, slopes, off)
        normal = normal + np.einsum("m,mij->mij", damping, normal * np.eye(3)) + 1e-9 * np.eye(3)
        moved = places - np.linalg.solve(normal, gradient[..., None])[..., 0]
        new_off = _off(camera, bodies, moved, corners)
        new_cost = _cost(new_off, weights)
        better = new_cost < cost
        places = np.where(better[:, None], moved, places)
        off = np.where(better[:, None, None], new_off, off)
        cost = np.where(better, new_cost, cost)
        damping = np.where(better, damping / 4, damping * 8)
    return Laid(places, off * (weights > 0)[..., None], np.where(good, cost, np.inf))


def pose_of(size: Size, posture: Posture, place: Array, lift: float) -> Pose:
    """The pose of a piece laid at (3,) *place*."""
    x, y, turn = (float(value) for value in place)
    return Pose(size, posture, x, y, float(np.degrees(turn)) % 360, lift)


def _first_places(camera: Camera, corners: Array, bodies: Array, postures: Sequence[Posture]) -> Array:
    """(M, 3) rough places: the base's middle, turned from there towards the tip or a corner."""
    middles = corners[:, 1:].mean(axis=1)
    heights = bodies[:, 1:, 2].mean(axis=1)
    lying = np.array([posture is Posture.LYING for posture in postures])
    towards = np.where(lying[:, None], corners[:, 0], corners[:, 1])
    ground = np.empty((len(corners), 2))
    aim = np.empty((len(corners), 2))
    for height in np.unique(heights):
        same = heights == height
        ground[same] = camera.to_plane(middles[same], float(height))
        aim[same] = camera.to_plane(towards[same], float(height))
    turn = np.arctan2(aim[:, 1] - ground[:, 1], aim[:, 0] - ground[:, 0])
    own = np.where(lying, 0.0, np.arctan2(bodies[:, 1, 1], bodies[:, 1, 0]))
    turn = turn - own
    offset = bodies[:, 1:, :2].mean(axis=1)  # of the base's middle from the body's origin
    c, s = np.cos(turn), np.sin(turn)
    x = ground[:, 0] - (offset[:, 0] * c - offset[:, 1] * s)
    y = ground[:, 1] - (offset[:, 0] * s + offset[:, 1] * c)
    return np.stack([x, y, turn], axis=1)


def _off(camera: Camera, bodies: Array, places: Array, corners: Array) -> Array:
    """(M, 5, 2) px from the corners seen to those of the pieces."""
    c, s = np.cos(places[:, 2])[:, None], np.sin(places[:, 2])[:, None]
    x = bodies[..., 0] * c - bodies[..., 1] * s + places[:, :1]
    y = bodies[..., 0] * s + bodies[..., 1] * c + places[:, 1:2]
    pixels = camera.project(np.stack([x, y, bodies[..., 2]], axis=-1))
    return np.nan_to_num(pixels - corners, nan=1e4, posinf=1e4, neginf=-1e4)


def _cost(off: Array, weights: Array) -> Array:
    """(M,) px², pseudo-Huber."""
    square = (off**2).sum(-1)
    return np.asarray((weights * FAR_OFF**2 * (np.sqrt(1 + square / FAR_OFF**2) - 1)).sum(-1))
