"""What shows of each piece, where others stand before it and the picture ends."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.in_sight import middles_in_sight
from vision.solids import Array

SIZE = (640, 480)


def box(left: float, top: float, right: float, bottom: float) -> Array:
    """(4, 2) px of a rectangle."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], dtype=np.float64)


FAR, NEAR = box(100, 100, 160, 180), box(100, 140, 160, 220)


def test_of_a_piece_behind_another_the_middle_of_what_shows_is_told() -> None:
    behind, before = middles_in_sight([FAR, NEAR], [0, 1], SIZE)
    np.testing.assert_allclose(before, (130, 180), atol=0.5)
    np.testing.assert_allclose(behind, (130, 120), atol=1)


def test_the_order_says_which_of_two_is_behind() -> None:
    before, behind = middles_in_sight([FAR, NEAR], [1, 0], SIZE)
    np.testing.assert_allclose(before, (130, 140), atol=0.5)
    np.testing.assert_allclose(behind, (130, 200), atol=1)


def test_what_the_picture_cuts_off_does_not_show() -> None:
    middles = middles_in_sight([box(-40, 100, 20, 120), box(600, 440, 700, 500)], [0, 1], SIZE)
    np.testing.assert_allclose(middles, [(10, 110), (620, 460)], atol=1)


def test_a_piece_of_which_nothing_shows_has_the_middle_of_all_of_it() -> None:
    """Covered wholly, or outside the picture on any side of it."""
    outside = [box(-90, 10, -30, 50), box(700, 10, 760, 50), box(10, -90, 50, -30), box(10, 500, 50, 560)]
    hidden = middles_in_sight([box(110, 110, 150, 130), FAR, *outside], range(6), SIZE)
    np.testing.assert_allclose(hidden[2:], [(-60, 30), (730, 30), (30, -60), (30, 530)])
    covered, _ = middles_in_sight([box(110, 110, 150, 130), FAR], [0, 1], SIZE)
    np.testing.assert_allclose(covered, (130, 120))


def test_no_pieces_have_no_middles() -> None:
    assert middles_in_sight([], [], SIZE).shape == (0, 2)


@given(
    st.lists(st.tuples(*[st.floats(0, 600)] * 2, *[st.floats(8, 200)] * 2), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
    st.sampled_from([1.0, 3.0]),
)
def test_every_middle_is_within_its_outline_and_as_it_is_in_a_larger_picture(
    boxes: list[tuple[float, float, float, float]], chance: random.Random, larger: float
) -> None:
    outlines = [box(x, y, x + width, y + height) for x, y, width, height in boxes]
    order = list(range(len(boxes)))
    chance.shuffle(order)
    middles = middles_in_sight([outline * larger for outline in outlines], order, (int(800 * larger),) * 2) / larger
    for middle, outline in zip(middles, outlines, strict=True):
        assert (outline.min(0) - 1.5 <= middle).all()
        assert (middle <= outline.max(0) + 1.5).all()
    nearest = outlines[order[-1]]
    shown = np.clip(nearest, 0, 800)
    np.testing.assert_allclose(middles[order[-1]], (shown.min(0) + shown.max(0)) / 2, atol=1.5)
