"""One field for itself: the kinds of pieces that explain its plastic best, from a coarse look and a fine search."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.fields_plastic import PLASTIC
from vision.finding.fields_scene import SHIFTS, Guess, Scene, Spot, Worth, cut
from vision.finding.fields_shapes import AHEAD, TURNS, Cell, Corner, Patch, cell_center, owner_of, patch_of
from vision.poses import Pose, hull
from vision.solids import Array

PRICE = 0.10  # of a piece, in outlines of a small one
ASKEW, ASIDE = 0.04, 0.04  # of the piece's outline, at 25° off straight ahead and at 4 mm off the middle
FURTHEST, WIDEST = 7.5, 36.0  # mm and degrees that a piece may be off
GAP, RING = 2, 4  # px around a shape: what may belong to it, and how far its surroundings reach
TOUCHING, CUT_OUT = 0.15, 2.5  # share of it that may be of the same plastic, and how soon more of it costs all
ROUGHLY = 0.1  # uncertainty of a coarse look
KEPT, FOLLOWED = 0.55, 4  # of the best guess's worth that a rival must reach to be followed, and how many are
STEPS = ((1.0, 4.5), (0.5, 2.0))  # mm and degrees of the fine search
EMPTY = Patch(np.zeros((0, 0), np.uint8), (0, 0))


@dataclass(frozen=True)
class Start:
    """Where the fine search for a kind of piece begins."""

    color: int
    pose: Pose
    worth: float


def first_guess(scene: Scene, spot: Spot) -> Guess | None:
    """What a field looks like with nothing around it."""
    value = cut(scene.plastic.worth, spot.low, spot.high)
    start = coarse_look(scene, spot, value)[0]
    return weighed(scene, spot, start.color, start.pose, value) if start.worth > -ROUGHLY else None


def look(scene: Scene, spot: Spot, value: Worth) -> list[Guess]:
    """The best guesses for a field, at most one for each kind, from a coarse look and a fine search."""
    starts = coarse_look(scene, spot, value)
    best = starts[0].worth
    if best <= -ROUGHLY:
        return []
    followed = [start for start in starts if start.worth >= KEPT * best - ROUGHLY][:FOLLOWED]
    found = [_searched(scene, spot, start, value) for start in followed]
    return sorted((guess for guess in found if guess.worth > 0), key=lambda guess: -guess.worth)


def coarse_look(scene: Scene, spot: Spot, value: Worth) -> list[Start]:
    """The best pose of each kind, the best kind first, among a few headings and shifts by whole pixels."""
    half = np.stack([cv2.resize(layer, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for layer in value])
    count, height, width = spot.masks.shape
    windows = np.lib.stride_tricks.sliding_window_view(half, (height, width), axis=(1, 2))
    side = 2 * SHIFTS + 1
    gains = spot.masks.reshape(count, -1) @ windows.reshape(-1, height * width).T
    gains = gains.reshape(count, 4, side, side) * (4 / spot.unit)
    px = np.arange(-SHIFTS, SHIFTS + 1) * 2.0
    off = np.stack(np.meshgrid(px, px), axis=-1) @ _mm_per_px(scene, spot.cell).T
    areas = spot.masks.sum((1, 2)) * (4 / spot.unit)
    gains = gains - areas[:, None, None, None] * (ASIDE / 16 * (off**2).sum(-1)) - PRICE
    starts: list[Start] = []
    for first in range(0, count, len(TURNS)):
        for color in range(4):
            here = gains[first : first + len(TURNS), color]
            turn, dy, dx = np.unravel_index(int(np.argmax(here)), here.shape)
            pose = spot.poses[first + int(turn)]
            x, y = pose.x + float(off[dy, dx, 0]), pose.y + float(off[dy, dx, 1])
            starts.append(Start(color, replace(pose, x=x, y=y), float(here[turn, dy, dx])))
    return sorted(starts, key=lambda start: -start.worth)


def _mm_per_px(scene: Scene, cell: Cell) -> Array:
    """(2, 2) from a shift in px to a shift in mm on the table, at a field's middle."""
    x, y = cell_center(cell, scene.field_mm)
    z = 7.0
    here, right, up = scene.camera.project(np.array([[x, y, z], [x + 1, y, z], [x, y + 1, z]]))
    return np.asarray(np.linalg.inv(np.column_stack([right - here, up - here])))


