"""Explains a patch that is no single piece: the few pyramids that cover it, and nothing but it.

Covering a pixel of the patch's own colour gains one, covering bare table costs one, covering another colour costs
little (that piece may stand in front), and every further pyramid has its price.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.finding.colors import COLORS, ColorMap, Mask
from vision.finding.footprints import collide, footprint_of
from vision.finding.hypotheses import SLOPPY, Group, off_axis, propose
from vision.finding.regions import Region
from vision.finding.scene import Piece
from vision.solids import Array, Posture, Size

OTHER_COLOR = -0.22  # worth of covering another colour
PRICE = 0.30  # of one more piece, as a share of a small one's outline
CROOKED_PRICE = 0.35  # of a ship that points along nobody's axis
BEAM = 8
MOST = 7  # groups in one patch
WINDOW_MARGIN = 6  # px around a patch
COARSE = 11.0  # px, side of a medium base in the shrunk window


@dataclass(frozen=True, eq=False)
class Window:
    """A part of the picture around a patch: ``weights`` (H, W) is what covering each pixel is worth."""

    weights: Array
    corner: tuple[int, int]
    shrink: int


def cover(
    region: Region,
    colors: ColorMap,
    camera: Camera,
    axis_deg: float | None,
) -> list[Piece]:
    """The pieces that explain one region; only upright ones where *axis_deg*, along which ships lie, is ``None``."""
    mm = _pixels_per_mm(region, camera)
    shrink = max(1, round(mm * Size.MEDIUM.base / COARSE))
    window = cut_window(region, colors, shrink)
    price = PRICE * (mm / shrink) ** 2 * 0.5 * Size.SMALL.base * Size.SMALL.slant
    pool = propose(window.weights, camera, window.corner, shrink, axis_deg)
    groups = _best_subset(pool, window.weights, price, axis_deg)
    return [Piece(region.color, pose) for group in groups for pose in group.poses]


def cut_window(region: Region, colors: ColorMap, shrink: int) -> Window:
    """The window around a region, one pixel for *shrink* of the picture."""
    height, width = colors.labels.shape
    x0, y0 = max(0, region.box[0] - WINDOW_MARGIN), max(0, region.box[1] - WINDOW_MARGIN)
    x1, y1 = min(width, region.box[2] + WINDOW_MARGIN), min(height, region.box[3] + WINDOW_MARGIN)
    labels = colors.labels[y0:y1:shrink, x0:x1:shrink]
    own = COLORS.index(region.color) + 1
    weights = np.where(labels == own, 1.0, np.where(labels == 0, -1.0, OTHER_COLOR))
    return Window(weights, (x0, y0), shrink)


def _pixels_per_mm(region: Region, camera: Camera) -> float:
    """Scale of the picture at a region's middle."""
    middle = (region.contour.min(0) + region.contour.max(0)) / 2
    ground = camera.to_plane(middle[None])[0]
    depth = float(camera.depths(np.array([*ground, 10.0])))
    return camera.focal / depth if np.isfinite(depth) and depth > 1 else 1.0


def _group_price(group: Group, price: float, axis_deg: float | None) -> float:
    total = price * (1 + 0.5 * (len(group.poses) - 1))
    first = group.poses[0]
    if first.posture is Posture.LYING and axis_deg is not None and off_axis(first.heading_deg, axis_deg) > SLOPPY:
        total += price * CROOKED_PRICE / PRICE
    return total


def _best_subset(
    pool: Sequence[tuple[Group, Mask]], weights: Array, price: float, axis_deg: float | None
) -> list[Group]:
    """Beam search for the groups whose union is worth most."""
    if not pool:
        return []
    masks = np.array([mask.ravel() for _, mask in pool], dtype=np.float32)
    prices = np.array([_group_price(group, price, axis_deg) for group, _ in pool])
    flat = weights.ravel().astype(np.float32)
    footprints = [footprint_of(group.poses[0]) for group, _ in pool]
    beam: list[tuple[float, tuple[int, ...], Array]] = [(0.0, (), np.ones_like(flat))]
    best = beam[0]
    for _ in range(MOST):
        grown: dict[tuple[int, ...], tuple[float, tuple[int, ...], Array]] = {}
        for value, chosen, open_pixels in beam:
            gains = masks @ (flat * open_pixels) - prices
            for index in np.argsort(-gains)[: 3 * BEAM]:
                if gains[index] <= 0:
                    break
                key = tuple(sorted((*chosen, int(index))))
                if key in grown or any(collide(footprints[index], footprints[other]) for other in chosen):
                    continue
                grown[key] = (value + float(gains[index]), key, open_pixels * (1 - masks[index]))
        if not grown:
            break
        beam = sorted(grown.values(), key=lambda entry: -entry[0])[:BEAM]
        if beam[0][0] > best[0]:
            best = beam[0]
    return [pool[index][0] for index in best[1]]
