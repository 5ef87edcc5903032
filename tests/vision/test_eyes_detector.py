"""The trained net at work, on pictures of every size and kind."""

from __future__ import annotations

import numpy as np
import pytest

from companion_app.samples import layout_of, random_homeworlds
from training.virtual_scenes import photograph_with_truth
from vision.eyes import Detector, Eyes, NoEyes
from vision.eyes.detector import CLEAR, LONG_SIDE, in_color, shrunk

SIZES = [(1, 1), (2, 300), (300, 2), (33, 65), (480, 640), (959, 1279), (1500, 2700)]


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


@pytest.mark.parametrize("size", SIZES)
def test_any_size(detector: Detector, size: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, (*size, 3), dtype=np.uint8)
    seen = detector.look(image)
    count = len(seen)
    assert seen.corners.shape == (count, 5, 2)
    assert seen.corner_blur.shape == (count, 5)
    assert seen.colors.shape == (count, 5)
    assert seen.sizes.shape == (count, 3)
    assert seen.plastic.shape == seen.board.shape
    assert seen.plastic.shape[0] * seen.cell >= size[0] - seen.cell
    assert seen.plastic.shape[1] * seen.cell >= size[1] - seen.cell


@pytest.mark.parametrize("shape", [(90, 120), (90, 120, 1)])
def test_grey_pictures(detector: Detector, shape: tuple[int, ...]) -> None:
    grey = np.random.default_rng(2).integers(0, 256, shape, dtype=np.uint8)
    seen = detector.look(grey)
    np.testing.assert_array_equal(seen.plastic, detector.look(in_color(grey)).plastic)


@pytest.mark.parametrize("level", [0, 5, 127, 255])
@pytest.mark.parametrize("size", [(480, 640), (1280, 960)])
def test_nothing_is_seen_where_nothing_is(detector: Detector, level: int, size: tuple[int, int]) -> None:
    """What is faint at a glance is looked at closely, and is not there then."""
    plain = np.full((*size, 3), level, np.uint8)
    glance = detector.look(plain)
    assert (glance.score < CLEAR).all()
    assert glance.token is None
    eyes = Eyes(detector)
    assert len(eyes.look(eyes.lit(plain))) == 0


def test_a_virtual_table(detector: Detector) -> None:
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(5)), 5)
    seen = detector.look(picture.image)
    assert len(seen) >= 0.5 * len(truth["pieces"])
    probabilities = (seen.score, seen.lying, seen.visible, seen.colors, seen.sizes)
    assert all((values >= 0).all() and (values <= 1 + 1e-6).all() for values in probabilities)
    assert (np.diff(seen.score) <= 0).all()
    np.testing.assert_allclose(seen.colors.sum(1), 1)


def test_large_pictures_are_shrunk() -> None:
    small, scale = shrunk(np.zeros((3000, 4000, 3), np.uint8), LONG_SIDE)
    assert small.shape == (960, 1280, 3)
    assert scale == pytest.approx(0.32)
    same, scale = shrunk(np.zeros((960, 1280, 3), np.uint8), LONG_SIDE)
    assert same.shape == (960, 1280, 3)
    assert scale == 1


def test_missing_weights_are_told_clearly() -> None:
    with pytest.raises(NoEyes, match=r"gone\.onnx is not in this installation") as told:
        Detector(name="gone.onnx").look(np.zeros((64, 64, 3), np.uint8))
    assert told.value.code == "eyes_missing"
