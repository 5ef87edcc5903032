"""How a pyramid's outline looks from any height, as support functions that forget place and scale.

The support function of an outline is its reach in each direction. Moving the outline adds a sine wave, which is
taken out; scaling multiplies it, which a correlation ignores. What is left is pure shape, and because the three
sizes are nearly similar, one set of shapes serves them all. Local picture frame: x right, y down, the piece seen
along the optical axis from far away (weak perspective), one unit being the side of the piece's base.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.camera import orientation
from vision.poses import placed
from vision.solids import Array, Posture, Size, lying, upright

DIRECTIONS = 36
STEP = 360 / DIRECTIONS  # degrees
_PHI = np.radians(np.arange(DIRECTIONS) * STEP)
_WAVES = np.array([np.cos(_PHI), np.sin(_PHI)])
ELEVATIONS = np.arange(24.0, 91.0, 3.0)


@dataclass(frozen=True, eq=False)
class Shapes:
    """All outlines of one pyramid.

    Attributes:
        supports: (E, K, DIRECTIONS) unit vectors: elevation, then posture and heading.
        norms: (E, K) length of each before it was made a unit vector.
        postures: (K,) and headings: (K,) degrees, 90 pointing away from the camera.
    """

    supports: Array
    norms: Array
    postures: tuple[Posture, ...]
    headings: Array


def support(points: Array) -> Array:
    """(…, N, 2) points -> (…, DIRECTIONS) reach in each direction."""
    return np.asarray((np.asarray(points) @ _WAVES).max(axis=-2))


def without_place(reach: Array) -> Array:
    """The same outlines moved so that their support function holds no sine wave."""
    return np.asarray(reach - (reach @ _WAVES.T) @ _WAVES * (2 / DIRECTIONS))


@cache
def shapes() -> Shapes:
    """The outlines at every elevation of ``ELEVATIONS``, headings 10° apart."""
    poses = [(Posture.UPRIGHT, heading) for heading in np.arange(0, 90, 10.0)]
    poses += [(Posture.LYING, heading) for heading in np.arange(0, 360, 10.0)]
    solids = {Posture.UPRIGHT: upright(Size.MEDIUM), Posture.LYING: lying(Size.MEDIUM)}
    bodies = np.array([placed(solids[posture], 0, 0, heading) for posture, heading in poses]) / Size.MEDIUM.base
    views = np.array([orientation(270, float(e))[:2] for e in ELEVATIONS])
    outlines = np.einsum("kvi,eji->ekvj", bodies, views)
    reach = without_place(support(outlines))
    norms = np.linalg.norm(reach, axis=-1)
    return Shapes(
        reach / norms[..., None], norms, tuple(posture for posture, _ in poses), np.array([h for _, h in poses])
    )


def turned(reach: Array) -> Array:
    """(B, DIRECTIONS) -> (B, DIRECTIONS, DIRECTIONS): every outline turned back by 0, 1, 2 … steps."""
    index = (np.arange(DIRECTIONS)[:, None] + np.arange(DIRECTIONS)[None, :]) % DIRECTIONS
    return np.asarray(reach[:, index])


def elevation_index(elevation_deg: Array) -> Array:
    """Nearest index into ``ELEVATIONS``."""
    spacing = float(ELEVATIONS[1] - ELEVATIONS[0])
    nearest = np.round((elevation_deg - ELEVATIONS[0]) / spacing)
    return np.asarray(np.clip(nearest, 0, len(ELEVATIONS) - 1).astype(int))


def turn_index(turn_rad: Array) -> Array:
    """Nearest index into the turns of :func:`turned`."""
    return np.asarray(np.round(turn_rad / math.radians(STEP)).astype(int) % DIRECTIONS)
