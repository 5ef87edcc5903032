"""A photo's file taken apart: what its pixels are made of, and its EXIF.

Decoders parse resolutions, colour profiles, comments, previews and animations on their way to the pixels, and refuse
the whole picture where one of these is damaged. Nothing here needs them, so they are left out before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_JPEG, _PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
_EXIF_NAME = b"Exif\x00\x00"
_JFIF, _EXIF_SEGMENT, _ADOBE, _COMMENT, _SCAN = 0xE0, 0xE1, 0xEE, 0xFE, 0xDA  # markers of JPEG
_APPLICATION = range(0xE0, 0xF0)
# Application segments that say how colours are stored: how they begin, and how long they are without their marker.
_COLORS = {_JFIF: (b"JFIF\x00", 16), _ADOBE: (b"Adobe", 14)}


class Parts(NamedTuple):
    """The bytes of a photo that its pixels need, and the block of EXIF found beside them."""

    picture: bytes
    exif: bytes


def parts_of(data: bytes) -> Parts:
    """The parts of a JPEG or PNG; of another file all of it, for its decoder does not look at what lies beside.

    What is not laid out as the standards say stays in the picture, whose decoder then judges it.
    """
    if data.startswith(_JPEG):
        return _parts_of_jpeg(data)
    if data.startswith(_PNG):
        return _parts_of_png(data)
    return Parts(data, b"")


def _parts_of_jpeg(data: bytes) -> Parts:
    kept, exif, at = [data[:2]], b"", 2
    for marker, start, end in _segments(data):
        content = data[start + 4 : end]
        if marker == _EXIF_SEGMENT and content.startswith(_EXIF_NAME):
            exif = exif or content[len(_EXIF_NAME) :]
        if _is_of_the_picture(marker, content):
            kept.append(data[start:end])
        at = end
    return Parts(b"".join([*kept, data[at:]]), exif)


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Marker, beginning and end of each segment before the first scan, as far as they follow each other."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and 0xC0 <= data[at + 1] < 0xFF and data[at + 1] != _SCAN:
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4])
        if not at + 4 <= end <= len(data):
            return
        yield data[at + 1], at, end
        at = end


def _is_of_the_picture(marker: int, content: bytes) -> bool:
    name, length = _COLORS.get(marker, (b"", 0))
    if name:
        return content.startswith(name) and len(content) + 2 >= length
    return marker not in _APPLICATION and marker != _COMMENT


def _parts_of_png(data: bytes) -> Parts:
    kept, exif, at = [_PNG], b"", len(_PNG)
    while at + 12 <= len(data):
        name, end = data[at + 4 : at + 8], at + 12 + int.from_bytes(data[at : at + 4])
        if end > len(data):
            break
        if name == b"eXIf":
            exif = exif or data[at + 8 : end - 4]
        if name[:1].isupper() or name == b"tRNS":  # by the standard, small letters begin what may be left out
            kept.append(data[at:end])
        at = end
        if name == b"IEND":
            return Parts(b"".join(kept), exif)
    return Parts(b"".join([*kept, data[at:]]), exif)
