"""A whole table from corners that are a little off: stacks, hidden corners and the bank included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion_app.samples import layout_of, random_homeworlds
from training.virtual_scenes import photograph_with_truth
from vision.eyes.detections import Detections
from vision.fusing.table_fit import TableFit, fit_table
from vision.solids import Color
from vision.virtual import View

SEEN = 0.25
COLORS = [color.value for color in Color]


def detections_of(pieces: list[dict[str, Any]], noise: float, rng: np.random.Generator) -> Detections:
    """What eyes would tell of these pieces whose corners are off by *noise* px, three times that where hidden."""
    count = len(pieces)
    corners = np.array([piece["corners"] for piece in pieces])
    lying = np.array([piece["posture"] == "lying" for piece in pieces], dtype=np.float64)
    visible = np.array([piece["visible"] for piece in pieces])
    seen = np.clip(visible[:, None] * 1.2 - rng.random((count, 5)) * 0.5, 0, 1)
    corners = corners + rng.normal(0, noise, corners.shape) * np.where(seen > 0.25, 1, 3)[..., None]
    for index in np.flatnonzero(lying < 0.5):  # an upright piece has no first corner
        corners[index, 1:] = np.roll(corners[index, 1:], rng.integers(4), axis=0)
    colors = np.full((count, 5), 0.01)
    colors[np.arange(count), [COLORS.index(piece["color"]) for piece in pieces]] = 0.96
    under = np.array([any(_stands_on(other, piece) for other in pieces) for piece in pieces])
    empty = np.zeros((1, 1), dtype=np.float32)
    even = np.full((count, 3), 1 / 3)
    score = np.full(count, 0.99)
    return Detections(
        score,
        corners.mean(1),
        corners,
        seen,
        lying,
        colors,
        even,
        visible,
        under,
        np.zeros((0, 3)),
        None,
        empty,
        empty,
        4.0,
    )


def _stands_on(upper: dict[str, Any], lower: dict[str, Any]) -> bool:
    apart = max(abs(upper["x"] - lower["x"]), abs(upper["y"] - lower["y"]))
    return bool(apart < 6 and upper["z"] > lower["z"] and "lying" not in (upper["posture"], lower["posture"]))


def fitted(seed: int, noise: float) -> tuple[list[dict[str, Any]], TableFit, float]:
    """The pieces in sight on a virtual table, its fit, and the true elevation of the camera."""
    _, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    pieces = [piece for piece in truth["pieces"] if piece["visible"] >= SEEN]
    eyes = detections_of(pieces, noise, np.random.default_rng(seed))
    fit = fit_table(eyes, (truth["image"]["width"], truth["image"]["height"]), View.random(seed).south)
    assert fit is not None
    return pieces, fit, truth["settings"]["elevation_deg"]


@pytest.mark.parametrize(("noise", "most_wrong"), [(0.0, 0.0), (1.0, 0.02), (2.0, 0.08)])
def test_sizes_of_a_whole_table(noise: float, most_wrong: float) -> None:
    wrong = count = 0
    for seed in range(6):
        pieces, fit, elevation = fitted(seed, noise)
        assert fit.camera.elevation_deg == pytest.approx(elevation, abs=1.0 + noise)
        for piece, pose in zip(pieces, fit.poses, strict=True):
            assert pose is not None
            wrong += pose.size.word != piece["size"]
            count += 1
    assert wrong <= most_wrong * count


def test_who_stands_on_whom() -> None:
    pieces, fit, _ = fitted(3, 0.5)
    for index, piece in enumerate(pieces):
        lower = fit.below[index]
        assert (lower >= 0) == (piece["z"] > 0 and any(_stands_on(piece, other) for other in pieces))
        if lower >= 0:
            assert _stands_on(piece, pieces[lower])


def test_costs_name_the_best_size() -> None:
    _, fit, _ = fitted(1, 1.0)
    best = fit.size_costs.argmin(axis=1)
    assert [pose.size - 1 for pose in fit.poses if pose] == best.tolist()
    assert (fit.size_costs >= 0).all()
    assert np.isfinite(fit.misfit).all()


def test_too_little_to_tell() -> None:
    pieces, _, _ = fitted(1, 0.0)
    eyes = detections_of(pieces[:1], 0.0, np.random.default_rng(0))
    assert fit_table(eyes, (1280, 960), View.random(1).south) is None
