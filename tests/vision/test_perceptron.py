"""What small perceptrons learn of signs, and how they are kept."""

from __future__ import annotations

import json

import numpy as np
import pytest

from training.perceptrons import learnt
from vision.eyes.chances import sigmoid, softmax
from vision.perceptron import FARTHEST, perceptron_of
from vision.solids import Array

NAMES = ("one", "other")


def signs(seed: int, count: int = 4000) -> Array:
    return np.asarray(np.random.default_rng(seed).normal(size=(count, 2)) * (1.0, 5.0) + (0, 10))


def test_what_each_sign_counts_is_learnt() -> None:
    shown = signs(3)
    chances = sigmoid(shown @ (1.5, -0.4) + 3.5)
    right = (np.random.default_rng(1).random(4000) < chances).astype(np.intp)
    found = learnt(NAMES, shown, right, np.ones(4000), hidden=0)
    np.testing.assert_allclose(sigmoid(found.logits(shown)[:, 0]), chances, atol=0.06)


def test_what_signs_say_together_is_learnt_by_hidden_units() -> None:
    """Two that agree speak for a piece, and neither says anything by itself."""
    shown = signs(4)
    there = shown[:, 0] * (shown[:, 1] - 10) > 0
    alone, together = (learnt(NAMES, shown, there.astype(np.intp), np.ones(4000), hidden=hidden) for hidden in (0, 8))
    assert ((alone.logits(shown)[:, 0] > 0) == there).mean() < 0.6
    assert ((together.logits(shown)[:, 0] > 0) == there).mean() > 0.95


def test_of_several_answers_each_has_its_logit() -> None:
    shown = signs(5)
    right = np.digitize(shown[:, 0], (-0.5, 0.5))
    found = learnt(NAMES, shown, right, np.ones(4000), hidden=6, answers=3)
    chances = softmax(found.logits(shown))
    assert chances.shape == (4000, 3)
    assert (chances.argmax(axis=1) == right).mean() > 0.95


def test_what_is_not_important_teaches_nothing() -> None:
    shown = signs(6)
    right, wrong = (shown[:, 0] > 0).astype(np.intp), (shown[:, 0] <= 0).astype(np.intp)
    believed = np.where(np.arange(4000) % 2, 1.0, 0.0)
    found = learnt(NAMES, shown, np.where(believed > 0, right, wrong), believed, hidden=0)
    assert ((found.logits(shown)[:, 0] > 0) == right).mean() > 0.95


def test_the_same_seed_learns_the_same() -> None:
    shown = signs(7, 400)
    right = (shown[:, 0] > 0).astype(np.intp)
    one, other = (learnt(NAMES, shown, right, np.ones(400), hidden=4, seed=2) for _ in range(2))
    np.testing.assert_array_equal(one.logits(shown), other.logits(shown))


def test_signs_far_from_all_that_was_learnt_count_as_far_and_no_more() -> None:
    shown = signs(8, 400)
    found = learnt(NAMES, shown, (shown[:, 0] > 0).astype(np.intp), np.ones(400), hidden=4)
    far = found.middles + found.spreads * FARTHEST
    np.testing.assert_allclose(found.logits(far[None] + 1e6), found.logits(far[None]))


@pytest.mark.parametrize("hidden", [0, 3])
@pytest.mark.parametrize("answers", [2, 3])
def test_what_is_kept_answers_as_what_was_told(hidden: int, answers: int) -> None:
    shown = signs(9, 300)
    right = np.random.default_rng(5).integers(answers, size=300)
    found = learnt(NAMES, shown, right, np.ones(300), hidden=hidden, answers=answers)
    kept = perceptron_of(json.loads(json.dumps(found.told())), NAMES)
    np.testing.assert_allclose(kept.logits(shown), found.logits(shown), atol=5e-3)
    assert kept.logits(shown[:0]).shape == (0, 1 if answers == 2 else answers)
    with pytest.raises(ValueError, match="one, other"):
        perceptron_of(found.told(), ("other", "one"))
