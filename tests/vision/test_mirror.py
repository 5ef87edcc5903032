"""A closer look says the same of a picture and of its mirror image, left and right exchanged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_eyes import detections_of

from companion_app.samples import layout_of, random_homeworlds
from training.truth import scene_of
from training.virtual_scenes import photograph_with_truth
from vision.eyes.answers import NUMBERS
from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.eyes.inspector import EVENING, Inspector
from vision.eyes.mirror import MIRRORED, in_the_mirror, mirrored
from vision.eyes.nets import InstalledForMany
from vision.eyes.patches import SIDE
from vision.solids import Size, lying
from vision.virtual import Picture


@pytest.mark.parametrize("size", Size)
def test_a_lying_piece_is_its_own_mirror_image(size: Size) -> None:
    assert lying(size)[MIRRORED] * (1, -1, 1) == pytest.approx(lying(size))


@given(st.integers(0, 2**32 - 1))
def test_the_mirror_of_the_mirror_is_the_thing_itself(seed: int) -> None:
    rng = np.random.default_rng(seed)
    asked = {
        "image": rng.integers(0, 256, (2, SIDE, SIDE, 3), np.uint8),
        "told": rng.uniform(0, SIDE, (2, 5, 2)).astype(np.float32),
        "under": np.array([0, 1], np.float32),
    }
    again = in_the_mirror(in_the_mirror(asked))
    assert all(again[name] == pytest.approx(asked[name], abs=1e-4) for name in asked)
    said = rng.normal(size=(3, NUMBERS))
    assert (mirrored(mirrored(said)) == said).all()


def table(seed: int) -> tuple[Picture, Detections]:
    """A virtual table, and what a glance might tell of it."""
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    return picture, detections_of(scene_of(truth, Path("virtual.jpg")), 1.5, np.random.default_rng(seed))


def in_a_mirror(picture: Picture, told: Detections) -> tuple[Halvings, Detections]:
    """The same, left and right exchanged."""
    right = picture.image.shape[1] - 1
    exchanged = replace(told, corners=told.corners[:, MIRRORED] * (-1, 1) + (right, 0))
    return Halvings(np.ascontiguousarray(picture.image[:, ::-1])), exchanged


@pytest.mark.parametrize("seed", range(3))
def test_a_mirrored_table_is_seen_as_the_table(seed: int) -> None:
    picture, told = table(seed)
    mirror, other = in_a_mirror(picture, told)
    inspector = Inspector.of_both_sides()
    seen = inspector.inspected(told, Halvings(picture.image))
    there = inspector.inspected(other, mirror)
    _, back = in_a_mirror(picture, there)
    off = np.linalg.norm(back.corners - seen.corners, axis=-1)
    assert np.quantile(off, 0.9) < 1.0, "asked about one side only it is 1.8 px and more"
    assert there.score == pytest.approx(seen.score, abs=0.1)
    assert (there.colors.argmax(1) == seen.colors.argmax(1)).all()
    assert there.sizes == pytest.approx(seen.sizes, abs=0.15)


def test_of_two_nets_the_mean_is_told() -> None:
    picture, told = table(1)
    mirror, other = in_a_mirror(picture, told)
    one = Inspector().inspected(told, Halvings(picture.image))
    two = Inspector(InstalledForMany(1, EVENING)).inspected(other, mirror)
    both = Inspector.of_two().inspected(told, Halvings(picture.image))
    for mean, parts in ((both.score, (one.score, two.score)), (both.lying, (one.lying, two.lying))):
        assert ((mean >= np.minimum(*parts) - 0.02) & (mean <= np.maximum(*parts) + 0.02)).all()
        assert (np.abs(mean - parts[0]) > 1e-6).sum() > 10


def test_of_what_is_not_there_nobody_else_is_asked() -> None:
    picture, told = table(1)
    gone = replace(told, corners=told.corners - 10_000)
    one, both = (net.inspected(gone, Halvings(picture.image)) for net in (Inspector(), Inspector.of_two()))
    nothing = one.score < 0.04
    assert nothing.sum() > 20
    assert (both.score[nothing] == one.score[nothing]).all()
    assert (both.score[~nothing] != one.score[~nothing]).any()
