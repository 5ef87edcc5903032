"""Seeded scenes that several tests look at: corners of random pieces, and virtual photographs of sample games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from companion_app.samples import layout_of, random_homeworlds, random_settlers
from vision.camera import Camera
from vision.poses import Pose
from vision.solids import Array, Color, Posture, Size
from vision.virtual import Picture, View, photograph

KIT = {(color, size): 3 for color in Color for size in Size}
CORNER_SIZE = (1280, 960)


@dataclass(frozen=True, eq=False)
class Corners:
    """Pieces strewn over a table, the camera above, and their corners (N, 5, 2) px as a detector gives them."""

    camera: Camera
    poses: tuple[Pose, ...]
    keypoints: Array

    @property
    def postures(self) -> list[Posture]:
        return [pose.posture for pose in self.poses]

    @property
    def sizes(self) -> tuple[Size, ...]:
        return tuple(pose.size for pose in self.poses)


def strewn(
    seed: int,
    *,
    count: int | None = None,
    sizes: Sequence[Size] = tuple(Size),
    noise: float | None = None,
    hidden: float = 0.15,
) -> Corners:
    """Eight to sixteen pieces, or *count*, of at least the given sizes; up to 1.5 px of noise; some corners NaN."""
    rng = np.random.default_rng([seed, 0xC0])
    number = count or int(rng.integers(8, 17))
    level = float(rng.uniform(0, 1.5)) if noise is None else noise
    drawn = [*sizes, *(sizes[int(i)] for i in rng.integers(len(sizes), size=number))][:number]
    postures = [Posture.LYING if rng.random() < 0.65 else Posture.UPRIGHT for _ in drawn]
    poses = tuple(
        Pose(size, posture, *(float(v) for v in rng.uniform((-180, -180, 0), (180, 180, 360))))
        for size, posture in zip(drawn, postures, strict=True)
    )
    camera = _overlooking(poses, rng)
    pixels = np.array([pose.keypoints(camera) for pose in poses]) + rng.normal(0, level, (number, 5, 2))
    pixels[rng.random((number, 5)) < hidden] = np.nan
    return Corners(camera, poses, pixels)


def _overlooking(poses: Sequence[Pose], rng: np.random.Generator) -> Camera:
    """A camera from 35° to 88° with every piece in its frame."""
    azimuth, elevation, roll, field = rng.uniform((252, 35, -4, 52), (288, 88, 4, 72))
    focal = float(CORNER_SIZE[0] / 2 / np.tan(np.radians(field) / 2))
    cloud = np.concatenate([pose.vertices() for pose in poses])
    for distance in 400 * 1.03 ** np.arange(100):
        camera = Camera.looking_at(
            (0, 0),
            azimuth_deg=float(azimuth),
            elevation_deg=float(elevation),
            distance=float(distance),
            focal=focal,
            size=CORNER_SIZE,
            roll_deg=float(roll),
        )
        pixels = camera.project(cloud)
        inside = (pixels > 15).all() and (pixels < np.array(CORNER_SIZE) - 15).all()
        if inside and camera.depths(cloud).min() > 50:
            return camera
    raise AssertionError("no distance shows all pieces")


@cache
def homeworlds_picture(seed: int) -> Picture:
    """The virtual photograph number *seed* of a sample game of Homeworlds."""
    return photograph(layout_of(random_homeworlds(seed)), seed=seed)


@cache
def settlers_picture(seed: int) -> Picture:
    """The virtual photograph number *seed* of a sample game of Settlers."""
    return photograph(layout_of(random_settlers(seed)), seed=seed)


@cache
def picture_on(table: str, seed: int, opacity: float = 0.85) -> Picture:
    """A sample game of Homeworlds on a named table."""
    view = replace(View.random(seed), table=table, opacity=opacity)
    return photograph(layout_of(random_homeworlds(seed)), seed=seed, view=view)
