"""Whole scenes: the same seed gives the same scene, folders can be resumed, and the truth hangs together."""

from __future__ import annotations

import json
import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from scenes.batch import Wish, missing, name_of, render_many
from scenes.looks import LOOKS
from scenes.scene import KINDS, PITCH, planned, render
from scenes.show import overlay, sheet
from vision.sight import Role
from vision.solids import Color

SMALL = 0.2


def test_a_seed_is_a_scene() -> None:
    one, again, other = (render(seed, "training", scale=SMALL) for seed in (5, 5, 6))
    assert one.truth == again.truth
    assert np.array_equal(one.picture, again.picture)
    assert one.truth["camera"] != other.truth["camera"]


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_truth_hangs_together(look: str) -> None:
    for seed in range(20, 24):
        scene = render(seed, look, scale=SMALL)
        truth = json.loads(json.dumps(scene.truth))
        assert scene.picture.shape == (truth["image"]["height"], truth["image"]["width"], 3)
        for piece in truth["pieces"]:
            outline = np.array(piece["outline"], np.float32)
            assert all(cv2.pointPolygonTest(outline, tuple(corner), True) > -0.5 for corner in piece["corners"])
            assert 0 <= piece["visible"] <= 1
            assert (piece["in_sight"] is None) == (piece["visible"] == 0)
            if piece["in_sight"]:
                left, top, right, bottom = piece["in_sight"]
                assert (outline.min(0) - 1.5 <= (left, top)).all()
                assert ((right, bottom) <= outline.max(0) + 1.5).all()
            tiny = cv2.contourArea(outline) < 30  # then the tolerance is larger than the piece
            assert tiny or piece["visible"] > 0 or not any(piece["corners_visible"])
        for system in truth["systems"]:
            assert all(truth["pieces"][k]["role"] == "star" for k in system["stars"])


def test_every_kind_of_scene_comes() -> None:
    plans = [planned(random.Random(seed), np.random.default_rng(seed)) for seed in range(200)]
    assert {plan.kind for plan in plans} == set(KINDS)
    for plan in plans:
        assert all(piece.vertices[:, 2].min() > -0.01 for piece in plan.pieces)
        assert sum(piece.color in {*Color} for piece in plan.pieces) <= 36


def test_a_table_of_binaries_has_many_stars_upon_stars() -> None:
    plans = [planned(random.Random(seed), np.random.default_rng(seed), "binaries") for seed in range(20)]
    stars = [piece for plan in plans for piece in plan.pieces if piece.role is Role.STAR]
    assert len(stars) > 20 * 8
    assert 0.25 < sum(star.z > 1 for star in stars) / len(stars) < 0.45
    assert all(sum(piece.color in {*Color} for piece in plan.pieces) <= 36 for plan in plans)


def test_half_of_the_boards_are_made_at_home() -> None:
    plans = (planned(random.Random(seed), np.random.default_rng(seed)) for seed in range(200))
    pitches = np.array([plan.pitch for plan in plans if plan.pitch])
    official = np.abs(pitches / PITCH - 1) <= 0.02
    assert 0.4 < official.mean() < 0.75  # of those made at home some happen to be as wide
    assert pitches.min() < 31.5
    assert pitches.max() > 44.5


def test_a_folder_is_resumed(tmp_path: Path) -> None:
    render_many(tmp_path, 3, 40, Wish("training", scale=0.1), workers=1)
    assert not missing(tmp_path, 3, 40)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("scene_*")}
    lost = tmp_path / f"{name_of(41)}.json"
    lost.unlink()
    kept = (tmp_path / f"{name_of(40)}.json").stat().st_mtime_ns
    render_many(tmp_path, 3, 40, Wish("training", scale=0.1), workers=1)
    assert (tmp_path / f"{name_of(40)}.json").stat().st_mtime_ns == kept
    assert {path.name: path.read_bytes() for path in tmp_path.glob("scene_*")} == before
    assert not list(tmp_path.glob(".scene*"))
    pictures = sorted(tmp_path.glob("*.jpg"))
    assert sheet(pictures, columns=2).shape == (480, 640, 3)
    assert overlay(pictures[0]).ndim == 3
