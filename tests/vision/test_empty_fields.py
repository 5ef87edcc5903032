"""Where a field shows plastic and no ship is believed, ships of all sizes are guessed, both ways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from board_eyes import ALL_FIELDS, GREY, SIZE, BoardEyes, camera, ships_on

from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.fusing.empty_fields import ships_on_empty_fields
from vision.fusing.expecting import looked_again
from vision.fusing.field_width import OFFICIAL_FIELD
from vision.fusing.table_fit import TableFit, fit_table
from vision.sight import ImageSide
from vision.solids import Array

EACH = 6  # three sizes, two ways


def board(elevation: float, overlooked: list[tuple[int, int]]) -> tuple[BoardEyes, Detections, TableFit]:
    eyes = BoardEyes(ships_on(ALL_FIELDS[::2]), camera(elevation), OFFICIAL_FIELD, overlooked=overlooked)
    seen = eyes.look(eyes.lit(GREY))
    fit = fit_table(seen, SIZE, ImageSide.BOTTOM, camera=eyes.camera)
    assert fit is not None
    return eyes, seen, fit


@pytest.mark.parametrize("elevation", [35, 60, 85])
@pytest.mark.parametrize("overlooked", [[(0, 0)], [(2, 2), (5, 4)]])
def test_a_ship_that_was_overlooked_is_guessed_where_it_lies(
    elevation: float, overlooked: list[tuple[int, int]]
) -> None:
    eyes, seen, fit = board(elevation, overlooked)
    guesses = ships_on_empty_fields(seen, fit, np.ones(len(seen)), OFFICIAL_FIELD)
    if elevation >= 60:  # lower down ships lean over the fields behind them, so that plastic shows there, too
        assert len(guesses) == EACH * len(overlooked)
    eyes.overlooked = ()
    everyone = eyes.look(eyes.lit(GREY)).corners
    missed = np.abs(everyone[:, None] - seen.corners).sum(axis=(2, 3)).min(axis=1) > 1
    assert missed.sum() == len(overlooked)
    for ship in everyone[missed]:
        apart = np.linalg.norm(guesses - ship, axis=2).mean(axis=1)
        assert apart.min() < 0.25 * np.linalg.norm(np.ptp(ship, axis=0))


def test_who_is_not_believed_does_not_take_a_field() -> None:
    _, seen, fit = board(60, [])
    assert ships_on_empty_fields(seen, fit, np.ones(len(seen)), OFFICIAL_FIELD).shape == (0, 5, 2)
    likely = np.ones(len(seen))
    likely[3] = 0.2
    assert len(ships_on_empty_fields(seen, fit, likely, OFFICIAL_FIELD)) == EACH


def with_corners_of_its_field(seen: Detections, which: int) -> Detections:
    """The same, but for one ship with a base as wide as its field: a small one on a field of its colour seems so."""
    corners = seen.corners.copy()
    corners[which, 1:] = corners[which].mean(axis=0) + 2.2 * (corners[which, 1:] - corners[which].mean(axis=0))
    return replace(seen, corners=corners)


def test_who_fits_badly_does_not_take_a_field() -> None:
    eyes, seen, _ = board(60, [])
    seen = with_corners_of_its_field(seen, 4)
    fit = fit_table(seen, SIZE, ImageSide.BOTTOM, camera=eyes.camera)
    assert fit is not None
    assert len(ships_on_empty_fields(seen, fit, np.ones(len(seen)), OFFICIAL_FIELD)) == EACH


class StubbornEyes(BoardEyes):
    """Eyes that, asked about what they told, say the same again."""

    def look_again(self, seen: Detections, expected: Array, lit: Halvings) -> Detections:
        """As it was told."""
        assert len(seen) == len(expected)
        assert lit.image.shape[1::-1] == SIZE
        return seen


def test_a_ship_told_with_the_corners_of_its_field_is_told_again_as_it_lies() -> None:
    eyes = StubbornEyes(ships_on(ALL_FIELDS[::2]), camera(60), OFFICIAL_FIELD)
    right = eyes.look(eyes.lit(GREY))
    seen = with_corners_of_its_field(right, 4)

    def fitting(told: Detections) -> TableFit | None:
        return fit_table(told, SIZE, ImageSide.BOTTOM, camera=eyes.camera)

    fit = fitting(seen)
    assert fit is not None
    again, table = looked_again(seen, fit, GREY, eyes.lit(GREY), eyes, fitting, OFFICIAL_FIELD)
    off = np.linalg.norm(again.corners - right.corners[4], axis=2).mean(axis=1)
    assert off.min() < 2
    pose = table.poses[int(off.argmin())]
    assert pose is not None
    assert pose.size is eyes.ships[4][2]


def test_where_no_plastic_shows_nothing_is_asked() -> None:
    _, seen, fit = board(60, [(2, 2)])
    bare = replace(seen, plastic=np.zeros_like(seen.plastic))
    assert not len(ships_on_empty_fields(bare, fit, np.zeros(len(seen)), OFFICIAL_FIELD))


def test_pieces_of_which_nothing_is_known_are_where_they_are_asked_about() -> None:
    _, seen, _ = board(60, [])
    corners = seen.corners[:4] + 50
    for told in (seen.unknown(corners), seen.only([]).unknown(corners)):
        np.testing.assert_array_equal(told.corners, corners)
        np.testing.assert_allclose(told.centers, corners.mean(axis=1))
        assert told.colors.shape == (4, seen.colors.shape[1])
        assert len(told) == len(told.pips) == len(told.under) == 4
    assert not len(seen.unknown(corners[:0]))


@pytest.mark.parametrize("fields", [[(2, 2)], [(0, 5), (3, 1)]])
def test_a_board_is_asked_about_where_nobody_told_a_ship_at_all(fields: list[tuple[int, int]]) -> None:
    """A bare board with something on it that is of no use to find the board."""
    eyes = BoardEyes(ships_on(fields), camera(60), OFFICIAL_FIELD, overlooked=fields)
    nobody = eyes.look(eyes.lit(GREY))
    assert not len(nobody)
    fit = fit_table(nobody, SIZE, ImageSide.BOTTOM, camera=eyes.camera)
    assert fit is not None
    again, _ = looked_again(
        nobody,
        fit,
        GREY,
        eyes.lit(GREY),
        eyes,
        lambda seen: fit_table(seen, SIZE, ImageSide.BOTTOM, camera=eyes.camera),
        OFFICIAL_FIELD,
    )
    assert len(again) == len(fields)
