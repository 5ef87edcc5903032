"""What the net says, channel by channel: the one agreement between training and reading.

A map of points or areas has one cell for every ``STRIDE`` × ``STRIDE`` pixels; words take a wider look and need no
fine places, so they have one for every ``WORD_STRIDE`` × ``WORD_STRIDE``. Pixels are counted from the centre of the
top left one, cells likewise.

A piece speaks at the word cell of its *centre*: the centroid of what is seen of its outline. Seen from above, the
pieces of a stack have their centres at the same place; so there are two *floors*, each with its own centres and its
own words: ``TOP`` for pieces that carry nothing, ``UNDER`` for those on which another stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from vision.solids import Color, Size

Map = NDArray[np.float32]

STRIDE = 4
WORD_STRIDE = 8
MULTIPLE = 32
"""Width and height of what the net is shown are multiples of this many pixels."""


class Floor(IntEnum):
    """Whether a piece carries another one."""

    TOP = 0
    UNDER = 1


class Dense(IntEnum):
    """Channels of the first output, each a probability for every cell: heat around points, or share of an area."""

    TOP = 0
    UNDER = 1
    TIP = 2
    CORNER = 3
    PLASTIC = 4
    CROSSING = 5
    BOARD = 6
    TOKEN = 7


COLORS: tuple[Color | None, ...] = (*Color, None)
"""The colours in the order of their channels; ``None`` is plastic of any other colour."""

SIZES: tuple[Size, ...] = tuple(Size)

# Channels of the second output, for one floor: what is said of a piece at its centre.
OFFSETS = slice(
    0, 18
)  # from the word cell to the tip and to the base corners in both orders of `order`, x and y by turns
OFFSET_UNIT = 16.0  # px for 1.0 in those channels
LYING = 18  # logit
COLOR = slice(19, 24)  # logits
SIZE = slice(24, 27)  # logits
VISIBLE = 27  # logit of the share of the outline that is in sight
WORDS = 28  # channels of one floor


@dataclass(frozen=True, eq=False)
class Maps:
    """The net's answer to one picture.

    Attributes:
        dense: (8, rows, columns) probabilities, in the order of :class:`Dense`.
        words: (2, 28, rows / 2, columns / 2), floor by floor what is said of the pieces centred there.
    """

    dense: Map
    words: Map


def cells_to_px(cells: NDArray[np.float64], stride: int = STRIDE) -> NDArray[np.float64]:
    """(…, 2) places counted in cells -> px."""
    return np.asarray(cells * stride + (stride - 1) / 2)


def px_to_cells(pixels: NDArray[np.float64], stride: int = STRIDE) -> NDArray[np.float64]:
    """(…, 2) px -> places counted in cells."""
    return np.asarray((pixels - (stride - 1) / 2) / stride)
