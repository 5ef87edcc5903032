"""Strips lie along the base edges that are in sight, and the pips on them tell sizes."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion_app.samples import layout_of, random_homeworlds
from training.true_strips import strips_of, told_nearly
from training.truth import scene_of
from training.virtual_scenes import photograph_with_truth
from vision.camera import Camera
from vision.eyes import Eyes, NoEyes, PipCounter
from vision.eyes.halvings import Halvings
from vision.eyes.strips import BOTTOM, HIGH, NARROWEST, TOP, WIDE, Strips
from vision.poses import Pose
from vision.solids import FACES, Array, Posture, Size

SEEDS = range(4)


def camera(elevation: float, distance: float = 420.0) -> Camera:
    """Over the middle of the table, so near that base edges are 50 px and wider."""
    return Camera.looking_at(
        (0, 0), azimuth_deg=270, elevation_deg=elevation, distance=distance, focal=1000.0, size=(1280, 960)
    )


def pieces() -> tuple[Pose, ...]:
    """Upright and lying, turned in all ways."""
    return tuple(
        Pose(size, posture, 60.0 * (index % 5) - 120, 55.0 * (index // 5) - 80, 37.0 * index)
        for index, (size, posture, _) in enumerate(product(Size, Posture, range(3)))
    )


def seen_from_outside(pose: Pose, camera: Camera) -> set[int]:
    """The faces of a piece that are turned to the camera, by the solid itself."""
    vertices = pose.vertices()
    shown = set()
    for number, face in enumerate(FACES):
        one, two, three = vertices[list(face)]
        outward = np.cross(two - one, three - one)
        if outward @ (one - vertices.mean(axis=0)) < 0:
            outward = -outward
        if outward @ (camera.position - one) > 0:
            shown.add(number)
    return shown


def strips(poses: tuple[Pose, ...], camera: Camera) -> tuple[Strips, Array, NDArray[np.bool_]]:
    corners = np.array([pose.keypoints(camera) for pose in poses])
    lying = np.array([pose.posture is Posture.LYING for pose in poses])
    return Strips.along(corners, lying), corners, lying


@pytest.mark.parametrize("elevation", [35, 60, 88])
def test_strips_lie_on_faces_that_are_in_sight(elevation: float) -> None:
    poses, view = pieces(), camera(elevation)
    found, corners, _ = strips(poses, view)
    for index, pose in enumerate(poses):
        mine = np.flatnonzero(found.piece == index)
        edges = {
            frozenset(np.linalg.norm(corners[index] - end, axis=1).argmin() for end in (found.start[k], found.end[k]))
            for k in mine
        }
        in_sight = {frozenset(FACES[number][1:]) for number in seen_from_outside(pose, view)}
        assert edges <= in_sight
        assert edges, "from here every piece shows at least one face"
        np.testing.assert_allclose(found.tip[mine], np.broadcast_to(corners[index, 0], (len(mine), 2)))


def test_from_straight_above_a_star_shows_all_its_faces() -> None:
    star = (Pose(Size.LARGE, Posture.UPRIGHT, 0, 0, 20),)
    assert len(strips(star, camera(89.9))[0]) == 4


def test_the_base_of_a_star_may_be_told_either_way_round() -> None:
    stars = tuple(pose for pose in pieces() if pose.posture is Posture.UPRIGHT)
    found, corners, lying = strips(stars, camera(50))
    other = Strips.along(corners[:, [0, 3, 2, 1, 4]], lying)
    for one, two in ((found.start, other.start), (found.end, other.end)):
        assert {tuple(point) for point in one.round(6)} == {tuple(point) for point in two.round(6)}


def test_small_edges_are_left_out() -> None:
    far = strips(pieces(), camera(50, 420.0))[1]
    shrunk = far * (0.9 * NARROWEST / 100)
    assert not len(Strips.along(shrunk, np.zeros(len(shrunk), dtype=bool)))


@pytest.mark.parametrize("distance", [150.0, 420.0, 800.0])
def test_a_strip_shows_what_lies_along_the_edge(distance: float) -> None:
    """The picture tells in blue and green where each of its pixels is; large ones are shown shrunk."""
    view = camera(60, distance)
    across, down = np.meshgrid(np.arange(1280), np.arange(960))
    image = np.stack([across / 8, down / 8, np.zeros_like(across)], axis=-1).astype(np.uint8)
    found, _, _ = strips(
        (Pose(Size.MEDIUM, Posture.UPRIGHT, 0, 0, 30), Pose(Size.LARGE, Posture.LYING, 40, 0, 200)), view
    )
    assert len(found) >= 3
    shown = found.drawn(Halvings(image))
    assert shown.shape == (len(found), HIGH, WIDE, 3)
    along = (np.arange(WIDE) + 0.5) / WIDE
    upward = TOP + (BOTTOM - TOP) * (np.arange(HIGH) + 0.5) / HIGH
    for index in range(len(found)):
        start, end, tip = found.start[index], found.end[index], found.tip[index]
        there = start + along[None, :, None] * (end - start) + upward[:, None, None] * (tip - (start + end) / 2)
        np.testing.assert_allclose(shown[index, ..., :2], there / 8, atol=1.0)


def test_nothing_told_is_nothing_counted() -> None:
    image = Halvings(np.zeros((60, 80, 3), np.uint8))
    nobody = PipCounter().counted(np.zeros((0, 5, 2)), np.zeros(0, dtype=bool), image)
    assert nobody.shape == (0, 3)
    tiny = PipCounter().counted(np.random.default_rng(0).uniform(20, 24, (3, 5, 2)), np.zeros(3, dtype=bool), image)
    np.testing.assert_array_equal(tiny, np.zeros((3, 3)))


def test_missing_weights_are_told_clearly() -> None:
    square = np.array([[[50, 20], [20, 60], [80, 60], [70, 30], [30, 30]]], dtype=np.float64)
    with pytest.raises(NoEyes, match=r"nothing\.onnx is not in this installation"):
        PipCounter(name="nothing.onnx").counted(square, np.array([False]), Halvings(np.zeros((80, 100, 3), np.uint8)))


def test_corners_are_told_nearly_right() -> None:
    corners = np.array([pose.keypoints(camera(50)) for pose in pieces()])
    lengths = np.linalg.norm(np.ptp(corners, axis=1), axis=1)
    off = np.linalg.norm(told_nearly(corners, np.random.default_rng(1)) - corners, axis=-1) / lengths[:, None]
    assert 0.005 < np.median(off) < 0.04
    assert off.max() < 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_pips_tell_sizes_on_a_photograph(seed: int, tmp_path: Path) -> None:
    """Of strips of which the counter is sure nearly all are right; that it is sure of some is what it is for."""
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    scene = scene_of(truth, tmp_path / "virtual.jpg")
    lit = Eyes().lit(picture.image)
    told = strips_of(lit.image, scene.pieces, np.random.default_rng(seed))
    shown = [piece for piece in scene.pieces if piece.visible > 0.9]
    lying = np.array([piece.posture == "lying" for piece in shown])
    counted = PipCounter().counted(np.array([piece.corners for piece in shown]), lying, lit)
    assert len(told) > len(shown) / 2
    chances = np.exp(counted - counted.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    sure = chances.max(axis=1) > 0.95
    right = chances.argmax(axis=1) == np.array([piece.size for piece in shown])
    assert sure.any()
    assert right[sure].mean() > 0.8
