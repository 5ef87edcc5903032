"""Patches that are one piece each: their poses, and through them the exact camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.adjust import adjust
from vision.camera import Camera
from vision.finding.regions import Region
from vision.finding.shapes import DIRECTIONS, support
from vision.finding.viewpoint import Viewpoint, camera_over_table, find_height
from vision.poses import Pose, body_of, placed
from vision.sight import ImageSide
from vision.solids import Array, Posture, Size

MISFIT_LIMIT = 0.09  # relative; patches beyond this are not single pieces
HEADINGS = {Posture.UPRIGHT: np.arange(0, 90, 10.0), Posture.LYING: np.arange(0, 360, 10.0)}


@dataclass(frozen=True, eq=False)
class Singles:
    """Camera and poses that explain the single patches.

    Attributes:
        indices: which regions they are; ``misfit``: (B,) px root mean square of each outline.
    """

    camera: Camera
    indices: tuple[int, ...]
    poses: tuple[Pose, ...]
    misfit: Array


def fit_singles(regions: Sequence[Region], viewpoint: Viewpoint, size: tuple[int, int], south: ImageSide) -> Singles:
    """Fits every region whose shape is a single piece's, and the camera with them."""
    camera = camera_over_table(viewpoint.up, viewpoint.focal, viewpoint.height, size, south)
    indices = [i for i, misfit in enumerate(viewpoint.misfit) if misfit < MISFIT_LIMIT]
    observed = np.array([support(regions[i].contour) for i in indices]).reshape(len(indices), DIRECTIONS)
    poses = [first_pose(camera, regions[i].contour) for i in indices]
    misfit = np.zeros(len(indices))
    for _ in range(3):
        if not poses:
            break
        camera, poses, misfit = adjust(camera, poses, observed, support, noise=0.8)
        sizes = _sizes(camera, poses, observed, misfit)
        changed = [pose.size is not new for pose, new in zip(poses, sizes, strict=True)]
        if not any(changed):
            break
        poses = [
            first_pose(camera, regions[i].contour, new) if change else pose
            for i, pose, new, change in zip(indices, poses, sizes, changed, strict=True)
        ]
    return Singles(camera, tuple(indices), tuple(poses), misfit)


def first_pose(camera: Camera, contour: Array, size: Size | None = None) -> Pose:
    """The pose, of a few hundred, whose outline has the extent of a contour (N, 2) px."""
    reach = support(contour)
    center = (contour.min(0) + contour.max(0)) / 2
    ground = camera.to_plane(center[None], Size.MEDIUM.height * 0.3)[0]
    best: tuple[float, Pose] | None = None
    for each in Size if size is None else (size,):
        for posture, headings in HEADINGS.items():
            body = body_of(each, posture)
            clouds = np.array(
                [placed(body, float(ground[0]), float(ground[1]), float(heading)) for heading in headings]
            )
            model = support(camera.project(clouds))
            off = reach - model
            shift = off @ _WAVES.T * (2 / off.shape[1])
            left = off - shift @ _WAVES
            cost = (left**2).mean(1)
            k = int(np.argmin(cost))
            if best is None or cost[k] < best[0]:
                moved = camera.project(np.array([[*ground, 0.0]]))[0] + shift[k]
                x, y = camera.to_plane(moved[None])[0]
                best = (float(cost[k]), Pose(each, posture, float(x), float(y), float(headings[k])))
    assert best is not None
    return best[1]


_WAVES = np.array([np.cos(np.radians(np.arange(36) * 10.0)), np.sin(np.radians(np.arange(36) * 10.0))])


def _sizes(camera: Camera, poses: Sequence[Pose], observed: Array, misfit: Array) -> list[Size]:
    """The sizes under one common height that the measured extents ask for."""
    model = np.array([support(pose.keypoints(camera)) for pose in poses])
    ratio = np.linalg.norm(_centered(observed), axis=1) / np.linalg.norm(_centered(model), axis=1)
    base = np.array([pose.size.base for pose in poses]) * ratio
    height = float(camera.position[2])
    weights = 1 / (1 + (misfit / 2.0) ** 2)
    found, _ = find_height(base / height, weights)
    sides = np.array([size.base for size in Size])
    return [Size(int(np.argmin(np.abs(np.log(b / height * found / sides)))) + 1) for b in base]


def _centered(reach: Array) -> Array:
    return np.asarray(reach - (reach @ _WAVES.T) @ _WAVES * (2 / reach.shape[1]))
