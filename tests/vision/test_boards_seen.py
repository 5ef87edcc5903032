"""Boards that are hard to see: full ones from a low seat, lines that go on beside them, fields of any width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from board_eyes import ALL_FIELDS, GREY, KIT, SIZE, BoardEyes, Ship, camera, ships_on

from companion_app.reading import reading_of
from companion_app.reading_types import Ask, Game, Verdict
from vision.eyes.halvings import Halvings
from vision.fusing.board_choice import best_place, ships_beside
from vision.fusing.field_width import OFFICIAL_FIELD
from vision.fusing.presence import gathered, weighed
from vision.fusing.table_fit import fit_table
from vision.look_board import look_board
from vision.sight import ImageSide, Role, Sight
from vision.solids import Color, Posture, Size


def read(eyes: BoardEyes) -> Sight:
    sight = look_board(GREY, eyes, south=ImageSide.BOTTOM, kit=KIT)
    assert sight.trouble is None
    return sight


def placed(sight: Sight) -> set[Ship]:
    """What was read on each field; the grey picture does not tell which end is whose."""
    return {(piece.cell, piece.color, piece.size) for piece in sight.pieces if piece.cell is not None}


def turned(ships: Sequence[Ship]) -> list[set[Ship]]:
    """The ships as either player sees them."""
    return [set(ships), {((5 - file, 5 - rank), color, size) for (file, rank), color, size in ships}]


@pytest.mark.parametrize("elevation", [26, 34, 50])
def test_a_full_board_is_found_by_its_ships_where_they_hide_its_lines(elevation: float) -> None:
    ships = ships_on(ALL_FIELDS)
    assert placed(read(BoardEyes(ships, camera(elevation), OFFICIAL_FIELD))) in turned(ships)


@pytest.mark.parametrize("along", [-1, 7])
def test_lines_that_go_on_beside_the_board_do_not_shift_it(along: int) -> None:
    ships = ships_on(ALL_FIELDS[::2])
    strays = [(along, v) for v in range(7)]
    assert placed(read(BoardEyes(ships, camera(60), OFFICIAL_FIELD, strays))) in turned(ships)


@pytest.mark.parametrize("beside", [[-1], [6, 7, 8], [-2, -1, 7]])
def test_of_many_squares_of_a_chequered_cloth_the_board_is_the_one_with_the_ships(beside: list[int]) -> None:
    ships = ships_on([*ALL_FIELDS[::2], (0, 5), (5, 5)])  # on all four corners, too
    strays = [(u, v) for u in beside for v in range(7)] + [(u, beside[0]) for u in range(7)]
    eyes = BoardEyes(ships, camera(60), OFFICIAL_FIELD, strays, on_checks=True)
    assert placed(read(eyes)) in turned(ships)


@pytest.mark.parametrize("width", [0.9, 1.3])
def test_a_chequered_cloth_under_a_board_has_no_ships_on_its_squares(width: float) -> None:
    """The ships hide most crossings of the board, none of the cloth."""
    ships = ships_on(ALL_FIELDS[::2])
    turn = np.array([[0.82, 0.57], [-0.57, 0.82]]) * width
    cloth = np.array([(u, v) for u in range(-9, 10) for v in range(-9, 10)]) @ turn + 3.3
    around = [(u, v) for u, v in cloth.tolist() if not (-0.2 < u < 6.2 and -0.2 < v < 6.2)]
    eyes = BoardEyes(ships, camera(60), OFFICIAL_FIELD, around, on_checks=True)
    assert placed(read(eyes)) in turned(ships)


def test_boards_of_which_only_a_line_is_seen_are_none() -> None:
    seen = BoardEyes(ships_on(ALL_FIELDS[::2]), camera(60), OFFICIAL_FIELD).look(Halvings(GREY))
    flat = [np.array([[0, 0], [x, x], [2 * x, 2 * x], [x, x]], dtype=np.float64) for x in (0.0, 100.0, 300.0)]
    assert best_place(flat, seen, SIZE, closely=3) is None
    assert ships_beside(np.zeros((3, 3)), seen) == 1.0


@pytest.mark.parametrize("field_mm", [30.0, 34.29, 38.5, 44.0])
@pytest.mark.parametrize("elevation", [35, 80])
def test_boards_made_at_home_have_fields_of_any_width(field_mm: float, elevation: float) -> None:
    ships = ships_on(ALL_FIELDS[::3])
    sight = read(BoardEyes(ships, camera(elevation, 560.0), field_mm))
    assert sight.board is not None
    assert sight.board.field_mm == pytest.approx(field_mm, rel=0.05)
    assert placed(sight) in turned(ships)


def test_pips_tell_how_wide_fields_are_where_all_ships_are_of_one_size() -> None:
    """By their scale alone large ships on fields as wide as these are medium ones on official fields."""
    field_mm = OFFICIAL_FIELD * Size.LARGE.base / Size.MEDIUM.base
    ships = [(field, color, Size.LARGE) for field, color in zip(ALL_FIELDS[::4], list(Color) * 3, strict=False)]
    by_scale, by_pips = (read(BoardEyes(ships, camera(50, 560.0), field_mm, pips=pips)) for pips in (0.0, 6.0))
    assert by_scale.board is not None
    assert by_scale.board.field_mm == pytest.approx(OFFICIAL_FIELD, rel=0.05)
    assert by_pips.board is not None
    assert by_pips.board.field_mm == pytest.approx(field_mm, rel=0.05)
    assert placed(by_pips) in turned(ships)


def test_a_ship_in_the_middle_of_a_field_is_likelier_than_one_between_fields() -> None:
    """Of ships of which the eyes are not sure: where they are, fields need not say anything."""
    eyes = BoardEyes(ships_on(ALL_FIELDS[::4]), camera(50), OFFICIAL_FIELD)
    hardly = np.full(9, 0.3)
    seen = replace(eyes.look(Halvings(GREY)), score=hardly, glance=hardly, closer=hardly)
    fit = fit_table(seen, SIZE, ImageSide.BOTTOM, camera=eyes.camera)
    assert fit is not None
    between = OFFICIAL_FIELD / np.sqrt(2)  # half a field along and half a field across
    beside = replace(fit, poses=tuple(pose and replace(pose, y=pose.y + between) for pose in fit.poses))
    there, less = (weighed(gathered(seen, each, GREY, OFFICIAL_FIELD)).score for each in (fit, beside))
    assert (there > less).all()
    one, same = (weighed(gathered(seen, each, GREY)).score for each in (fit, beside))
    np.testing.assert_allclose(one, same, atol=1e-6)  # without a board


@pytest.mark.parametrize("elevation", [35, 50, 80])
def test_a_blurred_ship_on_a_field_is_not_taken_for_one_that_stands(elevation: float) -> None:
    ships = ships_on(ALL_FIELDS[::2])
    eyes = BoardEyes(ships, camera(elevation), OFFICIAL_FIELD, blurred=ALL_FIELDS[:12:4])
    assert {ship[0] for ship in placed(read(eyes))} == {ship[0] for ship in ships}


@pytest.mark.parametrize("field", [(0, 0), (2, 2), (5, 1)])
def test_what_really_stands_on_a_field_is_not_taken_for_a_piece_of_the_bank(field: tuple[int, int]) -> None:
    ships = ships_on([*ALL_FIELDS[::2], (5, 1)])
    sight = read(BoardEyes(ships, camera(50), OFFICIAL_FIELD, standing=[field]))
    (stands,) = [piece for piece in sight.pieces if piece.posture is Posture.UPRIGHT]
    assert (stands.role, stands.cell) == (Role.LOOSE, None)
    reading = reading_of(sight, Game.SETTLERS)
    assert Ask.ROLE in {question.ask for question in reading.questions}
    assert reading.verdict is Verdict.CHECK


@pytest.mark.parametrize("overlooked", [[(0, 0)], [(2, 2), (5, 1)]])
def test_ships_that_were_overlooked_are_found_where_a_field_shows_plastic(overlooked: list[tuple[int, int]]) -> None:
    ships = ships_on([*ALL_FIELDS[::2], (5, 1)])
    told = BoardEyes(ships, camera(60), OFFICIAL_FIELD, overlooked=overlooked)
    assert placed(read(told)) in turned(ships)
