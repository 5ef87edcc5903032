"""One camera and one pose for every detection: single pieces first, together; stacks then, from the bottom up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.fusing.arrow import Corners
from vision.fusing.joint import explain, noise_of
from vision.fusing.laying import Laid, Table, lay
from vision.fusing.stacks import find_stacks, from_the_bottom
from vision.poses import Pose
from vision.sight import ImageSide
from vision.solids import Array, Posture, Size, nesting_step

ENOUGH_SEEN = 0.5  # share of a piece in sight, for its corners to speak of the camera
CORNER_SEEN = 0.25  # how clearly a corner must be seen to speak of it
INFERRED = 0.12  # precision of a corner that is only inferred
NOISE = 1.0  # px, of a corner that is seen, at the least
POSTURE_DOUBT = 0.02  # probability that the eyes take a piece that lies for one that stands, or the reverse
WORTH_LAYING = 9.0  # of log-likelihood that a camera may lag and still be asked
FEW = 3  # pieces; fewer than that do not tell the camera by themselves
STEPS = np.array([[nesting_step(lower, upper) for upper in Size] for lower in Size])  # mm
SAME_HEIGHT = 0.05  # of the logarithm, up to which two heights are one


@dataclass(frozen=True, eq=False)
class TableFit:
    """The table as the corners tell it.

    Attributes:
        camera: over the table, with South at the side asked for.
        poses: (N,) the best pose of each detection; ``None`` where there is none.
        size_costs: (N, 3) negative log-likelihood of each size, 0 for the best; every camera and both postures that
            may be right are counted, each as far as it is likely.
        posture_costs: (N, 2) the same of standing upright and of lying, with what the eyes say of it counted in.
        misfit: (N,) px, root mean square of the corners that are seen; infinite without a pose.
        oddity: (N,) negative log-likelihood of the corners in the best pose: about 4 for a piece; what has 25 and
            more is hardly one. A single corner far off counts mildly.
        ground: (N,) bool, whether there is table where the detection is, and not the sky.
        below: (N,) index of the detection that a piece stands on, or -1.
        margin: lead of the camera's height over the likeliest other, as a log-likelihood; infinite if it is known.
        noise: px, of a corner that is seen.
    """

    camera: Camera
    poses: tuple[Pose | None, ...]
    size_costs: Array
    posture_costs: Array
    misfit: Array
    oddity: Array
    ground: NDArray[np.bool_]
    below: tuple[int, ...]
    margin: float
    noise: float


def fit_table(
    detections: Detections,
    size_px: tuple[int, int],
    south: ImageSide,
    *,
    camera: Camera | None = None,
    height_mm: float | None = None,
) -> TableFit | None:
    """Camera and poses of all *detections*; ``None`` where too few pieces stand free to tell the camera.

    Args:
        size_px: (width, height) of the picture.
        south: the image side nearest to South's seat.
        camera: if it is known, as over a board: then pieces are only laid, in its table frame.
        height_mm: about how high the camera is over the table, if an earlier picture told.
    """
    corners = Corners(detections.corners, _precision(detections))
    stacks = find_stacks(detections, detections.lying > 0.5)
    if camera is not None:
        noise = _noise_on(Table.known(camera), corners, stacks)
        return _fit(detections, [_lay_all(Table.known(camera), detections, corners, stacks, noise)], [], noise)
    clear = _speaking(detections, stacks)
    if len(clear) < 2:
        return None
    explained = explain(
        corners[clear],
        detections.lying[clear],
        size_px,
        south,
        least_noise=NOISE,
        height_mm=height_mm,
        posture_doubt=POSTURE_DOUBT,
    )
    best = explained.explanations[0]
    others = [other for other in explained.explanations[1:] if abs(other.scale - best.scale) > SAME_HEIGHT]
    likely = [best, *(other for other in others if other.lag < WORTH_LAYING)]
    tables = [Table.explained(explanation, size_px) for explanation in likely]
    laid = [_lay_all(table, detections, corners, stacks, explained.noise) for table in tables]
    return _fit(detections, laid, [other.lag for other in others], explained.noise)


@dataclass(frozen=True, eq=False)
class _LaidTable:
    """All pieces laid on one table: ``lifts`` (N, 3) mm and (N,) ``below`` as they stand over each other."""

    table: Table
    laid: Laid
    lifts: Array
    below: NDArray[np.intp]


def _speaking(detections: Detections, stacks: Sequence[Sequence[int]]) -> NDArray[np.intp]:
    """Indices of the pieces that shall tell the camera: those that are free and clear to see, or all if they are few."""
    free = np.ones(len(detections), dtype=bool)
    free[[index for stack in stacks for index in stack]] = False
    for speaking in (free & (detections.visible >= ENOUGH_SEEN), free):
        if speaking.sum() >= FEW:
            return np.flatnonzero(speaking)
    return np.arange(len(detections))


def _noise_on(table: Table, corners: Corners, stacks: Sequence[Sequence[int]]) -> float:
    """px, from the pieces that stand free on a table under a known camera."""
    free = np.setdiff1d(np.arange(len(corners.pixels)), [index for stack in stacks for index in stack])
    if not len(free):
        return NOISE
    laid = lay(table, corners[free], np.zeros((len(free), len(Size))), NOISE)
    best = laid.costs.reshape(len(free), -1).argmin(axis=1)
    squares = laid.squares.reshape(len(free), -1, 5)[np.arange(len(free)), best]
    return noise_of(squares.ravel(), 3 * len(free), NOISE)


def _lay_all(
    table: Table, detections: Detections, corners: Corners, stacks: Sequence[Sequence[int]], noise: float
) -> _LaidTable:
    """Lays all pieces, level by level: what stands on the table, then what stands on that, and so on."""
    count = len(detections)
    below = np.full(count, -1)
    level = np.zeros(count, dtype=np.intp)
    for stack in stacks:
        ordered = from_the_bottom(stack, detections, table.camera)
        below[ordered[1:]] = ordered[:-1]
        level[ordered] = np.arange(len(ordered))
    lifts = np.zeros((count, len(Size)))
    laid = lay(table, corners, lifts, noise)
    for height in range(1, int(level.max(initial=0)) + 1):
        above = np.flatnonzero(level == height)
        lower = below[above]
        kinds = laid.costs[lower, 0].argmin(axis=1)
        lifts[above] = lifts[lower, kinds][:, None] + STEPS[kinds]
        laid = laid.replaced(above, lay(table, corners[above], lifts[above], noise))
    return _LaidTable(table, laid, lifts, below)


def _fit(detections: Detections, laid: Sequence[_LaidTable], lags: Sequence[float], noise: float) -> TableFit:
    """What the tables say together; poses are those on the first, which is the likeliest."""
    best = laid[0]
    believed = np.clip(np.stack([1 - detections.lying, detections.lying], axis=1), POSTURE_DOUBT, 1)[..., None]
    shares = np.exp([0.0, *(-lag for lag in lags[: len(laid) - 1])])
    likely = np.sum([share * one.laid.likelihoods(believed) for share, one in zip(shares, laid, strict=True)], axis=0)
    each = np.arange(len(detections))
    kinds = likely.sum(axis=1).argmax(axis=1)
    postures = likely[each, :, kinds].argmax(axis=1)
    ground = best.table.under(detections.centers)
    places = best.laid.places[each, postures, kinds]
    lifts = np.where(postures == 0, best.lifts[each, kinds], 0.0)
    misfit = np.sqrt(best.laid.squares[each, postures, kinds].sum(axis=1) / _precision(detections).sum(axis=1))
    return TableFit(
        best.table.camera,
        tuple(
            best.table.pose(tuple(Size)[kinds[i]], tuple(Posture)[postures[i]], places[i], float(lifts[i]))
            if ground[i]
            else None
            for i in each
        ),
        _costs(likely.sum(axis=1)),
        _costs(likely.sum(axis=2)),
        np.where(ground, misfit, np.inf),
        best.laid.costs[each, postures, kinds],
        ground,
        tuple(best.below.tolist()),
        min(lags, default=math.inf),
        noise,
    )


def _precision(detections: Detections) -> Array:
    """(N, 5) of the corners."""
    return np.where(detections.corner_seen >= CORNER_SEEN, 1.0, INFERRED)


def _costs(likelihoods: Array) -> Array:
    """(N, K) likelihoods -> negative logarithms, 0 for the best."""
    return np.asarray(-np.log(np.maximum(likelihoods / likelihoods.max(axis=1, keepdims=True), 1e-30)))
