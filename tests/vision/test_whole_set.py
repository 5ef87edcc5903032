"""A set has so many of each kind: what is one too many is hardly there, what is missing is the likelier there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_eyes import SimulatedEyes

from companion_app.samples import layout_of, random_homeworlds
from training.virtual_scenes import photograph_with_truth
from vision.eyes.halvings import Halvings
from vision.fusing.judging import KINDS
from vision.fusing.whole_set import LEAST_UNSEEN, held_against, within_the_set
from vision.solids import Array

SURE = st.floats(0.05, 0.95)
UNSEEN = LEAST_UNSEEN / (1 - LEAST_UNSEEN)


def by_hand(there: Array, limit: int) -> Array:
    """(N,) of pieces of one kind: all that may be, counted."""
    chances, total = np.zeros(len(there)), 0.0
    for case in product((False, True), repeat=len(there)):
        if sum(case) <= limit:
            each = np.where(case, there, 1 - there).prod() * UNSEEN ** (limit - sum(case))
            chances, total = chances + each * np.array(case), total + each
    return np.asarray(chances / total)


@given(st.lists(SURE, min_size=1, max_size=6), st.integers(1, 4))
def test_of_one_kind_it_is_as_counting_all_cases(there: list[float], limit: int) -> None:
    others = 40  # kinds of which all are surely there: then the set is seen as well as it ever is
    alone = np.array([*there, *[0.9999] * others])
    kinds = np.zeros((len(alone), 1 + others))
    kinds[: len(there), 0] = 1
    kinds[len(there) :, 1:] = np.eye(others)
    told = held_against(alone, kinds, np.array([limit] + [1] * others))
    np.testing.assert_allclose(told.there[: len(there)], by_hand(np.array(there), limit), atol=0.02)


@given(st.lists(st.tuples(SURE, st.lists(SURE, min_size=3, max_size=3)), max_size=12), st.integers(0, 3))
def test_chances_stay_chances_and_no_kind_has_more_than_there_are(
    pieces: list[tuple[float, list[float]]], limit: int
) -> None:
    there = np.array([each for each, _ in pieces])
    kinds = np.array([shares for _, shares in pieces]).reshape(-1, 3)
    told = held_against(there, kinds / kinds.sum(1, keepdims=True), np.full(3, limit))
    assert ((told.there >= 0) & (told.there <= 1)).all()
    assert told.there.sum() <= 3 * limit * 1.25 + 0.1  # pieces and kinds agree but nearly
    assert (told.room >= 0).all()
    assert ((told.missing >= 0) & (told.missing <= 1)).all()
    assert told.unseen >= 0


def test_one_more_than_there_are_is_hardly_there() -> None:
    told = held_against(np.array([0.99, 0.99, 0.99, 0.6]), np.ones((4, 1)), np.array([3]))
    assert told.there[3] < 0.1
    assert (told.there[:3] > 0.9).all()
    assert told.room[0] < 0.1


def test_one_of_two_kinds_takes_the_one_that_has_room() -> None:
    kinds = np.array([[1, 0], [1, 0], [1, 0], [0.6, 0.4]])
    told = held_against(np.array([0.99, 0.99, 0.99, 0.9]), kinds, np.array([3, 3]))
    assert told.there[3] > 0.7  # it is of the other kind then
    assert told.room[1] > told.room[0]


def test_of_which_kind_not_all_are_seen() -> None:
    """All three of the first, two of the second, perhaps three of the third."""
    kinds = np.repeat(np.eye(3), [3, 2, 3], axis=0)
    told = held_against(np.array([0.99] * 7 + [0.5]), kinds, np.full(3, 3))
    assert told.missing[0] < 0.1 < told.missing[2] < 0.9 < told.missing[1]
    assert told.unseen == pytest.approx(1.4, abs=0.3)


def test_where_most_of_a_set_is_elsewhere_nothing_is_said_of_what_may_be_there() -> None:
    kinds = np.eye(12)[:4]
    there = np.array([0.9, 0.6, 0.4, 0.1])
    np.testing.assert_allclose(held_against(there, kinds, np.full(12, 3)).there, there, atol=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_a_table_with_one_ghost_of_a_kind_that_is_all_there(seed: int) -> None:
    """A fourth of a kind, less sure than the three, goes; and all others stay."""
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    seen = SimulatedEyes(truth, seed=seed).look(Halvings(picture.image))
    seen = replace(seen, score=np.full(len(seen), 0.97))
    colors, sizes = seen.colors.argmax(1), np.eye(3)[seen.sizes.argmax(1)] * 0.96 + 0.01
    told_kinds = [KINDS[color * 3 + size.argmax()] for color, size in zip(colors, sizes, strict=True)]
    twice = replace(seen.only([*range(len(seen)), 0]), score=np.append(seen.score, 0.6))
    told, _ = within_the_set(twice, np.vstack([sizes, sizes[0]]), Counter(told_kinds))
    assert told.score[-1] < 0.5
    assert (told.score[:-1] > 0.5).all()


def test_what_can_have_no_place_gets_none() -> None:
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(1)), 1)
    seen = SimulatedEyes(truth, seed=1).look(Halvings(picture.image))
    seen = replace(seen, score=np.where(np.arange(len(seen)) % 2, seen.score, 0.0))
    told, _ = within_the_set(seen, np.full((len(seen), 3), 1 / 3), dict.fromkeys(KINDS, 3))
    assert not told.score[::2].any()
    assert told.score[1::2].all()
