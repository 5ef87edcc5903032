"""Small photos of every kind that is opened, with as much written beside their pixels as cameras write."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image, ImageCms, PngImagePlugin

from companion_app.reading_types import Game
from companion_app.web.tables import virtual_table

SIZE = (320, 240)
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description tiff:Orientation="6"/></rdf:RDF></x:xmpmeta>'


def photos() -> dict[str, bytes]:
    """Encoded photos of virtual tables by their kinds."""
    board, systems = (_table(game) for game in (Game.SETTLERS, Game.HOMEWORLDS))
    beside: dict[str, Any] = {"exif": _exif(), "icc_profile": _profile(), "xmp": XMP}
    grey16 = Image.fromarray(np.asarray(board.convert("L")).astype(np.uint16) * 257)
    clear = board.convert("RGBA")
    clear.putalpha(Image.linear_gradient("L").resize(SIZE))
    return {
        "jpeg": _encoded(board, "JPEG", comment=b"a table", dpi=(72, 72), **beside),
        "progressive jpeg": _encoded(systems, "JPEG", progressive=True, restart_marker_rows=4, **beside),
        "grey jpeg": _encoded(board.convert("L"), "JPEG", exif=_exif()),
        "cmyk jpeg": _encoded(board.convert("CMYK"), "JPEG", **beside),
        "mpo": _encoded(board, "MPO", save_all=True, append_images=[systems], exif=_exif()),
        "png": _encoded(systems, "PNG", pnginfo=_texts(), dpi=(72, 72), exif=_exif(), icc_profile=_profile()),
        "png with alpha": _encoded(clear, "PNG", exif=_exif()),
        "png with palette": _encoded(board.convert("P"), "PNG", transparency=3, gamma=2.2),
        "png of 16 bits": _encoded(grey16, "PNG"),
        "png of 1 bit": _encoded(board.convert("1"), "PNG"),
        "animated png": _encoded(board, "PNG", save_all=True, append_images=[systems], duration=100),
        "webp": _encoded(board, "WEBP", **beside),
        "lossless webp": _encoded(clear, "WEBP", lossless=True, **beside),
        "animated webp": _encoded(board, "WEBP", save_all=True, append_images=[systems], duration=100, **beside),
        "bmp": _encoded(board, "BMP"),
        "bmp with palette": _encoded(board.convert("P"), "BMP"),
        "bmp of 1 bit": _encoded(board.convert("1"), "BMP"),
        "packed bmp": _packed_bmp(),
    }


def _table(game: Game) -> Image.Image:
    return Image.fromarray(virtual_table(game, 1)[0][:, :, ::-1]).resize(SIZE)


def _encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    stream = BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def _exif() -> Image.Exif:
    """What a telephone writes: itself, its lens, the time, the place, and notes of its maker."""
    exif = Image.Exif()
    exif.update(
        {0x010F: "A maker", 0x0110: "A telephone", 0x0112: 6, 0x011A: 72.0, 0x0131: "1.2", 0x0132: "2025:07:14"}
    )
    exif.get_ifd(0x8769).update(
        {0x829A: 0.01, 0x829D: 1.8, 0x8827: 100, 0x9286: b"ASCII\x00\x00\x00hello", 0xA002: 4032, 0xA003: 3024}
    )
    exif.get_ifd(0x8769).update({0x920A: 4.2, 0x927C: bytes(range(200)), 0xA405: 26, 0xA432: (4.2, 4.2, 1.8, 1.8)})
    exif.get_ifd(0x8825).update(
        {1: "N", 2: (47.0, 22.0, 40.5), 3: "E", 4: (8.0, 32.0, 30.5), 5: b"\x00", 29: "2025:07:14"}
    )
    return exif


def _profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def _texts() -> PngImagePlugin.PngInfo:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Title", "A table")
    texts.add_text("Comment", "A table, packed " * 20, zip=True)
    texts.add_itxt("XML:com.adobe.xmp", XMP.decode(), zip=True)
    texts.add_text("Raw profile type exif", "\nexif\n      8\n4d4d002a00000008\n")
    return texts


def _packed_bmp() -> bytes:
    """A BMP of stripes in runs of 64 pixels, which the library reads but does not write."""
    width, height = 128, 96
    rows = bytes((64, 1, 64, 2, 0, 0)) * height + bytes((0, 1))
    palette = bytes(range(256)) * 4
    head = 14 + 40 + len(palette)
    information = b"".join(
        number.to_bytes(size, "little")
        for number, size in ((40, 4), (width, 4), (height, 4), (1, 2), (8, 2), (1, 4), (len(rows), 4))
    ) + bytes(16)
    whole = head + len(rows)
    return b"BM" + whole.to_bytes(4, "little") + bytes(4) + head.to_bytes(4, "little") + information + palette + rows
