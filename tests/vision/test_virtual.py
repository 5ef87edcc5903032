"""The virtual table: repeatable pictures, and a truth that the pixels bear out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion_app.samples import layout_of, random_homeworlds, random_settlers
from vision.finding.footprints import footprint_of
from vision.poses import Pose
from vision.sight import ImageSide, Role, Seat
from vision.solids import Color, Posture, Size
from vision.virtual import (
    BOARDS,
    TABLES,
    BoardLayout,
    Picture,
    ShipSpec,
    SystemsLayout,
    View,
    photograph,
)
from vision.virtual.arrange import PlacedPiece, arrange_board, arrange_systems
from vision.virtual.tables import TILE, table_top, texture_to_mm

SEEDS = range(5)


@cache
def homeworlds_picture(seed: int) -> Picture:
    """The virtual photograph number *seed* of a sample game of Homeworlds."""
    return photograph(layout_of(random_homeworlds(seed)), seed=seed)


@cache
def settlers_picture(seed: int) -> Picture:
    """The virtual photograph number *seed* of a sample game of Settlers."""
    return photograph(layout_of(random_settlers(seed)), seed=seed)


PICTURES = [(make, seed) for make in (homeworlds_picture, settlers_picture) for seed in SEEDS]
HUES = {Color.RED: (340, 20), Color.YELLOW: (30, 70), Color.GREEN: (85, 160), Color.BLUE: (205, 275)}

pictures = pytest.mark.parametrize(
    "picture", [pytest.param(make(seed), id=f"{make.__name__} {seed}") for make, seed in PICTURES]
)


def test_same_seed_same_bytes() -> None:
    layout = layout_of(random_settlers(3))
    one, other = photograph(layout, seed=3), photograph(layout, seed=3)
    assert one.image.tobytes() == other.image.tobytes()
    assert one.truth.pieces == other.truth.pieces
    assert photograph(layout, seed=4).image.tobytes() != one.image.tobytes()


@pictures
def test_all_thirty_six_pieces_are_there(picture: Picture) -> None:
    kinds = Counter((piece.color, piece.size) for piece in picture.truth.pieces)
    assert kinds == {(color, size): 3 for color in Color for size in Size}
    assert picture.image.shape == (960, 1280, 3)
    assert picture.truth.size == (1280, 960)


@pictures
def test_everything_is_in_the_frame(picture: Picture) -> None:
    corners = np.concatenate([np.array(piece.outline) for piece in picture.truth.pieces])
    assert corners.min() >= 0
    assert (corners < np.array(picture.truth.size) - 1).all()
    if picture.truth.board is not None:
        assert picture.truth.board.corners.min() >= 0
        assert (picture.truth.board.corners < np.array(picture.truth.size) - 1).all()


@pictures
def test_visible_shares_are_shares(picture: Picture) -> None:
    assert picture.visible.shape == (len(picture.truth.pieces),)
    assert picture.visible.min() >= 0
    assert picture.visible.max() <= 1
    assert np.mean(picture.visible > 0.9) > 0.4


@pictures
def test_outlines_show_the_colour_that_the_truth_says(picture: Picture) -> None:
    for piece, share in zip(picture.truth.pieces, picture.visible, strict=True):
        if share > 0.9:
            low, high = HUES[piece.color]
            hue = _hue_inside(picture, np.array(piece.outline))
            assert (low <= hue <= high) if low < high else (hue >= low or hue <= high), (piece, hue)


@pictures
def test_ships_point_away_from_their_owners(picture: Picture) -> None:
    for piece in picture.truth.pieces:
        if piece.role is Role.SHIP:
            assert piece.heading_deg is not None
            assert piece.posture is Posture.LYING
            straight = 90 if piece.owner is Seat.SOUTH else 270
            assert abs(piece.heading_deg - straight) <= 25
        else:
            assert (piece.heading_deg, piece.posture, piece.owner) == (None, Posture.UPRIGHT, None)


@pictures
def test_centres_and_tips_belong_to_their_outlines(picture: Picture) -> None:
    for piece, visible in zip(picture.truth.pieces, picture.visible, strict=True):
        outline = np.array(piece.outline)
        low, high = outline.min(0), outline.max(0)
        assert (low - 1 <= piece.center).all()
        assert (piece.center <= high + 1).all()
        if visible > 0.99:
            np.testing.assert_allclose(piece.center, (low + high) / 2, atol=0.1 * float(np.linalg.norm(high - low)))
        assert cv2.pointPolygonTest(outline.astype(np.float32), piece.tip, True) > -0.05


def test_the_centre_of_a_star_beneath_another_is_on_the_rim_that_shows() -> None:
    picture = photograph(layout_of(random_homeworlds(0)), view=View(elevation_deg=30))
    lower = [
        (piece, np.array(upper.outline, np.float32))
        for system in picture.truth.systems
        if len(system.stars) == 2
        for piece, upper in [[picture.truth.pieces[index] for index in system.stars]]
        if piece.place == upper.place
    ]
    assert lower
    for piece, upper in lower:
        assert cv2.pointPolygonTest(upper, piece.center, True) < 0.1 * np.ptp(upper[:, 1])


@pytest.mark.parametrize("seed", SEEDS)
def test_systems_list_their_own_pieces(seed: int) -> None:
    position, truth = random_homeworlds(seed), homeworlds_picture(seed).truth
    assert len(truth.systems) == len(position.systems)
    for number, system in enumerate(truth.systems):
        assert all(truth.pieces[index].role is Role.STAR for index in system.stars)
        assert all(truth.pieces[index].role is Role.SHIP for index in system.ships)
        assert {truth.pieces[index].system for index in (*system.stars, *system.ships)} == {number}
    homes = Counter(system.home for system in truth.systems)
    assert homes[Seat.SOUTH] == homes[Seat.NORTH] == 1
    assert all((len(system.stars) == 2) == (system.home is not None) for system in truth.systems)
    listed = [index for system in truth.systems for index in (*system.stars, *system.ships)]
    assert len(listed) == len(set(listed)) == len(truth.pieces) - len(_waiting(homeworlds_picture(seed)))


@pytest.mark.parametrize("south", ImageSide)
def test_south_sits_at_the_side_asked_for(south: ImageSide) -> None:
    """a1 is nearest to South, f6 farthest, and South sees f1 at the right."""
    layout = layout_of(random_settlers(1))
    truth = photograph(layout, seed=1, view=View(south=south, swing_deg=10, roll_deg=3, width=640, height=480)).truth
    assert truth.board is not None
    down = np.array(south.direction, dtype=np.float64)
    right = np.array([down[1], -down[0]])
    a1, f1, f6, a6 = truth.board.corners
    assert np.argmax(truth.board.corners @ down) == 0
    assert np.argmin(truth.board.corners @ down) == 2
    assert np.argmax(truth.board.corners @ right) == 1
    assert (a1 - f6) @ down > 0
    assert (f1 - a6) @ right > 0
    ships = [piece for piece in truth.pieces if piece.role is Role.SHIP]
    assert ships
    for piece in ships:
        away = np.array(piece.tip) - piece.center
        assert (away @ down < 0) == (piece.owner is Seat.SOUTH)


@pytest.mark.parametrize("seed", range(12))
def test_no_piece_stands_in_another(seed: int) -> None:
    """On free tables; ships of neighbouring fields are longer than their fields and may brush each other."""
    standing = [piece for piece in _set_out(layout_of(random_homeworlds(seed)), seed) if piece.level == 0]
    for i, one in enumerate(standing):
        for other in standing[:i]:
            assert _overlap(one.pose, other.pose) < 0.1, (one, other)


def test_careful_players_lay_straight() -> None:
    layout = SystemsLayout((), {})
    assert _set_out(layout, 0) == []
    board = BoardLayout({(0, 0): ShipSpec(Color.RED, Size.LARGE, Seat.NORTH)}, {})
    placed = arrange_board(board, np.random.default_rng(0), 0.0)
    assert [(piece.pose.heading_deg, piece.cell) for piece in placed] == [(270.0, (0, 0))]


def test_pieces_lie_on_their_fields() -> None:
    for seed in SEEDS:
        picture = settlers_picture(seed)
        corners = picture.truth.board.corners if picture.truth.board else np.zeros((4, 2))
        square = np.array([[0, 0], [6, 0], [6, 6], [0, 6]], dtype=np.float32)
        H = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
        for piece in picture.truth.pieces:
            if piece.cell is not None and piece.place is not None:
                pixel = picture.camera.project(np.array([*piece.place, 0.0]))
                file, rank = cv2.perspectiveTransform(pixel[None, None].astype(np.float32), H)[0, 0]
                assert (int(file), int(rank)) == piece.cell


@pytest.mark.parametrize("name", TABLES)
def test_every_table_has_its_colour(name: str) -> None:
    top = table_top(name, np.random.default_rng(0))
    red, green, blue = TABLES[name][0]
    np.testing.assert_allclose(np.median(top.reshape(-1, 3), axis=0), (blue, green, red), atol=14)
    middle = texture_to_mm() @ (top.shape[1] / 2, top.shape[0] / 2, 1)
    np.testing.assert_allclose(middle, (0, 0, 1))
    assert top.shape[0] / 2 * 2 * texture_to_mm()[0, 0] == pytest.approx(TILE)


@pytest.mark.parametrize("board", BOARDS)
def test_south_s_near_corner_is_dark_on_every_board(board: str) -> None:
    view = View(elevation_deg=90, board=board, sloppiness=0, noise=0, width=640, height=480)
    picture = photograph(BoardLayout({}, {}), seed=0, view=view)
    assert picture.truth.board is not None
    a1, f1, f6, a6 = picture.truth.board.corners
    grey = cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY)

    def brightness(file: int, rank: int) -> int:
        x, y = a1 + (f1 - a1) * (file + 0.5) / 6 + (a6 - a1) * (rank + 0.5) / 6
        return int(grey[round(y), round(x)])

    dark = max(brightness(file, rank) for file in range(6) for rank in range(6) if (file + rank) % 2 == 0)
    light = min(brightness(file, rank) for file in range(6) for rank in range(6) if (file + rank) % 2)
    assert dark + 30 < light
    np.testing.assert_allclose(a1 + f6, f1 + a6, atol=1e-6)


def test_random_views_vary() -> None:
    views = [View.random(seed) for seed in range(100)]
    assert {view.south for view in views} == set(ImageSide)
    assert {view.table for view in views} == set(TABLES)
    assert {view.board for view in views} == set(BOARDS)
    assert all(35 <= view.elevation_deg <= 90 for view in views)
    assert View.random(5) == View.random(5)
    assert replace(View.random(5), width=640) != View.random(5)


def _set_out(layout: BoardLayout | SystemsLayout, seed: int) -> list[PlacedPiece]:
    rng = np.random.default_rng(seed)
    if isinstance(layout, BoardLayout):
        return arrange_board(layout, rng, 1.0)
    return arrange_systems(layout, rng, 1.0)


def _overlap(one: Pose, other: Pose) -> float:
    """mm² that two footprints share."""
    first, second = (footprint_of(pose).corners.astype(np.float32) for pose in (one, other))
    return float(cv2.intersectConvexConvex(first, second)[0])


def _waiting(picture: Picture) -> list[int]:
    return [index for index, piece in enumerate(picture.truth.pieces) if piece.role is Role.BANK]


def _hue_inside(picture: Picture, outline: np.ndarray) -> float:
    """Median hue in degrees well inside an outline, red counted around 0."""
    mask = np.zeros(picture.image.shape[:2], np.uint8)
    middle = outline.mean(axis=0)
    cv2.fillConvexPoly(mask, np.round(middle + (outline - middle) * 0.7).astype(np.int32), 255)
    hues = cv2.cvtColor(picture.image, cv2.COLOR_BGR2HSV)[mask > 0][:, 0] * 2.0
    return float(np.median((hues + 60) % 360) - 60) % 360
