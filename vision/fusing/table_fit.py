"""One camera and one pose for every detection: single pieces first, together; stacks then, from the bottom up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.chances import softmax
from vision.eyes.detections import Detections
from vision.finding.footprints import middles_on_board, on_board
from vision.fusing.arrow import Corners
from vision.fusing.joint import explain, noise_of
from vision.fusing.laying import Laid, Table, lay
from vision.fusing.stacks import find_stacks, from_the_bottom
from vision.poses import Pose
from vision.sight import ImageSide
from vision.solids import Array, Posture, Size, nesting_step

CLEAR = 0.4  # score of pieces that may speak of the camera
SURE = 0.98  # score of those that all do
MANY = 14  # so many speak wherever there are as many, be they less sure
ENOUGH_SEEN = 0.5  # share of a piece in sight, for its corners to speak of the camera
SHARP = 0.5  # px, blur of a corner that is seen as well as any
NOISE = 0.5  # px by which such a corner is off, at the least
POSTURE_DOUBT = 0.02  # probability that the eyes take a piece that lies for one that stands, or the reverse
STANDS_ON_A_FIELD = 0.02  # of the odds elsewhere that a piece stands, before any look at it: fields are for ships
PIPS_DOUBT = 0.1  # probability that pips tell nothing of a size
WORTH_LAYING = 9.0  # of log-likelihood that a camera may lag and still be asked
FEW = 10  # pieces; fewer do not tell the camera well by themselves, and those of stacks are nearly on the table too
STEPS = np.array([[nesting_step(lower, upper) for upper in Size] for lower in Size])  # mm
OVER, BARELY_OVER = 12.0, 6.0  # mm between the axes of two pieces of a stack; if the eyes see no stack there
MOST, SOME = 0.5, 0.15  # of the smaller of two outlines in common: by itself a sign of a stack; worth a try
MAY_STAND = 0.1  # probability
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
        outlines: (N, 3, 5, 2) px, where each size of a piece has its corners, in the posture that it most likely has.
        misfit: (N,) px, root mean square of the corners that are seen; infinite without a pose.
        ground: (N,) bool, whether there is table where the detection is, and not the sky.
        below: (N,) index of the detection that a piece stands on, or -1.
        margin: lead of the camera's height over the likeliest other, as a log-likelihood; infinite if it is known.
        noise: px, of a corner that is seen.
    """

    camera: Camera
    poses: tuple[Pose | None, ...]
    size_costs: Array
    posture_costs: Array
    outlines: Array
    misfit: Array
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
    field_mm: float | None = None,
    lens: float | None = None,
) -> TableFit | None:
    """Camera and poses of all *detections*; ``None`` where too few pieces stand free to tell the camera.

    Args:
        size_px: (width, height) of the picture.
        south: the image side nearest to South's seat.
        camera: if it is known, as over a board: then pieces are only laid, in its table frame.
        field_mm: width of the fields of the board around the middle of that table, if there is one.
        lens: its focal length as a share of the picture's diagonal, if only that is known.
    """
    corners = told_corners(detections)
    if camera is not None:
        noise = _noise_on(Table.known(camera), corners[_free(detections, _clear(detections))])
        known = _lay_all(Table.known(camera), detections, corners, noise)
        believed = _believed(detections) if field_mm is None else _believed_on_board(detections, known, field_mm)
        return _fit(detections, [known], [], noise, believed)
    speaking = _speaking(detections)
    if len(speaking) < 2:
        return None
    explained = explain(
        corners[speaking],
        detections.lying[speaking],
        unlikely_by_pips(detections)[speaking],
        size_px,
        south,
        least_noise=NOISE,
        posture_doubt=POSTURE_DOUBT,
        lens=lens,
    )
    best = explained.explanations[0]
    others = [other for other in explained.explanations[1:] if abs(other.scale - best.scale) > SAME_HEIGHT]
    likely = [best, *(other for other in others if other.lag < WORTH_LAYING)]
    tables = [Table.explained(explanation, size_px) for explanation in likely]
    laid = [_lay_all(table, detections, corners, explained.noise) for table in tables]
    return _fit(detections, laid, [other.lag for other in others], explained.noise, _believed(detections))


@dataclass(frozen=True, eq=False)
class _LaidTable:
    """All pieces laid on one table: ``lifts`` (N, 3) mm and (N,) ``below`` as they stand over each other."""

    table: Table
    laid: Laid
    lifts: Array
    below: NDArray[np.intp]


def _clear(detections: Detections) -> NDArray[np.intp]:
    """Indices of the pieces that may speak and that the eyes see clearly; all, if hardly any are."""
    clear = np.flatnonzero((detections.score >= CLEAR) & detections.speaks)
    return clear if len(clear) > 1 else np.arange(len(detections))


