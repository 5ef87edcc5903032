"""Corners made finer than the net tells them: drawn to edges, and squares unfolded onto the heat of corners."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_eyes import detections_of, enlarged

from companion_app.samples import layout_of, random_homeworlds
from training.truth import Scene, scene_of
from training.virtual_scenes import photograph_with_truth
from vision.eyes.detections import Detections
from vision.eyes.maps import STRIDE, px_to_cells
from vision.eyes.sharpen import sharpened
from vision.eyes.unfolding import unfolded
from vision.solids import Array


def errors(seen: Detections, scene: Scene) -> Array:
    """px from every corner of the scene that is in sight to the nearest one told of its piece."""
    off = []
    for piece in scene.pieces:
        told = seen.corners[np.linalg.norm(seen.corners.mean(1) - piece.corners.mean(0), axis=1).argmin()]
        for corner in piece.corners[piece.corners_seen]:
            off.append(float(np.linalg.norm(told - corner, axis=1).min()))
    return np.array(off)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("factor", [1, 2])
def test_corners_are_drawn_to_the_edges(seed: int, factor: int) -> None:
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    scene = scene_of(truth, Path("virtual.jpg"))
    seen = detections_of(scene, 1.5, np.random.default_rng(seed))
    image = cv2.resize(picture.image, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
    large = enlarged(seen, factor)
    finer = enlarged(sharpened(large, np.asarray(image, dtype=np.uint8)), 1 / factor)
    assert np.median(errors(finer, scene)) < 0.75 * np.median(errors(seen, scene))
    assert np.quantile(errors(finer, scene), 0.9) < 1.3 * np.quantile(errors(seen, scene), 0.9)


def test_nothing_moves_where_there_are_no_edges() -> None:
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(1)), 1)
    seen = detections_of(scene_of(truth, Path("virtual.jpg")), 1.0, np.random.default_rng(1))
    flat = np.full_like(picture.image, 90)
    np.testing.assert_array_equal(sharpened(seen, flat).corners, seen.corners)


@settings(max_examples=60)
@given(st.floats(0, 90), st.floats(0.35, 1.0), st.floats(-40, 40), st.floats(0.4, 1.0))
def test_a_shrunken_turned_square_is_unfolded(turn: float, flat: float, askew: float, shrunk: float) -> None:
    middle = np.array([130.0, 110.0])
    angles = np.radians(turn + 90.0 * np.arange(4))
    square = middle + 42 * np.column_stack([np.cos(angles), flat * np.sin(angles)])
    heat = np.zeros((60, 70), np.float32)
    for column, row in np.round(px_to_cells(square, STRIDE)).astype(int):
        heat[row, column] = 0.9
    heat = np.asarray(cv2.GaussianBlur(heat, (0, 0), 0.8) * 3, dtype=np.float32)
    angles = angles + np.radians(askew)
    told = middle + 42 * shrunk * np.column_stack([np.cos(angles), flat * np.sin(angles)])
    found = unfolded(told[None], heat)[0]
    before, after = (np.linalg.norm(quad[:, None] - square, axis=-1).min(1).mean() for quad in (told, found))
    assert after < max(9.0, 1.01 * before)


def test_without_heat_the_net_is_believed() -> None:
    told = np.array([[[10.0, 10], [30, 10], [30, 30], [10, 30]]])
    np.testing.assert_array_equal(unfolded(told, np.zeros((20, 20), np.float32)), told)
    assert unfolded(np.zeros((0, 4, 2)), np.zeros((20, 20), np.float32)).shape == (0, 4, 2)
