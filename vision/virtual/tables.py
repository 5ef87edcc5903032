"""Table tops and boards, drawn flat in millimetres before the camera sees them."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Texture = NDArray[np.uint8]

MM = 2.0  # texture pixels per mm
TILE = 400.0  # mm, side of the piece of table that is drawn and repeated


def _plain(rng: np.random.Generator, shape: tuple[int, int], grain: float) -> NDArray[np.float32]:
    """Brightness around 1: a fine grain over a soft unevenness."""
    coarse = rng.standard_normal((6, 8)).astype(np.float32)
    soft = cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC) * 0.02
    fine = rng.standard_normal(shape).astype(np.float32) * grain
    return np.asarray(1 + soft + fine, dtype=np.float32)


def _wood(rng: np.random.Generator, shape: tuple[int, int], grain: float) -> NDArray[np.float32]:
    """Long fibres along x and boards some 90 mm wide."""
    height, width = shape
    rough = rng.standard_normal((height, max(2, width // 160))).astype(np.float32)
    fibres = cv2.GaussianBlur(cv2.resize(rough, (width, height)), (0, 0), 1.2)
    boards = np.repeat(rng.uniform(0.94, 1.06, height // int(90 * MM) + 1), int(90 * MM))[:height]
    return np.asarray(boards[:, None].astype(np.float32) * (1 + fibres * grain * 3), dtype=np.float32)


def _woven(rng: np.random.Generator, shape: tuple[int, int], grain: float) -> NDArray[np.float32]:
    """Threads crossing every 1.5 mm."""
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    weave = np.sin(x * (2 * np.pi / (1.5 * MM))) * np.sin(y * (2 * np.pi / (1.5 * MM)))
    return np.asarray(_plain(rng, shape, grain) + weave * grain, dtype=np.float32)


Pattern = Callable[[np.random.Generator, tuple[int, int], float], NDArray[np.float32]]

# name: (red, green, blue), pattern, strength of its grain
TABLES: dict[str, tuple[tuple[int, int, int], Pattern, float]] = {
    "white": ((226, 224, 218), _plain, 0.010),
    "grey": ((136, 138, 142), _plain, 0.020),
    "black": ((38, 38, 41), _plain, 0.030),
    "linen": ((205, 195, 176), _woven, 0.030),
    "oak": ((186, 152, 112), _wood, 0.030),
    "walnut": ((96, 70, 52), _wood, 0.045),
    "felt": ((40, 74, 58), _woven, 0.040),
    "navy": ((38, 46, 70), _woven, 0.040),
    "burgundy": ((92, 40, 46), _woven, 0.040),
}

# name: light fields, dark fields, margin (each red, green, blue)
BOARDS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]] = {
    "printed": ((244, 243, 240), (128, 128, 130), (246, 245, 242)),
    "black and white": ((236, 234, 230), (48, 48, 50), (236, 234, 230)),
    "wooden": ((214, 190, 152), (112, 78, 56), (128, 94, 68)),
    "slate": ((176, 180, 184), (84, 90, 98), (66, 70, 78)),
}


def table_top(name: str, rng: np.random.Generator) -> Texture:
    """(H, W, 3) BGR picture of a piece of bare table, ``TILE`` mm wide and high, ``MM`` pixels a millimetre."""
    color, pattern, grain = TABLES[name]
    shade = pattern(rng, (int(TILE * MM), int(TILE * MM)), grain)
    return np.asarray(
        cv2.merge([np.clip(shade * channel, 0, 255).astype(np.uint8) for channel in color[::-1]]), np.uint8
    )


def texture_to_mm() -> NDArray[np.float64]:
    """(3, 3) from the pixels of :func:`table_top` to (x, y) mm on the table, the tile's middle on the origin."""
    return np.array([[1 / MM, 0, -TILE / 2], [0, -1 / MM, TILE / 2], [0, 0, 1]])


def board_top(name: str, field_mm: float, margin_mm: float, rng: np.random.Generator) -> Texture:
    """(H, W, 3) BGR picture of a board: a1 at the top left, files along x, ranks along y; dark where both agree.

    A field takes whole pixels, so the scale is only about ``MM`` pixels a millimetre.
    """
    light, dark, edge = (np.array(color[::-1], np.float32) for color in BOARDS[name])
    field = round(field_mm * MM)
    side, margin = 6 * field, round(margin_mm / field_mm * field)
    index = (np.arange(side) // field) % 2
    fields = np.where((index[:, None] == index[None, :])[..., None], dark, light)
    top = np.tile(edge, (side + 2 * margin, side + 2 * margin, 1))
    top[margin : margin + side, margin : margin + side] = fields
    shade = _plain(rng, top.shape[:2], 0.012)[..., None]
    return np.asarray(np.clip(top * shade, 0, 255), dtype=np.uint8)