def _free(detections: Detections, among: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of these pieces those that stand free of the others, in order."""
    among = np.sort(among)
    stacks = find_stacks(detections.corners[among], detections.lying[among] < 0.5, MOST)
    return np.delete(among, [index for stack in stacks for index in stack])


def _speaking(detections: Detections) -> NDArray[np.intp]:
    """Indices of the pieces that shall tell the camera: the surest that are free and in sight, if there are enough.

    Where a pattern shows more triangles than there are pieces, most of what is fairly clear is none. So less sure
    ones speak only where too few are sure, and no more of them than are wanted.
    """
    clear = _clear(detections)
    surest_first = clear[np.argsort(-detections.score[clear], kind="stable")]
    sure = int((detections.score[clear] >= SURE).sum())
    for count in range(max(sure, min(MANY, len(clear))), len(clear) + 1):
        free = _free(detections, surest_first[:count])
        speaking = free[detections.visible[free] >= ENOUGH_SEEN]
        if len(speaking) >= MANY:
            return speaking
    return next((those for those in (speaking, free) if len(those) >= FEW), clear)


def _noise_on(table: Table, corners: Corners) -> float:
    """px, from pieces that stand free on a table under a known camera."""
    count = len(corners.pixels)
    if not count:
        return NOISE
    laid = lay(table, corners, np.zeros((count, len(Size))), NOISE)
    best = laid.costs.reshape(count, -1).argmin(axis=1)
    squares = laid.squares.reshape(count, -1, 5)[np.arange(count), best]
    return noise_of(squares.ravel(), 3 * count, NOISE)


def _lay_all(table: Table, detections: Detections, corners: Corners, noise: float) -> _LaidTable:
    """Lays all pieces on the table, and then those of stacks on what is below them, from the bottom up.

    What overlaps in the picture may also stand behind: a piece belongs on another only if it comes to lie over its
    middle when it is laid as high as that.
    """
    count = len(detections)
    below = np.full(count, -1)
    lifts = np.zeros((count, len(Size)))
    laid = lay(table, corners, lifts, noise)
    flat = laid.places
    height = math.exp(-table.scale)
    ordered = _likely_stacks(laid, detections, height)
    for rank in range(1, max(map(len, ordered), default=0)):
        pairs = np.array([(stack[rank], lower) for stack in ordered if len(stack) > rank for lower in stack[:rank]])
        upper, lower = pairs.T
        kinds = laid.costs[lower, 0].argmin(axis=1)
        raised = lifts[lower, kinds][:, None] + STEPS[kinds]
        tried = lay(table, corners[upper], raised, noise, flat[upper])
        best = tried.costs[:, 0].argmin(axis=1)
        apart = tried.places[np.arange(len(pairs)), 0, best, 1:3] - laid.places[lower, 0, kinds, 1:3]
        mm = np.linalg.norm(apart, axis=1) * height
        over = np.where(detections.under[lower], OVER, BARELY_OVER)
        for piece in np.unique(upper).tolist():
            own = np.flatnonzero((upper == piece) & (mm < over))
            if len(own):
                chosen = own[-1:]  # the highest of them
                below[piece], lifts[piece] = lower[chosen[0]], raised[chosen[0]]
                laid = laid.replaced(np.array([piece]), tried.only(chosen))
    return _LaidTable(table, laid, lifts, below)


def _likely_stacks(laid: Laid, detections: Detections, height: float) -> list[list[int]]:
    """Pieces, each laid on the table for now, of which some may stand on others; the lowest first."""
    upright = laid.likelihoods(_believed(detections))[:, 0]
    each, kinds = np.arange(len(detections)), upright.argmax(axis=1)
    outlines = laid.outlines[each, 0, kinds]
    places = laid.places[each, 0, kinds, 1:3] * height
    widths = np.ptp(outlines[:, 1:], axis=1).max(axis=1)
    stacks = find_stacks(outlines, upright.sum(axis=1) > MAY_STAND, SOME)
    return [from_the_bottom(stack, places, widths, detections.under, height) for stack in stacks]


def _fit(
    detections: Detections,
    laid: Sequence[_LaidTable],
    lags: Sequence[float],
    noise: float,
    believed: Array,
) -> TableFit:
    """What the tables say together; poses are those on the first, which is the likeliest."""
    best = laid[0]
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
        best.laid.outlines[each, postures],
        np.where(ground, misfit, np.inf),
        ground,
        tuple(best.below.tolist()),
        min(lags, default=math.inf),
        noise,
    )


def told_corners(detections: Detections) -> Corners:
    """The corners of all *detections*, each as precise as it was seen."""
    return Corners(detections.corners, _precision(detections))


def unlikely_by_pips(detections: Detections) -> Array:
    """(N, 3) what pips say against each size of a piece, as a negative log-likelihood, 0 for the likeliest."""
    chances = (1 - PIPS_DOUBT) * softmax(detections.pips) + PIPS_DOUBT / len(Size)
    return _costs(chances)


def _precision(detections: Detections) -> Array:
    """(N, 5) of the corners: a weak spot of heat is both farther off and more often of something else."""
    return np.asarray((SHARP / np.maximum(detections.corner_blur, SHARP)) ** 2)


def _believed(detections: Detections) -> Array:
    """(N, 2, 1) probability of standing and of lying, before any geometry."""
    return np.clip(np.stack([1 - detections.lying, detections.lying], axis=1), POSTURE_DOUBT, 1)[..., None]


def _believed_on_board(detections: Detections, on: _LaidTable, field_mm: float) -> Array:
    """(N, 2, 1) the same around a board, on whose fields hardly anything stands."""
    kinds = on.laid.costs[:, 0].argmin(axis=1).tolist()
    standing = [
        on.table.pose(tuple(Size)[kind], Posture.UPRIGHT, on.laid.places[i, 0, kind], 0.0)
        for i, kind in enumerate(kinds)
    ]
    believed = _believed(detections)
    believed[on_board(middles_on_board(standing, field_mm)), 0] *= STANDS_ON_A_FIELD
    return believed


def _costs(likelihoods: Array) -> Array:
    """(N, K) likelihoods -> negative logarithms, 0 for the best."""
    return np.asarray(-np.log(np.maximum(likelihoods / likelihoods.max(axis=1, keepdims=True), 1e-30)))
