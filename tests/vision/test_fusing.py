"""A whole table from corners that are a little off: stacks, hidden corners, clutter and wrong postures included.

Bars lie well above what was measured on other seeds: of 16 pieces at 1280 px one of 512 sizes was wrong at 3 px
of noise, and one of 666 with every trouble at once.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.strewn_tables import ALL_TROUBLE, Strewn, Trouble, scaled, strewn_table
from companion_app.samples import layout_of, random_homeworlds
from training.virtual_scenes import photograph_with_truth
from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.fusing.table_fit import TableFit, fit_table
from vision.sight import ImageSide
from vision.solids import Array, Color, Size
from vision.virtual import View

SEEN = 0.25
COLORS = [color.value for color in Color]
SEEDS = range(8)


def fit_of(table: Strewn, camera: Camera | None = None) -> TableFit:
    """The fit of a table, which there must be."""
    fit = fit_table(table.detections, table.size_px, ImageSide.BOTTOM, camera=camera)
    assert fit is not None
    return fit


def sizes_of(fit: TableFit) -> list[Size | None]:
    return [pose.size if pose else None for pose in fit.poses]


def wrong_sizes(table: Strewn, fit: TableFit) -> tuple[int, int]:
    """How many sizes are wrong, and of how many pieces."""
    pairs = [(got, want.size) for got, want in zip(sizes_of(fit), table.poses, strict=True) if want]
    return sum(got is not size for got, size in pairs), len(pairs)


@cache
def in_trouble(seed: int) -> tuple[Strewn, TableFit]:
    """A table where everything goes wrong at once, and its fit."""
    table = strewn_table(seed, 16, ALL_TROUBLE)
    return table, fit_of(table)


@pytest.mark.parametrize(
    ("trouble", "most_wrong"),
    [
        (Trouble(noise=0.0, inferred=0.0), 0.0),
        (Trouble(noise=1.0), 0.01),
        (Trouble(noise=3.0), 0.04),
        (Trouble(mirrored=0.3), 0.01),
        (Trouble(far=0.05), 0.02),
        (Trouble(misjudged=0.1), 0.02),
        (Trouble(clutter=0.3), 0.02),
        (Trouble(bend=0.1), 0.02),
        (Trouble(stacks=3), 0.03),
        (Trouble(lean=2.0), 0.03),
    ],
    ids=["clean", "1 px", "3 px", "mirrored", "far", "misjudged", "clutter", "bent", "stacks", "leaning"],
)
@pytest.mark.parametrize("known", [False, True], ids=["free", "known camera"])
def test_sizes_of_a_whole_table(trouble: Trouble, most_wrong: float, known: bool) -> None:
    tables = [strewn_table(seed, 16, trouble) for seed in SEEDS]
    counts = [wrong_sizes(table, fit_of(table, table.camera if known else None)) for table in tables]
    wrong, pieces = np.sum(counts, axis=0)
    assert pieces >= 16 * len(tables)
    assert wrong <= most_wrong * pieces


def test_everything_wrong_at_once() -> None:
    wrong, pieces = np.sum([wrong_sizes(*in_trouble(seed)) for seed in SEEDS], axis=0)
    assert wrong <= 0.03 * pieces
    for table, fit in map(in_trouble, SEEDS):
        assert fit.camera.elevation_deg == pytest.approx(table.camera.elevation_deg, abs=3)
        assert fit.camera.position[2] == pytest.approx(table.camera.position[2], rel=0.08)


def test_postures_are_put_right() -> None:
    pairs = [
        (got.posture, want.posture)
        for table, fit in map(in_trouble, SEEDS)
        for got, want in zip(fit.poses, table.poses, strict=True)
        if got and want
    ]
    assert sum(got is not want for got, want in pairs) <= 0.02 * len(pairs)


def test_who_stands_on_whom() -> None:
    pairs = [
        (got, want)
        for table, fit in map(in_trouble, SEEDS)
        for got, want, pose in zip(fit.below, table.below, table.poses, strict=True)
        if pose
    ]
    assert sum(want >= 0 for _, want in pairs) > 15
    assert sum(got != want for got, want in pairs) <= 0.03 * len(pairs)


def test_probabilities_are_honest() -> None:
    """Where 10 to 40 of 100 sizes should be wrong, about as many are; and where one in 100 should, hardly one is."""
    chances, right = [], []
    for seed in range(24):
        table = strewn_table(seed, 8, Trouble(noise=3.5), long_side=640)
        fit = fit_of(table)
        shares = np.exp(-fit.size_costs)
        chances += (shares.max(axis=1) / shares.sum(axis=1)).tolist()
        right += [got is want.size for got, want in zip(sizes_of(fit), table.poses, strict=True) if want]
    sure, told = np.array(right), np.array(chances)
    unsure = told < 0.9
    assert unsure.sum() > 10
    assert abs(sure[unsure].mean() - told[unsure].mean()) < 0.2
    assert (~sure[told > 0.99]).mean() < 0.03


@pytest.mark.parametrize("size", Size)
def test_pieces_of_one_size_may_be_of_any(size: Size) -> None:
    table = strewn_table(int(size), 9, Trouble(noise=1.5), sizes=(size,))
    fit = fit_of(table)
    assert fit.margin < 9
    assert fit.size_costs[:, size - 1].max() < 12
    mixed = fit_of(strewn_table(int(size), 9, Trouble(noise=1.5)))
    assert mixed.margin > 15


@settings(max_examples=6, derandomize=True)
@given(seed=st.integers(100, 10**6), factor=st.floats(0.5, 2.0))
def test_larger_pictures_have_the_same_sizes(seed: int, factor: float) -> None:
    table = strewn_table(seed, 10, Trouble(noise=0.5, inferred=0.0))
    width, height = table.size_px
    fit = fit_table(
        scaled(table.detections, factor), (round(width * factor), round(height * factor)), ImageSide.BOTTOM
    )
    assert fit is not None
    assert sizes_of(fit) == sizes_of(fit_of(table))


@pytest.mark.parametrize("size", Size)
@pytest.mark.parametrize("seed", range(3))
def test_pips_of_some_tell_the_sizes_of_all(seed: int, size: Size) -> None:
    """Pieces of one size may be of any by their scale; one wrong count among four right ones does no harm."""
    table = strewn_table(seed, 9, Trouble(noise=1.0), sizes=(size,))
    pips = np.zeros((len(table.detections), 3))
    pips[:4, size - 1] = 5.0
    pips[4, size % 3] = 5.0
    fit = fit_table(replace(table.detections, pips=pips), table.size_px, ImageSide.BOTTOM)
    assert fit is not None
    assert wrong_sizes(table, fit)[0] == 0


def test_a_lens_that_is_known_tells_the_camera_better() -> None:
    """A longer lens from farther off shows nearly the same, and few corners that are told badly do not tell which."""
    off: dict[bool, list[float]] = {False: [], True: []}
    for seed in range(20):
        table = strewn_table(seed, 4, Trouble(noise=4.0))
        true = table.camera.focal
        for lens in (None, true / math.hypot(*table.size_px)):
            fit = fit_table(table.detections, table.size_px, ImageSide.BOTTOM, lens=lens)
            assert fit is not None
            off[lens is not None].append(abs(math.log(fit.camera.focal / true)))
    assert np.mean(off[True]) < 0.5 * np.mean(off[False])


@pytest.mark.parametrize("south", ImageSide)
def test_turned_pictures_have_the_same_sizes(south: ImageSide) -> None:
    table = strewn_table(11, 10, Trouble(noise=0.5, inferred=0.0))
    width, height = table.size_px
    corners, turns = table.detections.corners, list(ImageSide).index(south)
    size = table.size_px
    for _ in range(turns):  # a quarter clockwise each
        corners = np.stack([size[1] - 1 - corners[..., 1], corners[..., 0]], axis=-1)
        size = size[1], size[0]
    fit = fit_table(replace(table.detections, corners=corners, centers=corners.mean(axis=1)), size, south)
    assert fit is not None
    assert sizes_of(fit) == sizes_of(fit_of(table))
    assert {width, height} == set(size)


def test_places_under_a_known_camera() -> None:
    table = strewn_table(4, 12, Trouble(noise=0.5, inferred=0.0, bend=0.1))
    fit = fit_of(table, table.camera)
    assert fit.margin == math.inf
    for got, want in zip(fit.poses, table.poses, strict=True):
        assert got is not None
        assert want is not None
        assert math.hypot(got.x - want.x, got.y - want.y) < 3


def test_the_sky_holds_no_pieces() -> None:
    table = strewn_table(5, 9)
    level = Camera.looking_at((0, 0), azimuth_deg=270, elevation_deg=10, distance=600, focal=900, size=(1280, 960))
    centers = table.detections.centers.copy()
    corners = table.detections.corners.copy()
    corners[0, :, 1] -= centers[0, 1] - 20
    centers[0, 1] = 20
    told = replace(table.detections, corners=corners, centers=centers)
    fit = fit_table(told, table.size_px, ImageSide.BOTTOM, camera=level)
    assert fit is not None
    assert not fit.ground[0]
    assert fit.poses[0] is None
    assert fit.misfit[0] == math.inf


def test_costs_name_the_best_size() -> None:
    _, fit = in_trouble(1)
    best = fit.size_costs.argmin(axis=1)
    assert [pose.size - 1 for pose in fit.poses if pose] == best.tolist()
    assert (fit.size_costs.min(axis=1) == 0).all()
    assert (fit.posture_costs.min(axis=1) == 0).all()
    assert np.isfinite(fit.misfit).all()


@pytest.mark.parametrize("count", [0, 1])
def test_too_little_to_tell(count: int) -> None:
    detections = strewn_table(1, 6).detections.only(range(count))
    assert fit_table(detections, (1280, 960), ImageSide.BOTTOM) is None


def test_a_known_camera_needs_no_pieces() -> None:
    table = strewn_table(1, 6)
    fit = fit_table(table.detections.only([]), table.size_px, ImageSide.BOTTOM, camera=table.camera)
    assert fit is not None
    assert fit.poses == ()


def test_a_game_with_its_bank() -> None:
    """Homeworlds as it is laid out: huddles, stars on stars, a bank of stacks."""
    seed = 3
    _, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    pieces = [piece for piece in truth["pieces"] if piece["visible"] >= SEEN]
    detections = told_of(pieces, 0.7, np.random.default_rng(seed))
    fit = fit_table(detections, (truth["image"]["width"], truth["image"]["height"]), View.random(seed).south)
    assert fit is not None
    assert fit.camera.elevation_deg == pytest.approx(truth["settings"]["elevation_deg"], abs=1)
    wrong = sum(size is None or size.word != piece["size"] for size, piece in zip(sizes_of(fit), pieces, strict=True))
    assert wrong <= 0.04 * len(pieces)


def told_of(pieces: list[dict[str, Any]], noise: float, rng: np.random.Generator) -> Detections:
    """What eyes would tell of these pieces whose corners are off by *noise* px, three times that where hidden."""
    count = len(pieces)
    corners: Array = np.array([piece["corners"] for piece in pieces])
    lying = np.array([piece["posture"] == "lying" for piece in pieces], dtype=np.float64)
    visible = np.array([piece["visible"] for piece in pieces])
    seen = np.clip(visible[:, None] * 1.2 - rng.random((count, 5)) * 0.5, 0, 1)
    corners = corners + rng.normal(0, noise, corners.shape) * np.where(seen > SEEN, 1, 3)[..., None]
    colors = np.full((count, 5), 0.01)
    colors[np.arange(count), [COLORS.index(piece["color"]) for piece in pieces]] = 0.96
    under = np.array([any(_stands_on(other, piece) for other in pieces) for piece in pieces])
    table = strewn_table(0, 3).detections
    return replace(
        table,
        score=np.full(count, 0.99),
        glance=np.full(count, 0.99),
        closer=np.full(count, 0.99),
        speaks=np.ones(count, dtype=bool),
        centers=corners.mean(axis=1),
        corners=corners,
        corner_blur=1 / np.clip(2 * seen, 0.1, 1.0),
        lying=lying,
        colors=colors,
        sizes=np.full((count, 3), 1 / 3),
        pips=np.zeros((count, 3)),
        edges=np.zeros((count, 3)),
        visible=visible,
        under=under,
    )


def _stands_on(upper: dict[str, Any], lower: dict[str, Any]) -> bool:
    apart = max(abs(upper["x"] - lower["x"]), abs(upper["y"] - lower["y"]))
    return bool(apart < 6 and upper["z"] > lower["z"] and "lying" not in (upper["posture"], lower["posture"]))
