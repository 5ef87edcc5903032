"""Other tablecloths and boards under the same pieces: patterns that no scene was rendered with, dyed into what is not
plastic.

A rendered table costs seconds and a dyed one milliseconds; what the net must learn is that no pattern is a piece.
Light and shadow stay, for the dye multiplies what is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.crops import Crop
from vision.finding.board import SIDE
from vision.poses import hull

Image = NDArray[np.uint8]
Which = NDArray[np.intp]

MOST_COLORS = 5
DARKEST, BRIGHTEST = 0.12, 1.5  # of what a dye leaves of each channel
LIKE_PLASTIC = 0.3  # share of the cloths that have the very colour of a piece upon them
GRAIN = (0.55, 1.3)  # of what the grain of a board leaves of each channel; more would hide its fields
STAIN = 0.25  # spread of the logarithm of what a stain leaves of each channel of dark fields, and of light ones
CLEAR = "translucent"  # as scenes call plastic that a cloth is seen through
THROUGH = (0.15, 0.6)  # power of a dye that is seen through it
BENT = 4  # px at most by which it is seen elsewhere
BESIDE_TOKEN = 0.6  # of the usual piece's diameter: what lies nearer to the turn token keeps its colour


def dyed(crop: Crop, rng: np.random.Generator) -> Image:
    """The crop's picture with another cloth on its table; pieces, board and turn token as they were, but for what is
    seen of the cloth through clear pieces.
    """
    colors = np.exp(rng.uniform(np.log(DARKEST), np.log(BRIGHTEST), (MOST_COLORS, 3)))
    kept = _kept(crop) > 0
    if crop.scene.pieces and rng.random() < LIKE_PLASTIC:
        colors[int(rng.integers(MOST_COLORS))] = _to_hide(crop, kept, int(rng.integers(len(crop.scene.pieces))))
    dye = _printed(colors, kept.shape, rng)
    if crop.scene.settings.get("plastic") == CLEAR:
        through = (_pieces(crop) > 0) & (_board(crop) == 0)
        dye, kept = np.where(through[..., None], _seen_through(dye, rng), dye), kept & ~through
    return _stained(crop.image, dye, ~kept)


def grained(crop: Crop, image: Image, rng: np.random.Generator) -> Image:
    """The crop's *image* with a board of another make: its light and its dark fields stained and with a grain."""
    if crop.scene.board is None:
        return image
    size = crop.image.shape[:2]
    least, most = np.log(GRAIN)
    shades = np.exp(rng.uniform(least, most, (2, MOST_COLORS, 3)) + rng.normal(0, STAIN, (2, 1, 3)))
    light, dark = (_printed(colors, size, rng) for colors in shades)
    fields = _fields(crop.scene.board, size)[..., None]
    return _stained(image, np.where(fields > 0, light, dark), (_board(crop) > 0) & (_things(crop) == 0))


def _printed(colors: NDArray[np.float64], size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """(H, W, 3) a dye in some pattern of (C, 3) colours, its edges sharp or soft."""
    pattern = PATTERNS[int(rng.integers(len(PATTERNS)))](size, rng)
    dye = np.take(colors.astype(np.float32), pattern % MOST_COLORS, axis=0)
    if rng.random() < 0.5:
        dye = np.asarray(cv2.GaussianBlur(dye, (0, 0), float(rng.uniform(0.5, 2.0))), dtype=np.float32)
    return dye


def _seen_through(dye: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """(H, W, 3) what a *dye* is behind plastic: weaker, for plastic shines itself, and bent aside a little."""
    aside = tuple(rng.integers(-BENT, BENT + 1, 2).tolist())
    return np.asarray(np.roll(dye, aside, axis=(0, 1)) ** np.float32(rng.uniform(*THROUGH)), dtype=np.float32)


def _stained(image: Image, dye: NDArray[np.float32], where: NDArray[np.bool_]) -> Image:
    stained = cv2.multiply(image, dye, dtype=cv2.CV_8U)
    return np.asarray(np.where(where[..., None], stained, image), dtype=np.uint8)


def _fields(board: NDArray[np.float64], size: tuple[int, int]) -> Image:
    """(H, W) 1 on every other field of a *board* with the corners (4, 2) px."""
    checks = np.indices((SIDE, SIDE)).sum(0) % 2
    coarse = np.kron(checks, np.ones((16, 16))).astype(np.uint8)
    end = len(coarse) - 0.5
    corners = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)
    seen = cv2.getPerspectiveTransform(corners, board.astype(np.float32))
    return np.asarray(cv2.warpPerspective(coarse, seen, size[::-1], flags=cv2.INTER_NEAREST), dtype=np.uint8)


def _to_hide(crop: Crop, kept: NDArray[np.bool_], index: int) -> NDArray[np.float64]:
    """(3,) the dye that gives the table, what is not *kept*, the colour that a piece has on the whole."""
    outline = np.zeros(kept.shape, np.uint8)
    cv2.fillConvexPoly(outline, np.round(hull(crop.scene.pieces[index].outline)).astype(np.int32), 1)
    piece, table = (np.array(cv2.mean(crop.image, mask.astype(np.uint8))[:3]) for mask in (outline, ~kept))
    return np.asarray(np.clip((piece + 1) / (table + 1), DARKEST, BRIGHTEST))


def _kept(crop: Crop) -> Image:
    """(H, W) where no cloth is."""
    return _things(crop) | _board(crop)


def _board(crop: Crop) -> Image:
    """(H, W) where the fields of a board are, pieces upon them or not."""
    mask = np.zeros(crop.image.shape[:2], np.uint8)
    if crop.scene.board is not None:
        cv2.fillConvexPoly(mask, np.round(crop.scene.board).astype(np.int32), 1)
    return mask


def _pieces(crop: Crop) -> Image:
    """(H, W) where pieces are."""
    mask = np.zeros(crop.image.shape[:2], np.uint8)
    for piece in crop.scene.pieces:
        cv2.fillConvexPoly(mask, np.round(hull(piece.outline)).astype(np.int32), 1)
    return np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8)), dtype=np.uint8)  # no rim of the old cloth


