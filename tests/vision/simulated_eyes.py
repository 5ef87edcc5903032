"""Eyes that know the truth of a virtual picture and tell it with some noise: the readers are tested behind them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.samples import layout_of, random_homeworlds
from training.targets import least_visible
from training.truth import Scene, scene_of
from training.virtual_scenes import photograph_with_truth
from vision.eyes import Eyes
from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.eyes.maps import COLORS, SIZES, STRIDE
from vision.fusing.orders import least_apart
from vision.fusing.table_fit import TableFit, fit_table
from vision.poses import hull
from vision.solids import Array
from vision.virtual import View

SEEN = 0.25  # share of a piece that must be in sight to be reported
SURE = 0.97  # of a colour and a posture
CLEAREST = 0.3  # px of noise: less is not told


class SimulatedEyes(Eyes):
    """Tells what is in one picture, its corners off by *noise* px, ``clutter`` more things that are none.

    Whoever looks again sees the same.
    """

    def __init__(self, truth: dict[str, Any], *, noise: float = 0.7, clutter: int = 0, seed: int = 0) -> None:
        super().__init__()
        self.scene = scene_of(truth, Path("virtual.jpg"))
        self.noise, self.clutter, self.seed = noise, clutter, seed

    def look(self, lit: Halvings) -> Detections:
        """The truth of the picture that it was made for, which is all that it may be shown."""
        assert lit.image.shape[1::-1] == self.scene.size
        rng = np.random.default_rng([self.seed, 0xE7E5])
        return _with_clutter(detections_of(self.scene, self.noise, rng), self.clutter, self.scene.size, rng)

    def look_again(self, seen: Detections, expected: Array, lit: Halvings) -> Detections:
        """Of each piece that is expected, what is really nearest to it."""
        assert len(seen) == len(expected)
        first = self.look(lit)
        if not len(first):
            return first
        apart = np.linalg.norm(expected.mean(1)[:, None] - first.corners.mean(1), axis=-1)
        return first.only(np.unique(apart.argmin(1)))

    def count_pips(self, seen: Detections, expected: Array, lying: NDArray[np.bool_], lit: Halvings) -> Detections:
        """These eyes count none."""
        assert lit.image.shape[1::-1] == self.scene.size
        assert len(seen) == len(expected) == len(lying)
        return seen

    def look_for(self, like: Detections, corners: Array, lit: Halvings, *, under: bool = False) -> Detections:
        """What is really nearest to each of the places, as corners go, of pieces under others or of others."""
        assert len(like) == len(corners)
        first = self.look(lit)
        other = np.where(first.under == under, 0.0, np.inf)
        return first.only((least_apart(corners[:, None], first.corners) + other).argmin(1) if len(corners) else [])


@cache
def pictured_table(seed: int, noise: float = 0.7) -> tuple[Detections, TableFit, NDArray[np.uint8]]:
    """What good eyes tell of a virtual table, how it fits, and its picture."""
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    seen = SimulatedEyes(truth, noise=noise, seed=seed).look(Halvings(picture.image))
    fit = fit_table(seen, (picture.image.shape[1], picture.image.shape[0]), View.random(seed).south)
    assert fit is not None
    return seen, fit, picture.image


def table(seed: int) -> tuple[Detections, TableFit]:
    """The same without its picture."""
    seen, fit, _ = pictured_table(seed)
    return seen, fit


def detections_of(scene: Scene, noise: float, rng: np.random.Generator) -> Detections:
    """What good eyes would tell of a scene."""
    pieces = [piece for piece in scene.pieces if piece.visible >= least_visible(piece)]
    count = len(pieces)
    corners = np.array([piece.corners for piece in pieces]).reshape(count, 5, 2)
    seen = np.array([piece.corners_seen for piece in pieces], dtype=np.float64).reshape(count, 5) * 0.8
    corners = corners + rng.normal(0, noise, corners.shape) * np.where(seen > 0, 1, 3)[..., None]
    for index, piece in enumerate(pieces):
        if piece.square:
            turned = int(rng.integers(4))
            corners[index, 1:] = np.roll(corners[index, 1:], turned, axis=0)
            seen[index, 1:] = np.roll(seen[index, 1:], turned)
    return Detections(
        score=np.full(count, 0.99),
        glance=np.full(count, 0.99),
        closer=np.full(count, 0.99),
        speaks=np.ones(count, dtype=bool),
        centers=corners.mean(1) if count else np.zeros((0, 2)),
        corners=corners,
        corner_blur=max(noise, CLEAREST) * np.where(seen > 0, 0.7, 2.1),
        lying=np.array([SURE if piece.posture == "lying" else 1 - SURE for piece in pieces]),
        colors=_chosen([piece.color for piece in pieces], len(COLORS)),
        sizes=np.full((count, len(SIZES)), 1 / len(SIZES)),
        pips=np.zeros((count, len(SIZES))),
        edges=np.zeros((count, len(SIZES))),
        visible=np.array([piece.visible for piece in pieces]),
        under=np.array([piece.under for piece in pieces], dtype=bool),
        above=np.array([float(piece.above) for piece in pieces]),
        crossings=_crossings(scene, noise, rng),
        token=None if scene.token is None else np.array([*scene.token, 0.9]),
        plastic=_areas(scene, [piece.outline for piece in scene.pieces if piece.visible > 0]),
        board=_areas(scene, [] if scene.board is None else [scene.board]),
        cell=float(STRIDE),
    )


def enlarged(seen: Detections, factor: float) -> Detections:
    """The same seen in a picture *factor* times as large."""

    def there(points: Array) -> Array:
        return np.asarray((points + 0.5) * factor - 0.5)

    return replace(
        seen,
        centers=there(seen.centers),
        corners=there(seen.corners),
        corner_blur=seen.corner_blur * factor,
        cell=seen.cell * factor,
        token=None,
    )


def _chosen(indices: list[int], count: int) -> Array:
    chances = np.full((len(indices), count), (1 - SURE) / (count - 1))
    chances[np.arange(len(indices)), indices] = SURE
    return chances


def _crossings(scene: Scene, noise: float, rng: np.random.Generator) -> Array:
    """The crossings that no piece hides."""
    shown = [
        point
        for point in scene.crossings
        if not any(
            cv2.pointPolygonTest(hull(piece.outline).astype(np.float32), (float(point[0]), float(point[1])), False)
            > 0
            for piece in scene.pieces
        )
    ]
    points = np.array(shown).reshape(-1, 2)
    return np.column_stack([points + rng.normal(0, noise, points.shape), np.full(len(points), 0.8)])


def _areas(scene: Scene, outlines: list[Array]) -> NDArray[np.float32]:
    """The areas within the outlines (M, 2) px, cell by cell."""
    mask = np.zeros((scene.size[1] // STRIDE, scene.size[0] // STRIDE), np.float32)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(hull(outline) / STRIDE).astype(np.int32)], 1.0)
    return mask


def _with_clutter(seen: Detections, count: int, size: tuple[int, int], rng: np.random.Generator) -> Detections:
    """Some more things with five corners anywhere near each other."""
    if not count:
        return seen
    middles = rng.uniform((60, 60), np.array(size) - 60, (count, 2))
    corners = middles[:, None] + rng.uniform(-40, 40, (count, 5, 2))
    more: dict[str, Any] = {
        "score": np.full(count, 0.35),
        "glance": np.full(count, 0.3),
        "closer": np.full(count, 0.35),
        "speaks": np.ones(count, dtype=bool),
        "centers": middles,
        "corners": corners,
        "corner_blur": np.full((count, 5), 1.0),
        "lying": np.full(count, 0.5),
        "colors": _chosen([int(color) for color in rng.integers(0, 4, count)], len(COLORS)),
        "sizes": np.full((count, len(SIZES)), 1 / len(SIZES)),
        "pips": np.zeros((count, len(SIZES))),
        "edges": np.zeros((count, len(SIZES))),
        "visible": np.full(count, 0.9),
        "under": np.zeros(count, dtype=bool),
        "above": np.zeros(count),
    }
    joined: dict[str, Any] = {name: np.concatenate([getattr(seen, name), value]) for name, value in more.items()}
    return replace(seen, **joined)
