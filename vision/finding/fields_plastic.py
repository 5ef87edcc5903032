"""Where on a board the plastic lies, and of which colour, measured against what lies bare beside it.

Colours are compared as logarithms without their brightness, because shade and shadow change only brightness. The
board's own tones and the table are measured first; the four plastics start from their usual hues and are then
measured in the picture itself.
"""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.finding.board import SIDE, FoundBoard
from vision.finding.board_borders import borders_within, look_across
from vision.finding.board_corners import tone_of
from vision.finding.board_lattice import apply
from vision.finding.colors import COLORS, Image, Mask
from vision.poses import hull
from vision.solids import Array, Color, Size

Field32 = NDArray[np.float32]

HUES = {Color.RED: 357.0, Color.YELLOW: 49.0, Color.GREEN: 118.0, Color.BLUE: 233.0}  # degrees, by daylight
DARKEST = 8.0  # grey levels added before the logarithm
NOISE = 3.0  # grey levels
BROAD = 0.10  # least spread of a background's colour
SPREAD_LIMITS = (0.10, 0.30)  # of a plastic's colour
STRONG = 0.42  # distance of a plastic's colour from every background, before it has been measured
DEEPEST_SHADOW, BRIGHTEST = 1.1, 0.22  # of the logarithm of brightness, below and above a bare background
OVERHANG = 12.0  # mm that pieces may stand out over the board's edge
BINS = np.array([0.12, 0.12, 0.35])  # in which the commonest colour is sought
BESIDE = 5  # px from a border to the bare field beside it
FOREIGN, FOREIGN_SHARE = 40, 0.12  # pixels beyond the board's reach, and their share, of what stands beside it
PLASTIC = 0.3  # worth from which a pixel is taken for plastic
OTHER_PLASTIC = -0.6  # the least that plastic of any colour is worth as another
FEW = 25  # pixels from which a plastic's colour is measured


@dataclass(frozen=True, eq=False)
class Background:
    """A bare surface: (3,) chroma (two) and brightness as logarithms, and the spread of its chroma."""

    place: Array
    spread: float


@dataclass(frozen=True, eq=False)
class Plastic:
    """What each pixel of a part of the picture is worth as plastic.

    Attributes:
        worth: (4, H, W) from -1, surely not plastic of this colour (in the order of ``COLORS``), to +1.
        foreign: (4, H, W) whether it belongs to something of this colour that stands beside the board.
        corner: (x, y) px of the part's first pixel in the picture.
    """

    worth: Field32
    foreign: NDArray[np.bool_]
    corner: tuple[int, int]


