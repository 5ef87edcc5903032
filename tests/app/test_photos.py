"""Photos from outside: what is opened, how it comes out, and how each thing that is no photo is refused."""

from __future__ import annotations

import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from companion_app.photos import BadPhoto, decode_photo, open_photo


def picture(mode: str = "RGB", size: tuple[int, int] = (120, 80)) -> Image.Image:
    """Left half red, right half blue, with noise that does not compress away."""
    pixels = np.random.default_rng(0).integers(0, 30, (size[1], size[0], 3), dtype=np.uint8)
    pixels[:, : size[0] // 2, 0] += 220
    pixels[:, size[0] // 2 :, 2] += 220
    return Image.fromarray(pixels).convert(mode)


def encoded(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    stream = BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def png_of_size(width: int, height: int) -> bytes:
    """A PNG of few bytes that claims to be huge, and is: rows of zeros."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


OPENED: dict[str, Callable[[], bytes]] = {
    "jpeg": lambda: encoded(picture(), "JPEG", quality=95),
    "progressive jpeg": lambda: encoded(picture(), "JPEG", quality=95, progressive=True),
    "cmyk jpeg": lambda: encoded(picture("CMYK"), "JPEG", quality=95),
    "png": lambda: encoded(picture()),
    "png with alpha": lambda: encoded(picture("RGBA")),
    "png with palette": lambda: encoded(picture("P")),
    "webp": lambda: encoded(picture(), "WEBP", lossless=True),
    "bmp": lambda: encoded(picture(), "BMP"),
}

REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "no bytes": (lambda: b"", "photo_empty"),
    "text": (lambda: b"Ceci n'est pas une pyramide.\n" * 99, "photo_unknown"),
    "zeros": (lambda: bytes(5000), "photo_unknown"),
    "pdf": (lambda: b"%PDF-1.7\n" + bytes(999), "photo_unknown"),
    "gif": (lambda: encoded(picture("P"), "GIF"), "photo_unknown"),
    "svg": (lambda: b'<svg xmlns="http://www.w3.org/2000/svg"/>', "photo_svg"),
    "svg with prologue": (lambda: b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- x -->\n<svg/>', "photo_svg"),
    "heic": (lambda: b"\x00\x00\x00\x18ftypheic" + bytes(500), "photo_heic"),
    "half a jpeg": (lambda: encoded(picture(), "JPEG")[:1200], "photo_truncated"),
    "half a progressive jpeg": (
        lambda: encoded(picture(), "JPEG", progressive=True, quality=95)[:4000],
        "photo_truncated",
    ),
    "the beginning of a jpeg": (lambda: encoded(picture(), "JPEG")[:20], "photo_truncated"),
    "half a png": (lambda: encoded(picture())[:9000], "photo_truncated"),
    "the beginning of a png": (lambda: encoded(picture())[:12], "photo_truncated"),
    "half a webp": (lambda: encoded(picture(), "WEBP", lossless=True)[:5000], "photo_truncated"),
    "one pixel": (lambda: encoded(picture(size=(1, 1))), "photo_too_small"),
    "30000 × 30000": (lambda: png_of_size(30000, 30000), "photo_too_large"),
    "9000 × 9000": (lambda: png_of_size(9000, 9000), "photo_too_large"),
    "26 MB": (lambda: bytes(26 * 1024 * 1024), "photo_too_heavy"),
}


@pytest.mark.parametrize("name", OPENED)
def test_photos_of_every_kind_are_opened(name: str) -> None:
    pixels = decode_photo(OPENED[name]())
    assert pixels.shape == (80, 120, 3)
    assert pixels.dtype == np.uint8
    left, right = pixels[40, 20].astype(int), pixels[40, 100].astype(int)
    assert left[2] > left[0] + 100, "red on the left, and last in the array"
    assert right[0] > right[2] + 100


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_photo_is_refused_at_once_in_one_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    make, code = REFUSED[name]
    data = make()
    start = time.perf_counter()
    with pytest.raises(BadPhoto) as caught:
        decode_photo(data, name="table.jpg")
    assert time.perf_counter() - start < 1.0
    assert caught.value.code == code
    assert caught.value.sentence.startswith("table.jpg ")
    assert caught.value.sentence.endswith(".")
    assert "\n" not in caught.value.sentence


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_photo_is_turned_as_a_viewer_shows_it(orientation: int) -> None:
    upright = picture(size=(120, 80))
    stored = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    image = upright.transpose(stored[orientation]) if orientation in stored else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    pixels = decode_photo(encoded(image, "PNG", exif=exif))
    assert np.array_equal(pixels[:, :, ::-1], np.asarray(upright))


def test_sixteen_bits_of_grey_keep_their_brightness() -> None:
    grey = np.tile(np.linspace(0, 65535, 120).astype(np.uint16), (80, 1))
    pixels = decode_photo(encoded(Image.fromarray(grey)))
    assert pixels[0, 0].tolist() == [0, 0, 0]
    assert pixels[0, -1].tolist() == [255, 255, 255]
    assert abs(int(pixels[0, 60, 0]) - 128) <= 2


def test_what_is_transparent_is_white() -> None:
    assert (decode_photo(encoded(Image.new("RGBA", (80, 80), (0, 0, 0, 0)))) == 255).all()


@given(st.integers(0, 20_000), st.binary(min_size=1, max_size=8))
def test_a_damaged_photo_is_opened_or_refused_but_never_breaks(place: int, damage: bytes) -> None:
    data = bytearray(encoded(picture(), "JPEG", quality=95))
    place %= len(data)
    data[place : place + len(damage)] = damage
    with suppress(BadPhoto):
        assert decode_photo(bytes(data)).ndim == 3


def test_opencv_keeps_to_the_limit_too() -> None:
    code = (
        "from companion_app.photos import MAX_PIXELS\nimport cv2, numpy, sys\n"
        "data = numpy.frombuffer(sys.stdin.buffer.read(), numpy.uint8)\n"
        "try: print(cv2.imdecode(data, cv2.IMREAD_COLOR))\nexcept cv2.error: print('refused')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=png_of_size(30000, 30000), check=True, capture_output=True, timeout=30
    )
    assert done.stdout.strip() in (b"refused", b"None")


def test_files_are_named_in_the_refusal(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "gone.jpg", "There is no file"),
        (tmp_path, "is a folder"),
    ):
        with pytest.raises(BadPhoto, match=words) as caught:
            open_photo(path)
        assert str(path) in caught.value.sentence
    heavy = tmp_path / "heavy.jpg"
    with heavy.open("wb") as file:
        file.truncate(26 * 1024 * 1024)
    with pytest.raises(BadPhoto, match=r"heavy\.jpg is larger than 25 MB"):
        open_photo(heavy)


def test_a_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    picture().save(path)
    assert open_photo(path).shape == (80, 120, 3)
