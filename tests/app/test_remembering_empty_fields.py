"""Fields that are known to be empty: nothing that came is missed, and what was not seen is not supposed there."""

from __future__ import annotations

from itertools import pairwise

from remembered_tables import gone, laid_game, memory_of, read_as, seen_from, shot

from companion_app.live.laying import Laid
from companion_app.reading_types import Game, Reading

PAIRS = [pair for seed in (1, 2, 3) for pair in pairwise(laid_game(Game.SETTLERS, seed))]


def recalled(before: Laid, after: Laid, reading: Reading, light: int = 7) -> Reading:
    """The *reading* of what lies there *after*, by what is remembered of *before*."""
    return memory_of(before).recalled(shot(after.picture, light), reading)


def occupied(laid: Laid) -> set[str | None]:
    return {piece.field for piece in laid.reading.pieces if piece.field}


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
    assert known >= 0.8 * free


def test_after_a_bump_and_of_a_free_table_nothing_is_known_to_be_empty() -> None:
    before, after = PAIRS[0]
    bumped = memory_of(before).moved_to(shot(seen_from((0.02, -0.015, 1.0), before).picture, 3))
    assert bumped is not None
    moved = seen_from((0.02, -0.015, 1.0), after)
    assert not bumped.recalled(shot(moved.picture, 4), moved.reading).still_empty
    free, next_free = laid_game(Game.HOMEWORLDS, 1)[:2]
    assert not recalled(free, next_free, next_free.reading).still_empty
