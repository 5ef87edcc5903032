"""Pictures made anew from pixels alone: no place, camera or date of the original stays in them."""

from __future__ import annotations

from io import BytesIO

from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from companion_app.photos import Photo, decode_photo, pixels_of

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


def encoded_anew(data: bytes, name: str) -> bytes:
    """A photo as the JPEG that is kept of it; raises BadPhoto, whose sentence begins with *name*."""
    return jpeg(decode_photo(data, name), LONGEST_SIDE)


def has_only_pixels(data: bytes) -> bool:
    """Whether the header of a picture tells of nothing beside its pixels, as that of what ``jpeg`` makes."""
    try:
        with Image.open(BytesIO(data), formats=["JPEG"]) as image:
            segments = image.applist if isinstance(image, JpegImageFile) else []
            return max(image.size) <= LONGEST_SIDE and [name for name, _ in segments] == ["APP0"]
    except Exception:  # whatever is wrong with it: it is not one of ours
        return False


def sized(image: Photo, size: tuple[int, int]) -> Photo:
    """*image* brought to (width, height): the size in which a reading counts its pixels."""
    return pixels_of(Image.fromarray(image).resize(size, Image.Resampling.BILINEAR))
