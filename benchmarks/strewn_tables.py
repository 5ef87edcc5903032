"""Pieces strewn over a table, and what imperfect eyes would tell of them: seeded, without any picture.

Everything that spoils corners can be had in any measure: noise, corners far off or told the wrong way round, wrong
postures, things that are no pieces, pieces that lean or are partly hidden, stacks, and a lens that bends lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.poses import Pose
from vision.solids import Array, Posture, Size, nesting_step

APART = 40.0  # mm between neighbours, at the least


@dataclass(frozen=True)
class Trouble:
    """How much goes wrong.

    Attributes:
        noise: px, of each corner; three times that where it is only inferred.
        far: share of corners that are 10-40 px off.
        inferred: share of corners that are not seen but guessed.
        mirrored: share of pieces whose base corners are told clockwise.
        misjudged: share of pieces whose posture the eyes get wrong; they waver on as many more.
        clutter: false detections for each piece.
        lean: degrees by which pieces are tilted.
        bend: largest radial distortion of the lens.
        stacks: stacks of two or three, beside the strewn pieces.
    """

    noise: float = 1.0
    far: float = 0.0
    inferred: float = 0.05
    mirrored: float = 0.0
    misjudged: float = 0.0
    clutter: float = 0.0
    lean: float = 0.0
    bend: float = 0.0
    stacks: int = 0


ALL_TROUBLE = Trouble(1.2, 0.03, 0.1, 0.03, 0.025, 0.08, 1.0, 0.1, 2)


@dataclass(frozen=True, eq=False)
class Strewn:
    """A table, and what was told of it.

    Attributes:
        camera: the true one. poses: of each detection; ``None`` for what is no piece.
        below: (N,) index of what each stands on, or -1.
    """

    camera: Camera
    poses: tuple[Pose | None, ...]
    below: tuple[int, ...]
    detections: Detections

    @property
    def size_px(self) -> tuple[int, int]:
        return self.camera.size


def strewn_table(
    seed: int,
    count: int,
    trouble: Trouble | None = None,
    *,
    sizes: Sequence[Size] = tuple(Size),
    long_side: int = 1280,
) -> Strewn:
    """*count* pieces strewn over a table under a camera from 35° to 90°, 45° to 86° wide."""
    trouble = trouble or Trouble()
    rng = np.random.default_rng([seed, count])
    poses, below = _arranged(rng, count, sizes, trouble.stacks)
    camera = _overlooking(poses, rng, (long_side, long_side * 3 // 4), trouble.bend)
    corners = np.array([camera.project(_leaning(pose, rng, trouble.lean)) for pose in poses])
    lying = np.array([pose.posture is Posture.LYING for pose in poses])
    under = np.isin(np.arange(len(poses)), below)
    clutter = int(rng.binomial(len(poses), trouble.clutter))
    corners = np.concatenate([corners, _clutter(rng, clutter, corners)])
    lying = np.concatenate([lying, rng.random(clutter) < 0.5])
    under = np.concatenate([under, np.zeros(clutter, dtype=bool)])
    number = len(corners)
    seen = np.where(rng.random((number, 5)) < trouble.inferred, 0.1, rng.uniform(0.3, 1, (number, 5)))
    seen[under, 0] = 0.1  # the tip is in the piece above
    corners = corners + rng.normal(0, trouble.noise, corners.shape) * np.where(seen < 0.25, 3, 1)[..., None]
    far = rng.random((number, 5)) < trouble.far
    angle, reach = rng.uniform(0, 2 * math.pi, (number, 5)), rng.uniform(10, 40, (number, 5)) * far
    corners += np.stack([np.cos(angle), np.sin(angle)], axis=-1) * reach[..., None]
    for index in range(number):
        corners[index, 1:] = _told(corners[index, 1:], bool(lying[index]), rng, trouble.mirrored)
    detections = _detections(corners, seen, _judged(lying, rng, trouble.misjudged), under)
    return Strewn(camera, (*poses, *[None] * clutter), (*below, *[-1] * clutter), detections)


def scaled(detections: Detections, factor: float) -> Detections:
    """What the same eyes would tell of the picture enlarged."""
    corners = (detections.corners + 0.5) * factor - 0.5
    return replace(detections, corners=corners, centers=corners.mean(axis=1))


def _arranged(
    rng: np.random.Generator, count: int, sizes: Sequence[Size], stacks: int
) -> tuple[list[Pose], tuple[int, ...]]:
    """Pieces that do not touch, two thirds of them lying, with every size there; and which stands on which."""
    spread = 55.0 * math.sqrt(count + stacks) / 2 + 20
    places: list[Array] = []
    while len(places) < count + stacks:
        place = rng.uniform(-spread, spread, 2)
        if all(np.linalg.norm(place - other) > APART for other in places):
            places.append(place)
    drawn = [*sizes, *(sizes[int(i)] for i in rng.integers(len(sizes), size=count))][:count]
    poses: list[Pose] = []
    below: list[int] = []
    for size, (x, y) in zip(drawn, places, strict=False):
        posture = Posture.LYING if rng.random() < 0.65 else Posture.UPRIGHT
        poses.append(Pose(size, posture, float(x), float(y), float(rng.uniform(0, 360))))
        below.append(-1)
    for x, y in places[count:]:
        lift = 0.0
        for level, size in enumerate(sorted(rng.choice(sizes, int(rng.integers(2, 4))).tolist(), reverse=True)):
            if level:
                lift += nesting_step(poses[-1].size, Size(size))
            near_x, near_y = float(x + rng.normal(0, 1)), float(y + rng.normal(0, 1))
            poses.append(Pose(Size(size), Posture.UPRIGHT, near_x, near_y, float(rng.uniform(0, 360)), lift))
            below.append(len(poses) - 2 if level else -1)
    return poses, tuple(below)


def _overlooking(poses: Sequence[Pose], rng: np.random.Generator, size: tuple[int, int], bend: float) -> Camera:
    """A camera as people hold them, as near as shows every piece."""
    azimuth, elevation, roll, field = rng.uniform((255, 35, -5, 45), (285, 90, 5, 86)).tolist()
    dist = np.array([float(rng.uniform(-1.2 * bend, bend)), 0, 0, 0, 0])
    cloud = np.concatenate([pose.vertices() for pose in poses])
    for distance in (250 * 1.04 ** np.arange(120)).tolist():
        camera = Camera.looking_at(
            (0, 0),
            azimuth_deg=azimuth,
            elevation_deg=elevation,
            distance=distance,
            focal=size[0] / 2 / math.tan(math.radians(field) / 2),
            size=size,
            roll_deg=roll,
            dist=dist,
        )
        if camera.depths(cloud).min() < 50:
            continue
        pixels = camera.project(cloud)
        if (pixels > 10).all() and (pixels < np.array(size) - 10).all():
            return camera
    raise AssertionError("no distance shows all pieces")


def _leaning(pose: Pose, rng: np.random.Generator, degrees: float) -> Array:
    """(5, 3) vertices of a piece that stands on a crumb."""
    vertices = pose.vertices()
    axis = rng.normal(0, math.radians(degrees), 2)
    arms = vertices - vertices.mean(axis=0)
    arms = arms + np.cross(np.array([*axis, 0.0]), arms)
    return np.asarray(arms + vertices.mean(axis=0))


def _clutter(rng: np.random.Generator, count: int, corners: Array) -> Array:
    """(count, 5, 2) px: points about as far apart as those of pieces."""
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    middles = rng.uniform(low, high, (count, 1, 2))
    wide = np.median(np.ptp(corners, axis=1))
    return np.asarray(middles + rng.uniform(-0.5, 0.5, (count, 5, 2)) * wide)


def _told(base: Array, lies: bool, rng: np.random.Generator, mirrored: float) -> Array:
    """Base corners in the order in which eyes tell them: those of upright pieces begin anywhere."""
    wrong = rng.random() < mirrored
    if lies:
        return base[[1, 0, 3, 2]] if wrong else base
    turned = np.roll(base, rng.integers(4), axis=0)
    return turned[::-1] if wrong else turned


def _judged(lying: Array, rng: np.random.Generator, misjudged: float) -> Array:
    """(N,) probabilities that each lies."""
    luck = rng.random(len(lying))
    sure = np.where(luck < misjudged, 0.1, np.where(luck < 2 * misjudged, 0.4, 0.99))
    return np.where(lying, sure, 1 - sure)


def _detections(corners: Array, seen: Array, lying: Array, under: NDArray[np.bool_]) -> Detections:
    count = len(corners)
    empty = np.zeros((1, 1), dtype=np.float32)
    return Detections(
        score=np.full(count, 0.99),
        glance=np.full(count, 0.99),
        closer=np.full(count, 0.99),
        speaks=np.ones(count, dtype=bool),
        centers=corners.mean(axis=1),
        corners=corners,
        corner_blur=1 / np.clip(2 * seen, 0.1, 1.0),
        lying=lying,
        colors=np.full((count, 5), 0.2),
        sizes=np.full((count, 3), 1 / 3),
        pips=np.zeros((count, 3)),
        edges=np.zeros((count, 3)),
        visible=np.where(under, 0.4, 0.95),
        under=under,
        above=np.zeros(count),
        crossings=np.zeros((0, 3)),
        token=None,
        plastic=empty,
        board=empty,
        cell=4.0,
    )
