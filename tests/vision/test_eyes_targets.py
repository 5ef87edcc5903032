"""What training asks of the net, decoded as the net's answers are: the truth must come out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion_app.samples import layout_of, random_homeworlds, random_settlers
from training.crops import Crop, whole
from training.score import Tally, count
from training.targets import Targets, targets
from training.truth import scene_of
from training.virtual_scenes import photograph_with_truth
from vision.eyes.decode import decode
from vision.eyes.maps import COLOR, LYING, OFFSETS, SIZE, VISIBLE, WORDS, Floor, Maps
from vision.virtual import Layout


@cache
def scene_crop(game: str, seed: int) -> Crop:
    layout: Layout = layout_of(random_homeworlds(seed) if game == "homeworlds" else random_settlers(seed))
    picture, truth = photograph_with_truth(layout, seed)
    return whole(picture.image, scene_of(truth, Path(f"{game} {seed}.jpg")))


def perfect(target: Targets) -> Maps:
    """The answer of a net that has learnt everything."""
    rows, columns = target.dense.shape[1:]
    words = np.zeros((len(Floor), WORDS, rows // 2, columns // 2), np.float32)
    said = target.words
    for i in range(len(said)):
        here = words[said.floor[i], :, said.row[i], said.column[i]]
        here[OFFSETS] = said.offsets[i]
        here[LYING] = 20 * said.lying[i] - 10
        here[COLOR] = 10 * np.eye(5)[said.color[i]]
        here[SIZE] = 10 * np.eye(3)[said.size[i]]
        here[VISIBLE] = np.log(said.visible[i] / (1 - said.visible[i] + 1e-6))
        words[said.floor[i], :, said.row[i], said.column[i]] = here
    return Maps(target.dense, words)


def scored(crop: Crop) -> Tally:
    tally = Tally()
    share_inside = replace(
        crop.scene,
        pieces=tuple(
            replace(piece, visible=piece.visible if _inside(crop, piece.corners) else 0.0)
            for piece in crop.scene.pieces
        ),
    )
    count(tally, share_inside, decode(perfect(targets(crop))))
    return tally


def _inside(crop: Crop, corners: np.ndarray) -> bool:
    return bool((corners > 0).all() and (corners < np.array(crop.scene.size) - 1).all())


def cases() -> Iterator[tuple[str, int]]:
    for seed in range(3):
        yield "homeworlds", seed
        yield "settlers", seed


@pytest.mark.parametrize(("game", "seed"), list(cases()))
def test_truth_comes_out_again(game: str, seed: int) -> None:
    tally = scored(scene_crop(game, seed))
    row = tally.row()
    assert row["found"] >= 0.95  # two rims in one cell are told as one
    assert tally.extra <= 1
    assert row["color"] == row["posture"] == row["size"] == 1.0
    assert row["tip_px"] < 0.3
    assert row["corner_px"] < 0.3
