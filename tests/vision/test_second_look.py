"""The second look: patches of single pieces, told rightly and wrongly, and what the trained net sees in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from simulated_eyes import detections_of

from companion_app.samples import layout_of, random_homeworlds
from training.beneath import ALIKE, UNLIKE, beneath
from training.told import NOBODY, UNASKED, Told, in_the_order_of, meant, orders, told_badly, told_beneath
from training.truth import Scene, scene_of
from training.virtual_scenes import photograph_with_truth
from vision.camera import Camera
from vision.eyes import Detections, Eyes, Inspector, NoEyes
from vision.eyes.halvings import Halvings
from vision.eyes.nets import InstalledForMany
from vision.eyes.patches import DRAWN, SIDE, Windows, patches
from vision.poses import Pose
from vision.solids import Array, Posture, Size, nesting_step

SEEDS = range(3)


def table(seed: int) -> tuple[NDArray[np.uint8], Scene]:
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    return picture.image, scene_of(truth, Path("virtual.jpg"))


def quads(count: int, size: float, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.uniform(100, 500, (count, 1, 2)) + rng.uniform(-size, size, (count, 5, 2)))


@given(st.integers(1, 9), st.floats(5, 300), st.integers(0, 99))
def test_windows_lead_there_and_back(count: int, size: float, seed: int) -> None:
    corners = quads(count, size, seed)
    windows = Windows.around(corners)
    inside = windows.inward(corners)
    np.testing.assert_allclose(windows.outward(inside), corners, atol=1e-6)
    np.testing.assert_allclose((inside.min(1) + inside.max(1)) / 2, (SIDE - 1) / 2, atol=1e-6)
    diagonals = np.linalg.norm(np.ptp(inside, axis=1), axis=1)
    assert (diagonals <= DRAWN + 1e-6).all()


@pytest.mark.parametrize("size", [12.0, 40.0, 90.0, 240.0])
def test_a_patch_shows_its_window(size: float) -> None:
    """A white disc under one corner is found in the patch where the window says that the corner is."""
    image = np.zeros((900, 1200, 3), np.uint8)
    corners = np.array([[[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5]]]) * size + (300, 400)
    far = np.linalg.norm(np.moveaxis(np.indices((900, 1200))[::-1], 0, -1) - corners[0, 2], axis=-1)
    image[far < 0.12 * size] = 255
    windows = Windows.around(corners)
    shown = patches(Halvings(image), windows)[0, :, :, 0].astype(float)
    rows, columns = np.indices(shown.shape)
    middle = np.array([(columns * shown).sum(), (rows * shown).sum()]) / shown.sum()
    np.testing.assert_allclose(middle, windows.inward(corners)[0, 2], atol=0.6)


def test_a_patch_beyond_the_edge_is_filled() -> None:
    image = np.full((50, 60, 3), 7, np.uint8)
    assert (patches(Halvings(image), Windows.around(quads(3, 20, 1) - 600)) == 7).all()


@pytest.mark.parametrize(
    ("upper", "lower"), [(Size.LARGE, Size.LARGE), (Size.MEDIUM, Size.LARGE), (Size.SMALL, Size.LARGE)]
)
@pytest.mark.parametrize("elevation", [35.0, 60.0, 88.0])
def test_beneath_is_where_a_lower_piece_is_seen(upper: Size, lower: Size, elevation: float) -> None:
    """Between two alike and two as unlike as can be, some guess lies on what is really seen."""
    camera = Camera.looking_at(
        (0, 0), azimuth_deg=270, elevation_deg=elevation, distance=600, focal=1200, size=(1280, 960)
    )
    above = Pose(upper, Posture.UPRIGHT, 20, 10, 30, nesting_step(lower, upper)).keypoints(camera)
    below = Pose(lower, Posture.UPRIGHT, 20, 10, 30, 0).keypoints(camera)
    diagonal = np.linalg.norm(np.ptp(below, axis=0))
    off = [
        np.linalg.norm(
            beneath(above[None], *((1 - share) * np.array(ALIKE) + share * np.array(UNLIKE)))[0] - below, axis=1
        ).mean()
        for share in np.linspace(0, 1, 21)
    ]
    assert min(off) < 0.12 * diagonal


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_told_rightly_means_its_piece(seed: int) -> None:
    _, scene = table(seed)
    pieces = scene.pieces
    told = Told(np.array([piece.corners for piece in pieces]), np.array([piece.under for piece in pieces]))
    of = meant(told, pieces)
    asked = of != UNASKED
    assert asked.any()
    np.testing.assert_array_equal(of[asked], np.arange(len(pieces))[asked])
    nowhere = Told(told.corners + 5000, told.under)
    assert (meant(nowhere, pieces) == NOBODY).all()


@settings(max_examples=20)
@given(st.sampled_from(SEEDS), st.integers(0, 3))
def test_a_turned_square_means_the_same(seed: int, by: int) -> None:
    _, scene = table(seed)
    for piece in scene.pieces:
        if piece.square:
            turned = orders(piece)[by]
            np.testing.assert_array_equal(in_the_order_of(turned, piece), turned)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_told_badly_still_mostly_means_something(seed: int) -> None:
    _, scene = table(seed)
    told = told_badly(scene.pieces, np.random.default_rng(seed))
    share = float((meant(told, scene.pieces) >= 0).mean())
    assert 0.3 < share < 0.95
    below = told_beneath(scene.pieces, np.random.default_rng(seed))
    assert below.under.all()
    carriers = {index for index in meant(below, scene.pieces).tolist() if index >= 0}
    assert all(scene.pieces[index].under for index in carriers)


@pytest.fixture(scope="module")
def inspector() -> Inspector:
    return Inspector()


@pytest.mark.parametrize("count", [0, 1, 65, 130])
def test_any_number_of_pieces(inspector: Inspector, count: int) -> None:
    image = np.random.default_rng(1).integers(0, 256, (600, 700, 3), dtype=np.uint8)
    seen = inspector.inspected(told_anywhere(count), Halvings(image))
    assert len(seen) == count
    for chances in (seen.score, seen.lying, seen.visible, seen.colors, seen.sizes):
        assert ((chances >= 0) & (chances <= 1 + 1e-6)).all()
    assert (seen.corner_blur > 0).all()


def told_anywhere(count: int) -> Detections:
    _, scene = table(0)
    one = detections_of(scene, 0.0, np.random.default_rng(0)).only([0] * count)
    return replace(one, corners=quads(count, 40, 2).reshape(count, 5, 2))


@pytest.mark.parametrize("seed", SEEDS)
def test_corners_told_badly_are_put_right(inspector: Inspector, seed: int) -> None:
    image, scene = table(seed)
    clear = replace(scene, pieces=tuple(piece for piece in scene.pieces if piece.visible > 0.95))
    right = detections_of(clear, 0.0, np.random.default_rng(seed))
    diagonal = np.linalg.norm(np.ptp(right.corners, axis=1), axis=1)
    shaken = (
        right.corners + np.random.default_rng(seed).normal(0, 0.05, right.corners.shape) * diagonal[:, None, None]
    )
    seen = inspector.inspected(replace(right, corners=shaken), Halvings(image))
    before, after = (np.linalg.norm(each - right.corners, axis=-1) for each in (shaken, seen.corners))
    assert np.median(after) < 0.6 * np.median(before)
    assert (seen.score > 0.5).mean() > 0.9
    assert (seen.colors.argmax(1) == right.colors.argmax(1)).mean() > 0.9


def test_where_nothing_is_nothing_is_there(inspector: Inspector) -> None:
    image = np.full((600, 700, 3), 120, np.uint8)
    seen = inspector.inspected(told_anywhere(20), Halvings(image))
    assert (seen.score < 0.5).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_each_piece_is_seen_once(seed: int) -> None:
    image, scene = table(seed)
    eyes = Eyes()
    lit = eyes.lit(image)
    seen = eyes.look(lit)
    assert 0.7 * len(scene.pieces) <= len(seen)
    assert (np.diff(seen.score) <= 0).all()
    twice = seen.only(np.repeat(np.arange(len(seen)), 2))
    again = eyes.look_again(twice, twice.corners, lit)
    assert len(again) <= len(seen)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_piece_that_is_expected_where_its_neighbour_is_does_not_become_that(seed: int) -> None:
    """Of a stack the upper one is meant first: a lower one that is looked for there would be lost."""
    eyes = Eyes()
    image, _ = table(seed)
    lit = eyes.lit(image)
    seen = eyes.look(lit)
    sure = np.flatnonzero(seen.score > 0.9).tolist()
    colors = seen.colors.argmax(1)
    for one in sure:
        other = next(index for index in sure if colors[index] != colors[one])
        again = eyes.look_again(seen.only([one]), seen.corners[[other]], lit)
        assert again.colors.argmax(1).tolist() == [colors[one]]


def test_missing_weights_are_told_clearly() -> None:
    gone = Inspector(InstalledForMany(1, "gone.onnx"))
    with pytest.raises(NoEyes, match=r"gone\.onnx is not in this installation"):
        gone.inspected(told_anywhere(1), Halvings(np.zeros((64, 64, 3), np.uint8)))
