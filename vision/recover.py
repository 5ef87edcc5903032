"""From the corners of several pieces back to the camera and the table: the inverse of projection.

One piece's shape cannot tell its size, for the three solids are all but similar. What tells is that all pieces
stand on one table under one camera: in units of the camera's height their bases have at most three lengths, and
only some heights turn those into official sizes. Every such height is tried in full, and when a rival explains
the picture about as well, the answer says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from vision.adjust import adjust, corners
from vision.camera import Camera
from vision.finding.viewpoint import LARGEST, SMALLEST, USUAL_FOCAL, camera_over_table, find_viewpoint
from vision.poses import Pose, body_of, hull, placed
from vision.sight import ImageSide
from vision.solids import Array, Posture, Size

ENOUGH_CORNERS = 3  # of one piece: two fix its place and heading, the third speaks of its size and the camera
ROUNDS = 3
PLAIN_TILTS = (0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0)  # degrees off straight down
UNLIKE = 0.05  # square of the relative misfit that counts against a first camera at most
MODEL_ERROR = 0.02  # relative, of corners compared without perspective in headings 3° apart
MOST_MISFIT = 20.0  # of log-likelihood that one piece may count against a height
HOPELESS = 30.0  # of log-likelihood: heights that lag by more are not tried in full
MOST_RIVALS = 4  # heights that are tried in full
CLEAR_LEAD = 6.0  # of log-likelihood over the best rival; less is undecided
TURNS = np.arange(0.0, 360.0, 3.0)  # degrees; corners have names, so that upright pieces turn all the way too
SIDES = np.array([size.base for size in Size])

Sizes = tuple[Size, ...]
_Seen = tuple[Array, Posture]  # (5, 2) px of a piece, NaN where unseen, and how it stands


@dataclass(frozen=True, eq=False)
class Recovery:
    """The camera over the table and every piece on it.

    Attributes:
        camera: in a table frame whose origin lies below it and whose South is at the image side asked for; its lens
            is taken as free of distortion, with the optical axis through the middle of the picture.
        poses: (N,) in the order asked; ``None`` for pieces of which fewer than three corners were seen.
        rms: (N,) px, root mean square of each piece's corners; NaN without a pose.
        margin: by how much these sizes lead over the likeliest others, as a difference of log-likelihoods;
            infinite when no other sizes came near.
        rivals: other sizes of the posed pieces that the corners allow about as well, the likeliest first.
    """

    camera: Camera
    poses: tuple[Pose | None, ...]
    rms: Array
    margin: float
    rivals: tuple[Sizes, ...]

    @property
    def ambiguous(self) -> bool:
        """Whether the corners leave the sizes undecided, as when all pieces are of one size."""
        return bool(self.rivals)

    @property
    def sizes(self) -> Sizes:
        """The sizes of the posed pieces, in order."""
        return tuple(pose.size for pose in self.poses if pose is not None)


@dataclass(frozen=True, eq=False)
class _Likeness:
    """A piece's corners beside those of a medium one in each of its headings, all around their own middle.

    Attributes:
        scale: (T,) how many times as large they are; ``left``: (T,) px², what is left unlike at that scale.
        extent: (T,) px², spread of the medium's corners; ``spread``: px², that of the piece's ``count`` corners.
    """

    scale: Array
    left: Array
    extent: Array
    spread: float
    count: int

    @property
    def unlike(self) -> Array:
        """(T,) square of the relative misfit."""
        return np.asarray(self.left / self.spread)

    def cost_of(self, scales: Array, noise: float) -> Array:
        """Negative log-likelihood of being (…) times as large as a medium piece, in whichever heading."""
        variance = noise**2 + MODEL_ERROR**2 * self.spread / self.count
        off = self.left + self.extent * (scales[..., None] - self.scale) ** 2
        return np.asarray(off.min(axis=-1) / (2 * variance))


@dataclass(frozen=True, eq=False)
class _Choice:
    """Sizes that the pieces may have together, under a camera of the height that this asks for."""

    camera: Camera
    sizes: Sizes


@dataclass(frozen=True, eq=False)
class _Explanation:
    """One choice of sizes with the camera and the poses that fit it best; ``off`` (B, 10) px, NaN where unseen."""

    camera: Camera
    poses: tuple[Pose, ...]
    off: Array

    @property
    def sizes(self) -> Sizes:
        return tuple(pose.size for pose in self.poses)

    def rms(self) -> Array:
        return np.asarray(np.sqrt(np.nanmean(self.off**2, axis=1)))

    def noise(self) -> float:
        """px, standard deviation of a corner in x or y, allowing for what was fitted."""
        count = int(np.isfinite(self.off).sum())
        free = max(1, count - 3 * len(self.poses) - 4)
        return float(np.sqrt(np.nansum(self.off**2) / free))

    def likelihood(self, noise: float) -> float:
        """Logarithm, with corners that are far off counted mildly."""
        return -float(np.nansum(np.sqrt(1 + (self.off / noise) ** 2) - 1))


def recover(
    keypoints: Array,
    postures: Sequence[Posture],
    size_px: tuple[int, int],
    *,
    south: ImageSide = ImageSide.BOTTOM,
    noise: float = 1.0,
) -> Recovery | None:
    """Camera, poses and sizes of pieces that all rest on the table, from nothing but their corners.

    Args:
        keypoints: (N, 5, 2) px, in the order of :mod:`vision.solids`; NaN where a corner is not seen.
        postures: (N,) of the pieces.
        size_px: (width, height) of the picture.
        south: the image side nearest to South's seat.
        noise: px, by how much a corner may be off at the least; more is noticed by itself.

    Returns:
        ``None`` unless two pieces show three corners each and a table can bear them.
    """
    keypoints = np.asarray(keypoints, dtype=np.float64)
    chosen = np.flatnonzero(np.isfinite(keypoints).all(axis=2).sum(axis=1) >= ENOUGH_CORNERS).tolist()
    pieces = [(keypoints[i], postures[i]) for i in chosen]
    camera = _first_camera(pieces, size_px, south)
    choices = _joint_sizes(camera, pieces, noise) if camera is not None else []
    best: _Explanation | None = None
    for _ in range(ROUNDS):
        if not choices or (best is not None and choices[0].sizes == best.sizes):
            break
        best = _fit(choices[0], pieces, noise)
        if best is None:
            return None
        choices = _joint_sizes(best.camera, pieces, noise)
    if best is None:
        return None
    others = [_fit(choice, pieces, noise) for choice in choices if choice.sizes != best.sizes]
    return _recovery([best, *(other for other in others if other is not None)], chosen, len(keypoints), noise)


def _recovery(explanations: Sequence[_Explanation], chosen: Sequence[int], count: int, noise: float) -> Recovery:
    """The likeliest explanation, and how far the others lag."""
    level = max(noise, min(explanation.noise() for explanation in explanations))
    best, *others = sorted(explanations, key=lambda explanation: -explanation.likelihood(level))
    lags = [best.likelihood(level) - other.likelihood(level) for other in others]
    rivals = tuple(other.sizes for other, lag in zip(others, lags, strict=True) if lag < CLEAR_LEAD)
    poses: list[Pose | None] = [None] * count
    rms = np.full(count, np.nan)
    for index, pose, misfit in zip(chosen, best.poses, best.rms(), strict=True):
        poses[index], rms[index] = pose, misfit
    return Recovery(best.camera, tuple(poses), rms, min(lags, default=math.inf), rivals)


def _first_camera(pieces: Sequence[_Seen], size_px: tuple[int, int], south: ImageSide) -> Camera | None:
    """The camera, of a few, under which the corners look most like those of pieces.

    Hulls tell the viewpoint well where every corner is seen; plain tilts stand by for when hardly a hull is whole.
    """
    if len(pieces) < 2:
        return None
    whole = [hull(points) for points, _ in pieces if np.isfinite(points).all()]
    viewpoint = find_viewpoint(whole, size_px)
    cameras = [] if viewpoint is None else [camera_over_table(viewpoint.up, viewpoint.focal, 1000.0, size_px, south)]
    for tilt in np.radians(PLAIN_TILTS):
        up = np.array([0.0, -math.sin(tilt), -math.cos(tilt)])
        cameras.append(camera_over_table(up, USUAL_FOCAL * size_px[0], 1000.0, size_px, south))
    judged = [(_unlikeness(camera, pieces), camera) for camera in cameras]
    cost, camera = min(judged, key=lambda pair: pair[0])
    return camera if math.isfinite(cost) else None


def _unlikeness(camera: Camera, pieces: Sequence[_Seen]) -> float:
    """How little the corners look like pieces under this camera, none counting for too much."""
    likenesses = [_likeness(camera, *piece) for piece in pieces]
    return sum(min(float(one.unlike.min()), UNLIKE) if one is not None else math.inf for one in likenesses)


def _joint_sizes(camera: Camera, pieces: Sequence[_Seen], noise: float) -> list[_Choice]:
    """Cameras of all heights under which the pieces have official sizes, the likeliest first.

    The last is the best once more, with its most doubtful piece of the other size that it may have.
    """
    heights = np.exp(np.arange(math.log(SMALLEST), math.log(LARGEST), 0.005))
    wanted = camera.position[2] / heights[:, None] * SIDES / Size.MEDIUM.base
    likenesses = [_likeness(camera, *piece) for piece in pieces]
    costs = [one.cost_of(wanted, noise) for one in likenesses if one is not None]
    if len(costs) < len(pieces):
        return []
    each = np.stack(costs, axis=1)
    total = np.minimum(each.min(axis=2), MOST_MISFIT).sum(axis=1)
    found: dict[Sizes, int] = {}
    for index in np.argsort(total, kind="stable").tolist():
        if total[index] > total.min() + HOPELESS or len(found) == MOST_RIVALS:
            break
        if total[index] <= total[max(0, index - 4) : index + 5].min():
            found.setdefault(tuple(Size(k + 1) for k in each[index].argmin(axis=1).tolist()), index)
    best, index = next(iter(found.items()))
    ordered = np.sort(each[index], axis=1)
    doubtful = int(np.argmin(ordered[:, 1] - ordered[:, 0]))
    other = Size(int(np.argsort(each[index, doubtful])[1]) + 1)
    found.setdefault((*best[:doubtful], other, *best[doubtful + 1 :]), index)
    return [_Choice(_raised(camera, float(heights[index])), sizes) for sizes, index in found.items()]


def _fit(choice: _Choice, pieces: Sequence[_Seen], noise: float) -> _Explanation | None:
    """Camera and poses that fit the corners best when the pieces have these sizes."""
    observed = corners(np.array([points for points, _ in pieces]))
    camera = choice.camera
    for _ in range(2):  # a second look from the better camera rights the pieces that were first laid wrongly
        lain = [_lay(camera, *piece, size) for piece, size in zip(pieces, choice.sizes, strict=True)]
        poses = [pose for pose in lain if pose is not None]
        if len(poses) < len(pieces):
            return None
        camera, poses, misfit = adjust(camera, poses, observed, corners, noise=noise)
        if misfit.max() < 3 * noise:
            break
    off = corners(np.array([pose.keypoints(camera) for pose in poses])) - observed
    return _Explanation(camera, tuple(poses), off)


def _lay(camera: Camera, points: Array, posture: Posture, size: Size) -> Pose | None:
    """The pose, of those in ``TURNS``, whose corners lie nearest to (5, 2) px; ``None`` in the sky."""
    known = np.isfinite(points).all(axis=1)
    center = points[known].mean(axis=0)
    ground = camera.to_plane(center[None], size.height * 0.3)[0]
    pose: Pose | None = None
    for _ in range(2):
        if not np.isfinite(ground).all():
            return None
        off = points[known] - camera.project(_turned(size, posture) + np.array([*ground, 0.0]))[:, known]
        shift = off.mean(axis=1)
        best = int(np.argmin(((off - shift[:, None]) ** 2).sum(axis=(1, 2))))
        ground = camera.to_plane((camera.project(np.array([*ground, 0.0])) + shift[best])[None])[0]
        pose = Pose(size, posture, float(ground[0]), float(ground[1]), float(TURNS[best]))
    return pose if np.isfinite(ground).all() else None


def _likeness(camera: Camera, points: Array, posture: Posture) -> _Likeness | None:
    """How (5, 2) px compare with a medium piece in every heading where they are seen; ``None`` in the sky."""
    known = np.isfinite(points).all(axis=1)
    center = points[known].mean(axis=0)
    ground = camera.to_plane(center[None], Size.MEDIUM.height * 0.3)[0]
    if not np.isfinite(ground).all():
        return None
    model = camera.project(_turned(Size.MEDIUM, posture) + np.array([*ground, 0.0]))[:, known]
    shape = model - model.mean(axis=1)[:, None]
    wanted = points[known] - center
    extent = (shape**2).sum(axis=(1, 2))
    scale = np.maximum((shape * wanted).sum(axis=(1, 2)) / extent, 0.01)
    left = ((wanted - scale[:, None, None] * shape) ** 2).sum(axis=(1, 2))
    return _Likeness(scale, left, extent, float((wanted**2).sum()), len(wanted))


@cache
def _turned(size: Size, posture: Posture) -> Array:
    """(T, 5, 3) the body at the origin in every heading of ``TURNS``."""
    return np.array([placed(body_of(size, posture), 0, 0, float(turn)) for turn in TURNS])


def _raised(camera: Camera, height: float) -> Camera:
    """The same camera at another height (mm) over the same point."""
    eye = np.array([*camera.position[:2], height])
    return replace(camera, t=-camera.R @ eye)
