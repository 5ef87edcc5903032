"""Something has come beside a system that nobody read: where, and of which colour."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from remembered_tables import gone, laid_game, laid_table, memory_of, misread, seen_from, shot

from companion_app.live.laying import Laid
from companion_app.photos import Photo
from companion_app.reading_types import Game, Reading
from vision.sight import Role
from vision.solids import Color

LAID = laid_table(Game.HOMEWORLDS)
SHADES = {
    Color.RED: (35, 30, 200),
    Color.YELLOW: (40, 190, 215),
    Color.GREEN: (45, 125, 25),
    Color.BLUE: (170, 75, 25),
}
"""Blue, green and red of the pieces on the table."""


def with_spot(number: int, shade: tuple[int, int, int]) -> Photo:
    """The table with a spot beside the first star of a system, on the bare table."""
    outlines = [np.array(piece.outline, np.float32) for piece in LAID.reading.pieces]
    star = next(
        np.array(one.outline) for one in LAID.reading.pieces if one.system == number and one.role is Role.STAR
    )
    for away in range(12, 60):
        for x, y in star.mean(0) + away * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)]):
            if all(cv2.pointPolygonTest(cv2.convexHull(one), (x, y), True) < -12 for one in outlines):
                spotted = cv2.circle(LAID.picture.copy(), (round(x), round(y)), 7, shade, -1)
                return np.asarray(spotted, np.uint8)
    raise AssertionError("no room for a spot")


def noticed(picture: Photo, reading: Reading = LAID.reading, known: Laid = LAID) -> frozenset[tuple[int, Color]]:
    return memory_of(known).recalled(shot(picture, 2), reading).noticed


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_what_has_come_beside_a_system_is_noticed_with_its_colour(number: int, color: Color) -> None:
    assert noticed(with_spot(number, SHADES[color])) == {(number, color)}


@pytest.mark.parametrize("shade", [(150, 150, 150), (90, 110, 120), (230, 235, 240)])
def test_what_has_none_of_the_colours_of_pieces_is_not(shade: tuple[int, int, int]) -> None:
    assert noticed(with_spot(2, shade)) == frozenset()


def test_after_a_bump_nothing_is_noticed() -> None:
    picture = with_spot(2, SHADES[Color.RED])
    bumped = seen_from((0.02, -0.015, 1.0), LAID)
    memory = memory_of(LAID).moved_to(shot(bumped.picture, 3))
    assert memory is not None
    assert noticed(picture)
    assert not memory.recalled(shot(bumped.picture, 4), bumped.reading).noticed


def test_nothing_is_noticed_where_all_that_came_was_read() -> None:
    for seed in (1, 2):
        game = laid_game(Game.HOMEWORLDS, seed)
        for before, after in pairwise(game):
            assert not noticed(after.picture, after.reading, before)


def test_a_ship_that_nobody_read_is_noticed_where_it_lies() -> None:
    found = 0
    for seed in (1, 2, 3):
        game = laid_game(Game.HOMEWORLDS, seed)
        for before, after in pairwise(game):
            come = [piece for piece in gone(after, before) if piece.role is Role.SHIP]
            if len(come) == 1 and not gone(before, after):
                (ship,) = come
                seen = noticed(after.picture, misread(after, come, "missed"), before)
                assert {color for _, color in seen} == {ship.color}
                found += 1
    assert found
