"""All pieces together: paints what the picture should look like and exchanges pieces until it does.

The picture is compared as a map of plastic colours, a fraction of its size. Nearer pieces are painted over farther
ones, so hiding is part of the model, and one number says how well any set of pieces explains what is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.finding.colors import COLORS, ELSEWHERE, Mask
from vision.finding.footprints import Footprint, collide, footprint_of
from vision.finding.hypotheses import SLOPPY, off_axis
from vision.poses import Pose, hull
from vision.solids import Array, Color, Posture

Box = tuple[int, int, int, int]

UNEXPLAINED = 1.0  # cost of a pixel of plastic that no piece covers
BARE = 1.0  # cost of a piece over bare table
HIDDEN = 0.2  # cost of a piece where another, known one is seen
WRONG_COLOR = 0.8  # cost of one colour where another is seen
PRICE = 0.25  # cost of a piece, as a share of its own outline's area, at least that of MIN_PRICE
STACKED_PRICE = 0.08  # the same for a piece that stands on another
MIN_PRICE = 48.0  # px of the whole picture
NO_GAIN = 2.0  # px of the whole picture: less is no reason to move a piece
CROOKED = 0.3  # cost of a ship along nobody's axis, as a share of its outline's area
SEAM = 0.6  # gain of a pixel of outline along a seam inside the piece's own colour
NO_SEAM = 0.25  # cost of one where there is no seam
BORDER_TRUST = 0.35  # weight of a pixel at the border of two colours

_ALONG = ((np.arange(14) + 0.5) / 14)[:, None]  # where an edge is probed for a seam


@dataclass(frozen=True)
class Piece:
    """A piece that may stand on the table."""

    color: Color
    pose: Pose


@dataclass(frozen=True, eq=False)
class Painted:
    """A piece as it is painted: polygon in 1/16 px of the shrunk picture, its box, and what it costs to assume it."""

    piece: Piece
    polygon: NDArray[np.int32]
    box: Box
    depth: tuple[float, float]
    label: int
    price: float
    area: float

    @cached_property
    def footprint(self) -> Footprint:
        """Where the piece rests, worked out when first asked for."""
        return footprint_of(self.piece.pose)


class Scene:
    """A set of pieces before a camera, held against the colours that were seen."""

    def __init__(
        self, labels: Mask, seams: NDArray[np.float32], camera: Camera, axis_deg: float, shrink: int
    ) -> None:
        """``labels``: (H, W) as of ColorMap; ``seams``: of :func:`seam_map`, already shrunk.

        ``axis_deg``: along which ships point; ``shrink``: px of the picture to one of the scene.
        """
        self.labels = labels
        self.seen = np.ascontiguousarray(labels[::shrink, ::shrink])
        self.camera = camera
        self.axis_deg = axis_deg
        self.shrink = shrink
        self.pieces: list[Painted] = []
        self._flat_seen = self.seen.ravel()
        costs = np.full((ELSEWHERE + 1, 5), WRONG_COLOR, np.float32)
        costs[:, 0], costs[0, :] = UNEXPLAINED, BARE
        np.fill_diagonal(costs, 0.0)
        costs[ELSEWHERE] = 0.0, *[HIDDEN] * 4
        self._costs = costs.ravel()
        self._trust = _trust(self.seen)
        self._strength = seams.ravel()
        self._seams = np.where(self._trust == 1, seams * (SEAM + NO_SEAM) - NO_SEAM, np.float32(0)).ravel()

    def paint(self, piece: Piece) -> Painted:
        """How a piece would be painted."""
        pose = piece.pose
        vertices = pose.vertices()
        outline = hull(self.camera.project(vertices)) / self.shrink - (0.5 - 0.5 / self.shrink)
        low, high = np.floor(outline.min(0)).astype(int), np.ceil(outline.max(0)).astype(int) + 1
        height, width = self.seen.shape
        box = (max(0, int(low[0])), max(0, int(low[1])), min(width, int(high[0])), min(height, int(high[1])))
        x, y = outline[:, 0], outline[:, 1]
        area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
        price = max(MIN_PRICE / self.shrink**2, PRICE * area) if pose.z == 0 else STACKED_PRICE * area
        if pose.posture is Posture.LYING:
            price += CROOKED * area * max(0.0, off_axis(pose.heading_deg, self.axis_deg) - SLOPPY * 0.8) / 30
        label = COLORS.index(piece.color) + 1
        price -= self._seam_gain(outline, label)
        distance = float(np.hypot(*(self.camera.position - (pose.x, pose.y, 0))[:2]))
        return Painted(
            piece,
            np.round(outline * 16).astype(np.int32),
            box,
            (-distance, pose.z),
            label,
            price,
            area,
        )

    def _seam_gain(self, outline: Array, label: int) -> float:
        """What a piece's outline gains from seams inside its own colour, less what it loses where there are none."""
        points, weight = _sampled(outline)
        inside, index = self._pixels(points)
        own = self._flat_seen[index] == label
        return float(np.dot(self._seams[index[own]], weight[inside][own]))

    def _pixels(self, points: Array) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Which (N, 2) points lie in the picture, and the flat indices of those that do."""
        height, width = self.seen.shape
        x, y = (points + 0.5).astype(int).T
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        return inside, (y * width + x)[inside]

    def along_outline(self, painted: Painted) -> Array:
        """(N, 2) points around a piece, in pixels of the shrunk picture."""
        return _sampled(painted.polygon / 16)[0]

    def seam_at(self, points: Array) -> Array:
        """Strength of the seams, 0 to 1, at those of (N, 2) points that lie in the picture."""
        return np.asarray(self._strength[self._pixels(points)[1]], dtype=np.float64)

    def add(self, pieces: Iterable[Piece]) -> None:
        """Puts pieces on the table."""
        self.pieces += [self.paint(piece) for piece in pieces]

    def cost(self, pieces: Sequence[Painted], box: Box) -> float:
        """What it costs to explain one part of the picture with these pieces, their prices not counted."""
        x0, y0, x1, y1 = box
        if x0 >= x1 or y0 >= y1:
            return 0.0
        canvas = np.zeros((y1 - y0, x1 - x0), np.uint8)
        near = [piece for piece in pieces if _meet(piece.box, box)]
        for piece in sorted(near, key=lambda p: p.depth):
            cv2.fillConvexPoly(canvas, piece.polygon - (x0 * 16, y0 * 16), piece.label, cv2.LINE_8, 4)
        codes = self.seen[y0:y1, x0:x1] * 5 + canvas
        return float(np.vdot(self._costs[codes], self._trust[y0:y1, x0:x1]))

    def gain(self, out: Sequence[Painted], into: Sequence[Painted]) -> float:
        """How much cheaper the scene becomes when some pieces are exchanged for others."""
        box = _union([piece.box for piece in (*out, *into)])
        gone = {id(piece) for piece in out}
        near = [piece for piece in self.pieces if _meet(piece.box, box)]
        rest = [piece for piece in near if id(piece) not in gone]
        before = self.cost(near, box) + sum(piece.price for piece in out)
        after = self.cost([*rest, *into], box) + sum(piece.price for piece in into)
        return before - after

    def fits(self, piece: Painted, without: Sequence[Painted]) -> bool:
        """Whether a piece stands on free table."""
        if piece.piece.pose.z > 0:
            return True
        gone = {id(other) for other in without}
        return not any(
            id(other) not in gone and other.piece.pose.z == 0 and collide(piece.footprint, other.footprint)
            for other in self.pieces
        )

    def unexplained(self) -> Mask:
        """(H, W) labels like ``seen``, with 255 wherever the pieces explain the colour."""
        height, width = self.seen.shape
        canvas = np.zeros((height, width), np.uint8)
        for piece in sorted(self.pieces, key=lambda p: p.depth):
            cv2.fillConvexPoly(canvas, piece.polygon, piece.label, cv2.LINE_8, 4)
        return np.where((canvas == self.seen) & (canvas > 0), np.uint8(255), self.seen)

    def finer(self, seams: NDArray[np.float32]) -> Scene:
        """The same pieces before every pixel of the picture; ``seams`` in its full size."""
        fine = Scene(self.labels, seams, self.camera, self.axis_deg, 1)
        fine.add(painted.piece for painted in self.pieces)
        return fine

    def exchange(self, out: Sequence[Painted], into: Sequence[Painted]) -> None:
        """Takes some pieces away and puts others down."""
        gone = {id(piece) for piece in out}
        self.pieces = [piece for piece in self.pieces if id(piece) not in gone] + list(into)

    def settle(
        self, out: Sequence[Painted], into: Sequence[Painted], steps: Sequence[float]
    ) -> tuple[float, list[Painted]]:
        """The best gain near an exchange: each new piece is nudged by every step (mm) as long as that helps."""
        current, best = list(into), self.gain(out, into)
        for step in steps:
            for _ in range(3):
                improved = False
                for index, painted in enumerate(current):
                    for variant in nudges(painted.piece.pose, step):
                        moved = self.paint(Piece(painted.piece.color, variant))
                        tried = [*current[:index], moved, *current[index + 1 :]]
                        gain = self.gain(out, tried)
                        if gain > best + NO_GAIN / self.shrink**2 and self.fits(moved, [*out, *current]):
                            best, current, improved = gain, tried, True
                if not improved:
                    break
        return best, current


def nudges(pose: Pose, step: float) -> list[Pose]:
    """Small moves (mm) and turns of a pose."""
    moves = ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step))
    poses = [replace(pose, x=pose.x + dx, y=pose.y + dy) for dx, dy in moves]
    return poses + [replace(pose, heading_deg=(pose.heading_deg + turn) % 360) for turn in (-4 * step, 4 * step)]


def _sampled(outline: Array) -> tuple[Array, Array]:
    """(N, 2) points along a polygon, and the length (N,) that each stands for."""
    ends = np.concatenate([outline[1:], outline[:1]])
    points = (outline[:, None] + (ends - outline)[:, None] * _ALONG).reshape(-1, 2)
    lengths = np.sqrt(((ends - outline) ** 2).sum(1)) / len(_ALONG)
    return points, np.repeat(lengths, len(_ALONG))


def _trust(seen: Mask) -> NDArray[np.float32]:
    """(H, W) weights: pixels at the border between two colours may belong to either."""
    low, high = cv2.erode(seen, np.ones((3, 3), np.uint8)), cv2.dilate(seen, np.ones((3, 3), np.uint8))
    return np.where(low == high, np.float32(1.0), np.float32(BORDER_TRUST))


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]


def _union(boxes: Sequence[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
