"""The solids have their official sizes, and everything that follows from those."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.poses import Pose, hull
from vision.solids import BASE, FACES, Array, Posture, Size, lying, nesting_step, solid, upright
from vision.virtual.arrange import board_corners, cell_center

# size: base, height, slant; lying: the rim's distance from the tip along the table, and its height above it (mm)
OFFICIAL = {
    Size.SMALL: (14.29, 25.40, 26.39, 22.5, 13.8),
    Size.MEDIUM: (19.84, 34.93, 36.31, 30.9, 19.1),
    Size.LARGE: (25.40, 44.45, 46.23, 39.3, 24.4),
}


@pytest.mark.parametrize("size", Size)
def test_official_sizes(size: Size) -> None:
    base, height, slant, rim_from_tip, rim_above = OFFICIAL[size]
    assert (size.base, size.height, size.slant) == pytest.approx((base, height, slant), abs=0.006)
    body = lying(size)
    assert body[0, 0] - body[3, 0] == pytest.approx(rim_from_tip, abs=0.06)
    assert body[3, 2] == pytest.approx(rim_above, abs=0.06)


@pytest.mark.parametrize("size", Size)
def test_words_name_sizes(size: Size) -> None:
    assert Size.of_word(size.word) is size
    with pytest.raises(KeyError):
        Size.of_word("huge")


@pytest.mark.parametrize("size", Size)
def test_one_solid_in_every_posture(size: Size) -> None:
    """Laying a piece down bends nothing: all distances between corners stay."""
    np.testing.assert_allclose(_distances(lying(size)), _distances(upright(size)), atol=1e-9)


@pytest.mark.parametrize("size", Size)
def test_faces_are_equal_and_look_outwards(size: Size) -> None:
    body = solid(size)
    areas = [_doubled_area(body[list(face)]) / 2 for face in FACES]
    np.testing.assert_allclose(areas, size.base * size.slant / 2)
    middle = body.mean(axis=0)
    for face in (*FACES, BASE):
        a, b, c = body[list(face[:3])]
        assert np.cross(b - a, c - a) @ (a - middle) > 0, face


def test_shapes_are_all_but_similar() -> None:
    slimness = [size.height / size.base for size in Size]
    assert slimness == pytest.approx([1.778, 1.760, 1.750], abs=0.001)


def test_a_lying_piece_leans_its_open_base_by_sixteen_degrees() -> None:
    for size in Size:
        body = lying(size)
        lean = math.degrees(math.atan2(body[3, 0] - body[2, 0], body[3, 2]))
        assert lean == pytest.approx(16, abs=0.35)


@given(
    size=st.sampled_from(Size),
    posture=st.sampled_from(Posture),
    x=st.floats(-300, 300),
    y=st.floats(-300, 300),
    heading=st.floats(0, 360),
    z=st.floats(0, 40),
)
def test_pieces_touch_the_table_with_their_footprint(
    size: Size, posture: Posture, x: float, y: float, heading: float, z: float
) -> None:
    pose = Pose(size, posture, x, y, heading, z)
    low = np.isclose(pose.vertices()[:, 2], z, atol=1e-6)
    assert low.sum() == (3 if posture is Posture.LYING else 4)
    assert (pose.vertices()[~low, 2] > z + 10).all()
    footprint = pose.footprint()
    np.testing.assert_allclose(np.sort(footprint, axis=0), np.sort(pose.vertices()[low, :2], axis=0), atol=1e-6)
    middle = hull(footprint)
    np.testing.assert_allclose((middle.min(0) + middle.max(0)) / 2, (x, y), atol=size.slant / 2)


@given(size=st.sampled_from(Size), heading=st.floats(0, 359.9))
def test_heading_is_where_the_tip_points(size: Size, heading: float) -> None:
    vertices = Pose(size, Posture.LYING, 12, -7, heading).vertices()
    across = vertices[0, :2] - vertices[1:3, :2].mean(axis=0)
    assert np.linalg.norm(across) == pytest.approx(size.slant)
    turn = math.degrees(math.atan2(across[1], across[0])) - heading
    assert (turn + 180) % 360 - 180 == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose((vertices[0, :2] + vertices[1:3, :2].mean(axis=0)) / 2, (12, -7), atol=1e-9)


@pytest.mark.parametrize("size", Size)
def test_stacks_of_a_kind_step_up_a_little(size: Size) -> None:
    assert 7 <= nesting_step(size, size) <= 10


@pytest.mark.parametrize(("lower", "upper"), [(Size.MEDIUM, Size.SMALL), (Size.LARGE, Size.MEDIUM)])
def test_a_smaller_piece_stands_high_on_a_larger(lower: Size, upper: Size) -> None:
    assert 16 <= nesting_step(lower, upper) <= 19


def test_a_larger_piece_swallows_a_smaller() -> None:
    for lower, upper in ((Size.SMALL, Size.MEDIUM), (Size.SMALL, Size.LARGE), (Size.MEDIUM, Size.LARGE)):
        assert nesting_step(lower, upper) < 1
        assert nesting_step(lower, upper) + upper.height > lower.height
    assert nesting_step(Size.LARGE, Size.SMALL) > nesting_step(Size.LARGE, Size.MEDIUM)


def test_the_board_is_official() -> None:
    a1, f1, f6, a6 = board_corners()
    assert np.linalg.norm(f1 - a1) == pytest.approx(6 * 1.35 * 25.4)
    assert np.linalg.norm(a6 - a1) == pytest.approx(6 * 1.35 * 25.4)
    assert a1[1] < f1[1] == a6[1] < f6[1]
    assert math.dist(cell_center((0, 0)), cell_center((1, 0))) == pytest.approx(1.35 * 25.4)
    np.testing.assert_allclose(np.mean([cell_center((0, 0)), cell_center((5, 5))], axis=0), (0, 0), atol=1e-9)


def _distances(body: Array) -> Array:
    return np.asarray(np.linalg.norm(body[:, None] - body[None], axis=-1))


def _doubled_area(triangle: Array) -> float:
    a, b, c = triangle
    return float(np.linalg.norm(np.cross(b - a, c - a)))
