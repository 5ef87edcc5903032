"""From where the picture was taken, by outlines alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from corner_scenes import homeworlds_picture

from vision.finding.colors import map_colors
from vision.finding.regions import find_regions
from vision.finding.shapes import shapes, support, without_place
from vision.finding.viewpoint import camera_over_table, facing, find_height, find_viewpoint
from vision.sight import ImageSide
from vision.solids import Posture, Size

SEEDS = range(10)


@dataclass(frozen=True)
class Errors:
    """degrees between true and found upright; focal length and height, relative."""

    tilt: float
    focal: float
    height: float


@cache
def errors(seed: int) -> Errors:
    """Of the viewpoint found in a virtual photograph."""
    picture = homeworlds_picture(seed)
    size = picture.truth.size
    outlines = [region.contour for region in find_regions(map_colors(picture.image)) if region.inside(size)]
    viewpoint = find_viewpoint(outlines, size)
    assert viewpoint is not None
    assert viewpoint.misfit.shape == (len(outlines),)
    aligned = float(np.clip(viewpoint.up @ picture.camera.R[:, 2], -1, 1))
    return Errors(
        float(np.degrees(np.arccos(aligned))),
        abs(viewpoint.focal / picture.camera.focal - 1),
        abs(viewpoint.height / float(picture.camera.position[2]) - 1),
    )


def test_tilt() -> None:
    tilts = [errors(seed).tilt for seed in SEEDS]
    assert np.median(tilts) < 4
    assert max(tilts) < 9


def test_focal_length() -> None:
    off = [errors(seed).focal for seed in SEEDS]
    assert np.median(off) < 0.12
    assert max(off) < 0.35


def test_height() -> None:
    off = [errors(seed).height for seed in SEEDS]
    assert np.median(off) < 0.10
    assert max(off) < 0.35


def test_one_outline_is_no_viewpoint() -> None:
    triangle = np.array([[100, 100], [140, 100], [120, 160]], dtype=np.float64)
    assert find_viewpoint([], (640, 480)) is None
    assert find_viewpoint([triangle], (640, 480)) is None


@pytest.mark.parametrize("height", [300.0, 700.0, 1600.0])
def test_three_sizes_give_the_scale(height: float) -> None:
    bases = np.array([size.base for size in (*Size, *Size, *Size)]) * np.linspace(0.98, 1.02, 9)
    found, margin = find_height(bases / height, np.ones(9))
    assert found == pytest.approx(height, rel=0.04)
    assert margin > 2


def test_one_size_gives_no_sure_scale() -> None:
    _, sure = find_height(np.array([size.base for size in (*Size, *Size)]) / 700, np.ones(6))
    _, unsure = find_height(np.full(6, Size.MEDIUM.base) / 700, np.ones(6))
    assert unsure < 1 < sure


@pytest.mark.parametrize("south", ImageSide)
def test_the_table_s_south_is_the_side_asked_for(south: ImageSide) -> None:
    up = np.array([0.1, -0.5, -1.0]) / np.linalg.norm([0.1, -0.5, -1.0])
    camera = camera_over_table(up, 900.0, 650.0, (1280, 960), south)
    np.testing.assert_allclose(camera.position, (0, 0, 650), atol=1e-9)
    np.testing.assert_allclose(camera.R[:, 2], up)
    middle = camera.to_plane(np.array([[639.5, 479.5]]))[0]
    near, far = camera.project(np.array([[middle[0], middle[1] - 20, 0], [middle[0], middle[1] + 20, 0]]))
    assert (near - far) @ south.direction > 0.8 * np.linalg.norm(near - far)


@pytest.mark.parametrize("ray", [(0.0, 0.0, 1.0), (0.4, -0.3, 1.0), (-0.7, 0.5, 1.0)])
def test_facing_turns_the_axis_onto_a_ray(ray: tuple[float, float, float]) -> None:
    turn = facing(np.array(ray))
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(turn @ np.array(ray), np.array([0.0, 0.0, np.linalg.norm(ray)]), atol=1e-12)


def test_shapes_forget_place_and_scale() -> None:
    outline = np.array([[0, 0], [40, 5], [18, 60]], dtype=np.float64)
    still, moved = (without_place(support(points)) for points in (outline, outline + np.array([300, -70])))
    np.testing.assert_allclose(still, moved, atol=1e-9)
    np.testing.assert_allclose(without_place(support(outline * 3)), still * 3)
    np.testing.assert_allclose(np.linalg.norm(shapes().supports, axis=-1), 1)
    assert set(shapes().postures) == set(Posture)
