"""Pictures made anew from pixels alone: no place, camera or date of the original stays in them."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from PIL import Image

from companion_app.photos import Photo

LONGEST_SIDE = 2400  # px, of the photo that is kept
SMALL_SIDE = 320


def jpeg(image: Photo, longest_side: int | None = None, quality: int = 88) -> bytes:
    """(H, W, 3) BGR pixels as a JPEG, made smaller where a side is longer than *longest_side*."""
    picture = Image.fromarray(image[:, :, ::-1])
    if longest_side:
        picture.thumbnail((longest_side, longest_side), Image.Resampling.LANCZOS, reducing_gap=2.0)
    stream = BytesIO()
    picture.save(stream, "JPEG", quality=quality)
    return stream.getvalue()


def sized(image: Photo, size: tuple[int, int]) -> Photo:
    """*image* brought to (width, height): the size in which a reading counts its pixels."""
    return np.asarray(Image.fromarray(image).resize(size, Image.Resampling.BILINEAR))