def map_plastic(image: Image, board: FoundBoard, camera: Camera) -> Plastic:
    """Measures the backgrounds and the plastics of a (H, W, 3) BGR picture and compares every pixel with them."""
    reach = _reach(camera, board)
    low = np.maximum(np.floor(reach.min(0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(reach.max(0)).astype(int) + 3, (image.shape[1], image.shape[0]))
    part = image[low[1] : high[1], low[0] : high[0]]
    inside = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(reach - low).astype(np.int32), 255)
    colors = log_colors(part)
    noise = _noise(colors[..., 2])
    to_tones = _distance(colors, _tones(image, board), noise)
    to_table = _distance(colors, _surroundings(image, board), noise)
    quad = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(quad, np.round(board.corners - low).astype(np.int32), 255)
    # Near the rim a piece may stand before either; within the board only the board itself is bare.
    beyond = np.asarray(cv2.erode(quad, np.ones((3, 3), np.uint8))) == 0
    bare = np.where(beyond, np.minimum(to_tones, to_table), to_tones)
    white = _white(image, board)
    labels = _first_labels(colors, bare, white, inside)
    away = np.stack([_unlike(colors, colors[labels == index + 1], noise) for index in range(len(COLORS))])
    worth = _worth(bare, away)
    # What stands beside the board may hide what lies on it.
    foreign = np.stack([_foreign(layer, inside) for layer in worth])
    before = np.asarray(foreign.any(0))
    worth[:, before] = np.maximum(worth[:, before], 0)
    return Plastic(worth, foreign, (int(low[0]), int(low[1])))


def _unlike(colors: Field32, own: Field32, noise: Field32) -> Field32:
    """(H, W) how unlike one plastic each pixel is, in its spread; *own* (N, 3) are pixels that surely are of it."""
    if len(own) < FEW:
        return np.full(colors.shape[:2], np.inf, np.float32)
    center = np.median(own[:, :2], axis=0)
    spread = np.clip(1.5 * np.median(np.hypot(*(own[:, :2] - center).T)), *SPREAD_LIMITS)
    away = np.hypot(colors[..., 0] - center[0], colors[..., 1] - center[1]) / np.hypot(spread, noise)
    return np.asarray(away, dtype=np.float32)


def _worth(bare: Field32, away: Field32) -> Field32:
    """(4, H, W) worths: the nearest plastic is weighed against bare ground, the others also against the nearest."""
    nearest = away.min(0)
    rival = np.where(away > nearest, np.minimum(bare, nearest), bare)
    known = np.minimum(away, 1e6)
    worth: Field32 = np.clip(2 * (rival - known) / (rival + known + 1), -1, 1).astype(np.float32)
    # Beside plastic, pixels are mixed and say nothing.
    sure = worth.max(0) > PLASTIC
    mixed = (cv2.dilate(sure.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0) & ~sure
    worth[:, mixed] = np.maximum(worth[:, mixed], 0)
    # Other plastic may be a piece in front.
    worth[:, sure] = np.maximum(worth[:, sure], OTHER_PLASTIC)
    return worth


def log_colors(part: Image) -> Field32:
    """(H, W, 3): red against green, both against blue, and brightness, all logarithms; slightly smoothed."""
    smooth = cv2.blur(part, (3, 3))
    table = np.log(np.arange(256, dtype=np.float32) + np.float32(DARKEST))
    b, g, r = (cv2.LUT(channel, table) for channel in cv2.split(smooth))
    return np.asarray(cv2.merge([(r - g) / math.sqrt(2), (r + g - 2 * b) / math.sqrt(6), (b + g + r) / 3]))


def _noise(brightness: Field32) -> Field32:
    """(H, W) uncertainty of chroma at each pixel: dark pixels tell little."""
    return np.asarray(NOISE / np.exp(brightness), dtype=np.float32)


def _reach(camera: Camera, board: FoundBoard) -> Array:
    """(M, 2) px around everything that lies on the board."""
    corners = board.corners
    ground = camera.to_plane(corners)
    ground *= 1 + OVERHANG / np.maximum(np.linalg.norm(ground, axis=1, keepdims=True), 1.0)
    floor = np.column_stack([ground, np.zeros(4)])
    ceiling = np.column_stack([ground, np.full(4, Size.LARGE.base * 0.97)])
    return hull(camera.project(np.concatenate([floor, ceiling])))


def _distance(colors: Field32, backgrounds: list[Background], noise: Field32) -> Field32:
    """(H, W) how unlike every one of the backgrounds each pixel is, in their spreads."""
    nearest = np.full(colors.shape[:2], np.inf, np.float32)
    for background in backgrounds:
        a, b, light = (colors[..., k] - np.float32(background.place[k]) for k in range(3))
        over = np.maximum(light - BRIGHTEST, 0) + np.maximum(-DEEPEST_SHADOW - light, 0)
        spread = np.hypot(np.float32(background.spread), noise)
        nearest = np.minimum(nearest, np.sqrt(a * a + b * b + (0.7 * over) ** 2) / spread)
    return np.asarray(nearest, dtype=np.float32)


def _tones(image: Image, board: FoundBoard) -> list[Background]:
    """Light and dark fields, measured beside those borders that can be seen."""
    borders = borders_within((0, 0), (SIDE, SIDE))
    seen = look_across(tone_of(image), board.H, borders, True)
    use = seen.supported(board.contrast)
    dark_side = (-borders.sign[:, None] * np.ones(use.shape[1]))[use]
    place = seen.pixels[use] + seen.normals[use] * seen.shift[use][:, None]
    found = []
    for side in (1, -1):
        points = place + seen.normals[use] * (side * dark_side * BESIDE)[:, None]
        found.append(_background(_colors_at(image, points)))
    return [background for background in found if background is not None]


def _surroundings(image: Image, board: FoundBoard) -> list[Background]:
    """The board's margin and the table: the commonest colours beside the board and far from it."""
    found = []
    t = np.linspace(0, SIDE, 60)
    for beyond in (0.12, 0.5):
        line = np.concatenate(
            [
                np.column_stack([t, np.full(60, -beyond)]),
                np.column_stack([t, np.full(60, SIDE + beyond)]),
                np.column_stack([np.full(60, -beyond), t]),
                np.column_stack([np.full(60, SIDE + beyond), t]),
            ]
        )
        found.append(_commonest(_colors_at(image, apply(board.H, line))))
    outside = np.full(image.shape[:2], 255, np.uint8)
    middle = board.corners.mean(0)
    cv2.fillConvexPoly(outside, np.round(middle + (board.corners - middle) * 1.12).astype(np.int32), 0)
    found.append(_commonest(log_colors(image[::6, ::6])[outside[::6, ::6] > 0]))
    return [background for background in found if background is not None]


def _colors_at(image: Image, points: Array) -> Array:
    """(N, 3) log colours at (N, 2) px, those in the picture."""
    whole = np.round(points).astype(int)
    good = ((whole >= 1) & (whole < np.array([image.shape[1], image.shape[0]]) - 1)).all(1)
    x, y = whole[good].T
    total = sum(image[y + dy, x + dx].astype(np.float64) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
    mean = np.clip(np.round(np.asarray(total) / 9), 0, 255).astype(np.uint8)
    b, g, r = np.log(mean.astype(np.float64) + DARKEST).T
    return np.column_stack([(r - g) / math.sqrt(2), (r + g - 2 * b) / math.sqrt(6), (b + g + r) / 3])


def _background(colors: Array) -> Background | None:
    if len(colors) < 8:
        return None
    place = np.median(colors, axis=0)
    place[2] = np.percentile(colors[:, 2], 75)
    off = np.hypot(*(colors[:, :2] - place[:2]).T)
    return Background(place, max(BROAD, 1.2 * float(np.median(off))))


def _commonest(colors: Array | Field32) -> Background | None:
    """The commonest among the colours, whatever else is there."""
    if len(colors) < 8:
        return None
    bins = np.round(np.asarray(colors, dtype=np.float64) / BINS).astype(int)
    kinds, index, counts = np.unique(bins, axis=0, return_inverse=True, return_counts=True)
    del kinds
    return _background(np.asarray(colors, dtype=np.float64)[index.ravel() == int(np.argmax(counts))])


def _white(image: Image, board: FoundBoard) -> Array:
    """(2,) chroma of the light: somewhat that of the light fields, which may be of wood."""
    tones = _tones(image, board)
    return np.asarray(tones[-1].place[:2] * 0.5) if tones else np.zeros(2)


def _direction(color: Color) -> float:
    """Radians, where a colour lies in the chroma plane seen from white."""
    r, g, b = (math.log(channel * 255 + DARKEST) for channel in colorsys.hsv_to_rgb(HUES[color] / 360, 0.8, 0.8))
    return math.atan2((r + g - 2 * b) / math.sqrt(6), (r - g) / math.sqrt(2))


def _first_labels(colors: Field32, bare: Field32, white: Array, inside: Mask) -> Mask:
    """(H, W) 1 + index of the colour whose usual hue a pixel has, 0 where it could be bare."""
    a, b = colors[..., 0] - np.float32(white[0]), colors[..., 1] - np.float32(white[1])
    plastic = (bare * BROAD > STRONG * 0.5) & (np.hypot(a, b) > STRONG) & (inside > 0)
    turn = np.arctan2(b, a)
    off = [np.abs((turn - _direction(color) + math.pi) % (2 * math.pi) - math.pi) for color in COLORS]
    labels = np.where(plastic, np.argmin(off, axis=0) + 1, 0).astype(np.uint8)
    return np.asarray(cv2.erode(labels, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def _foreign(layer: Field32, inside: Mask) -> NDArray[np.bool_]:
    """Where the plastic of one colour belongs to something that stands beside the board and reaches before it."""
    kernel = np.ones((3, 3), np.uint8)
    plastic = (layer > PLASTIC).astype(np.uint8)
    count, parts = cv2.connectedComponents(cv2.erode(plastic, kernel), connectivity=4)
    outside = np.bincount(parts[inside == 0], minlength=count)
    whole = np.bincount(parts.ravel(), minlength=count)
    foreign = (outside > FOREIGN) & (outside > FOREIGN_SHARE * whole)
    foreign[0] = False
    return np.asarray((cv2.dilate(foreign[parts].astype(np.uint8), kernel) > 0) & (plastic > 0))
