"""Fields that are known to be empty: nothing that came is missed, and what was not seen is not supposed there."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from remembered_tables import gone, laid_game, memory_of, read_as, seen_from, shot

from companion_app.live.laying import Laid
from companion_app.reading_types import Game, Reading

PAIRS = [pair for seed in (1, 2, 3) for pair in pairwise(laid_game(Game.SETTLERS, seed))]


def recalled(before: Laid, after: Laid, reading: Reading, light: int = 7) -> Reading:
    """The *reading* of what lies there *after*, by what is remembered of *before*."""
    return memory_of(before).recalled(shot(after.picture, light), reading)


def occupied(laid: Laid) -> set[str | None]:
    return {piece.field for piece in laid.reading.pieces if piece.field}


def center_of(file: int, rank: int, reading: Reading) -> tuple[int, int]:
    """The middle of a field, in px; both numbers from 0."""
    corners = np.array([[0, 0], [6, 0], [6, 6], [0, 6]], np.float32)
    to_px = cv2.getPerspectiveTransform(corners, np.array(reading.board, np.float32))
    x, y = cv2.perspectiveTransform(np.array([[[file + 0.5, rank + 0.5]]]), to_px)[0, 0]
    return round(x), round(y)


def test_no_field_on_which_a_piece_lies_is_taken_for_empty_though_nobody_saw_it() -> None:
    for number, (before, after) in enumerate(PAIRS):
        come = gone(after, before)
        unseen = read_as(after.reading, [piece for piece in after.reading.pieces if piece not in come])
        assert not recalled(before, after, unseen, number).still_empty & occupied(after)


def test_most_fields_that_stayed_empty_are_known_to_be() -> None:
    known = free = 0
    for number, (before, after) in enumerate(PAIRS):
        empty = 36 - len(occupied(before) | occupied(after))
        known, free = known + len(recalled(before, after, after.reading, number).still_empty), free + empty
    assert known >= 0.95 * free


@pytest.mark.parametrize(("light", "is_known"), [((0.7, 0.7, 0.7), True), ((0.7, 0.8, 0.95), False)])
def test_a_shadow_leaves_a_field_known_to_be_empty_but_not_what_has_another_colour(
    light: tuple[float, float, float], is_known: bool
) -> None:
    """What comes lies in the middle of d3; its edge is soft."""
    before, _ = PAIRS[0]
    assert "d3" not in occupied(before)
    x, y = center_of(3, 2, before.reading)
    spot = np.zeros(before.picture.shape[:2], np.float32)
    cv2.circle(spot, (x, y), 9, 1.0, -1)
    falls = cv2.GaussianBlur(spot, (0, 0), 2)[..., None]
    shaded = (before.picture * (1 - falls * (1 - np.array(light, np.float32)))).astype(np.uint8)
    still_empty = memory_of(before).recalled(shot(shaded, 3), before.reading).still_empty
    assert ("d3" in still_empty) is is_known


def test_after_a_bump_and_of_a_free_table_nothing_is_known_to_be_empty() -> None:
    before, after = PAIRS[0]
    bumped = memory_of(before).moved_to(shot(seen_from((0.02, -0.015, 1.0), before).picture, 3))
    assert bumped is not None
    moved = seen_from((0.02, -0.015, 1.0), after)
    assert not bumped.recalled(shot(moved.picture, 4), moved.reading).still_empty
    free, next_free = laid_game(Game.HOMEWORLDS, 1)[:2]
    assert not recalled(free, next_free, next_free.reading).still_empty
