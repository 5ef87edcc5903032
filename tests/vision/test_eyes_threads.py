"""Several threads share what a net is asked about many small things, and nothing is answered otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from vision.eyes import Eyes
from vision.eyes.answers import CORNERS, NUMBERS
from vision.eyes.inspector import FIRST
from vision.eyes.nets import AT_ONCE, FEWEST, InstalledForMany, Question
from vision.eyes.patches import SIDE


def patches_by_chance(count: int) -> Question:
    chance = np.random.default_rng(count)
    return {
        "image": chance.integers(0, 256, (count, SIDE, SIDE, 3), dtype=np.uint8),
        "told": (chance.random((count, CORNERS, 2)) * SIDE).astype(np.float32),
        "under": chance.integers(0, 2, count).astype(np.float32),
    }


@pytest.mark.parametrize("count", [1, FEWEST, FEWEST + 1, AT_ONCE, 2 * AT_ONCE + 3])
@pytest.mark.parametrize("threads", [2, 3])
def test_each_is_answered_in_its_place(count: int, threads: int) -> None:
    question = patches_by_chance(count)
    alone = InstalledForMany(1, FIRST).said(question)
    assert alone.shape == (count, NUMBERS)
    np.testing.assert_array_equal(InstalledForMany(threads, FIRST).said(question), alone)


def test_every_net_is_told_how_many_threads_it_has() -> None:
    eyes = Eyes()
    eyes.use_threads(3)
    assert len(eyes.nets) == 4
    assert {net.threads for net in eyes.nets} == {3}