def _things(crop: Crop) -> Image:
    """(H, W) where pieces are, and the turn token."""
    mask = _pieces(crop)
    if crop.scene.token is not None:
        lengths = [float(np.linalg.norm(np.ptp(piece.outline, axis=0))) for piece in crop.scene.pieces]
        reach = BESIDE_TOKEN * float(np.median(lengths)) if lengths else 30.0
        x, y = np.round(crop.scene.token).astype(int).tolist()
        cv2.circle(mask, (x, y), round(reach), 1, -1)
    return mask


def _stripes(size: tuple[int, int], rng: np.random.Generator) -> Which:
    """Stripes of uneven widths, some repeated."""
    along = _along(size, float(rng.uniform(0, np.pi)))
    widths = np.exp(rng.uniform(np.log(4), np.log(70), int(rng.integers(2, 9))))
    edges = np.cumsum(widths)
    return np.asarray(np.searchsorted(edges, along % edges[-1]), dtype=np.intp)


def _checks(size: tuple[int, int], rng: np.random.Generator) -> Which:
    """Two sets of stripes across each other."""
    turn = float(rng.uniform(0, np.pi))
    width = float(np.exp(rng.uniform(np.log(8), np.log(70))))
    one, other = (np.floor(_along(size, angle) / width) for angle in (turn, turn + np.pi / 2))
    return np.asarray((one % 2 + 2 * (other % 2) * rng.integers(1, 3)).astype(np.intp))


def _blots(size: tuple[int, int], rng: np.random.Generator) -> Which:
    """Patches with soft bends: veins, camouflage, flowers."""
    fine = int(np.exp(rng.uniform(np.log(4), np.log(40))))
    coarse = rng.random((size[0] // fine + 3, size[1] // fine + 3)).astype(np.float32)
    smooth = cv2.resize(coarse, size[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.floor(np.clip(smooth, 0, 0.999) * rng.integers(2, 6)), dtype=np.intp)


def _leaves(size: tuple[int, int], rng: np.random.Generator) -> Which:
    """Triangles and squares strewn about, as large as pieces: print that looks like them."""
    ground = np.zeros(size, np.int32)
    for _ in range(int(rng.integers(5, 60))):
        middle = rng.uniform((0, 0), size[::-1])
        corners = middle + rng.uniform(-1, 1, (int(rng.integers(3, 6)), 2)) * np.exp(
            rng.uniform(np.log(5), np.log(40))
        )
        cv2.fillConvexPoly(ground, np.round(hull(corners)).astype(np.int32), int(rng.integers(1, MOST_COLORS)))
    return np.asarray(ground, dtype=np.intp)


def _ornaments(size: tuple[int, int], rng: np.random.Generator) -> Which:
    """One figure, mirrored both ways and repeated: rugs, printed cotton, tiles, lace."""
    cells = int(rng.integers(4, 14))
    quarter = cv2.resize(rng.random((cells // 2 + 2, cells // 2 + 2)), (cells, cells), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        quarter = quarter + quarter.T
    half = np.hstack([quarter, quarter[:, ::-1]])
    figure = np.vstack([half, half[::-1]])
    ranks = figure.argsort(axis=None).argsort().reshape(figure.shape)
    which = ranks * int(rng.integers(2, MOST_COLORS + 1)) // figure.size
    length = float(np.exp(rng.uniform(np.log(20), np.log(200)))) / len(which)  # px of a cell
    turn = float(rng.uniform(0, np.pi))
    columns, rows = (
        np.floor(_along(size, angle) / length).astype(np.intp) % len(which) for angle in (turn, turn + np.pi / 2)
    )
    return np.asarray(which[rows, columns], dtype=np.intp)


def _along(size: tuple[int, int], angle: float) -> NDArray[np.float64]:
    """(H, W) px along a direction, from somewhere outside."""
    rows, columns = np.ogrid[: size[0], : size[1]]
    return np.asarray(columns * np.cos(angle) + rows * np.sin(angle) + 4000.0)


PATTERNS: Final[tuple[Callable[[tuple[int, int], np.random.Generator], Which], ...]] = (
    _stripes,
    _checks,
    _blots,
    _leaves,
    _ornaments,
)
