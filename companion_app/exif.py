"""The few numbers of an EXIF block that matter here, each read by itself: a damaged neighbour does no harm."""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

ORIENTATION, CAMERA = 0x0112, 0x8769  # tags of Exif 2.3
ON_FILM, WIDTH, HEIGHT = 0xA405, 0xA002, 0xA003  # among those of the camera

_ORDERS: Final = {b"II*\x00": "<", b"MM\x00*": ">"}
_NUMBERS: Final = {3: "H2x", 4: "I"}  # types of which one value stands in the directory itself


class Exif(NamedTuple):
    """Numbers by their tags: those of the picture, and those of the camera."""

    picture: dict[int, int]
    camera: dict[int, int]


def exif_in(block: bytes) -> Exif:
    """What a block of EXIF says, with its name in front or without; nothing where that cannot be read."""
    block = block.removeprefix(b"Exif\x00\x00")
    order = _ORDERS.get(block[:4], "")
    if not order or len(block) < 8:
        return Exif({}, {})
    picture = _directory(block, order, struct.unpack_from(order + "I", block, 4)[0])
    return Exif(picture, _directory(block, order, picture[CAMERA]) if CAMERA in picture else {})


def _directory(block: bytes, order: str, at: int) -> dict[int, int]:
    """The numbers of the directory that begins *at*, as far as it lies in the block."""
    if at + 2 > len(block):
        return {}
    (count,) = struct.unpack_from(order + "H", block, at)
    found = {}
    for entry in range(at + 2, min(at + 2 + 12 * count, len(block) - 11), 12):
        tag, kind, values, value = struct.unpack_from(order + "HHI4s", block, entry)
        if kind in _NUMBERS and values == 1:
            (found[tag],) = struct.unpack(order + _NUMBERS[kind], value)
    return found
