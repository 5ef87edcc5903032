"""What speaks for a piece, weighed on scenes: the weights in ``vision/fusing/presence.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.score import matched
from training.targets import least_visible
from training.truth import Scene, read_scene
from vision.eyes.chances import sigmoid
from vision.eyes.detections import Detections
from vision.eyes.detector import Image
from vision.eyes.eyes import Eyes
from vision.eyes.sharpen import sharpened
from vision.fusing.believing import of_the_four_colors
from vision.fusing.board_fit import fit_board
from vision.fusing.company import COMPANY, company
from vision.fusing.expecting import looked_again
from vision.fusing.field_width import OFFICIAL_FIELD
from vision.fusing.presence import BELIEVED, SIGNS, placed, signs
from vision.fusing.regression import Regression, terms
from vision.fusing.table_fit import TableFit, fit_table
from vision.look_board import fitted
from vision.sight import ImageSide
from vision.solids import Array

STEADY = 1.0  # precision of every weight around 0, against chance
STEADIER = 30.0  # the same where signs are multiplied: there are ten times as many weights
ROUNDS = 30  # of Newton's method; it needs about eight


@dataclass(frozen=True, eq=False)
class Told:
    """What the eyes report in one scene.

    Attributes:
        fit: the table that suits it. signs: (N, K) of each piece by itself.
        asked: indices of those by which is learnt: hidden pieces are left out.
        there: (N,) whether each is there.
    """

    seen: Detections
    fit: TableFit
    signs: Array
    asked: NDArray[np.intp]
    there: NDArray[np.bool_]


def learn(files: Iterable[Path], target: Path) -> int:
    """Weighs the signs on the scenes with their truth in *files* and writes them to *target*; how many pieces.

    First those of each piece by itself; then, as far as these tell what is there, those and its company.
    """
    learnt = weighed_on([found for file in files if (found := _told(read_scene(file))) is not None])
    target.write_text(json.dumps(learnt, indent=1) + "\n", encoding="utf-8")
    return int(learnt["pieces"])


def weighed_on(scenes: Sequence[Told]) -> dict[str, Any]:
    """What :mod:`vision.fusing.presence` keeps."""
    there = np.concatenate([each.there[each.asked] for each in scenes])
    alone = logistic(SIGNS, np.concatenate([each.signs[each.asked] for each in scenes]), there)
    shown = np.concatenate([_in_company(each, alone)[each.asked] for each in scenes])
    together = logistic(SIGNS + COMPANY, shown, there, products=True)
    return {"scenes": len(scenes), "pieces": len(there), "alone": alone.told(), "together": together.told()}


def _in_company(scene: Told, alone: Regression) -> Array:
    """(N, K) signs of each piece and its company, as far as those of each *alone* tell what is there."""
    believed = placed(scene.fit) & (alone.chances(scene.signs) >= BELIEVED)
    return np.hstack([scene.signs, company(scene.seen, scene.fit, believed)])


def logistic(names: tuple[str, ...], shown: Array, there: NDArray[np.bool_], *, products: bool = False) -> Regression:
    """The likeliest logistic regression of *there* (N,) on signs (N, K), and on their *products* if asked for."""
    middles, spreads = shown.mean(axis=0), shown.std(axis=0) + 1e-9
    comparable = (shown - middles) / spreads
    if not products:
        return Regression(names, middles, spreads, *_likeliest(comparable, there, STEADY))
    every = terms(comparable)
    scale = every.std(axis=0) + 1e-9
    weights, constant = _likeliest(every / scale, there, STEADIER)
    return Regression(names, middles, spreads, weights / scale, constant)


def _likeliest(shown: Array, there: NDArray[np.bool_], steady: float) -> tuple[Array, float]:
    """(K,) weights of (N, K) signs and the constant, by Newton's method."""
    given = np.column_stack([shown, np.ones(len(shown))])
    steadied = np.append(np.full(shown.shape[1], steady), 0.0)
    weights = np.zeros(given.shape[1])
    for _ in range(ROUNDS):
        chances = sigmoid(given @ weights)
        curvature = (given * (chances * (1 - chances))[:, None]).T @ given + np.diag(steadied)
        weights -= np.linalg.solve(curvature, given.T @ (chances - there) + steadied * weights)
    return weights[:-1], float(weights[-1])


def _told(scene: Scene) -> Told | None:
    """What the eyes report in a scene, looked at twice; ``None`` where no table fits."""
    image = scene.image()
    seen = sharpened(of_the_four_colors(EYES.look(image)), image)
    told = _fitted(scene, image, seen)
    if told is None:
        return None
    seen, fit, field_mm = told
    pieces = {detection: scene.pieces[index] for index, detection in matched(scene, seen)}
    on_table = placed(fit)
    asked = [
        index
        for index in range(len(seen))
        if on_table[index] and (index not in pieces or pieces[index].visible >= least_visible(pieces[index]))
    ]
    there = np.array([index in pieces for index in range(len(seen))], dtype=bool)
    return Told(seen, fit, signs(seen, fit, field_mm), np.array(asked, dtype=np.intp), there)


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
