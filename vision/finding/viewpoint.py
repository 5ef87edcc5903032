"""From where the picture was taken: the tilt of the table, the lens, and the scale, from the outlines alone.

Every patch that is a single piece tells from which height it is seen (Shapes); all together tell where the
table's upright direction points and how wide the lens is. Then one scale is sought under which the pieces have
only the three sizes that exist.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.finding.shapes import elevation_index, shapes, support, turn_index, turned, without_place
from vision.sight import ImageSide
from vision.solids import Array, Size

FOCALS = (0.66, 0.74, 0.83, 0.93, 1.05)  # of the picture's width; phones and webcams lie between
USUAL_FOCAL = 0.80
SHAPE_NOISE = 0.045  # relative misfit of an outline that is really a single piece
MISFIT_CAP = 3.0  # no patch may count more than this against a viewpoint
SIZE_NOISE = 0.075  # of the logarithm of a piece's measured size
SMALLEST, LARGEST = 150.0, 2500.0  # mm, believable camera heights


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """Tilt, lens and height of the camera.

    Attributes:
        up: (3,) unit vector of the table's normal in the camera frame (x right, y down, z forward).
        focal: px. height: mm of the camera above the table.
        misfit: (B,) relative misfit of each patch's outline, large where it is no single piece.
        height_margin: how much likelier this height is than the best rival, as a logarithm.
    """

    up: Array
    focal: float
    height: float
    misfit: Array
    height_margin: float


def find_viewpoint(outlines: Sequence[Array], size: tuple[int, int]) -> Viewpoint | None:
    """The viewpoint that explains (N, 2) px outlines best; ``None`` without at least two of them."""
    if len(outlines) < 2:
        return None
    ups = _candidate_ups()
    best: tuple[float, float, int, Array, Array] | None = None
    for share in FOCALS:
        focal = share * size[0]
        misfit, scale = _shape_misfits(outlines, ups, focal, size)
        cost = np.minimum(misfit**2 / (2 * SHAPE_NOISE**2), MISFIT_CAP).sum(1)
        cost += 0.5 * (math.log(share / USUAL_FOCAL) / 0.25) ** 2
        index = int(np.argmin(cost))
        if best is None or cost[index] < best[0]:
            best = (float(cost[index]), focal, index, misfit[index], scale[index])
    assert best is not None
    _, focal, index, misfit, scale = best
    weights = np.exp(-0.5 * (misfit / SHAPE_NOISE) ** 2)
    height, margin = find_height(scale, weights)
    return Viewpoint(ups[index], focal, height, misfit, margin)


def _candidate_ups() -> Array:
    """(N, 3) unit vectors: the table's normal for tilts up to 64° off straight down."""
    ups = [(0.0, 0.0)]
    for tilt in np.arange(3.0, 64.0, 3.0):
        spread = 180.0 if tilt < 14 else 30.0
        step = min(45.0, 5.0 / math.sin(math.radians(tilt)))
        ups += [(float(tilt), float(turn)) for turn in np.arange(-spread, spread + 0.1, step)]
    tilt, turn = np.radians(np.array(ups)).T
    return np.column_stack([np.sin(tilt) * np.sin(turn), -np.sin(tilt) * np.cos(turn), -np.cos(tilt)])


def _shape_misfits(outlines: Sequence[Array], ups: Array, focal: float, size: tuple[int, int]) -> tuple[Array, Array]:
    """(U, B) misfit of each patch under each tilt, and its base side over the camera's height."""
    middle = (np.array(size) - 1) / 2
    reaches, frames = [], []
    for outline in outlines:
        center = (outline.min(0) + outline.max(0)) / 2
        frame = facing(np.append((center - middle) / focal, 1.0))
        rays = np.column_stack([(outline - middle) / focal, np.ones(len(outline))]) @ frame.T
        reaches.append(support(rays[:, :2] / rays[:, 2:]))
        frames.append(frame)
    reach = without_place(np.array(reaches))
    norms = np.linalg.norm(reach, axis=1)
    table = shapes()
    likeness = np.einsum("btd,ekd->btek", turned(reach / norms[:, None]), table.supports, optimize=True)
    best = likeness.argmax(-1)
    likeness = np.take_along_axis(likeness, best[..., None], -1)[..., 0]
    local_up = np.einsum("bij,uj->ubi", np.array(frames), ups)
    elevation = np.degrees(np.arcsin(np.clip(-local_up[..., 2], -1, 1)))
    e = elevation_index(elevation)
    t = turn_index(np.arctan2(local_up[..., 0], -local_up[..., 1]))
    b = np.arange(len(outlines))[None, :]
    c = likeness[b, t, e]
    scale = c * norms[None, :] / table.norms[e, best[b, t, e]]
    # One unit of base side at distance d looks 1/d wide; the table lies at height / sin(elevation).
    over_height = scale / np.sin(np.radians(np.maximum(elevation, 10.0)))
    misfit = np.sqrt(np.maximum(0.0, 1 - c**2)) + np.where(elevation < 20, 1.0, 0.0)
    return misfit, over_height


def facing(ray: Array) -> Array:
    """(3, 3) smallest rotation that turns the optical axis onto a ray."""
    forward = ray / np.linalg.norm(ray)
    right = np.cross([0.0, 1.0, 0.0], forward)
    right = right / np.linalg.norm(right)
    return np.array([right, np.cross(forward, right), forward])


def camera_over_table(up: Array, focal: float, height: float, size: tuple[int, int], south: ImageSide) -> Camera:
    """The camera of a viewpoint, in a table frame whose origin lies below it and whose South is at *south*."""
    away = np.array([*(-np.array(south.direction)), 0.0])
    north = away - (away @ up) * up
    north = north / np.linalg.norm(north)
    R = np.column_stack([np.cross(north, up), north, up])
    K = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]], dtype=np.float64)
    return Camera(K, R, -height * up, size)


def find_height(over_height: Array, weights: Array) -> tuple[float, float]:
    """Camera height (mm) under which base sides ``over_height * height`` are those of the three sizes.

    Returns the height and its lead over the best clearly different one, as a difference of log-likelihoods.
    """
    heights = np.exp(np.arange(math.log(SMALLEST), math.log(LARGEST), 0.01))
    bases = np.array([size.base for size in Size])
    measured = np.log(np.maximum(over_height, 1e-9))[None, :, None] + np.log(heights)[:, None, None]
    off = (measured - np.log(bases)) / SIZE_NOISE
    each = np.logaddexp(np.logaddexp.reduce(-0.5 * off**2, axis=2), -6.0)
    spread = np.exp(-0.5 * off**2) * weights[None, :, None]
    # Tables hold pieces of every size: an explanation that leaves one out must earn it.
    kinds = np.log1p(spread.sum(1)).sum(1) * 0.5
    score = each @ weights + kinds
    best = int(np.argmax(score))
    rivals = np.abs(np.log(heights / heights[best])) > 0.12
    return float(heights[best]), float(score[best] - score[rivals].max())
