"""What speaks for a piece, weighed on scenes: the weights in ``vision/fusing/presence.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from training.score import matched
from training.targets import least_visible
from training.truth import Scene, read_scene
from vision.eyes.detections import Detections
from vision.eyes.detector import Image
from vision.eyes.eyes import Eyes
from vision.eyes.sharpen import sharpened
from vision.fusing.believing import of_the_four_colors
from vision.fusing.board_fit import fit_board
from vision.fusing.expecting import looked_again
from vision.fusing.field_width import OFFICIAL_FIELD
from vision.fusing.presence import SIGNS, signs
from vision.fusing.table_fit import TableFit, fit_table
from vision.look_board import fitted
from vision.sight import ImageSide
from vision.solids import Array

STEADY = 1.0  # precision of every weight around 0, against chance
ROUNDS = 30  # of Newton's method; it needs about eight


def learn(files: Iterable[Path], target: Path) -> int:
    """Weighs the signs on the scenes with their truth in *files* and writes them to *target*; how many pieces."""
    told = [found for file in files if (found := _told(read_scene(file))) is not None]
    shown, there = np.concatenate([each[0] for each in told]), np.concatenate([each[1] for each in told])
    weights, constant = logistic(shown, there)
    learnt = {
        "weights": {name: round(float(weight), 4) for name, weight in zip(SIGNS, weights, strict=True)},
        "constant": round(constant, 4),
        "scenes": len(told),
        "pieces": len(there),
    }
    target.write_text(json.dumps(learnt, indent=2) + "\n", encoding="utf-8")
    return len(there)


def logistic(signs: Array, there: Array) -> tuple[Array, float]:
    """Weights (K,) and constant of the likeliest logistic regression of *there* (N,) 0 or 1 on *signs* (N, K)."""
    mean, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-9
    shown = np.column_stack([(signs - mean) / spread, np.ones(len(signs))])
    steady = np.append(np.full(signs.shape[1], STEADY), 0.0)
    weights = np.zeros(shown.shape[1])
    for _ in range(ROUNDS):
        chances = 1 / (1 + np.exp(-np.clip(shown @ weights, -30, 30)))
        curvature = (shown * (chances * (1 - chances))[:, None]).T @ shown + np.diag(steady)
        weights -= np.linalg.solve(curvature, shown.T @ (chances - there) + steady * weights)
    own = weights[:-1] / spread
    return own, float(weights[-1] - own @ mean)


def _told(scene: Scene) -> tuple[Array, Array] | None:
    """(N, K) signs of what the eyes report in a scene, and (N,) whether it is there; hidden pieces left out."""
    image = scene.image()
    seen = sharpened(of_the_four_colors(EYES.look(image)), image)
    told = _fitted(scene, image, seen)
    if told is None:
        return None
    seen, fit, field_mm = told
    pieces = {detection: scene.pieces[index] for index, detection in matched(scene, seen)}
    placed = [pose is not None for pose in fit.poses]
    asked = [
        index
        for index in range(len(seen))
        if placed[index] and (index not in pieces or pieces[index].visible >= least_visible(pieces[index]))
    ]
    return signs(seen, fit, field_mm)[asked], np.array([index in pieces for index in asked], dtype=np.float64)


def _fitted(scene: Scene, image: Image, seen: Detections) -> tuple[Detections, TableFit, float | None] | None:
    """The pieces looked at twice, the table that fits them and its fields' width; ``None`` where none fits."""
    first, field_mm = _first_fit(scene, image, seen) if len(seen) else (None, None)
    if first is None:
        return None
    camera = None if field_mm is None else first.camera
    again, fit = looked_again(
        seen, first, image, EYES, lambda again: fit_table(again, scene.size, ImageSide.BOTTOM, camera=camera)
    )
    return again, fit, field_mm


def _first_fit(scene: Scene, image: Image, seen: Detections) -> tuple[TableFit | None, float | None]:
    if scene.settings["game"] != "settlers":
        return fit_table(seen, scene.size, ImageSide.BOTTOM), None
    board = fit_board(image, seen, ImageSide.BOTTOM, OFFICIAL_FIELD)
    return (None, None) if board is None else fitted(seen, scene.size, ImageSide.BOTTOM, board)


EYES = Eyes()
