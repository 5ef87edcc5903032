"""Something has come beside a system that nobody read: where, and of which colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from remembered_tables import gone, laid_game, laid_table, memory_of, misread, read_as, seen_from, shot

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


def bare_places(number: int) -> Iterator[tuple[int, int]]:
    """Places on the bare table beside the first star of a system."""
    outlines = [cv2.convexHull(np.array(piece.outline, np.float32)) for piece in LAID.reading.pieces]
    star = next(
        np.array(one.outline) for one in LAID.reading.pieces if one.system == number and one.role is Role.STAR
    )
    for away in range(12, 60):
        for x, y in star.mean(0) + away * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)]):
            if all(cv2.pointPolygonTest(one, (x, y), True) < -12 for one in outlines):
                yield round(x), round(y)


def with_spot(number: int, shade: tuple[int, int, int]) -> Photo:
    """The table with a spot beside the first star of a system."""
    spotted = cv2.circle(LAID.picture.copy(), next(bare_places(number)), 7, shade, -1)
    return np.asarray(spotted, np.uint8)


def noticed(picture: Photo, reading: Reading = LAID.reading, known: Laid = LAID) -> frozenset[tuple[int, Color]]:
    return memory_of(known).recalled(shot(picture, 2), reading).noticed


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_what_has_come_beside_a_system_is_noticed_with_its_colour(number: int, color: Color) -> None:
    assert noticed(with_spot(number, SHADES[color])) == {(number, color)}


@pytest.mark.parametrize("shade", [(150, 150, 150), (90, 110, 120), (230, 235, 240)])
def test_what_has_none_of_the_colours_of_pieces_is_not(shade: tuple[int, int, int]) -> None:
    assert noticed(with_spot(2, shade)) == frozenset()


@pytest.mark.parametrize(("reach", "is_told"), [(4, False), (14, True)])
def test_beside_a_piece_that_was_just_read_only_more_than_a_rim_is_another_of_its_colour(
    reach: int, is_told: bool
) -> None:
    x, y = next(bare_places(2))
    around = ((x - 9.0, y - 9.0), (x + 9.0, y - 9.0), (x + 9.0, y + 9.0), (x - 9.0, y + 9.0))
    ship = next(one for one in LAID.reading.pieces if one.role is Role.SHIP and one.system == 2)
    read = replace(ship, color=Color.RED, confidence=0.9, center=(x, y), tip=(x, y), outline=around)
    left, *_ = (place for place in bare_places(2) if abs(place[0] - x) > 9 + reach + 8)
    picture = cv2.circle(LAID.picture.copy(), (x, y), 7, SHADES[Color.RED], -1)
    cv2.circle(picture, left, reach, SHADES[Color.RED], -1)
    told = noticed(np.asarray(picture, np.uint8), read_as(LAID.reading, [*LAID.reading.pieces, read]))
    assert [color for _, color in told] == ([Color.RED] if is_told else [])


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
