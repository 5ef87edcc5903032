"""The borders between fields: where they really run, how strong they are, and the homography drawn tight on them.

Lattice coordinates count fields; the field (i, j) lies between (i, j) and (i + 1, j + 1). A border runs along one
of the two axes; its step is positive where the field on the side of growing coordinates is the brighter one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.board_corners import Tone
from vision.finding.board_lattice import apply
from vision.solids import Array

ALONG = np.linspace(0.1, 0.9, 9)  # where along a border it is looked at
WITHIN = (0.2, 0.4, 0.6, 0.8)  # where a field is looked at
REACH = 7  # px to both sides
WIDTH = 3  # px on each side that are compared
SEARCH = REACH - WIDTH  # px that a border may be off
ENOUGH, TOO_MUCH = 0.5, 1.8  # of the pattern's contrast: a step that belongs to it
FEWEST = 24  # places along borders from which a homography is drawn
SAME_TONE = 0.25  # of the contrast
FLAT = 0.22  # of the contrast: less is no border at all


@dataclass(frozen=True, eq=False)
class Borders:
    """A choice of borders: (N, 2) lattice point where each begins and (N,) axis, 0 or 1, along which it runs."""

    start: NDArray[np.int64]
    axis: NDArray[np.int64]

    @property
    def sign(self) -> Array:
        """(N,) +1 where the step is positive if the field (0, 0) is dark, else -1.

        Crossing the border means entering the field at its start.
        """
        return np.where(self.start.sum(1) % 2 == 0, -1.0, 1.0)

    @property
    def points(self) -> Array:
        """(N, T, 2) lattice coordinates along each border."""
        way = np.eye(2)[self.axis]
        return np.asarray(self.start[:, None, :] + ALONG[None, :, None] * way[:, None, :])


@dataclass(frozen=True, eq=False)
class Steps:
    """What was seen across borders at T points each.

    Attributes:
        step: (N, T) the strongest step of the expected sign nearby; NaN outside the picture.
        shift: (N, T) px along the normal from where the border was thought to be to where it is.
        rough: (N, T) the strongest step of either sign nearby; ``level`` (N, T) the tone between both sides.
        pixels, normals: (N, T, 2) px where it was thought to be, and the unit normal there.
    """

    step: Array
    shift: Array
    rough: Array
    level: Array
    pixels: Array
    normals: Array

    def supported(self, contrast: float) -> NDArray[np.bool_]:
        """(N, T) where the pattern's own border is seen."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.step > ENOUGH * contrast) & (self.step < TOO_MUCH * contrast))

    def flat(self, contrast: float) -> NDArray[np.bool_]:
        """(N, T) where nothing at all changes."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.rough < FLAT * contrast)

    def middle(self, contrast: float) -> float:
        """The tone half-way between light and dark fields."""
        supported = self.supported(contrast)
        return float(np.median(self.level[supported])) if supported.any() else 0.0

    def bare(self, contrast: float) -> NDArray[np.bool_]:
        """(N, T) where nothing changes and the ground has the tone of a light or a dark field."""
        off = np.abs(np.abs(self.level - self.middle(contrast)) - contrast / 2)
        return np.asarray(self.flat(contrast) & (off < SAME_TONE * contrast))


def borders_within(low: tuple[int, int], high: tuple[int, int], rim: bool = False) -> Borders:
    """All borders between fields of the block from lattice point *low* to *high*, with its *rim* or without."""
    starts: list[tuple[int, int]] = []
    axes: list[int] = []
    off = 0 if rim else 1
    for i in range(low[0], high[0]):
        for j in range(low[1] + off, high[1] + 1 - off):
            starts.append((i, j))
            axes.append(0)
    for i in range(low[0] + off, high[0] + 1 - off):
        for j in range(low[1], high[1]):
            starts.append((i, j))
            axes.append(1)
    return Borders(np.array(starts, dtype=np.int64).reshape(-1, 2), np.array(axes, dtype=np.int64))


def look_across(tone: Tone, H: Array, borders: Borders, dark_first: bool) -> Steps:
    """Looks for each border where *H* (lattice to px) has it; *dark_first*: whether the field (0, 0) is dark."""
    points = borders.points
    with np.errstate(divide="ignore", invalid="ignore"):
        pixels = apply(H, points)
    across = np.eye(2)[1 - borders.axis][:, None, :] * 0.05
    along = np.eye(2)[borders.axis][:, None, :] * 0.05
    tangent = apply(H, points + along) - apply(H, points - along)
    beyond = apply(H, points + across) - pixels
    normals = np.stack([-tangent[..., 1], tangent[..., 0]], axis=-1)
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-9)
    normals *= np.where((normals * beyond).sum(-1, keepdims=True) < 0, -1.0, 1.0)
    offsets = np.arange(-REACH, REACH + 1)
    where = pixels[:, :, None, :] + normals[:, :, None, :] * offsets[:, None]
    sign = np.asarray(borders.sign[:, None, None] * (1.0 if dark_first else -1.0), dtype=np.float64)
    profile = _sample(tone, where)
    step, shift, rough = _strongest_step(profile, sign)
    return Steps(step, shift, rough, profile[..., [0, -1]].mean(2), pixels, normals)


def right_tones(tone: Tone, H: Array, cells: NDArray[np.int64], dark_first: bool, middle: float) -> Array:
    """(N, S) brightness inside each field over the *middle* tone, negated where the field should be dark.

    Args:
        cells: (N, 2) lattice coordinates of fields; S places are looked at in each.
    """
    inside = np.array([[u, v] for u in WITHIN for v in WITHIN])
    levels = _sample(tone, apply(H, cells[:, None, :] + inside)[:, :, None, :])[..., 0]
    sign = np.where((cells.sum(1) % 2 == 0) == dark_first, -1.0, 1.0)
    return np.asarray((levels - middle) * sign[:, None])


def _sample(tone: Tone, where: Array) -> Array:
    """(N, T, K) tones at (N, T, K, 2) px, NaN outside the picture."""
    flat = where.reshape(len(where), -1, 2).astype(np.float32)
    flat = np.where(np.isfinite(flat), flat, -1e4)
    values = cv2.remap(tone, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    height, width = tone.shape
    inside = (flat[..., 0] >= 0) & (flat[..., 0] <= width - 1) & (flat[..., 1] >= 0) & (flat[..., 1] <= height - 1)
    return np.where(inside, values, np.nan).astype(np.float64).reshape(where.shape[:3])


def _strongest_step(profile: Array, sign: Array) -> tuple[Array, Array, Array]:
    """(N, T) strongest step of the given *sign* in (N, T, K) profiles, where it is, and the strongest of any."""
    steps = _steps(profile) * sign
    outside = np.asarray(~np.isfinite(steps).all(2))
    steps = np.where(outside[..., None], 0.0, steps)
    peak = steps.argmax(2)[..., None]
    here = np.take_along_axis(steps, peak, 2)[..., 0]
    # A blurred border lies where the light itself is half-way; its logarithm would pull it to the dark side.
    light = _steps(np.where(outside[..., None], 0.0, np.exp(profile))) * sign
    near = np.clip(peak + np.arange(-1, 2), 1, steps.shape[2] - 2)
    finest = np.take_along_axis(near, np.take_along_axis(light, near, 2).argmax(2)[..., None], 2)
    low, middle, high = (np.take_along_axis(light, finest + d, 2)[..., 0] for d in (-1, 0, 1))
    bend = np.minimum(low + high - 2 * middle, -1e-9)
    shift = finest[..., 0] - SEARCH + np.clip((low - high) / (2 * bend), -1, 1)
    rough = np.abs(steps).max(2)
    return np.where(outside, np.nan, here), np.where(outside, np.nan, shift), np.where(outside, np.nan, rough)


def _steps(profile: Array) -> Array:
    """(N, T, 2 SEARCH + 1) difference of the means of ``WIDTH`` px to both sides of every place that has them."""
    total = np.concatenate([np.zeros((*profile.shape[:2], 1)), np.cumsum(profile, axis=2)], axis=2)
    k = np.arange(WIDTH, profile.shape[2] - WIDTH)
    return np.asarray((total[..., k + 1 + WIDTH] - total[..., k + 1] - total[..., k] + total[..., k - WIDTH]) / WIDTH)


def tightened(tone: Tone, H: Array, borders: Borders, dark_first: bool, contrast: float, rounds: int = 3) -> Array:
    """*H* moved until the borders lie where the picture has them; as it was where too few are seen."""
    for _ in range(rounds):
        seen = look_across(tone, H, borders, dark_first)
        use = seen.supported(contrast)
        if use.sum() < FEWEST:
            return H
        H = _moved(H, borders.points[use], seen.pixels[use], seen.normals[use], seen.shift[use])
    return H


def _moved(H: Array, points: Array, pixels: Array, normals: Array, shift: Array) -> Array:
    """One weighted least-squares step of the eight parameters of *H* towards (N,) shifts along the normals."""
    H = H / H[2, 2]
    homogeneous = np.column_stack([points, np.ones(len(points))])
    depth = homogeneous @ H[2]
    nx, ny = normals.T
    slide = -(nx * pixels[:, 0] + ny * pixels[:, 1])
    J = (
        np.column_stack([homogeneous * nx[:, None], homogeneous * ny[:, None], homogeneous[:, :2] * slide[:, None]])
        / (depth[:, None])
    )
    scale = np.linalg.norm(J, axis=0)
    weight = np.ones(len(shift))
    change = np.zeros(8)
    for _ in range(4):
        root = np.sqrt(weight)[:, None]
        change = np.linalg.lstsq(J / scale * root, shift * root[:, 0], rcond=1e-9)[0] / scale
        left = np.abs(shift - J @ change)
        noise = max(0.15, 1.48 * float(np.median(left)))
        weight = 1 / (1 + (left / (1.5 * noise)) ** 2)
    return np.asarray(H + np.append(change, 0.0).reshape(3, 3))
