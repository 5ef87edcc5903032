"""What lies on the fields is read exactly, and doubts and limits are honest."""

from __future__ import annotations

import numpy as np
import pytest

from companion_app.samples import layout_of, random_settlers
from vision.finding.colors import COLORS
from vision.finding.fields_kit import chances, within_kit
from vision.finding.fields_scene import Guess
from vision.finding.fields_shapes import CELLS, Patch, cell_center, owner_of
from vision.poses import Pose
from vision.see_board import BAD_CORNERS, NO_BOARD, see_board
from vision.sight import ImageSide, Role, Seat, Sight
from vision.solids import Color, Posture, Size
from vision.virtual import FIELD, BoardLayout, ShipSpec, View, photograph

KIT = {(color, size): 3 for color in Color for size in Size}

Fields = dict[tuple[int, int], tuple[Color, Size, Seat | None]]


def fields_of(sight: Sight) -> Fields:
    """What lies on each field that is not empty."""
    return {p.cell: (p.color, p.size, p.owner) for p in sight.pieces if p.cell is not None}


@pytest.mark.parametrize("seed", [0, 7, 12, 20, 30])
def test_random_boards_are_read_exactly(seed: int) -> None:
    picture = photograph(layout_of(random_settlers(seed)), seed=seed)
    sight = see_board(picture.image, south=View.random(seed).south, kit=KIT)
    assert fields_of(sight) == fields_of(picture.truth)
    assert {"board", "camera", "fields"} <= set(sight.seconds)
    truth = {piece.cell: piece for piece in picture.truth.pieces}
    for piece in sight.pieces:
        if piece.cell is not None:
            assert piece.role is Role.SHIP
            assert 0.3 < piece.confidence < 1
            assert sum(other.probability for other in piece.alternatives) + piece.confidence <= 1
            assert np.linalg.norm(np.subtract(piece.center, truth[piece.cell].center)) < 12


def test_an_empty_board_is_empty() -> None:
    picture = photograph(BoardLayout({}), seed=4, view=View(elevation_deg=48, table="felt", board="wooden"))
    sight = see_board(picture.image, kit=KIT)
    assert fields_of(sight) == {}
    assert sight.board is not None
    assert sight.trouble is None


def test_large_photographs_give_their_own_pixels() -> None:
    layout = BoardLayout({(2, 3): ShipSpec(Color.BLUE, Size.LARGE, Seat.NORTH)})
    picture = photograph(layout, seed=6, view=View(width=2560, height=1920, swing_deg=8))
    sight = see_board(picture.image, kit=KIT)
    assert sight.size == (2560, 1920)
    assert fields_of(sight) == {(2, 3): (Color.BLUE, Size.LARGE, Seat.NORTH)}
    assert np.linalg.norm(np.subtract(sight.pieces[0].tip, picture.truth.pieces[0].tip)) < 16


def test_corners_by_hand_lead_to_the_same_fields() -> None:
    picture = photograph(layout_of(random_settlers(9)), seed=9)
    assert picture.truth.board is not None
    marks = picture.truth.board.corners[[2, 0, 3, 1]] + 2.0
    sight = see_board(picture.image, south=View.random(9).south, kit=KIT, corners=marks)
    assert fields_of(sight) == fields_of(picture.truth)


def test_without_a_board_it_says_what_to_do() -> None:
    image = np.full((480, 640, 3), 140, np.uint8)
    assert see_board(image, kit=KIT).trouble == NO_BOARD
    assert see_board(image, kit=KIT, corners=np.zeros((4, 2))).trouble == BAD_CORNERS


def test_turning_the_table_turns_the_owners() -> None:
    layout = BoardLayout({(1, 1): ShipSpec(Color.RED, Size.MEDIUM, Seat.SOUTH)})
    picture = photograph(layout, seed=1, view=View(elevation_deg=65))
    assert fields_of(see_board(picture.image, south=ImageSide.TOP, kit=KIT)) == {
        (4, 4): (Color.RED, Size.MEDIUM, Seat.NORTH)
    }


def guess(cell: tuple[int, int], color: Color, size: Size, worth: float) -> Guess:
    pose = Pose(size, Posture.LYING, *cell_center(cell, FIELD), 90.0)
    return Guess(cell, COLORS.index(color), pose, Patch(np.ones((1, 1), np.uint8), (0, 0)), worth)


def test_the_closest_call_gives_way_when_there_are_too_many_of_a_kind() -> None:
    fields = {
        (i, 0): [guess((i, 0), Color.RED, Size.LARGE, 2.0), guess((i, 0), Color.RED, Size.MEDIUM, 1.9 - i / 10)]
        for i in range(4)
    }
    sizes = [guesses[0].pose.size for _, guesses in sorted(within_kit(fields, KIT).items())]
    assert sizes == [Size.MEDIUM, Size.LARGE, Size.LARGE, Size.LARGE]


def test_what_cannot_give_way_stays_as_seen() -> None:
    fields = {(i, 0): [guess((i, 0), Color.RED, Size.LARGE, 2.0)] for i in range(4)}
    assert within_kit(fields, KIT) == fields


def test_close_calls_are_doubtful_and_clear_ones_are_not() -> None:
    close = chances([guess((0, 0), Color.RED, Size.LARGE, 1.0), guess((0, 0), Color.RED, Size.MEDIUM, 1.0)])
    clear = chances([guess((0, 0), Color.RED, Size.LARGE, 2.0), guess((0, 0), Color.RED, Size.MEDIUM, 1.0)])
    assert close[0] == pytest.approx(close[1])
    assert clear[0] > 0.99
    assert all(sum(shares) < 1 for shares in (close, clear))


def test_fields_lie_along_the_diagonals() -> None:
    assert len(CELLS) == 36
    assert cell_center((0, 0), FIELD)[1] < cell_center((5, 5), FIELD)[1]
    assert cell_center((5, 0), FIELD)[0] > 0 > cell_center((0, 5), FIELD)[0]
    assert owner_of(Pose(Size.SMALL, Posture.LYING, 0, 0, 110)) is Seat.SOUTH
    assert owner_of(Pose(Size.SMALL, Posture.LYING, 0, 0, 250)) is Seat.NORTH
