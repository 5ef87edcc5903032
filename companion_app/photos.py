"""Photos from outside: opened safely, turned upright, and handed on as plain arrays; anything else is refused."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion_app import MAX_PIXELS
from companion_app.bounded_files import read_bounded
from companion_app.errors import AppError
from companion_app.exif import ORIENTATION, Exif, exif_in
from companion_app.photo_parts import Parts, parts_of

Photo = NDArray[np.uint8]
"""(height, width, 3) in blue, green, red, upright."""

MAX_BYTES = 25 * 1024 * 1024
MIN_SIDE = 64  # px; nothing can be made out on a smaller picture
STRIP = 64  # rows of a picture that are copied at a time
FORMATS = ["JPEG", "PNG", "WEBP", "BMP"]

_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

_HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}


class BadPhoto(AppError):
    """A file that is no photo we can open.

    Codes: ``photo_missing``, ``photo_empty``, ``photo_too_heavy``, ``photo_too_large``, ``photo_too_small``,
    ``photo_truncated``, ``photo_heic``, ``photo_svg``, ``photo_unknown``.
    """


def open_photo(path: Path) -> Photo:
    """The photo in a file; raises BadPhoto, whose sentence names the file."""
    return decode_photo(photo_bytes(path), name=path.name)


def photo_bytes(path: Path) -> bytes:
    """What is in a file, no more than a photo may have; raises BadPhoto, whose sentence names the file."""
    try:
        data = read_bounded(path, MAX_BYTES)
    except FileNotFoundError:
        raise BadPhoto("photo_missing", f"There is no file {path}.") from None
    except IsADirectoryError:
        raise BadPhoto("photo_missing", f"{path} is a folder: name the photos in it one by one.") from None
    except OSError as error:
        raise BadPhoto("photo_missing", f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise _too_heavy(path.name)
    return data


def decode_photo(data: bytes, name: str = "This file") -> Photo:
    """The photo in some bytes; raises BadPhoto, whose sentence begins with *name*."""
    if not data:
        raise BadPhoto("photo_empty", f"{name} is empty: copy or upload it again.")
    if len(data) > MAX_BYTES:
        raise _too_heavy(name)
    if _looks_like_svg(data):
        raise BadPhoto("photo_svg", f"{name} is a drawing (SVG), not a photo: save it as JPEG or PNG.")
    formats = FORMATS
    if _looks_like_heic(data):
        _prepare_for_heic(name)
        formats = ["HEIF"]
    parts = parts_of(data)
    with warnings.catch_warnings():
        # Whether a picture is too large is decided here, and only here; of the rest nobody wants to hear.
        warnings.simplefilter("ignore")
        image = _open(parts.picture, name, formats)
        _refuse_odd_sizes(image, name)
        return _pixels(image, exif_of(image, parts), name)


def exif_of(image: Image.Image, parts: Parts) -> Exif:
    """The EXIF of an *image* opened from *parts* of a photo: what lay beside it, or what its decoder found."""
    return exif_in(parts.exif or image.info.get("exif") or b"")


def pixels_of(picture: Image.Image, into: Photo | None = None) -> Photo:
    """(H, W, 3) the pixels of a picture of three colours, without the two copies that Pillow makes of the whole.

    They are put *into* an array of that shape, or into a new one.
    """
    pixels = np.empty((picture.height, picture.width, 3), np.uint8) if into is None else into
    top = 0
    for rows in _strips(pixels):
        rows[:] = np.asarray(picture.crop((0, top, picture.width, top + len(rows))))
        top += len(rows)
    return pixels


def _strips(pixels: Photo) -> Iterator[Photo]:
    """All rows, a few at a time: what is done with them needs no copy of the whole."""
    for top in range(0, len(pixels), STRIP):
        yield pixels[top : top + STRIP]


def _open(data: bytes, name: str, formats: list[str]) -> Image.Image:
    """The image with its header read and no pixel decoded."""
    try:
        return Image.open(BytesIO(data), formats=formats)
    except Image.DecompressionBombError:
        raise _too_large(name) from None
    except Exception:  # a damaged file makes the library raise whatever comes to hand, here and below
        if _starts_like_a_photo(data):
            raise _truncated(name) from None
        raise BadPhoto(
            "photo_unknown", f"{name} is not a photo that can be opened: give a JPEG, PNG, WebP or BMP file."
        ) from None


def _pixels(image: Image.Image, exif: Exif, name: str) -> Photo:
    """All pixels, upright, in blue, green, red."""
    turn = _TURNS.get(exif.picture.get(ORIENTATION, 1))
    try:
        image.load()
        upright = _as_rgb(image if turn is None else image.transpose(turn))
    except Exception:
        raise _truncated(name) from None
    pixels = pixels_of(upright)
    for rows in _strips(pixels):
        cv2.cvtColor(rows, cv2.COLOR_RGB2BGR, dst=rows)
    return pixels


def _as_rgb(image: Image.Image) -> Image.Image:
    """Eight bits for each of three colours, what is transparent shown on white."""
    if image.mode.startswith(("I", "F")):  # 16 bits of grey
        return Image.fromarray((np.asarray(image).clip(0, 65535) / 257).astype(np.uint8)).convert("RGB")
    if image.has_transparency_data:
        solid = Image.new("RGBA", image.size, "white")
        solid.alpha_composite(image.convert("RGBA"))
        return solid.convert("RGB")
    return image if image.mode == "RGB" else image.convert("RGB")


def _refuse_odd_sizes(image: Image.Image, name: str) -> None:
    if image.width * image.height > MAX_PIXELS:
        raise _too_large(name)
    if min(image.size) < MIN_SIDE:
        raise BadPhoto(
            "photo_too_small",
            f"{name} is only {image.width}×{image.height} pixels: take the photo with at least 640×480.",
        )


def _prepare_for_heic(name: str) -> None:
    try:
        importlib.import_module("pillow_heif").register_heif_opener()
    except ImportError:
        raise BadPhoto(
            "photo_heic",
            f"{name} is a HEIC photo: save it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible), "
            "or install pyramid-companion[heic].",
        ) from None


def _looks_like_heic(data: bytes) -> bool:
    return data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS


def _looks_like_svg(data: bytes) -> bool:
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return head.startswith(b"<svg") or (head.startswith((b"<?xml", b"<!doctype svg")) and b"<svg" in head)


def _starts_like_a_photo(data: bytes) -> bool:
    return data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"BM"))


def _too_heavy(name: str) -> BadPhoto:
    limit = MAX_BYTES // 1024 // 1024
    return BadPhoto("photo_too_heavy", f"{name} is larger than {limit} MB: save it as JPEG, or make it smaller.")


def _too_large(name: str) -> BadPhoto:
    limit = MAX_PIXELS // 1_000_000
    return BadPhoto("photo_too_large", f"{name} has more than {limit} million pixels: make it smaller.")


def _truncated(name: str) -> BadPhoto:
    return BadPhoto("photo_truncated", f"{name} is damaged or cut off: copy or upload it again.")
