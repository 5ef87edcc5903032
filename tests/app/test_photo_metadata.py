"""Photos whose pixels are whole while what is written beside them is not: read as if that were not there."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typed import objects, pyramids

from companion_app.lens import FILM_DIAGONAL, lens_of
from companion_app.photos import decode_photo

WIDE, HIGH = 160, 120
SHORT, LONG, RATIONAL, FLOAT = 3, 4, 5, 11
MAKE, ORIENTATION, RESOLUTION, EXIF, GPS = 0x010F, 0x0112, 0x011A, 0x8769, 0x8825
ON_FILM, VERSION, LATITUDE = 0xA405, 0x0000, 0x0002
TURNED = (ORIENTATION, SHORT, 1, b"\x00\x06\x00\x00")  # a quarter to the right

Entry = tuple[int, int, int, bytes]


def directory(*entries: Entry, following: int = 0) -> bytes:
    """A directory of tags, big-endian; the value of each is its four bytes or their offset."""
    rows = b"".join(struct.pack(">HHI", *entry[:3]) + entry[3] for entry in entries)
    return struct.pack(">H", len(entries)) + rows + struct.pack(">I", following)


def exif(*entries: Entry, more: bytes = b"", following: int = 0) -> bytes:
    """The bytes of an EXIF block, without the name in front."""
    return b"MM\x00*" + struct.pack(">I", 8) + directory(*entries, following=following) + more


def at(offset: int) -> bytes:
    return struct.pack(">I", offset)


def jpeg(*segments: tuple[int, bytes], orientation_block: bytes | None = None) -> bytes:
    """A JPEG, its left half red and its right half blue, with *segments* (marker, content) at its beginning."""
    if orientation_block is not None:
        segments = (*segments, (0xE1, b"Exif\x00\x00" + orientation_block))
    stream = BytesIO()
    halves().save(stream, "JPEG", quality=95)
    data = stream.getvalue()
    written = b"".join(b"\xff" + bytes([marker]) + struct.pack(">H", len(c) + 2) + c for marker, c in segments)
    return data[:2] + written + data[2:]


def png(*chunks: tuple[bytes, bytes], orientation_block: bytes | None = None) -> bytes:
    """The same as a PNG, with *chunks* (name, content) after its header."""
    if orientation_block is not None:
        chunks = (*chunks, (b"eXIf", orientation_block))
    stream = BytesIO()
    halves().save(stream, "PNG")
    data, head = stream.getvalue(), 8 + 25
    written = b"".join(struct.pack(">I", len(c)) + n + c + struct.pack(">I", zlib.crc32(n + c)) for n, c in chunks)
    return data[:head] + written + data[head:]


def webp(*, orientation_block: bytes) -> bytes:
    """The same as a WebP."""
    stream = BytesIO()
    halves().save(stream, "WEBP", quality=95, exif=orientation_block)
    return stream.getvalue()


def halves() -> Image.Image:
    pixels = np.zeros((HIGH, WIDE, 3), np.uint8)
    pixels[:, : WIDE // 2, 0] = pixels[:, WIDE // 2 :, 2] = 220
    return Image.fromarray(pixels)


def seen(data: bytes) -> str:
    """How the halves lie on the photo: ``"red left"``, or ``"red above"`` where it was turned."""
    pixels = decode_photo(data).astype(int)
    left = pixels[pixels.shape[0] // 2, 10]
    above = pixels[10, pixels.shape[1] // 2]
    assert sorted(pixels.shape) == [3, HIGH, WIDE]
    if pixels.shape[1] == WIDE:
        assert left[2] > left[0] + 100
        return "red left"
    assert above[2] > above[0] + 100
    return "red above"


# Everything but the orientation is wrong here, so the photo is turned as every viewer turns it.
SPOILT: dict[str, bytes] = {
    "a resolution of one over nothing": exif(TURNED, (RESOLUTION, RATIONAL, 1, at(38)), more=at(1) + at(0)),
    "a resolution in a float": exif(TURNED, (RESOLUTION, FLOAT, 1, b"\x7f\xc0\x00\x00")),
    "a maker that lies outside": exif((MAKE, 2, 9, at(999_999)), TURNED),
    "camera data far behind": exif(TURNED, (EXIF, LONG, 1, at(38)), more=directory((ON_FILM, 7, 0xFFFF, at(0)))),
    "a maker in numbers": exif((MAKE, RATIONAL, 1, at(50)), TURNED, more=at(1) + at(0) + at(1) + at(0)),
    "a place in three parts of which two are wrong": exif(
        TURNED,
        (GPS, LONG, 1, at(38)),
        more=directory((LATITUDE, RATIONAL, 3, at(56))) + at(0) + at(0) + at(1) + at(0) + at(7) + at(0),
    ),
    "a place that begins outside": exif(TURNED, (GPS, LONG, 1, at(999_999))),
    "a place that is a fraction": exif(TURNED, (GPS, RATIONAL, 1, at(38)), more=at(8) + at(3)),
    "camera data in itself": exif(TURNED, (EXIF, LONG, 1, at(8))),
    "camera data in letters": exif(TURNED, (EXIF, 2, 4, b"abc\x00")),
    "a directory that follows itself": exif(TURNED, following=8),
    "a type that there is not": exif(TURNED, (RESOLUTION, 0x7F00, 1, at(0))),
    "a count of four billion": exif(TURNED, (RESOLUTION, SHORT, 0xFFFFFFFF, at(8))),
}

# Here the orientation itself cannot be read, or is none.
UNREADABLE: dict[str, bytes] = {
    "nothing": b"",
    "noise": bytes(range(256)),
    "a header alone": b"MM\x00*",
    "another byte order": b"XX\x00*" + exif(TURNED)[4:],
    "a directory that begins outside": b"MM\x00*" + at(0xFFFFFFF0),
    "a directory cut off": exif(TURNED)[:16],
    "an orientation of nine": exif((ORIENTATION, SHORT, 1, b"\x00\x09\x00\x00")),
    "an orientation in letters": exif((ORIENTATION, 2, 2, b"6\x00\x00\x00")),
    "an orientation over nothing": exif((ORIENTATION, RATIONAL, 1, at(26)), more=at(6) + at(0)),
    "an orientation of none": exif((ORIENTATION, SHORT, 0, at(0))),
}


@pytest.mark.parametrize("name", SPOILT)
@pytest.mark.parametrize("make", [jpeg, png, webp])
def test_a_photo_is_turned_even_where_other_tags_are_damaged(make: Callable[..., bytes], name: str) -> None:
    assert seen(make(orientation_block=SPOILT[name])) == "red above"


@pytest.mark.parametrize("name", UNREADABLE)
@pytest.mark.parametrize("make", [jpeg, png, webp])
def test_exif_that_cannot_be_read_is_as_if_it_were_not_there(make: Callable[..., bytes], name: str) -> None:
    photo = make(orientation_block=UNREADABLE[name])
    assert seen(photo) == "red left"
    assert lens_of(photo) is None


BOMB = zlib.compress(bytes(200_000_000))

BESIDE: dict[str, Callable[[], bytes]] = {
    "JPEG: a resolution cut off": lambda: jpeg((0xE0, b"JFIF\x00\x01")),
    "JPEG: half an Adobe segment": lambda: jpeg((0xEE, b"Adobe\x00")),
    "JPEG: Photoshop's block cut off": lambda: jpeg((0xED, b"Photoshop 3.0\x008BIM\x03\xed")),
    "JPEG: half a colour profile": lambda: jpeg((0xE2, b"ICC_PROFILE\x00")),
    "JPEG: an index of pictures that is none": lambda: jpeg((0xE2, b"MPF\x00MM\x00*" + at(8) + b"\x00\x09")),
    "JPEG: an index of four billion pictures": lambda: jpeg(
        (0xE2, b"MPF\x00" + exif((0xB001, LONG, 1, b"\xff\xff\xff\xff"), (0xB002, 7, 4, at(8))))
    ),
    "JPEG: an index of no pictures": lambda: jpeg((0xE2, b"MPF\x00" + exif((0xB001, LONG, 1, at(2))))),
    "JPEG: two blocks of EXIF, one of noise": lambda: jpeg((0xE1, b"Exif\x00\x00" + bytes(99))),
    "JPEG: a comment of noise": lambda: jpeg((0xFE, bytes(range(256)))),
    "PNG: a compressed text of 200 MB": lambda: png((b"zTXt", b"Comment\x00\x00" + BOMB)),
    "PNG: an international text of 200 MB": lambda: png((b"iTXt", b"XML:com.adobe.xmp\x00\x01\x00\x00\x00" + BOMB)),
    "PNG: a colour profile of 200 MB": lambda: png((b"iCCP", b"sRGB\x00\x00" + BOMB)),
    "PNG: a colour profile packed in another way": lambda: png((b"iCCP", b"sRGB\x00\x09" + bytes(20))),
    "PNG: a colour profile without an end": lambda: png((b"iCCP", b"sRGB")),
    "PNG: a text packed in another way": lambda: png((b"zTXt", b"Comment\x00\x07x")),
    "PNG: 80 texts of a megabyte": lambda: png(*[(b"tEXt", b"Comment\x00" + bytes(1_000_000))] * 24),
    "PNG: EXIF as a text that is no number": lambda: png((b"tEXt", b"Raw profile type exif\x00\nexif\n 9\nzz")),
    "PNG: half a gamma": lambda: png((b"gAMA", b"\x00")),
    "PNG: half a resolution": lambda: png((b"pHYs", b"\x00")),
    "PNG: an animation of no pictures": lambda: png((b"acTL", bytes(8))),
    "PNG: an animation whose frames lie outside": lambda: png(
        (b"acTL", at(2) + at(0)), (b"fcTL", at(0) + at(9000) * 4 + bytes(6))
    ),
    "PNG: half an animation": lambda: png((b"acTL", b"\x00"), (b"fcTL", b"\x00")),
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_is_written_beside_the_pixels_does_not_keep_them_from_being_read(name: str) -> None:
    photo = BESIDE[name]()
    assert seen(photo) == "red left"
    assert lens_of(photo) is None


def test_the_lens_is_told_where_the_place_is_damaged() -> None:
    photo = jpeg(
        orientation_block=exif(
            (EXIF, LONG, 1, at(38)),
            (GPS, LONG, 1, at(999_999)),
            more=directory((ON_FILM, SHORT, 1, b"\x00\x1a\x00\x00")),
        )
    )
    assert lens_of(photo) == pytest.approx(26 / FILM_DIAGONAL)


@pytest.mark.filterwarnings("error")
def test_damaged_exif_is_not_warned_of() -> None:
    """A warning of the library would stand on the error stream, where nobody can make anything of it."""
    for block in (*SPOILT.values(), *UNREADABLE.values()):
        seen(png(orientation_block=block))
        lens_of(png(orientation_block=block))


def test_a_photo_with_damaged_exif_is_read_and_so_is_the_other_one(tmp_path: Path) -> None:
    for name, block in (("bad.jpg", SPOILT["a place in three parts of which two are wrong"]), ("good.jpg", b"")):
        (tmp_path / name).write_bytes(jpeg(orientation_block=block))
    done = pyramids("read", tmp_path / "bad.jpg", tmp_path / "good.jpg", "--game", "settlers", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    bad, good = objects(done)
    assert bad["image"] == {"width": HIGH, "height": WIDE}
    assert good["image"] == {"width": WIDE, "height": HIGH}
    assert json.dumps(bad["questions"]) == json.dumps(good["questions"])