def _searched(scene: Scene, spot: Spot, start: Start, value: Worth) -> Guess:
    """The best guess of its kind near a start."""
    best = weighed(scene, spot, start.color, start.pose, value)
    for mm, degrees in STEPS:
        for dx, dy, turn in ((mm, 0.0, 0.0), (0.0, mm, 0.0), (0.0, 0.0, degrees)):
            for way in (1, -1):
                moved = True
                while moved:
                    pose = best.pose
                    near = replace(
                        pose, x=pose.x + way * dx, y=pose.y + way * dy, heading_deg=pose.heading_deg + way * turn
                    )
                    other = weighed(scene, spot, start.color, near, value)
                    moved = other.worth > best.worth
                    best = other if moved else best
    return best


def weighed(scene: Scene, spot: Spot, color: int, pose: Pose, value: Worth) -> Guess:
    """A guess and its worth among what the others leave it: (4, H, W) values on the spot."""
    price = _price(scene, spot, pose)
    patch = patch_of(hull(scene.camera.project(pose.vertices())), spot.low, spot.high)
    if patch is None or not math.isfinite(price):
        return Guess(spot.cell, color, pose, EMPTY, -math.inf)
    x, y = patch.corner[0] - spot.low[0], patch.corner[1] - spot.low[1]
    height, width = patch.mask.shape
    gain = float(np.vdot(value[color, y : y + height, x : x + width], patch.mask.astype(np.float32)))
    if gain > 0:
        more, foreign = _beside(np.stack([value[color] > PLASTIC, spot.foreign[color]]), patch, (x, y))
        gain *= min(1.0, max(0.0, 1 - CUT_OUT * max(more - TOUCHING, foreign)))
    area = float(cv2.countNonZero(patch.mask))
    return Guess(spot.cell, color, pose, patch, (gain - price * area) / spot.unit - PRICE)


def _beside(layers: NDArray[np.bool_], patch: Patch, corner: Corner) -> tuple[float, ...]:
    """For each of (N, H, W) layers its share of a shape's surroundings."""
    (x, y), (height, width) = corner, patch.mask.shape
    left, top = min(RING, x), min(RING, y)
    part = layers[:, y - top : y + height + RING, x - left : x + width + RING]
    right, bottom = part.shape[2] - width - left, part.shape[1] - height - top
    mask = cv2.copyMakeBorder(patch.mask, top, bottom, left, right, cv2.BORDER_CONSTANT, value=0)
    near = cv2.dilate(mask, np.ones((2 * GAP + 1, 2 * GAP + 1), np.uint8))
    ring = np.asarray(cv2.dilate(mask, np.ones((2 * RING + 1, 2 * RING + 1), np.uint8)) - near) > 0
    size = max(1, int(np.count_nonzero(ring)))
    return tuple(int(np.count_nonzero(ring & layer)) / size for layer in part)


def _price(scene: Scene, spot: Spot, pose: Pose) -> float:
    """What lying aside or askew costs, as a share of the piece's outline; infinite where nobody lays a piece."""
    x, y = cell_center(spot.cell, scene.field_mm)
    aside = math.hypot(pose.x - x, pose.y - y)
    askew = abs((pose.heading_deg - AHEAD[owner_of(pose)] + 180) % 360 - 180)
    if aside > FURTHEST or askew > WIDEST:
        return math.inf
    return ASIDE * (aside / 4) ** 2 + ASKEW * (askew / 25) ** 2
