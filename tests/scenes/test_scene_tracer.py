"""The tracer agrees with the exact geometry of vision."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from scenes.arrangement import Standing
from scenes.tracer.bending import bent
from scenes.tracer.picture import Picture, all_rays, trace
from scenes.tracer.surface import plastic
from scenes.tracer.travel import follow, new_trip
from scenes.tracer.world import BOX, PYRAMID, Builder, Lamp, Room, Substance, World
from scenes.truth import piece_truth
from vision.camera import Camera
from vision.poses import Pose
from vision.sight import Role
from vision.solids import Color, Posture, Size

ROOM = Room((0.5, 0.5, 0.5), (0.4, 0.4, 0.4), (0.2, 0.2, 0.2), (1.0, 1.0, 1.0), 1.0, 0.4, 0.1, 0.6)
CAMERA = Camera.looking_at(
    (0, 0),
    azimuth_deg=262,
    elevation_deg=48,
    distance=300,
    focal=420,
    size=(400, 300),
    dist=np.array([0.05, 0, 0, 0, 0]),
)


def standing(pose: Pose) -> Standing:
    """A red piece."""
    posture = pose.posture.value
    place = (pose.x, pose.y, pose.z, pose.heading_deg, pose.vertices())
    return Standing(Color.RED, pose.size, posture, Role.LOOSE, None, None, None, *place)


def corners(truth: dict[str, object]) -> list[bool]:
    """Which corners are visible."""
    flags = truth["corners_visible"]
    assert isinstance(flags, list)
    return flags


def seen(pieces: list[Standing], *, clear: bool, wall: bool = False, focus: float = 0.0) -> tuple[World, Picture]:
    """The pieces on a grey table, perhaps behind a wall."""
    builder = Builder(ROOM, [Lamp((300, 100, 800), 30, (1, 1, 1))])
    red = Substance((0.5, 0.03, 0.03), translucent=clear, absorption=(0.05, 1, 1), pips=1.0, focus=focus)
    plastic = builder.substance(red)
    builder.plate((0, 0), 0.0, (500, 500), 0.0, 20.0, builder.substance(Substance((0.5, 0.5, 0.5))))
    for piece in pieces:
        origin, axes = piece.frame
        half, height = piece.size.base / 2, piece.size.height
        builder.thing(PYRAMID, origin, axes, (half, height, 1.8, 1.0), plastic, height / 3, height)
    if wall:
        builder.thing(BOX, np.array([0.0, -30.0, 15.0]), np.eye(3), (40, 2, 15), plastic, 0.0, 43.0)
    world = builder.build()
    return world, trace(world, CAMERA, 4, 1)


@pytest.mark.parametrize("clear", [False, True])
@pytest.mark.parametrize("posture", list(Posture))
def test_silhouettes(posture: Posture, clear: bool) -> None:
    for size in Size:
        piece = standing(Pose(size, posture, 12.0, -8.0, 37.0))
        _, picture = seen([piece], clear=clear)
        mask = np.zeros(picture.first.shape, np.uint8)
        outline = np.round(cv2.convexHull(CAMERA.project(piece.vertices).astype(np.float32)) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, outline, 1, shift=4)
        traced = picture.first == 0
        assert (traced & (mask > 0)).sum() > 0.97 * traced.sum()
        assert abs(int(traced.sum()) - int(mask.sum())) < 0.08 * mask.sum() + 12


def test_what_hides_a_piece_counts() -> None:
    piece = standing(Pose(Size.LARGE, Posture.UPRIGHT, 0.0, 0.0, 10.0))
    open_world, open_picture = seen([piece], clear=False)
    hidden_world, hidden_picture = seen([piece], clear=False, wall=True)
    free = piece_truth(0, piece, open_world, CAMERA, open_picture.first)
    hidden = piece_truth(0, piece, hidden_world, CAMERA, hidden_picture.first)
    assert float(str(free["visible"])) > 0.96
    assert 0.05 < float(str(hidden["visible"])) < 0.9
    whole, rest = np.array(free["in_sight"]), np.array(hidden["in_sight"])
    assert ((rest[2:] - rest[:2]) <= whole[2:] - whole[:2]).all()
    assert (rest != whole).any()
    assert corners(free)[:3] == [True, True, True]
    assert not all(corners(free))
    assert corners(hidden)[:3] == [True, False, False]


def test_translucent_plastic_lets_its_color_through() -> None:
    piece = standing(Pose(Size.LARGE, Posture.UPRIGHT, 0.0, 0.0, 10.0))
    _, clear = seen([piece], clear=True)
    inside = clear.light[clear.first == 0].mean(0)
    assert inside[0] > 2 * inside[1]
    table = clear.light[clear.first == -1]
    assert table[:, 0].mean() / table[:, 1].mean() < 1.1


def test_clear_plastic_gathers_light_in_its_shadow() -> None:
    piece = standing(Pose(Size.LARGE, Posture.UPRIGHT, 0.0, 0.0, 10.0))
    table = []
    for focus in (0.0, 1.0):
        _, picture = seen([piece], clear=True, focus=focus)
        table.append(np.where(picture.first == -1, picture.light[..., 0], 0.0))
    assert (table[1] - table[0]).max() > 0.05 * table[0].max()
    assert table[1].sum() == pytest.approx(table[0].sum(), rel=0.02)


@pytest.mark.parametrize(
    ("aim", "turned"), [((3.0, 2.0, 12.0), False), ((0.0, 0.0, 43.5), True)], ids=["a wall", "the tip"]
)
def test_walls_shift_a_ray_and_edges_turn_it(aim: tuple[float, float, float], turned: bool) -> None:
    world, _ = seen([standing(Pose(Size.LARGE, Posture.UPRIGHT, 0.0, 0.0, 0.0))], clear=True)
    eye = np.array([160.0, 30.0, 140.0])
    ray = np.array(aim) - eye
    ray /= np.linalg.norm(ray)
    trip, veil, way = new_trip(), np.zeros(6), np.zeros(6)
    start = (float(eye[0]), float(eye[1]), float(eye[2]), float(ray[0]), float(ray[1]), float(ray[2]))
    follow(world, trip, *start, 1e8, False)
    plastic(world, trip, *start, trip.first_t[0], veil)
    assert bent(world, trip, *start, trip.first_t[0], way)
    aside = way[:3] - eye - (way[:3] - eye) @ ray * ray
    assert 0.05 < np.linalg.norm(aside) < 4.0
    assert np.linalg.norm(way[3:]) == pytest.approx(1.0, abs=0.01)
    assert (float(way[3:] @ ray) < 0.999) == turned


def test_interpolated_rays_are_exact_enough() -> None:
    rays = all_rays(CAMERA)
    exact = CAMERA.rays(np.array([[37.0, 211.0], [399.0, 299.0]]))
    for ray, pixel in zip(exact, ((37, 211), (399, 299)), strict=True):
        near = rays[pixel[1], pixel[0]] / np.linalg.norm(rays[pixel[1], pixel[0]])
        assert math.acos(min(1.0, float(near @ ray))) * CAMERA.focal < 0.2
