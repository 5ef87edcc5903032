"""The board is found wherever it lies, and every field of it is where it was drawn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.camera import Camera
from vision.finding.board import FoundBoard, board_marked, find_board
from vision.finding.board_camera import camera_over, fields_to_mm
from vision.finding.board_lattice import apply
from vision.fusing.plane_camera import camera_from_points
from vision.sight import ImageSide, Seat
from vision.solids import Array, Color, Size
from vision.virtual import BOARDS, FIELD, BoardLayout, Picture, ShipSpec, View, photograph

EMPTY = BoardLayout({})
CROWDED = BoardLayout(
    {
        (i, j): ShipSpec(list(Color)[(i + j) % 4], list(Size)[(i * j + i) % 3], list(Seat)[(i + 2 * j) % 2])
        for i in range(6)
        for j in range(6)
        if (2 * i + j) % 3
    }
)
CLEAR = 1.2  # mm on the table that a corner may be off


def off(board: FoundBoard, picture: Picture) -> float:
    """The furthest that a corner lies from the truth, in mm on the table."""
    assert picture.truth.board is not None
    there, truth = (picture.camera.to_plane(corners) for corners in (board.corners, picture.truth.board.corners))
    return float(np.linalg.norm(there - truth, axis=1).max())


def found(image: NDArray[np.uint8], south: ImageSide) -> FoundBoard:
    board = find_board(image, south)
    assert board is not None
    return board


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize(("south", "elevation", "swing"), [("bottom", 40, 18), ("right", 62, -20), ("top", 89, 9)])
def test_an_empty_board_is_found_from_every_side(name: str, south: str, elevation: float, swing: float) -> None:
    view = View(elevation_deg=elevation, south=ImageSide(south), swing_deg=swing, board=name, table="walnut")
    picture = photograph(EMPTY, seed=3, view=view)
    board = found(picture.image, view.south)
    assert off(board, picture) < CLEAR
    assert board.confidence > 0.9


@pytest.mark.parametrize("elevation", [38, 60, 85])
def test_the_corners_of_a_sharply_drawn_board_are_right_to_a_fraction_of_a_pixel(elevation: float) -> None:
    camera = Camera.looking_at(
        (0, 0), azimuth_deg=284, elevation_deg=elevation, distance=420, focal=1000, size=(1280, 960)
    )
    field, fine = 100, 3
    tiles = (np.indices((6, 6)).sum(0) % 2).repeat(field, 0).repeat(field, 1)
    texture = cv2.copyMakeBorder(np.where(tiles == 0, 90, 230).astype(np.uint8), 20, 20, 20, 20, 0, value=235)
    to_fields = np.array([[1 / field, 0, (0.5 - 20) / field], [0, 1 / field, (0.5 - 20) / field], [0, 0, 1]])
    to_fine = np.array([[fine, 0, (fine - 1) / 2], [0, fine, (fine - 1) / 2], [0, 0, 1]])
    truth = seen(camera)
    drawn = cv2.warpPerspective(
        texture, to_fine @ truth @ to_fields, (1280 * fine, 960 * fine), borderValue=120, flags=cv2.INTER_AREA
    )
    image = cv2.merge([np.asarray(cv2.resize(drawn, (1280, 960), interpolation=cv2.INTER_AREA), np.uint8)] * 3)
    board = found(np.asarray(image, np.uint8), ImageSide.BOTTOM)
    corners = apply(truth, np.array([[0, 0], [6, 0], [6, 6], [0, 6]]))
    assert np.linalg.norm(board.corners - corners, axis=1).max() < 0.5


@pytest.mark.filterwarnings("error")
def test_what_lies_on_the_horizon_is_nowhere_and_says_so_without_a_word() -> None:
    level = np.array([[1.0, 0, 0], [0, 1, 0], [0, 1, -2]])
    places = apply(level, np.array([[0.0, 2], [3, 2], [1, 4]]))
    assert not np.isfinite(places[:2]).all(axis=1).any()
    np.testing.assert_allclose(places[2], [0.5, 2.0])


@pytest.mark.parametrize("elevation", [45, 70])
def test_a_crowded_board_is_found(elevation: float) -> None:
    view = View(elevation_deg=elevation, south=ImageSide.LEFT, swing_deg=12)
    picture = photograph(CROWDED, seed=5, view=view)
    assert off(found(picture.image, view.south), picture) < CLEAR


def test_the_board_is_found_with_a_corner_hidden_or_out_of_the_frame() -> None:
    view = View(elevation_deg=55, swing_deg=15)
    picture = photograph(EMPTY, seed=7, view=view)
    assert picture.truth.board is not None
    hidden = picture.image.copy()
    x, y = np.round(picture.truth.board.corners[1]).astype(int).tolist()
    cv2.circle(hidden, (x, y), 110, (60, 120, 170), -1)
    assert off(found(hidden, view.south), picture) < CLEAR
    right = int(picture.truth.board.corners[1, 0]) - 25
    cut = np.ascontiguousarray(picture.image[:, :right])
    assert off(found(cut, view.south), picture) < CLEAR


def test_a_shadow_across_the_board_does_not_hide_it() -> None:
    view = View(elevation_deg=60, swing_deg=-10)
    picture = photograph(EMPTY, seed=11, view=view)
    shade = np.ones(picture.image.shape[:2], np.float32)
    cv2.fillConvexPoly(shade, np.array([[0, 200], [1279, 420], [1279, 700], [0, 560]]), 0.45)
    shadowed = (picture.image * cv2.GaussianBlur(shade, (0, 0), 4)[..., None]).astype(np.uint8)
    assert off(found(shadowed, view.south), picture) < CLEAR


def test_corners_marked_by_hand_serve_in_any_order() -> None:
    view = View(elevation_deg=50, south=ImageSide.RIGHT, swing_deg=20)
    picture = photograph(EMPTY, seed=2, view=view)
    assert picture.truth.board is not None
    rough = picture.truth.board.corners + np.array([[4, -3], [-3, 2], [2, 4], [-4, -2]])
    for order in ([0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0]):
        board = board_marked(picture.image, rough[order], view.south)
        assert board is not None
        assert off(board, picture) < CLEAR


@pytest.mark.parametrize(
    "corners",
    [
        [[100, 100], [100, 100], [400, 400], [100, 400]],
        [[100, 100], [200, 200], [300, 300], [400, 400]],
        [[100, 100], [400, 100], [200, 180], [100, 400]],
        [[np.nan, 100], [400, 100], [400, 400], [100, 400]],
    ],
)
def test_marks_that_make_no_board_are_refused(corners: list[list[float]]) -> None:
    image = np.full((480, 640, 3), 200, np.uint8)
    assert board_marked(image, np.array(corners, dtype=np.float64), ImageSide.BOTTOM) is None


def test_bare_tables_and_noise_hold_no_board() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (480, 640, 3)).astype(np.uint8)
    for image in (np.full((480, 640, 3), 120, np.uint8), noise):
        assert find_board(image, ImageSide.BOTTOM) is None


def seen(camera: Camera) -> Array:
    """(3, 3) from fields to px as a camera sees them."""
    return np.asarray(camera.homography() @ fields_to_mm(FIELD))


@settings(max_examples=40)
@given(
    elevation=st.floats(36, 76),
    swing=st.floats(-25, 25),
    focal=st.floats(700, 1500),
    distance=st.floats(380, 800),
)
def test_the_camera_is_recovered_from_the_fields(
    elevation: float, swing: float, focal: float, distance: float
) -> None:
    camera = Camera.looking_at(
        (8, -5), azimuth_deg=270 + swing, elevation_deg=elevation, distance=distance, focal=focal, size=(1280, 960)
    )
    again = camera_over(seen(camera), camera.size, FIELD)
    assert abs(again.elevation_deg - elevation) < 1.5
    points = np.array([[x, y, 24.0] for x in (-100, 0, 100) for y in (-100, 0, 100)])
    assert np.linalg.norm(again.project(points) - camera.project(points), axis=1).max() < 2.5


@settings(max_examples=40)
@given(elevation=st.floats(36, 76), focal=st.floats(700, 1500), bend=st.floats(-0.1, 0.1), stray=st.integers(0, 48))
def test_the_camera_is_settled_by_the_crossings_but_for_a_stray_one(
    elevation: float, focal: float, bend: float, stray: int
) -> None:
    camera = Camera.looking_at(
        (8, -5),
        azimuth_deg=280,
        elevation_deg=elevation,
        distance=500,
        focal=focal,
        size=(1280, 960),
        dist=np.array([bend, 0, 0, 0, 0]),
    )
    ground = apply(fields_to_mm(FIELD), np.array(list(np.ndindex(7, 7)), dtype=np.float64))
    pixels = camera.project(np.column_stack([ground, np.zeros(len(ground))]))
    pixels[stray] += 30.0
    again = camera_from_points(camera_over(seen(camera), camera.size, FIELD), ground, pixels)
    points = np.array([[x, y, 24.0] for x in (-100, 0, 100) for y in (-100, 0, 100)])
    assert np.linalg.norm(again.project(points) - camera.project(points), axis=1).max() < 1.5


def test_from_straight_above_the_usual_lens_is_assumed() -> None:
    camera = Camera.looking_at((0, 0), azimuth_deg=270, elevation_deg=90, distance=500, focal=1000, size=(1280, 960))
    again = camera_over(seen(camera), camera.size, FIELD)
    assert again.focal == pytest.approx(0.785 * 1280, rel=0.02)
    corners = np.array([[0, 0], [6, 0], [6, 6], [0, 6]], dtype=np.float64)
    ground = np.column_stack([apply(fields_to_mm(FIELD), corners), np.zeros(4)])
    assert np.allclose(again.project(ground), camera.project(ground), atol=0.5)
